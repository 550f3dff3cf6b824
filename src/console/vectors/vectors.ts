/** Vectors of one run, row after row in one float32 array; rows that are not there yet, or failed, are not `present`. */
export interface VectorTable {
  count: number;
  dimensions: number;
  data: Float32Array;
  present: Uint8Array;
}

/** A table as it is looked at: its first `used` dimensions, the rows that are there, and each row's length in them. */
export interface VectorView {
  table: VectorTable;
  used: number;
  rows: Int32Array;
  /** by the table's row, not by the place in `rows` */
  norms: Float64Array;
  /** by the table's row: what makes its length 1 again where dimensions are left out; 1 where none are */
  factors: Float64Array;
}

/** One run may hold this much; what all runs hold together is bounded by it as well. */
export const mostBytes = 256 * 1_048_576;

export function makeTable(count: number, dimensions: number): VectorTable {
  return { count, dimensions, data: new Float32Array(count * dimensions), present: new Uint8Array(count) };
}

export function viewOf(table: VectorTable, used: number = table.dimensions): VectorView {
  const rows: number[] = [];
  const norms = new Float64Array(table.count);
  const factors = new Float64Array(table.count).fill(1);
  for (let row = 0; row < table.count; row += 1) {
    if (table.present[row] === 0) continue;
    rows.push(row);
    const start = vectorStart(table, row);
    const norm = Math.sqrt(dot(start, start, used));
    norms[row] = norm;
    if (used < table.dimensions && norm > 0) factors[row] = 1 / norm;
  }
  return { table, used, rows: Int32Array.from(rows), norms, factors };
}

/** A row's numbers as they are looked at: the first ones, made a unit length again where others are left out. */
export function numbersOf({ table, used, factors }: VectorView, row: number): Float32Array<ArrayBuffer> {
  const own = table.data.slice(row * table.dimensions, row * table.dimensions + used);
  const factor = factors[row] ?? 1;
  return factor === 1 ? own : own.map((value) => value * factor);
}

/** A row's length as it is looked at. */
export function normOf({ norms, factors }: VectorView, row: number): number {
  return (norms[row] ?? 0) * (factors[row] ?? 1);
}

/** Where a vector's numbers begin. */
export interface VectorStart {
  data: Float32Array;
  from: number;
}

export function vectorStart({ data, dimensions }: VectorTable, row: number): VectorStart {
  return { data, from: row * dimensions };
}

/** The inner product of the first `length` numbers of two vectors. */
export function dot({ data: a, from: i }: VectorStart, { data: b, from: j }: VectorStart, length: number): number {
  let s0 = 0;
  let s1 = 0;
  let s2 = 0;
  let s3 = 0;
  let k = 0;
  for (; k + 3 < length; k += 4) {
    s0 += (a[i + k] ?? 0) * (b[j + k] ?? 0);
    s1 += (a[i + k + 1] ?? 0) * (b[j + k + 1] ?? 0);
    s2 += (a[i + k + 2] ?? 0) * (b[j + k + 2] ?? 0);
    s3 += (a[i + k + 3] ?? 0) * (b[j + k + 3] ?? 0);
  }
  for (; k < length; k += 1) s0 += (a[i + k] ?? 0) * (b[j + k] ?? 0);
  return s0 + s1 + s2 + s3;
}

/** Cosine of two rows in the dimensions that are used; 0 where one of them is all zeros. */
export function cosine({ table, used, norms }: VectorView, a: number, b: number): number {
  const product = (norms[a] ?? 0) * (norms[b] ?? 0);
  return product === 0 ? 0 : dot(vectorStart(table, a), vectorStart(table, b), used) / product;
}

/** What a header says of lengths: whether all are 1, else the least and the most; zeros and not-a-numbers counted. */
export function checkNorms(view: VectorView) {
  let [least, most, zero, broken] = [Number.POSITIVE_INFINITY, 0, 0, 0];
  for (const row of view.rows) {
    const norm = normOf(view, row);
    if (!Number.isFinite(norm)) broken += 1;
    else if (norm === 0) zero += 1;
    else {
      least = Math.min(least, norm);
      most = Math.max(most, norm);
    }
  }
  return { unit: Math.abs(least - 1) < 1e-3 && Math.abs(most - 1) < 1e-3, least, most, zero, broken };
}
