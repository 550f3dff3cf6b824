import { parseUsd } from "../../form/usd.ts";
import { partsToDate } from "../../form/utc-instant.ts";
import { formatUsd } from "../../format.ts";
import type { KeyFormValues } from "./key-form.ts";
import { utcMinute } from "./utc-minute.ts";

/** A run of the sentence; `strong` is what the person chose. */
export interface Part {
  text: string;
  strong: boolean;
}

const per = { daily: " a day", weekly: " a week", monthly: " a month", none: " in total" } as const;

/** What the form would make, as one sentence. What is not yet valid is left out rather than guessed. */
export function keySummary(values: KeyFormValues, workspace: string): Part[] {
  const parts: Part[] = [plain("A key for "), strong(workspace)];
  const limit = values.limited === "yes" ? parseUsd(values.limit) : null;
  if (limit === null) parts.push(plain(", with no spending limit"));
  else if ("usd" in limit) {
    parts.push(
      plain(values.watchOnly ? ", watched from " : ", at most "),
      strong(formatUsd(limit.usd, { exact: true }) + per[values.reset]),
    );
    parts.push(plain(values.countByok ? ", counting BYOK" : ", not counting BYOK"));
  }
  const end = values.expires === "at" ? partsToDate(values.expiresAt) : null;
  if (values.expires === "never") parts.push(plain(", until you delete it"));
  else if (end) parts.push(plain(", until "), strong(utcMinute(end)));
  parts.push(plain("."));
  return parts;
}

/** `$50.00 a week, BYOK counted`; the settings of a key that exists, for the reveal and the detail. */
export function limitWords(key: {
  limit: number | null;
  limit_reset: "daily" | "weekly" | "monthly" | null;
  include_byok_in_limit: boolean;
  limit_watch_only: boolean;
}): string {
  if (key.limit === null) return "No limit";
  return `${formatUsd(key.limit, { exact: true })}${per[key.limit_reset ?? "none"]}${key.include_byok_in_limit ? ", BYOK counted" : ""}${key.limit_watch_only ? ", only watched" : ""}`;
}

const plain = (text: string): Part => ({ text, strong: false });
const strong = (text: string): Part => ({ text, strong: true });
