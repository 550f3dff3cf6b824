import { makeTop } from "./top.ts";
import { dot, vectorStart, type VectorView } from "./vectors.ts";

/** A square of cosines; `values[i * size + j]` is of `rows[i]` and `rows[j]`. */
export interface Similarities {
  rows: Int32Array;
  size: number;
  values: Float32Array;
}

/** Rows that fit into a processor's cache together with the two that they are compared with. */
const block = 64;

/**
 * Every pair is looked at once: blocks of columns, two rows against four columns at a time, so that eight products are
 * added up for six numbers that are read.
 */
export function similarities(view: VectorView, rows: Int32Array = view.rows): Similarities {
  const { table, used, norms } = view;
  const size = rows.length;
  const values = new Float32Array(size * size);
  const lengths = Float64Array.from(rows, (row) => norms[row] ?? 0);
  const starts = rows.map((row) => row * table.dimensions);
  const put = (i: number, j: number, product: number) => {
    const length = (lengths[i] ?? 0) * (lengths[j] ?? 0);
    const value = length === 0 ? 0 : product / length;
    values[i * size + j] = value;
    values[j * size + i] = value;
  };
  const one = (i: number, j: number) =>
    put(i, j, dot(vectorStart(table, rows[i] ?? 0), vectorStart(table, rows[j] ?? 0), used));
  for (let start = 0; start < size; start += block) {
    const end = Math.min(size, start + block);
    for (let i = 0; i < end; i += 2) {
      const pair = i + 1 < end;
      let j = Math.max(start, i);
      for (; pair && j + 3 < end; j += 4) {
        const sums = tile(table.data, used, starts.subarray(i, i + 2), starts.subarray(j, j + 4));
        for (let column = 0; column < 4; column += 1) {
          put(i, j + column, sums[column] ?? 0);
          put(i + 1, j + column, sums[4 + column] ?? 0);
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

/** The inner products of two rows with four others, by where each begins in `data`: the first row's, then the other's. */
export function tile(data: Float32Array, length: number, pair: Int32Array, others: Int32Array): Float64Array {
  const [a = 0, b = 0] = pair;
  const [c = 0, d = 0, e = 0, f = 0] = others;
  let ac = 0;
  let ad = 0;
  let ae = 0;
  let af = 0;
  let bc = 0;
  let bd = 0;
  let be = 0;
  let bf = 0;
  for (let k = 0; k < length; k += 1) {
    const x = data[a + k] ?? 0;
    const y = data[b + k] ?? 0;
    const p = data[c + k] ?? 0;
    const q = data[d + k] ?? 0;
    const r = data[e + k] ?? 0;
    const s = data[f + k] ?? 0;
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
  const top = makeTop(count);
  for (let i = 0; i < size; i += 1) {
    for (let j = i + 1; j < size; j += 1) top.add(i * size + j, values[i * size + j] ?? 0);
  }
  return top.ids.map((at) => ({ i: Math.floor(at / size), j: at % size, score: values[at] ?? 0 }));
}

/** An order in which neighbors in the picture are alike: from the least similar row, always on to the nearest left. */
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
    const row = current * size;
    const own = (i: number) => values[row + i] ?? 0;
    let best = -1;
    for (const i of left) if (best === -1 || own(i) > own(best)) best = i;
    current = best;
  }
  return order;
}
