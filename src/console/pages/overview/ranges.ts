import * as z from "zod/mini";

/** The time ranges of the chart, in whole UTC hours or days, as the usage endpoint counts them. */
export const ranges = {
  "24h": { label: "24 h", by: "hour", last: 24, words: "the last 24 hours" },
  "7d": { label: "7 d", by: "hour", last: 168, words: "the last 7 days" },
  "30d": { label: "30 d", by: "day", last: 30, words: "the last 30 days" },
} as const satisfies Record<RangeName, object>;

export const RangeName = z.enum(["24h", "7d", "30d"]);
export type RangeName = z.infer<typeof RangeName>;
export type Range = (typeof ranges)[RangeName];
