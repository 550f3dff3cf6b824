import { makeRandom } from "./random.ts";
import { makeTable } from "./vectors.ts";

/** A table of these rows. */
export function tableOf(rows: readonly (readonly number[])[]) {
  const table = makeTable(rows.length, rows[0]?.length ?? 0);
  table.data.set(rows.flat());
  table.present.fill(1);
  return table;
}

/** A table of rows that lie anywhere: their numbers are drawn evenly, around zero unless `middle` says otherwise. */
export function tableAnywhere(count: number, dimensions: number, seed: number, middle = 0) {
  const random = makeRandom(seed);
  return tableOf(
    Array.from({ length: count }, () => Array.from({ length: dimensions }, () => random() - 0.5 + middle)),
  );
}

/** Straight from the definition, between two rows of a table; 0 with a row of zeros. */
export function cosineByDefinition({ data, dimensions }: ReturnType<typeof makeTable>, a: number, b: number): number {
  const [x = [], y = []] = [a, b].map((row) => [...data.subarray(row * dimensions, (row + 1) * dimensions)]);
  const product = (u: number[], v: number[]) => u.reduce((sum, value, k) => sum + value * (v[k] ?? 0), 0);
  return product(x, y) / (Math.sqrt(product(x, x) * product(y, y)) || 1);
}
