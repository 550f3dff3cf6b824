import { Refusal } from "../refusal.ts";
import { add, emptyWindow, type RateWindow, wait } from "../ledger/rate-window.ts";
import { sourceKey } from "../source-key.ts";

/** A job that goes wrong on many machines at once is within it. */
const perMinute = 60;
const mostCounted = 10_000;

/**
 * Failed exchanges of workloads' tokens, by address and policy. A signature cannot be guessed, so the bound is for the
 * work that failures make. Many workloads share an address, such as the machines of a CI service: it lasts a minute at
 * most, and one that is set up wrongly does not hold up those of other policies.
 */
export interface FailedExchanges {
  /** @param policyId null: there is no such policy */
  of(source: string | null, policyId: string | null): Failures;
}

interface Failures {
  /** @throws Refusal rate_limit_exceeded while there were too many in the last minute */
  refuseTooMany(now: Date): void;
  add(now: Date): void;
}

export function createFailedExchanges(): FailedExchanges {
  const counted = new Map<string, RateWindow>();
  return {
    of(source, policyId) {
      const key = `${sourceKey(source)} ${policyId ?? ""}`;
      const window = () => counted.get(key) ?? emptyWindow;
      return {
        refuseTooMany(now) {
          const left = wait(window(), 1, perMinute, now.getTime()) ?? 0;
          if (left <= 0) return;
          const retryAfterSeconds = Math.ceil(left / 1_000);
          throw new Refusal(
            "rate_limit_exceeded",
            `Too many failed attempts to exchange a token for this policy from this address: try again in ${retryAfterSeconds} s`,
            { retryAfterSeconds },
          );
        },
        add(now) {
          const next = add(window(), 1, now.getTime());
          counted.delete(key);
          if (counted.size >= mostCounted) counted.delete(counted.keys().next().value ?? "");
          counted.set(key, next);
        },
      };
    },
  };
}
