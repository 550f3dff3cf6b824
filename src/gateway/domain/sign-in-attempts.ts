import { Refusal } from "./refusal.ts";

/** Failures in a row, and when the last one was. */
export interface Failures {
  count: number;
  lastAt: Date;
}

/** How many failures cost nothing: people mistype. */
const freePerSource = 4;
/** From all sources together, so that many addresses do not make many guesses. */
const freeGlobal = 100;
const longestWaitMs = 15 * 60_000;
/** After this long without a failure, all is forgotten. */
const forgetAfterMs = 60 * 60_000;
const maxSources = 10_000;

/** How long after its last failure a source has to wait: 1 s after the first that counts, twice as long after each more. */
export function waitMs(failures: number, free: number): number {
  if (failures <= free) return 0;
  return Math.min(1_000 * 2 ** Math.min(failures - free - 1, 20), longestWaitMs);
}

/** The failures after one more at `now`. */
export function addFailure(before: Failures | undefined, now: Date): Failures {
  const forgotten = before === undefined || now.getTime() - before.lastAt.getTime() >= forgetAfterMs;
  return { count: forgotten ? 1 : before.count + 1, lastAt: now };
}

/** Slows down guessing. In memory only: a restart forgets, and a guesser cannot restart the gateway. */
export interface SignInAttempts {
  /** @throws Refusal rate_limit_exceeded while the source, or everyone, has to wait */
  refuseTooMany(source: string | null, now: Date): void;
  failed(source: string | null, now: Date): void;
  succeeded(source: string | null): void;
}

export function createSignInAttempts(): SignInAttempts {
  const sources = new Map<string, Failures>();
  let everyone: Failures | undefined;
  return {
    refuseTooMany(source, now) {
      const left = Math.max(
        leftToWait(sources.get(source ?? ""), freePerSource, now),
        leftToWait(everyone, freeGlobal, now),
      );
      if (left <= 0) return;
      const retryAfterSeconds = Math.ceil(left / 1_000);
      throw new Refusal(
        "rate_limit_exceeded",
        `Too many failed attempts to sign in: try again in ${retryAfterSeconds} s`,
        {
          retryAfterSeconds,
        },
      );
    },
    failed(source, now) {
      const key = source ?? "";
      const next = addFailure(sources.get(key), now);
      sources.delete(key);
      if (sources.size >= maxSources) sources.delete(sources.keys().next().value ?? "");
      sources.set(key, next);
      everyone = addFailure(everyone, now);
    },
    succeeded(source) {
      sources.delete(source ?? "");
    },
  };
}

function leftToWait(failures: Failures | undefined, free: number, now: Date): number {
  if (failures === undefined) return 0;
  return failures.lastAt.getTime() + waitMs(failures.count, free) - now.getTime();
}
