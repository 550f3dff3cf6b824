import { eigen } from "./eigen.ts";
import { makeRandom } from "./random.ts";
import type { VectorView } from "./vectors.ts";

export interface Principal {
  /** `count` numbers for each of the view's rows, in their order */
  scores: Float32Array;
  count: number;
  /** the share of the variance that lies along each component */
  explained: Float64Array;
}

/** Multiplications that a picture may take: one of ten thousand rows must not take longer than somebody waits. */
const workBudget = 3e8;

/**
 * The first principal components, by subspace iteration (Halko, Martinsson and Tropp, 2011, algorithm 4.4) on the
 * centred rows. The total variance is exact, so the shares are of all of it. Signs are fixed: the largest score of a
 * component is positive.
 */
export function principalComponents(view: VectorView, wanted: number, seed: number): Principal {
  const { table, used, rows } = view;
  const n = rows.length;
  const count = Math.max(1, Math.min(wanted, n - 1, used));
  const width = Math.min(count + 4, Math.max(1, n - 1), used);
  const means = meansOf(view);
  const total = totalVariance(view, means);
  const random = makeRandom(seed);
  let basis = Float64Array.from({ length: width * used }, () => random() * 2 - 1);
  orthonormalise(basis, width, used);
  const rounds = Math.max(6, Math.min(200, Math.floor(workBudget / (2 * n * used * width))));
  let scores = new Float64Array(n * width);
  let before = 0;
  for (let round = 0; round < rounds; round += 1) {
    scores = project(view, means, basis, width);
    const next = new Float64Array(width * used);
    for (let i = 0; i < n; i += 1) {
      const from = rows[i]! * table.dimensions;
      for (let c = 0; c < width; c += 1) {
        const weight = scores[i * width + c]!;
        const to = c * used;
        for (let k = 0; k < used; k += 1) next[to + k]! += weight * (table.data[from + k]! - means[k]!);
      }
    }
    basis = next;
    const held = orthonormalise(basis, width, used);
    const kept = held.slice(0, count).reduce((sum, length) => sum + length, 0);
    if (Math.abs(kept - before) <= 1e-10 * kept) break;
    before = kept;
  }
  scores = project(view, means, basis, width);
  return rotate(scores, n, width, count, total);
}

function meansOf({ table, used, rows }: VectorView): Float64Array {
  const means = new Float64Array(used);
  for (const row of rows) for (let k = 0; k < used; k += 1) means[k]! += table.data[row * table.dimensions + k]!;
  return means.map((sum) => sum / Math.max(1, rows.length));
}

function totalVariance({ table, used, rows }: VectorView, means: Float64Array): number {
  let total = 0;
  for (const row of rows) {
    for (let k = 0; k < used; k += 1) total += (table.data[row * table.dimensions + k]! - means[k]!) ** 2;
  }
  return total;
}

function project({ table, used, rows }: VectorView, means: Float64Array, basis: Float64Array, width: number) {
  const scores = new Float64Array(rows.length * width);
  const offsets = Array.from({ length: width }, (_, c) => {
    let sum = 0;
    for (let k = 0; k < used; k += 1) sum += means[k]! * basis[c * used + k]!;
    return sum;
  });
  for (let i = 0; i < rows.length; i += 1) {
    const from = rows[i]! * table.dimensions;
    for (let c = 0; c < width; c += 1) {
      let sum = 0;
      for (let k = 0; k < used; k += 1) sum += table.data[from + k]! * basis[c * used + k]!;
      scores[i * width + c] = sum - offsets[c]!;
    }
  }
  return scores;
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
function rotate(scores: Float64Array, n: number, width: number, count: number, total: number): Principal {
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
