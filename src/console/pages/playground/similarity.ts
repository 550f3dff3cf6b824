import { dot } from "./vectors.ts";
import type { VectorView } from "./vectors.ts";

/** A square of cosines; `values[i * size + j]` is of `rows[i]` and `rows[j]`. */
export interface Similarities {
  rows: Int32Array;
  size: number;
  values: Float32Array;
}

/** Every pair is looked at once, four columns at a time so that a row is read from memory a quarter as often. */
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
  for (let i = 0; i < size; i += 1) {
    const from = rows[i]! * dimensions;
    let j = i;
    for (; j + 3 < size; j += 4) {
      const [b0, b1, b2, b3] = [
        rows[j]! * dimensions,
        rows[j + 1]! * dimensions,
        rows[j + 2]! * dimensions,
        rows[j + 3]! * dimensions,
      ];
      let [s0, s1, s2, s3] = [0, 0, 0, 0];
      for (let k = 0; k < used; k += 1) {
        const a = data[from + k]!;
        s0 += a * data[b0! + k]!;
        s1 += a * data[b1! + k]!;
        s2 += a * data[b2! + k]!;
        s3 += a * data[b3! + k]!;
      }
      put(i, j, s0);
      put(i, j + 1, s1);
      put(i, j + 2, s2);
      put(i, j + 3, s3);
    }
    for (; j < size; j += 1) put(i, j, dot(data, from, data, rows[j]! * dimensions, used));
  }
  return { rows, size, values };
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
