import { eigen } from "./eigen.ts";
import { makeRandom } from "./random.ts";
import type { VectorView } from "./vectors.ts";

export interface Principal {
  /** `count` numbers for each of the view's rows, in their order */
  scores: Float32Array;
  count: number;
  /** the share of the variance that lies along each component */
  explained: Float64Array;
  /** false: the search ended at its budget, and the components are not yet the ones with the most variance */
  settled: boolean;
}

/** Multiplications that a picture may take: one of ten thousand rows must not take longer than somebody waits. */
const workBudget = 3e8;

/**
 * The first principal components, by subspace iteration (Halko, Martinsson and Tropp, 2011, algorithm 4.4) on the
 * centerd rows. The total variance is exact, so the shares are of all of it. Signs are fixed: the largest score of a
 * component is positive.
 */
export function principalComponents(view: VectorView, wanted: number, seed: number): Principal {
  const { used, rows } = view;
  const n = rows.length;
  const count = Math.max(1, Math.min(wanted, n - 1, used));
  // a few more than asked for let those settle sooner; four at a time share what is read of a row
  const width = Math.min(4 * Math.ceil((count + 2) / 4), Math.max(1, n - 1), used);
  const means = meansOf(view);
  const total = totalVariance(view, means);
  const random = makeRandom(seed);
  let basis = Float64Array.from({ length: width * used }, () => random() * 2 - 1);
  orthonormalise(basis, width, used);
  const rounds = Math.max(6, Math.min(200, Math.floor(workBudget / (2 * n * used * width))));
  let scores = new Float64Array(n * width);
  let before = 0;
  let settled = false;
  for (let round = 0; round < rounds; round += 1) {
    scores = project(view, means, basis, width);
    const next = gather(view, scores, width);
    basis = next;
    const held = orthonormalise(basis, width, used);
    const kept = held.slice(0, count).reduce((sum, length) => sum + length, 0);
    // what would not change a figure that is shown is settled
    settled = Math.abs(kept - before) <= 1e-4 * kept;
    if (Math.abs(kept - before) <= 1e-10 * kept) break;
    before = kept;
  }
  scores = project(view, means, basis, width);
  return { ...rotate(scores, width, count, total), settled };
}

function meansOf({ table, used, rows, factors }: VectorView): Float64Array {
  const means = new Float64Array(used);
  for (const row of rows) {
    const factor = factors[row] ?? 1;
    const from = row * table.dimensions;
    for (let k = 0; k < used; k += 1) means[k] = (means[k] ?? 0) + factor * (table.data[from + k] ?? 0);
  }
  return means.map((sum) => sum / Math.max(1, rows.length));
}

function totalVariance({ table, used, rows, factors }: VectorView, means: Float64Array): number {
  let total = 0;
  for (const row of rows) {
    const factor = factors[row] ?? 1;
    const from = row * table.dimensions;
    for (let k = 0; k < used; k += 1) total += (factor * (table.data[from + k] ?? 0) - (means[k] ?? 0)) ** 2;
  }
  return total;
}

function project({ table, used, rows, factors }: VectorView, means: Float64Array, basis: Float64Array, width: number) {
  const { data, dimensions } = table;
  const scores = new Float64Array(rows.length * width);
  const offsets = Array.from({ length: width }, (_, c) => {
    let sum = 0;
    for (let k = 0; k < used; k += 1) sum += (means[k] ?? 0) * (basis[c * used + k] ?? 0);
    return sum;
  });
  for (const [i, row] of rows.entries()) {
    const from = row * dimensions;
    const factor = factors[row] ?? 1;
    let c = 0;
    for (; c + 3 < width; c += 4) {
      const b0 = c * used;
      const b1 = b0 + used;
      const b2 = b1 + used;
      const b3 = b2 + used;
      let s0 = 0;
      let s1 = 0;
      let s2 = 0;
      let s3 = 0;
      for (let k = 0; k < used; k += 1) {
        const value = data[from + k] ?? 0;
        s0 += value * (basis[b0 + k] ?? 0);
        s1 += value * (basis[b1 + k] ?? 0);
        s2 += value * (basis[b2 + k] ?? 0);
        s3 += value * (basis[b3 + k] ?? 0);
      }
      const to = i * width + c;
      scores[to] = factor * s0 - (offsets[c] ?? 0);
      scores[to + 1] = factor * s1 - (offsets[c + 1] ?? 0);
      scores[to + 2] = factor * s2 - (offsets[c + 2] ?? 0);
      scores[to + 3] = factor * s3 - (offsets[c + 3] ?? 0);
    }
    for (; c < width; c += 1) {
      let sum = 0;
      for (let k = 0; k < used; k += 1) sum += (data[from + k] ?? 0) * (basis[c * used + k] ?? 0);
      scores[i * width + c] = factor * sum - (offsets[c] ?? 0);
    }
  }
  return scores;
}

/** The rows added up with their scores as weights. Centerd scores add up to zero, so the rows need no centering here. */
function gather(
  { table, used, rows, factors }: VectorView,
  scores: Float64Array,
  width: number,
): Float64Array<ArrayBuffer> {
  const { data, dimensions } = table;
  const sums = new Float64Array(width * used);
  for (const [i, row] of rows.entries()) {
    const from = row * dimensions;
    const factor = factors[row] ?? 1;
    let c = 0;
    for (; c + 3 < width; c += 4) {
      const at = i * width + c;
      const w0 = factor * (scores[at] ?? 0);
      const w1 = factor * (scores[at + 1] ?? 0);
      const w2 = factor * (scores[at + 2] ?? 0);
      const w3 = factor * (scores[at + 3] ?? 0);
      const t0 = c * used;
      const t1 = t0 + used;
      const t2 = t1 + used;
      const t3 = t2 + used;
      for (let k = 0; k < used; k += 1) {
        const value = data[from + k] ?? 0;
        sums[t0 + k] = (sums[t0 + k] ?? 0) + w0 * value;
        sums[t1 + k] = (sums[t1 + k] ?? 0) + w1 * value;
        sums[t2 + k] = (sums[t2 + k] ?? 0) + w2 * value;
        sums[t3 + k] = (sums[t3 + k] ?? 0) + w3 * value;
      }
    }
    for (; c < width; c += 1) {
      const weight = factor * (scores[i * width + c] ?? 0);
      const to = c * used;
      for (let k = 0; k < used; k += 1) sums[to + k] = (sums[to + k] ?? 0) + weight * (data[from + k] ?? 0);
    }
  }
  return sums;
}

/** Gram and Schmidt, twice, in place; returns each vector's length before it was made 1. */
function orthonormalise(basis: Float64Array, width: number, used: number): number[] {
  return Array.from({ length: width }, (_, c) => {
    const own = basis.subarray(c * used, (c + 1) * used);
    for (let pass = 0; pass < 2; pass += 1) {
      for (let other = 0; other < c; other += 1) {
        const against = basis.subarray(other * used, (other + 1) * used);
        let product = 0;
        for (let k = 0; k < used; k += 1) product += (own[k] ?? 0) * (against[k] ?? 0);
        for (let k = 0; k < used; k += 1) own[k] = (own[k] ?? 0) - product * (against[k] ?? 0);
      }
    }
    const length = Math.sqrt(own.reduce((sum, value) => sum + value * value, 0));
    if (length > 0) for (let k = 0; k < used; k += 1) own[k] = (own[k] ?? 0) / length;
    return length;
  });
}

/** Turns the scores so that their columns are the components themselves, the one with the most variance first. */
function rotate(scores: Float64Array, width: number, count: number, total: number): Omit<Principal, "settled"> {
  const n = scores.length / width;
  const at = (i: number, c: number) => scores[i * width + c] ?? 0;
  const gram = Array.from({ length: width }, (_, a) =>
    Array.from({ length: width }, (__, b) => {
      let sum = 0;
      for (let i = 0; i < n; i += 1) sum += at(i, a) * at(i, b);
      return sum;
    }),
  );
  const { values, vectors } = eigen(gram);
  const turned = new Float32Array(n * count);
  for (let c = 0; c < count; c += 1) {
    const component = new Float64Array(n);
    const weights = vectors.map((row) => row[c] ?? 0);
    let largest = 0;
    for (let i = 0; i < n; i += 1) {
      let sum = 0;
      for (let b = 0; b < width; b += 1) sum += at(i, b) * (weights[b] ?? 0);
      component[i] = sum;
      if (Math.abs(sum) > Math.abs(largest)) largest = sum;
    }
    const sign = largest < 0 ? -1 : 1;
    for (const [i, sum] of component.entries()) turned[i * count + c] = sum * sign;
  }
  const explained = Float64Array.from(values.slice(0, count), (value) => (total > 0 ? Math.max(0, value) / total : 0));
  return { scores: turned, count, explained };
}
