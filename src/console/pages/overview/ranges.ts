import * as z from "zod/mini";

/** The time ranges of the chart: hours key by key, or the completed days of the whole account. */
export const ranges = {
  "24h": { label: "24 h", by: "hour", last: 24, words: "the last 24 hours" },
  "7d": { label: "7 d", by: "hour", last: 168, words: "the last 7 days" },
  "30d": { label: "30 d" },
} as const satisfies Record<RangeName, object>;

export const RangeName = z.enum(["24h", "7d", "30d"]);
export type RangeName = z.infer<typeof RangeName>;
export type HourRange = (typeof ranges)["24h" | "7d"];
