import { Refusal } from "../refusal.ts";
import { add, emptyWindow, type RateWindow, wait } from "./rate-window.ts";

const mostKeys = 10_000;

/** How often each key does what every key may do, and what costs no money. In memory, so each process counts its own. */
export interface KeyRates {
  /** @throws Refusal rate_limit_exceeded beyond the rate */
  count(keyHash: string, now: Date): void;
}

/** @param what a key may do, for the refusal: `read datasets` */
export function createKeyRates(perMinute: number, what: string): KeyRates {
  const keys = new Map<string, RateWindow>();
  return {
    count(keyHash, now) {
      const at = now.getTime();
      const window = keys.get(keyHash) ?? emptyWindow;
      const left = wait(window, 1, perMinute, at) ?? 0;
      if (left > 0) {
        throw new Refusal("rate_limit_exceeded", `A key may ${what} ${perMinute} times a minute`, {
          retryAfterSeconds: Math.ceil(left / 1_000),
        });
      }
      keys.delete(keyHash);
      if (keys.size >= mostKeys) keys.delete(keys.keys().next().value ?? "");
      keys.set(keyHash, add(window, 1, at));
    },
  };
}
