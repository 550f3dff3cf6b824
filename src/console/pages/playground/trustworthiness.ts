import type { Similarities } from "./similarity.ts";

/**
 * How far a picture's neighbourhoods can be believed, from 0 to 1 (Venna and Kaski, 2001): points that are among a
 * point's `k` nearest in the picture and not in truth cost the more, the further away they truly are.
 *
 * @param points x and y of the rows of `truth`, in their order
 */
export function trustworthiness(truth: Similarities, points: Float32Array, k: number): number {
  const { size: n, values } = truth;
  if (k < 1 || 2 * n - 3 * k - 1 <= 0) return 1;
  let penalty = 0;
  const rank = new Int32Array(n);
  for (let i = 0; i < n; i += 1) {
    const others = Array.from({ length: n }, (_, j) => j).filter((j) => j !== i);
    const truly = others.toSorted((a, b) => values[i * n + b]! - values[i * n + a]!);
    truly.forEach((j, at) => (rank[j] = at + 1));
    const apart = (j: number) =>
      (points[2 * i]! - points[2 * j]!) ** 2 + (points[2 * i + 1]! - points[2 * j + 1]!) ** 2;
    const distances = Float64Array.from({ length: n }, (_, j) => apart(j));
    const shown = others.toSorted((a, b) => distances[a]! - distances[b]!).slice(0, k);
    for (const j of shown) penalty += Math.max(0, rank[j]! - k);
  }
  return 1 - (2 / (n * k * (2 * n - 3 * k - 1))) * penalty;
}
