const firstMs = 500;
const longestMs = 10_000;

/**
 * The wait after the n-th failure in a row: doubling from half a second to ten seconds, so that a backlog does not wait
 * long for a destination that has recovered. Half of it is random, so that destinations that failed together do not
 * return together. A wait that the destination asked for takes precedence.
 * @param random from 0 up to 1
 */
export function backoffMs(attempt: number, askedMs: number | null, random: number): number {
  const most = Math.min(firstMs * 2 ** Math.min(attempt - 1, 20), longestMs);
  return Math.max(askedMs ?? 0, Math.round(most * (0.5 + random / 2)));
}
