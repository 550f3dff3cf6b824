import { Refusal } from "../refusal.ts";
import { add, emptyWindow, type RateWindow, wait } from "../ledger/rate-window.ts";

const perMinute = 30;
const mostKeys = 10_000;

/**
 * How often each key reads datasets: every key may, and each read sums up many rows. In memory, so each process counts
 * its own.
 */
export interface DatasetRates {
  /** @throws Refusal rate_limit_exceeded beyond 30 reads a minute */
  count(keyHash: string, now: Date): void;
}

export function createDatasetRates(): DatasetRates {
  const keys = new Map<string, RateWindow>();
  return {
    count(keyHash, now) {
      const at = now.getTime();
      const window = keys.get(keyHash) ?? emptyWindow;
      const left = wait(window, 1, perMinute, at) ?? 0;
      if (left > 0) {
        throw new Refusal("rate_limit_exceeded", `A key may read datasets ${perMinute} times a minute`, {
          retryAfterSeconds: Math.ceil(left / 1_000),
        });
      }
      keys.delete(keyHash);
      if (keys.size >= mostKeys) keys.delete(keys.keys().next().value ?? "");
      keys.set(keyHash, add(window, 1, at));
    },
  };
}
