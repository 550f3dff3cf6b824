/** Ranks from 1, the smallest first; equal values share the mean of the ranks that they take up. */
export function ranks(values: ArrayLike<number>): Float64Array {
  // numbers alone are sorted several times faster than places by their numbers: millions of pairs are ranked here
  const sorted = Float64Array.from(values).toSorted();
  return Float64Array.from(values, (value) => {
    const first = firstFrom(sorted, value, false);
    // equal ones are looked for only where there are some
    const end = sorted[first + 1] === value ? firstFrom(sorted, value, true) : first + 1;
    return (first + end + 1) / 2;
  });
}

/** The place of the first number that is at least `value`, or that is above it. */
function firstFrom(sorted: Float64Array, value: number, above: boolean): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const found = sorted[middle] ?? 0;
    if (found < value || (above && found === value)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Spearman's rank correlation: Pearson's, of the ranks, so that ties count right. 0 where one side is all the same. */
export const spearman = (a: ArrayLike<number>, b: ArrayLike<number>): number => correlate(ranks(a), ranks(b));

/** Pearson's correlation of two lists of ranks, each of them all from 1 on. */
export function correlate(x: Float64Array, y: Float64Array): number {
  const mean = (x.length + 1) / 2;
  let [both, left, right] = [0, 0, 0];
  for (let i = 0; i < x.length; i += 1) {
    const [dx, dy] = [(x[i] ?? 0) - mean, (y[i] ?? 0) - mean];
    both += dx * dy;
    left += dx ** 2;
    right += dy ** 2;
  }
  return left === 0 || right === 0 ? 0 : both / Math.sqrt(left * right);
}
