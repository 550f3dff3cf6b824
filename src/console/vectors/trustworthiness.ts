import { pointOf } from "./plane.ts";
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
  for (let i = 0; i < n; i += 1) {
    const [x, y] = pointOf(points, i);
    const others = Array.from({ length: n }, (_, at) => at)
      .filter((at) => at !== i)
      .map((at) => {
        const [otherX, otherY] = pointOf(points, at);
        return { score: values[i * n + at] ?? 0, distance: (x - otherX) ** 2 + (y - otherY) ** 2 };
      });
    const rank = new Map(others.toSorted((a, b) => b.score - a.score).map((other, at) => [other, at + 1] as const));
    const shown = others.toSorted((a, b) => a.distance - b.distance).slice(0, k);
    for (const other of shown) penalty += Math.max(0, (rank.get(other) ?? 0) - k);
  }
  return 1 - (2 / (n * k * (2 * n - 3 * k - 1))) * penalty;
}
