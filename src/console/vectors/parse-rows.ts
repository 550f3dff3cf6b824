import { chooseColumns, isHead, isKnownName, roleOf, said, type ChosenColumns } from "./choose-columns.ts";
import { estimateTokens } from "./tokens.ts";

export type Format = "lines" | "csv" | "tsv" | "jsonl";

/** Which columns hold what; left out, they are found by their names and contents. */
export interface Columns extends Partial<Record<keyof ChosenColumns, string | undefined>> {
  /** the first line names the columns; left out, that is so where it names one that is known */
  headed?: boolean | undefined;
}

export interface ParsedRows extends ChosenColumns {
  format: Format;
  /** `tokens` is estimated here, so that the page need not walk through every text again */
  rows: {
    text: string;
    group: string;
    role: "query" | "document";
    id: string;
    tokens: number;
    fields?: Record<string, string>;
  }[];
  /** of a table: its columns, of which some were taken */
  columns: string[];
  /** the first line was read as the columns' names */
  headed: boolean;
  /** rows that could not be read, such as a line that is not JSON */
  unreadable: number;
}

/** What a pasted text or a file is: by the file's name, else by how it begins. Prose with commas in it is lines. */
export function guessFormat(text: string, fileName: string): Format {
  const extension = /\.(csv|tsv|jsonl|ndjson)$/i.exec(fileName)?.[1]?.toLowerCase();
  if (extension !== undefined) return extension === "ndjson" ? "jsonl" : (extension as Format);
  const head = text
    .slice(0, 20_000)
    .split(/\r?\n/)
    .filter((line) => line.trim() !== "")
    .slice(0, 20);
  const [first = ""] = head;
  if (isRecord(first) || (first.trimStart().startsWith("[") && elementsOf(text) !== null)) return "jsonl";
  if (
    head.length > 1 &&
    head.every((line) => line.split("\t").length === first.split("\t").length && line.includes("\t"))
  )
    return "tsv";
  return [",", ";"].some((delimiter) => isTable(head, delimiter)) ? "csv" : "lines";
}

/** Names that are known, or a heading over numbers; cells with line breaks in quotes may look uneven. */
function isTable(head: readonly string[], delimiter: string): boolean {
  const cells = head.map((line) =>
    line
      .replaceAll(/"[^"]*"/g, (quoted) => quoted.replaceAll(delimiter, " "))
      .split(delimiter)
      .map((cell) => cell.trim().replaceAll('"', "")),
  );
  const [first = []] = cells;
  if (first.length < 2) return false;
  if (first.some(isKnownName)) return true;
  return cells.length > 2 && cells.every(({ length }) => length === first.length) && isHead(cells);
}

const isObject = (value: unknown) => typeof value === "object" && value !== null && !Array.isArray(value);

function isRecord(line: string): boolean {
  try {
    return isObject(JSON.parse(line));
  } catch {
    return false;
  }
}

/** Reads rows out of a text. Runs in the worker: ten thousand lines take longer than a frame. */
export async function parseRows(text: string, format: Format, columns: Columns = {}): Promise<ParsedRows> {
  if (format === "lines") {
    const lines = text.split(/\r?\n/).map((line) => line.trimEnd());
    while (lines.at(-1) === "") lines.pop();
    const rows = lines.map((line) => row({ text: line }, { text: "text", group: "", role: "", id: "" }));
    const none = { text: "", group: "", role: "", id: "" };
    return { format, rows, columns: [], ...none, headed: false, unreadable: 0 };
  }
  const { records, names, headed, unreadable } =
    format === "jsonl" ? readJson(text) : await readTable(text, format, columns.headed);
  const chosen = chooseColumns(names, records, columns);
  // what else a table has goes along: rows are colored, filtered and found by it
  const further = names.filter((name) => ![chosen.text, chosen.group, chosen.role].includes(name));
  const rows = records.map((record) => ({
    ...row(record, chosen),
    ...(further.length > 0 && { fields: Object.fromEntries(further.map((name) => [name, said(record[name])])) }),
  }));
  return { format, rows, columns: names, ...chosen, headed, unreadable };
}

function row(record: Record<string, unknown>, columns: ChosenColumns): ParsedRows["rows"][number] {
  const cell = (part: keyof ChosenColumns) => (columns[part] === "" ? "" : said(record[columns[part]]));
  const text = cell("text");
  return {
    text,
    group: cell("group"),
    role: roleOf(cell("role")) ?? "document",
    id: cell("id"),
    tokens: estimateTokens(text),
  };
}

type Records = { records: Record<string, unknown>[]; names: string[]; headed: boolean; unreadable: number };

async function readTable(text: string, format: "csv" | "tsv", asHead: boolean | undefined): Promise<Records> {
  const { default: Papa } = await import("papaparse");
  const delimiter = format === "tsv" ? "\t" : "";
  const { data, errors } = Papa.parse<string[]>(text, { delimiter, skipEmptyLines: "greedy" });
  const [first = [], ...rest] = data;
  // a first line that names a column we know is a head; without one, columns go by their place
  const headed = asHead ?? isHead(data);
  const names = first.map((name, index) => (headed && name.trim() !== "" ? name.trim() : `column ${index + 1}`));
  const lines = headed ? rest : data;
  const records = lines.map((cells) => Object.fromEntries(names.map((name, index) => [name, cells[index]])));
  return { records, names, headed, unreadable: errors.filter(({ type }) => type === "Quotes").length };
}

/** The elements of a text that is one JSON array of objects or texts; null for any other. */
function elementsOf(text: string): (object | string)[] | null {
  try {
    const value: unknown = JSON.parse(text);
    const isOne = Array.isArray(value) && value.every((each) => typeof each === "string" || isObject(each));
    return isOne ? (value as (object | string)[]) : null;
  } catch {
    return null;
  }
}

/** JSON, an object a line; or one array, of objects or of texts. */
function readJson(text: string): Records {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "");
  const elements = elementsOf(text)?.map((each) => (typeof each === "string" ? { text: each } : each));
  const found = elements ?? lines.flatMap((line) => (isRecord(line) ? [JSON.parse(line) as object] : []));
  const records = found as Record<string, unknown>[];
  const names = [...new Set(records.slice(0, 100).flatMap((record) => Object.keys(record)))];
  return { records, names, headed: false, unreadable: elements === undefined ? lines.length - records.length : 0 };
}
