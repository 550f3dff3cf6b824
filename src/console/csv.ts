export type CsvValue = string | number | boolean | Date | null;

/**
 * A CSV document (RFC 4180) with a byte order mark: ISO 8601 UTC instants, bare numbers, `\r\n` between records.
 * Text that a spreadsheet would run as a formula gets a leading apostrophe (OWASP, CSV injection).
 */
export function toCsv(header: readonly string[], rows: Iterable<readonly CsvValue[]>): string {
  const lines = [header.map(cell).join(",")];
  for (const row of rows) lines.push(row.map(cell).join(","));
  return `\uFEFF${lines.join("\r\n")}\r\n`;
}

/** A member of the records in a file, by the name at the head of its column. */
export type CsvColumn<Row> = readonly [head: string, value: (row: Row) => CsvValue];

export function columnsToCsv<Row>(columns: readonly CsvColumn<Row>[], rows: readonly Row[]): string {
  const values = rows.map((row) => columns.map(([, value]) => value(row)));
  return toCsv(
    columns.map(([head]) => head),
    values,
  );
}

function cell(value: CsvValue): string {
  if (value === null) return "";
  if (value instanceof Date) return value.toISOString();
  if (typeof value === "number") return plainNumber(value);
  if (typeof value === "boolean") return String(value);
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Without an exponent, which some spreadsheets read as text; nine decimals is the smallest unit of money. */
function plainNumber(value: number): string {
  const text = String(value);
  return text.includes("e") ? value.toFixed(9).replace(/\.?0+$/, "") : text;
}

/** `keys_production_2026-11-20T231804Z.csv` */
export function csvName(what: string, workspace: string, now: Date): string {
  return `${what}_${workspace}_${now.toISOString().slice(0, 19).replaceAll(":", "")}Z.csv`;
}
