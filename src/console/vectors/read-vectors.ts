import { groupNames, said, textNames } from "./choose-columns.ts";
import { readText } from "./read-text.ts";
import { makeTable, mostBytes, type VectorTable } from "./vectors.ts";

/** One row of a file with vectors; its further columns by their names. */
export interface VectorRow {
  text: string;
  group: string;
  role: "query" | "document";
  fields: Record<string, string>;
}

export interface VectorFile {
  table: VectorTable;
  /** null: the file holds vectors alone */
  rows: VectorRow[] | null;
  /** the model that the file names, where it names one */
  model: string | null;
  /** rows whose vector is missing, or has another length than the first: they are left out */
  skipped: number;
}

type Records = readonly Record<string, unknown>[];

/** Enough of a file to see its first row, of the longest vectors too. */
const headBytes = 1_048_576;

/**
 * Reads vectors that were made before: what the playground exports (JSONL, CSV), NumPy's .npy and Parquet.
 * @returns null for a file of texts, which has no vectors
 * @throws Error with a sentence for the person, where the file says that it has vectors and they cannot be read
 */
export async function readVectors(file: File): Promise<VectorFile | null> {
  const extension = /\.([a-z]+)$/i.exec(file.name)?.[1]?.toLowerCase() ?? "";
  if (extension === "npy") return readNpy(await file.arrayBuffer(), file.name);
  if (extension === "parquet") return fromRecords(await readParquet(file), file.name, false);
  if (!["jsonl", "ndjson", "csv", "tsv"].includes(extension)) return null;
  const [head = ""] = (await file.slice(0, headBytes).text()).split("\n", 1);
  if (extension === "jsonl" || extension === "ndjson") {
    if (vectorColumn([recordOf(head) ?? {}]) === null) return null;
    const lines = (await readText(file)).split("\n");
    return fromRecords(
      lines.map(recordOf).filter((record) => record !== null),
      file.name,
      false,
    );
  }
  if (!/(^|[,\t;"])v0["]?[,\t;]"?v1\b/.test(head) && !/embedding|vector/i.test(head)) return null;
  const { default: Papa } = await import("papaparse");
  const { data } = Papa.parse<Record<string, string>>(await readText(file), { header: true, skipEmptyLines: "greedy" });
  return fromRecords(data, file.name, true);
}

function recordOf(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

async function readParquet(file: File): Promise<Records> {
  const { parquetMetadata, parquetReadObjects } = await import("hyparquet");
  const buffer = await file.arrayBuffer();
  try {
    const metadata = parquetMetadata(buffer);
    // Some kilobytes can say that they are a billion equal rows.
    const count = metadata.row_groups.reduce((sum, group) => sum + Number(group.num_rows), 0);
    if (count > mostRows) throw new Error(tooManyRows(count));
    return await parquetReadObjects({ file: buffer, metadata });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`${file.name} cannot be read as Parquet: ${why}. Uncompressed and Snappy files can be read.`, {
      cause: error,
    });
  }
}

/** The name of the column that holds vectors; "v0": a column for each number; null: none does. */
function vectorColumn(records: Records): string | null {
  const [first = {}] = records;
  if ("v0" in first && "v1" in first) return "v0";
  // the first rows may have none
  const looked = records.slice(0, 100);
  return Object.keys(first).find((name) => looked.some((record) => (numbersIn(record[name])?.length ?? 0) > 1)) ?? null;
}

function numbersIn(value: unknown): ArrayLike<number> | null {
  if (Array.isArray(value)) return value.every((each) => typeof each === "number") ? value : null;
  if (value instanceof Float32Array || value instanceof Float64Array) return value;
  if (typeof value !== "string" || !value.startsWith("[")) return null;
  try {
    return numbersIn(JSON.parse(value));
  } catch {
    return null;
  }
}

/** @param guarded spreadsheets are kept from reading cells as formulas by a `'`, which is no part of them */
function fromRecords(records: Records, name: string, guarded: boolean): VectorFile | null {
  const column = vectorColumn(records);
  if (column === null) return null;
  const names = Object.keys(records[0] ?? {});
  const spread = names.filter((each) => /^v\d+$/.test(each));
  const isSpread = column === "v0";
  const ofRecord = (record: Record<string, unknown>) =>
    isSpread ? spread.map((each) => numberOf(record[each])) : numbersIn(record[column]);
  const own = names.filter((each) => (isSpread ? !spread.includes(each) : each !== column));
  const found = records.map((record) => ({ record, numbers: ofRecord(record) }));
  const dimensions = found.find(({ numbers }) => numbers !== null && numbers.length > 0)?.numbers?.length ?? 0;
  const whole = found.filter(({ numbers }) => numbers?.length === dimensions && isFinite(numbers));
  checkRoom(whole.length, dimensions, name);
  const table = makeTable(whole.length, dimensions);
  table.present.fill(1);
  for (const [row, { numbers }] of whole.entries()) table.data.set(numbers ?? [], row * dimensions);
  const text = own.find((each) => textNames.test(each)) ?? longest(whole[0]?.record ?? {}, own);
  const group = own.find((each) => groupNames.test(each));
  const cell = (value: unknown) => (guarded ? said(value).replace(/^'(?=[=+\-@\t\r])/, "") : said(value));
  const rows = whole.map(({ record }): VectorRow => {
    const others = own.filter((each) => ![text, group, "role", "model"].includes(each));
    return {
      text: cell(record[text]),
      group: group === undefined ? "" : cell(record[group]),
      role: record["role"] === "query" ? "query" : "document",
      fields: Object.fromEntries(others.map((each) => [each, cell(record[each])])),
    };
  });
  const model = records[0]?.["model"];
  return { table, rows, model: typeof model === "string" ? model : null, skipped: records.length - whole.length };
}

const numberOf = (value: unknown) =>
  value === "" || value === undefined || value === null ? Number.NaN : Number(value);
/** They are kept as float32, in which 1e39 is none. */
const isFinite = (numbers: ArrayLike<number>) =>
  Array.prototype.every.call(numbers, (number: number) => Number.isFinite(Math.fround(number)));
const longest = (record: Record<string, unknown>, names: readonly string[]) =>
  names.toSorted((a, b) => said(record[b]).length - said(record[a]).length)[0] ?? "";

/** Each row is an object on the page, whatever its vector takes. */
const mostRows = 250_000;
const tooManyRows = (count: number) => `it has ${count} rows, and the playground holds ${mostRows}`;

function checkRoom(count: number, dimensions: number, name: string): void {
  if (count === 0 || dimensions === 0) throw new Error(`${name} has no row with a whole vector.`);
  if (count > mostRows) throw new Error(`${name} cannot be opened: ${tooManyRows(count)}.`);
  if (count * dimensions * 4 > mostBytes)
    throw new Error(
      `${name} has ${count} × ${dimensions} numbers: more than the ${mostBytes / 1_048_576} MB that the playground holds.`,
    );
}

/** NumPy's format (NEP 1), of a table of float32 or float64 numbers. */
function readNpy(buffer: ArrayBuffer, name: string): VectorFile {
  const view = new DataView(buffer);
  const text = (from: number, end: number) => new TextDecoder().decode(buffer.slice(from, end));
  const isNumPy = buffer.byteLength > 12 && view.getUint8(0) === 0x93 && text(1, 6) === "NUMPY";
  if (!isNumPy) throw new Error(`${name} is not a NumPy file.`);
  const [lengthBytes, length] = view.getUint8(6) === 1 ? [2, view.getUint16(8, true)] : [4, view.getUint32(8, true)];
  const from = 8 + lengthBytes + length;
  const header = text(8 + lengthBytes, from);
  const type = /'descr': *'([^']+)'/.exec(header)?.[1];
  const shape = /'shape': *\((\d+), *(\d+),? *\)/.exec(header);
  const isTable = shape !== null && header.includes("'fortran_order': False") && (type === "<f4" || type === "<f8");
  if (!isTable)
    throw new Error(
      `${name} is no table of float32 or float64 numbers, row after row. Save it with np.save(name, x.astype("float32")).`,
    );
  const [count, dimensions] = [Number(shape[1]), Number(shape[2])];
  checkRoom(count, dimensions, name);
  const table = makeTable(count, dimensions);
  table.present.fill(1);
  const size = type === "<f4" ? 4 : 8;
  if (from + count * dimensions * size > buffer.byteLength)
    throw new Error(`${name} ends early: it was not saved whole.`);
  for (let at = 0; at < table.data.length; at += 1)
    table.data[at] = size === 4 ? view.getFloat32(from + at * 4, true) : view.getFloat64(from + at * 8, true);
  let skipped = 0;
  for (let row = 0; row < count; row += 1) {
    if (table.data.subarray(row * dimensions, (row + 1) * dimensions).every(Number.isFinite)) continue;
    table.present[row] = 0;
    skipped += 1;
  }
  return { table, rows: null, model: null, skipped };
}
