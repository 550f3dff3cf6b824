const firstMs = 500;
const longestMs = 60_000;

/**
 * How long to wait after the n-th failure in a row: doubling from half a second to a minute, of which a random half is
 * taken, so that destinations that failed together do not come back together. What the sink asked for wins.
 * @param random from 0 up to 1
 */
export function backoffMs(attempt: number, askedMs: number | null, random: number): number {
  const most = Math.min(firstMs * 2 ** Math.min(attempt - 1, 20), longestMs);
  return Math.max(askedMs ?? 0, Math.round(most * (0.5 + random / 2)));
}
