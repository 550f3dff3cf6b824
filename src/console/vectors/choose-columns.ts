/** Which columns of a table hold what; "": none does. */
export interface ChosenColumns {
  text: string;
  group: string;
  role: string;
  id: string;
}

type Records = readonly Record<string, unknown>[];

export const textNames =
  /^(text|input|content|sentence|query|question|document|passage|title|body|message|description|review|comment|ticket)s?$/i;
export const groupNames = /^(label|group|category|class|cluster|topic|type|intent|tag)s?$/i;
const roleNames = /^(role|input_type)$/i;
const idNames = /^(id|key|uuid|ref|_id|doc_id|row)$/i;

/** A name that says what its column is. */
export const isKnownName = (name: string): boolean =>
  [textNames, groupNames, roleNames, idNames].some((names) => names.test(name.trim()));

/** Rows that are looked at, spread over the table. */
const looked = 200;
/** So many times the words of the column that its name speaks for are needed to be taken instead. */
const longer = 3;

/**
 * What was chosen, and for the rest what names and contents say. The text is the column that holds prose: of several, one
 * with a name such as "text" goes first, unless another has much more words.
 */
export function chooseColumns(
  names: readonly string[],
  records: Records,
  chosen: Partial<Record<keyof ChosenColumns, string | undefined>>,
): ChosenColumns {
  const known = (name: string | undefined, among: readonly string[]) =>
    name !== undefined && among.includes(name) ? name : undefined;
  const text = known(chosen.text, names) ?? textColumn(names, records);
  const others = names.filter((name) => name !== text);
  const pick = (part: "group" | "role" | "id", pattern: RegExp, fits: (name: string) => boolean = () => true) =>
    known(chosen[part], ["", ...others]) ?? others.find((name) => pattern.test(name) && fits(name)) ?? "";
  return {
    text,
    group: pick("group", groupNames),
    role: pick("role", roleNames, (name) => sampleOf(records).every((record) => roleOf(said(record[name])) !== null)),
    id: pick("id", idNames),
  };
}

function textColumn(names: readonly string[], records: Records): string {
  const sample = sampleOf(records);
  const words = new Map(names.map((name) => [name, proseIn(sample.map((record) => said(record[name])))]));
  const most = (among: readonly string[]) => among.toSorted((a, b) => (words.get(b) ?? 0) - (words.get(a) ?? 0))[0];
  const [longest = "", named] = [most(names), most(names.filter((name) => textNames.test(name)))];
  if (named === undefined) return longest;
  return (words.get(longest) ?? 0) > longer * (words.get(named) ?? 0) ? longest : named;
}

/** About how many different words a cell has: numbers and cells that repeat one another say little. */
function proseIn(cells: readonly string[]): number {
  const lettered = cells.filter((cell) => /\p{L}/u.test(cell));
  const count = (cell: string) => cell.match(/\p{L}[\p{L}\p{M}’'-]+|[\u2e80-\u9fff]/gu)?.length ?? 0;
  const words = lettered.reduce((sum, cell) => sum + Math.min(60, count(cell.slice(0, 1_000))), 0);
  return (words * new Set(lettered).size) / Math.max(1, cells.length) ** 2;
}

/** What a cell of a column of roles means; null: it is none. An empty one is a document. */
export function roleOf(cell: string): "query" | "document" | null {
  const word = cell
    .trim()
    .toLowerCase()
    .replace(/^search_/, "");
  if (word === "query" || word === "question" || word === "q") return "query";
  return word === "document" || word === "passage" || word === "doc" || word === "d" || word === "" ? "document" : null;
}

/** Whether a table's first line is the names of its columns: it has a name that is known, or text above numbers alone. */
export function isHead([first = [], ...rest]: readonly (readonly string[])[]): boolean {
  if (first.some(isKnownName)) return true;
  const below = rest.slice(0, looked);
  return first.some(
    (name, at) =>
      !isNumber(name) && name.trim() !== "" && below.length > 0 && below.every((cells) => isNumber(cells[at] ?? "")),
  );
}

const isNumber = (cell: string) => cell.trim() !== "" && Number.isFinite(Number(cell));

function sampleOf(records: Records): Records {
  if (records.length <= looked) return records;
  return Array.from({ length: looked }, (_, at) => records[Math.floor((at * records.length) / looked)] ?? {});
}

/** A cell as a text. */
export function said(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "string") return value;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? "" : value.toISOString();
  // Parquet's 64-bit integers
  if (typeof value === "bigint") return String(value);
  return JSON.stringify(value, (_, part: unknown) => (typeof part === "bigint" ? String(part) : part));
}
