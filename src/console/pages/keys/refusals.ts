import type { KeyRecord } from "#contract/keys.ts";
import { toNanoUsd } from "#contract/money.ts";
import { rateWords, shortWords } from "#contract/limit-messages.ts";
import { usedInPeriod } from "./used-in-period.ts";

export interface KeyRefusal {
  status: 402 | 429;
  /** which calls are refused */
  when: string;
  /** as the API begins the refusal */
  words: string;
}

/** What calls with this key are refused with, in the words that a caller reads. */
export function refusalsOf(key: KeyRecord): KeyRefusal[] {
  const refusals: KeyRefusal[] = [];
  if (key.status === "over_limit" && key.limit !== null && key.limit_remaining === 0) {
    const spent = usedInPeriod(key, key.limit_reset, key.include_byok_in_limit);
    const words = shortWords("key", toNanoUsd(spent), toNanoUsd(key.limit), key.limit_reset);
    refusals.push({ status: 402, when: "Paid calls", words });
  }
  for (const [of, limit] of [
    ["requests", key.requests_per_minute],
    ["tokens", key.tokens_per_minute],
  ] as const) {
    if (limit !== null)
      refusals.push({ status: 429, when: "Calls beyond its rate", words: rateWords("key", limit, of) });
  }
  return refusals;
}
