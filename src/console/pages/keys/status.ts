import type { KeyRecord, KeyStatus } from "#contract/keys.ts";
import { startOfUtcDay } from "#contract/time.ts";
import { formatUsd } from "../../format.ts";
import { usedInPeriod } from "./used-in-period.ts";
import { resetLine } from "./resets.ts";
import { utcMinute } from "./utc-minute.ts";

/** How a status is shown: a shape, a word, and what it means for the next call. */
export interface StatusView {
  kind: "running" | "warning" | "trouble" | "over" | "off";
  word: string;
  /** what the word alone would make one believe otherwise; under it in a table */
  note?: string;
  why: string | null;
}

export const statusWords: Record<KeyStatus, string> = {
  active: "Active",
  over_limit: "Over limit",
  expired: "Expired",
  disabled: "Disabled",
};

/**
 * The key's status in words. The server decides it; added here are "Expires today", and that a limit which is only
 * watched is spent.
 */
export function statusView(key: KeyRecord, now: Date): StatusView {
  const word = statusWords[key.status];
  switch (key.status) {
    case "over_limit":
      return { kind: "trouble", word, why: overLimit(key, now) };
    case "expired":
      return {
        kind: "over",
        word,
        why: `It ended ${utcMinute(new Date(key.expires_at ?? now))}. Calls with it get 401.`,
      };
    case "disabled":
      return { kind: "off", word, why: "It was switched off. Calls with it get 401 until it is enabled." };
    case "active":
      if (expiresToday(key, now)) {
        const end = new Date(key.expires_at ?? now);
        return { kind: "warning", word: "Expires today", why: `It ends ${utcMinute(end)}. Calls after that get 401.` };
      }
      if (isWatchedOver(key))
        return { kind: "warning", word: statusWords.over_limit, note: "not refused", why: watchedOver(key, now) };
      return { kind: "running", word, why: null };
  }
}

export function expiresToday(key: KeyRecord, now: Date): boolean {
  return key.expires_at !== null && startOfUtcDay(new Date(key.expires_at)).getTime() === startOfUtcDay(now).getTime();
}

/** Its limit is spent, and refuses nothing. */
export function isWatchedOver(key: KeyRecord): boolean {
  return key.limit_watch_only && key.limit_remaining === 0 && key.status === "active";
}

function watchedOver(key: KeyRecord, now: Date): string {
  const { limit, limit_reset: reset, include_byok_in_limit: countByok } = key;
  const spent = `${formatUsd(usedInPeriod(key, reset, countByok))} of ${formatUsd(limit ?? 0)}`;
  return `It has spent ${spent}. The limit is only watched: calls are not refused for it. It ${resetLine(reset, now)}.`;
}

function overLimit(key: KeyRecord, now: Date): string {
  if (key.limit === null || key.limit_remaining !== 0)
    return "The limit of the key that it was made with is spent: paid calls get 402.";
  return `It has spent its limit of ${formatUsd(key.limit)}: paid calls get 402. It ${resetLine(key.limit_reset, now)}.`;
}

/** The used part of the limit, 0 to 1; null without a limit. A limit of 0 is used up from the start. */
export function usedFraction(key: KeyRecord): number | null {
  if (key.limit === null) return null;
  if (key.limit === 0) return 1;
  return Math.min(1, Math.max(0, 1 - (key.limit_remaining ?? 0) / key.limit));
}
