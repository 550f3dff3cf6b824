/** How many of `bars` are lit for a used fraction: none only at nothing, all only at the limit or beyond. */
export function litBars(fraction: number, bars: number): number {
  if (!(fraction > 0)) return 0;
  if (fraction >= 1) return bars;
  return Math.min(Math.max(Math.round(fraction * bars), 1), bars - 1);
}
