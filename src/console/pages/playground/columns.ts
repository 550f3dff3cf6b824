import type { Shown } from "./playground.ts";

type Rows = readonly Pick<Shown, "text" | "group" | "role" | "fields">[];

/** More different values than these are no groups that anybody tells apart. */
const mostNames = 60;

/** The names of the further columns of the rows' table, in its order. */
export const columnsOf = (shown: Rows): string[] => Object.keys(shown.find(({ fields }) => fields)?.fields ?? {});

const cellsOf = (shown: Rows, column: string) => shown.map(({ fields }) => fields?.[column] ?? "");
const isNumber = (cell: string) => cell.trim() !== "" && Number.isFinite(Number(cell));

/** A column as colors: of numbers or dates a scale, of few names marks; null of others, such as ids. */
export function kindOf(shown: Rows, column: string): "numbers" | "dates" | "names" | null {
  const filled = cellsOf(shown, column).filter((cell) => cell !== "");
  const values = new Set(filled);
  if (values.size < 2) return null;
  if (filled.every(isNumber)) return values.size > 8 ? "numbers" : "names";
  if (filled.every((cell) => /^\d{4}-\d\d/.test(cell) && !Number.isNaN(Date.parse(cell)))) return "dates";
  return values.size <= mostNames && values.size < filled.length ? "names" : null;
}

/** A column's numbers, or its dates as such, by row; not a number where a cell is empty. */
export const numbersOf = (shown: Rows, column: string): Float32Array =>
  Float32Array.from(cellsOf(shown, column), (cell) =>
    cell === "" ? Number.NaN : isNumber(cell) ? Number(cell) : Date.parse(cell) / 86_400_000,
  );

/** The rows with a column's cells as their labels. */
export const labeledBy = (shown: readonly Shown[], column: string): Shown[] =>
  shown.map((row) => ({ ...row, group: row.fields?.[column] ?? "" }));

/**
 * The rows that have every word of a query, in their text, their label or any column; `column:value` looks into one
 * column alone, which `label` and `role` are as well.
 */
export function matching(shown: Rows, query: string): number[] {
  const names = ["text", "label", "role", ...columnsOf(shown)];
  const wanted = (query.match(/(?:[^\s"]|"[^"]*")+/g) ?? []).map((part) => {
    const plain = part.replaceAll('"', "").toLowerCase();
    const name = names.find((each) => plain.startsWith(`${each.toLowerCase()}:`));
    return name === undefined ? { name, value: plain } : { name, value: plain.slice(name.length + 1) };
  });
  return [...shown.keys()].filter((at) => {
    const { text = "", group = "", role = "", fields = {} } = shown[at] ?? {};
    const cells: Record<string, string> = { ...fields, text, label: group, role };
    return wanted.every(({ name, value }) =>
      (name === undefined ? Object.values(cells) : [cells[name] ?? ""]).some((cell) =>
        cell.toLowerCase().includes(value),
      ),
    );
  });
}
