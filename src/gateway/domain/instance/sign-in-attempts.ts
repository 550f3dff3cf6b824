import { Refusal } from "../refusal.ts";
import { sourceKey } from "../source-key.ts";

/** Failures in a row, and when the last one was. */
export interface Failures {
  count: number;
  lastAt: Date;
}

/** How many failures are free: people mistype. */
const freePerSource = 4;
const longestWaitMs = 15 * 60_000;
/** After this long without a failure, they are forgotten. */
const forgetAfterMs = 60 * 60_000;
const maxSources = 10_000;

/** How long a source waits after its last failure: 1 s after the first that counts, doubling with each further one. */
export function waitMs(failures: number): number {
  if (failures <= freePerSource) return 0;
  return Math.min(1_000 * 2 ** Math.min(failures - freePerSource - 1, 20), longestWaitMs);
}

/** The failure count after one more at `now`. */
export function addFailure(before: Failures | undefined, now: Date): Failures {
  const forgotten = before === undefined || now.getTime() - before.lastAt.getTime() >= forgetAfterMs;
  return { count: forgotten ? 1 : before.count + 1, lastAt: now };
}

/**
 * Slows down only the source that keeps failing to sign in: management keys have 256 random bits, so many sources
 * guessing at once find nothing, while a delay for everyone would let any source lock all administrators out.
 * Kept in memory only: a restart forgets it, and a guesser cannot restart the gateway.
 */
export interface SignInAttempts {
  /** @throws Refusal rate_limit_exceeded while the source has to wait */
  refuseTooMany(source: string | null, now: Date): void;
  failed(source: string | null, now: Date): void;
  succeeded(source: string | null): void;
}

/** @param what was tried, for the refusal */
export function createSignInAttempts(what = "sign in"): SignInAttempts {
  const sources = new Map<string, Failures>();
  return {
    refuseTooMany(source, now) {
      const left = leftToWait(sources.get(sourceKey(source)), now);
      if (left <= 0) return;
      const retryAfterSeconds = Math.ceil(left / 1_000);
      throw new Refusal(
        "rate_limit_exceeded",
        `Too many failed attempts to ${what} from this address: try again in ${retryAfterSeconds} s`,
        { retryAfterSeconds },
      );
    },
    failed(source, now) {
      const key = sourceKey(source);
      const next = addFailure(sources.get(key), now);
      sources.delete(key);
      if (sources.size >= maxSources) sources.delete(sources.keys().next().value ?? "");
      sources.set(key, next);
    },
    succeeded(source) {
      sources.delete(sourceKey(source));
    },
  };
}

function leftToWait(failures: Failures | undefined, now: Date): number {
  if (failures === undefined) return 0;
  const wait = waitMs(failures.count);
  // After a clock that was ahead is set right, the last failure is in the future.
  return Math.min(failures.lastAt.getTime() + wait - now.getTime(), wait);
}
