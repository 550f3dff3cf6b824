import { toCsv } from "../csv.ts";
import type { ExportRow } from "./protocol.ts";
import { numbersOf, type VectorView } from "./vectors.ts";

/**
 * One JSON object a line: the row's number, text, group and role, what else is known of it, and its vector.
 * @param about what is the same of all rows, such as the model
 */
export function jsonLines(view: VectorView, rows: readonly ExportRow[], about: Record<string, string> = {}): Blob {
  const parts: string[] = [];
  for (const row of view.rows) {
    const { number = row + 1, text = "", group = "", role = "", fields = {} } = rows[row] ?? {};
    const line = { row: number, text, group, role, ...fields, ...about, embedding: valuesOf(view, row) };
    parts.push(`${JSON.stringify(line)}\n`);
  }
  return new Blob(parts, { type: "application/jsonl" });
}

/** With the vectors as columns `v0`, `v1`, …, or the texts alone. */
export function csvFile(view: VectorView, rows: readonly ExportRow[], vectors: boolean): Blob {
  const names = vectors ? Array.from({ length: view.used }, (_, index) => `v${index}`) : [];
  const further = [...new Set(rows.flatMap(({ fields }) => Object.keys(fields ?? {})))];
  const header = ["row", "text", "group", "role", ...further, ...names];
  const parts: string[] = [];
  for (const row of view.rows) {
    const { number = row + 1, text = "", group = "", role = "", fields = {} } = rows[row] ?? {};
    const cells = further.map((name) => fields[name] ?? "");
    const lines = toCsv(header, [[number, text, group, role, ...cells]]).split("\r\n");
    // numbers go in as they are: the shared writer keeps nine decimals of one that has an exponent, these need all
    const numbers = vectors ? `,${valuesOf(view, row).join(",")}` : "";
    if (parts.length === 0) parts.push(`${lines[0]}\r\n`);
    parts.push(`${lines.slice(1, -1).join("\r\n")}${numbers}\r\n`);
  }
  return new Blob(parts, { type: "text/csv" });
}

/** NumPy's own format, version 1.0 (NEP 1): rows × dimensions of little-endian float32. */
export function npyFile(view: VectorView): Blob {
  const shape = `{'descr': '<f4', 'fortran_order': False, 'shape': (${view.rows.length}, ${view.used}), }`;
  // magic, version and length take ten bytes; the header ends in a line break at a multiple of 64
  const header = `${shape.padEnd(Math.ceil((shape.length + 11) / 64) * 64 - 11)}\n`;
  const front = new Uint8Array(10 + header.length);
  front.set([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0, header.length & 255, header.length >> 8]);
  front.set(new TextEncoder().encode(header), 10);
  const parts = Array.from(view.rows, (row) => numbersOf(view, row));
  return new Blob([front, ...parts], { type: "application/octet-stream" });
}

/** One row's numbers, each as short as it can be written and still be the same float32. */
export function valuesOf(view: VectorView, row: number): number[] {
  return Array.from(numbersOf(view, row), shortest);
}

function shortest(value: number): number {
  for (let digits = 6; digits < 10; digits += 1) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return short;
  }
  return value;
}
