import type { ParsedRows } from "../../vectors/parse-rows.ts";
import { noteTokens } from "./row-tokens.ts";
import { makeRow, type Row } from "./rows.ts";

/** What was pasted or dropped last: how it was read, and which rows were made of it, by its lines. */
export interface PastedRows {
  found: ParsedRows;
  ids: readonly number[];
}

export function pasteRows(found: ParsedRows): { rows: Row[]; taken: PastedRows } {
  const rows = found.rows.map(({ text, group, role, id, tokens, fields }) =>
    noteTokens({ ...makeRow(text, group, role, id), ...(fields && { fields }) }, tokens),
  );
  return { rows, taken: { found, ids: rows.map(({ id }) => id) } };
}

/**
 * Reads the same paste another way, such as by another column. Rows that are not of it stay, and so does what was
 * edited in those that are; those that were removed stay away. If it is read as a different number of rows, it is
 * inserted again.
 */
export function readAgain(
  rows: readonly Row[],
  taken: PastedRows,
  found: ParsedRows,
): { rows: Row[]; taken: PastedRows } {
  const line = new Map(taken.ids.map((id, index) => [id, index]));
  if (found.rows.length !== taken.ids.length) {
    const made = pasteRows(found);
    const first = rows.findIndex(({ id }) => line.has(id));
    const own = (part: readonly Row[]) => part.filter(({ id, text }) => !line.has(id) && text !== "");
    const at = first === -1 ? rows.length : first;
    return { rows: [...own(rows.slice(0, at)), ...made.rows, ...own(rows.slice(at))], taken: made.taken };
  }
  const again = rows.map((row) => {
    const index = line.get(row.id);
    const [before, next] = index === undefined ? [] : [taken.found.rows[index], found.rows[index]];
    if (before === undefined || next === undefined) return row;
    const text = row.text === before.text ? next.text : row.text;
    const group = row.group === before.group ? next.group : row.group;
    const role = row.role === before.role ? next.role : row.role;
    const read = { ...row, text, group, role, ref: next.id, ...(next.fields && { fields: next.fields }) };
    return text === next.text ? noteTokens(read, next.tokens) : read;
  });
  return { rows: again, taken: { found, ids: taken.ids } };
}
