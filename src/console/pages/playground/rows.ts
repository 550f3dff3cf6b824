export type Role = "query" | "document";

/** One row of a batch. `group` is its label in the pictures; `id` stays the same while the row is edited. */
export interface Row {
  id: number;
  text: string;
  group: string;
  role: Role;
  /** further columns of the table that it came from */
  fields?: Readonly<Record<string, string>> | undefined;
  /** what its table calls it; "": nothing */
  ref?: string;
}

let made = 0;

export function makeRow(text = "", group = "", role: Role = "document", ref = ""): Row {
  made += 1;
  return { id: made, text, group, role, ...(ref !== "" && { ref }) };
}

/** What is wrong with rows before they are sent: rows without text, and rows that repeat an earlier one. */
export interface RowFlags {
  empty: ReadonlySet<number>;
  /** ids of the repeats, each with the place (from 1) of the first */
  repeats: ReadonlyMap<number, number>;
}

/** @param byRole a query and a document of the same words are sent apart */
export function flagRows(rows: readonly Row[], byRole = false): RowFlags {
  const empty = new Set<number>();
  const repeats = new Map<number, number>();
  const first = new Map<string, number>();
  rows.forEach(({ id, text, role }, index) => {
    if (text.trim() === "") return empty.add(id);
    const key = byRole ? `${role} ${text}` : text;
    const earlier = first.get(key);
    if (earlier === undefined) first.set(key, index + 1);
    else repeats.set(id, earlier);
    return undefined;
  });
  return { empty, repeats };
}

/** The groups in the order in which they come first; what has none is "". */
export function groupsOf(rows: readonly { group: string }[]): string[] {
  return [...new Set(rows.map(({ group }) => group))].filter((group) => group !== "");
}
