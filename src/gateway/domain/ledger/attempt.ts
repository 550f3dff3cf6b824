import type { CallAttempt } from "#contract/calls.ts";
import { storedText } from "../stored-text.ts";

/** One candidate that was called for a model call. A call's attempts stand in the order in which they ended. */
export type Attempt = CallAttempt;

/** A call made in a thousand batches has as many attempts: this many are kept from the beginning, and from the end. */
export const keptAttempts = 50;

const longestError = 500;

/** The attempts that are kept of a call; the last one before a gap says how many are missing. */
export function firstAndLast(attempts: readonly Attempt[]): readonly Attempt[] {
  const leftOut = attempts.length - 2 * keptAttempts;
  if (leftOut <= 0) return attempts;
  return attempts
    .filter((_, index) => index < keptAttempts || index >= keptAttempts + leftOut)
    .map((attempt, index) => (index === keptAttempts - 1 ? { ...attempt, left_out: leftOut } : attempt));
}

/** The attempts as the ledger keeps them. */
export function storedAttempts(attempts: readonly Attempt[]): readonly Attempt[] {
  return firstAndLast(attempts).map((attempt) => ({
    ...attempt,
    error: attempt.error === null ? null : storedText(attempt.error, longestError),
  }));
}
