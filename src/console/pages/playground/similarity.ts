import { dot } from "./vectors.ts";
import type { VectorView } from "./vectors.ts";

/** A square of cosines; `values[i * size + j]` is of `rows[i]` and `rows[j]`. */
export interface Similarities {
  rows: Int32Array;
  size: number;
  values: Float32Array;
}

/** Rows that fit into a processor's nearer cache beside the two that they are compared with. */
const block = 64;

/**
 * Every pair is looked at once: blocks of columns, two rows against four columns at a time, so that eight products are
 * added up for six numbers that are read.
 */
export function similarities(view: VectorView, rows: Int32Array = view.rows): Similarities {
  const { table, used, norms } = view;
  const { data, dimensions } = table;
  const size = rows.length;
  const values = new Float32Array(size * size);
  const put = (i: number, j: number, product: number) => {
    const length = norms[rows[i]!]! * norms[rows[j]!]!;
    const value = length === 0 ? 0 : product / length;
    values[i * size + j] = value;
    values[j * size + i] = value;
  };
  const at = (place: number) => rows[place]! * dimensions;
  const one = (i: number, j: number) => put(i, j, dot(data, at(i), data, at(j), used));
  for (let start = 0; start < size; start += block) {
    const end = Math.min(size, start + block);
    for (let i = 0; i < end; i += 2) {
      const pair = i + 1 < end;
      let j = Math.max(start, i);
      for (; pair && j + 3 < end; j += 4) {
        const sums = tile(data, used, at(i), at(i + 1), at(j), at(j + 1), at(j + 2), at(j + 3));
        for (let column = 0; column < 4; column += 1) {
          put(i, j + column, sums[column]!);
          put(i + 1, j + column, sums[4 + column]!);
        }
      }
      for (; j < end; j += 1) {
        one(i, j);
        if (pair) one(i + 1, j);
      }
    }
  }
  return { rows, size, values };
}

const tileSums = new Float64Array(8);

/** The inner products of two rows with four others. */
function tile(
  data: Float32Array,
  length: number,
  a: number,
  b: number,
  c: number,
  d: number,
  e: number,
  f: number,
): Float64Array {
  let ac = 0;
  let ad = 0;
  let ae = 0;
  let af = 0;
  let bc = 0;
  let bd = 0;
  let be = 0;
  let bf = 0;
  for (let k = 0; k < length; k += 1) {
    const x = data[a + k]!;
    const y = data[b + k]!;
    const p = data[c + k]!;
    const q = data[d + k]!;
    const r = data[e + k]!;
    const s = data[f + k]!;
    ac += x * p;
    ad += x * q;
    ae += x * r;
    af += x * s;
    bc += y * p;
    bd += y * q;
    be += y * r;
    bf += y * s;
  }
  tileSums.set([ac, ad, ae, af, bc, bd, be, bf]);
  return tileSums;
}

export interface Pair {
  /** places in `rows` */
  i: number;
  j: number;
  score: number;
}

/** The `count` most similar pairs, the closest first. */
export function closestPairs({ size, values }: Similarities, count: number): Pair[] {
  const found: Pair[] = [];
  for (let i = 0; i < size; i += 1) {
    for (let j = i + 1; j < size; j += 1) {
      const score = values[i * size + j]!;
      if (found.length === count && score <= found.at(-1)!.score) continue;
      let at = found.length;
      while (at > 0 && found[at - 1]!.score < score) at -= 1;
      found.splice(at, 0, { i, j, score });
      if (found.length > count) found.pop();
    }
  }
  return found;
}

/** An order in which neighbours in the picture are alike: from the least similar row, always on to the nearest left. */
export function chainOrder({ size, values }: Similarities): Int32Array {
  const order = new Int32Array(size);
  if (size === 0) return order;
  const left = new Set(order.keys());
  const sums = Array.from(left, (i) =>
    values.subarray(i * size, (i + 1) * size).reduce((sum, value) => sum + value, 0),
  );
  let current = sums.indexOf(Math.min(...sums));
  for (let at = 0; at < size; at += 1) {
    order[at] = current;
    left.delete(current);
    let best = -1;
    for (const i of left) if (best === -1 || values[current * size + i]! > values[current * size + best]!) best = i;
    current = best;
  }
  return order;
}
