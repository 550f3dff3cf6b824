/** Ranks from 1, the smallest first; equal values share the mean of the ranks that they take up. */
export function ranks(values: ArrayLike<number>): Float64Array {
  const order = Array.from(values, (_, index) => index).toSorted((a, b) => values[a]! - values[b]!);
  const ranked = new Float64Array(values.length);
  for (let from = 0; from < order.length;) {
    let to = from;
    while (to + 1 < order.length && values[order[to + 1]!] === values[order[from]!]) to += 1;
    for (let at = from; at <= to; at += 1) ranked[order[at]!] = (from + to) / 2 + 1;
    from = to + 1;
  }
  return ranked;
}

/** Spearman's rank correlation: Pearson's, of the ranks, so that ties count right. 0 where one side is all the same. */
export function spearman(a: ArrayLike<number>, b: ArrayLike<number>): number {
  const [x, y] = [ranks(a), ranks(b)];
  const mean = (x.length + 1) / 2;
  let [both, left, right] = [0, 0, 0];
  for (let i = 0; i < x.length; i += 1) {
    both += (x[i]! - mean) * (y[i]! - mean);
    left += (x[i]! - mean) ** 2;
    right += (y[i]! - mean) ** 2;
  }
  return left === 0 || right === 0 ? 0 : both / Math.sqrt(left * right);
}
