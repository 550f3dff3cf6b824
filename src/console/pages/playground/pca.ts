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
 * centred rows. The total variance is exact, so the shares are of all of it. Signs are fixed: the largest score of a
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
  return { ...rotate(scores, n, width, count, total), settled };
}

function meansOf({ table, used, rows, factors }: VectorView): Float64Array {
  const means = new Float64Array(used);
  for (const row of rows) {
    const factor = factors[row]!;
    for (let k = 0; k < used; k += 1) means[k]! += factor * table.data[row * table.dimensions + k]!;
  }
  return means.map((sum) => sum / Math.max(1, rows.length));
}

function totalVariance({ table, used, rows, factors }: VectorView, means: Float64Array): number {
  let total = 0;
  for (const row of rows) {
    const factor = factors[row]!;
    for (let k = 0; k < used; k += 1) total += (factor * table.data[row * table.dimensions + k]! - means[k]!) ** 2;
  }
  return total;
}

function project({ table, used, rows, factors }: VectorView, means: Float64Array, basis: Float64Array, width: number) {
  const { data, dimensions } = table;
  const scores = new Float64Array(rows.length * width);
  const offsets = Array.from({ length: width }, (_, c) => {
    let sum = 0;
    for (let k = 0; k < used; k += 1) sum += means[k]! * basis[c * used + k]!;
    return sum;
  });
  for (let i = 0; i < rows.length; i += 1) {
    const from = rows[i]! * dimensions;
    const factor = factors[rows[i]!]!;
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
        const value = data[from + k]!;
        s0 += value * basis[b0 + k]!;
        s1 += value * basis[b1 + k]!;
        s2 += value * basis[b2 + k]!;
        s3 += value * basis[b3 + k]!;
      }
      const to = i * width + c;
      scores[to] = factor * s0 - offsets[c]!;
      scores[to + 1] = factor * s1 - offsets[c + 1]!;
      scores[to + 2] = factor * s2 - offsets[c + 2]!;
      scores[to + 3] = factor * s3 - offsets[c + 3]!;
    }
    for (; c < width; c += 1) {
      let sum = 0;
      for (let k = 0; k < used; k += 1) sum += data[from + k]! * basis[c * used + k]!;
      scores[i * width + c] = factor * sum - offsets[c]!;
    }
  }
  return scores;
}

/** The rows added up with their scores as weights. Centred scores add up to zero, so the rows need no centring here. */
function gather(
  { table, used, rows, factors }: VectorView,
  scores: Float64Array,
  width: number,
): Float64Array<ArrayBuffer> {
  const { data, dimensions } = table;
  const sums = new Float64Array(width * used);
  for (let i = 0; i < rows.length; i += 1) {
    const from = rows[i]! * dimensions;
    const factor = factors[rows[i]!]!;
    let c = 0;
    for (; c + 3 < width; c += 4) {
      const at = i * width + c;
      const w0 = factor * scores[at]!;
      const w1 = factor * scores[at + 1]!;
      const w2 = factor * scores[at + 2]!;
      const w3 = factor * scores[at + 3]!;
      const t0 = c * used;
      const t1 = t0 + used;
      const t2 = t1 + used;
      const t3 = t2 + used;
      for (let k = 0; k < used; k += 1) {
        const value = data[from + k]!;
        sums[t0 + k]! += w0 * value;
        sums[t1 + k]! += w1 * value;
        sums[t2 + k]! += w2 * value;
        sums[t3 + k]! += w3 * value;
      }
    }
    for (; c < width; c += 1) {
      const weight = factor * scores[i * width + c]!;
      for (let k = 0; k < used; k += 1) sums[c * used + k]! += weight * data[from + k]!;
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
        for (let k = 0; k < used; k += 1) product += own[k]! * against[k]!;
        for (let k = 0; k < used; k += 1) own[k]! -= product * against[k]!;
      }
    }
    const length = Math.sqrt(own.reduce((sum, value) => sum + value * value, 0));
    if (length > 0) for (let k = 0; k < used; k += 1) own[k]! /= length;
    return length;
  });
}

/** Turns the scores so that their columns are the components themselves, the one with the most variance first. */
function rotate(
  scores: Float64Array,
  n: number,
  width: number,
  count: number,
  total: number,
): Omit<Principal, "settled"> {
  const gram = Array.from({ length: width }, (_, a) =>
    Array.from({ length: width }, (__, b) => {
      let sum = 0;
      for (let i = 0; i < n; i += 1) sum += scores[i * width + a]! * scores[i * width + b]!;
      return sum;
    }),
  );
  const { values, vectors } = eigen(gram);
  const turned = new Float32Array(n * count);
  for (let c = 0; c < count; c += 1) {
    let largest = 0;
    for (let i = 0; i < n; i += 1) {
      let sum = 0;
      for (let b = 0; b < width; b += 1) sum += scores[i * width + b]! * vectors[b]![c]!;
      turned[i * count + c] = sum;
      if (Math.abs(sum) > Math.abs(largest)) largest = sum;
    }
    if (largest < 0) for (let i = 0; i < n; i += 1) turned[i * count + c]! *= -1;
  }
  const explained = Float64Array.from(values.slice(0, count), (value) => (total > 0 ? Math.max(0, value) / total : 0));
  return { scores: turned, count, explained };
}
