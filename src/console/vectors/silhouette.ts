import { dot, vectorStart, type VectorView } from "./vectors.ts";

/**
 * How well rows lie in their groups, −1 to 1: the mean silhouette (Rousseeuw, 1987) with 1 − cosine as the distance. A
 * row's mean distance to a group is one product with the sum of the group's rows, so that no pair need be looked at.
 *
 * @param assignments the group of each of `rows`, from 0
 */
export function silhouette(view: VectorView, rows: Int32Array, assignments: Int32Array, count: number): number {
  const { table, used, norms } = view;
  const sums = new Float64Array(count * used);
  const sizes = new Uint32Array(count);
  rows.forEach((row, i) => {
    const [from, to] = [row * table.dimensions, (assignments[i] ?? 0) * used];
    const length = norms[row] || 1;
    for (let k = 0; k < used; k += 1) sums[to + k] = (sums[to + k] ?? 0) + (table.data[from + k] ?? 0) / length;
    sizes[assignments[i] ?? 0] = (sizes[assignments[i] ?? 0] ?? 0) + 1;
  });
  const means = Float32Array.from(sums, (sum, at) => sum / Math.max(1, sizes[Math.floor(at / used)] ?? 0));
  let total = 0;
  rows.forEach((row, i) => {
    const own = assignments[i] ?? 0;
    const size = sizes[own] ?? 0;
    // alone in its group a row lies neither well nor badly in it
    if (size < 2) return;
    const length = norms[row] ?? 0;
    let [inside, outside] = [0, Number.POSITIVE_INFINITY];
    for (let cluster = 0; cluster < count; cluster += 1) {
      if (sizes[cluster] === 0) continue;
      const mean = dot(vectorStart(table, row), { data: means, from: cluster * used }, used) / (length || 1);
      // its cosine with itself is no distance to anything
      if (cluster === own) inside = 1 - (mean * size - (length > 0 ? 1 : 0)) / (size - 1);
      else outside = Math.min(outside, 1 - mean);
    }
    const most = Math.max(inside, outside);
    if (most > 0 && outside < Number.POSITIVE_INFINITY) total += (outside - inside) / most;
  });
  return total / Math.max(1, rows.length);
}
