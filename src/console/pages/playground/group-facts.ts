import type { Groups } from "../../vectors/protocol.ts";
import type { Shown } from "./playground.ts";
import type { LabelFit } from "./view-sentences.ts";

/** The group of a row that has no vector. */
const nowhere = 255;

/** A group found by likeness, and how it fits the labels that rows were given. */
export interface GroupFacts {
  size: number;
  /** most distinctive first */
  words: readonly string[];
  /** its row that is nearest to its middle */
  typical: number;
  /** the label that most of its labeled rows have; null: none of them has one */
  main: { label: string; count: number; labeled: number } | null;
  /** its rows that have another label */
  elsewhere: readonly number[];
}

/** How the groups of all rows fit their labels; null: no row has one. */
export function labelFit(groups: Groups, shown: readonly Pick<Shown, "group">[]): LabelFit | null {
  const counts = new Map<string, number>();
  shown.forEach(({ group }, row) => {
    if (group !== "" && (groups.of[row] ?? nowhere) < groups.sizes.length)
      counts.set(group, (counts.get(group) ?? 0) + 1);
  });
  if (counts.size === 0) return null;
  const facts = groupFacts(groups, shown);
  return {
    labeled: [...counts.values()].reduce((sum, count) => sum + count),
    pure: facts.reduce((sum, { main }) => sum + (main?.count ?? 0), 0),
    largest: Math.max(...counts.values()),
  };
}

/** Of two labels that are as frequent, the one that comes first among the rows. */
export function groupFacts(
  { of, sizes, names, typical: rowsOf }: Groups,
  shown: readonly Pick<Shown, "group">[],
): GroupFacts[] {
  const labels = sizes.map(() => new Map<string, number[]>());
  shown.forEach(({ group: label }, row) => {
    const own = labels[of[row] ?? -1];
    if (!own || label === "") return;
    const rows = own.get(label);
    if (rows) rows.push(row);
    else own.set(label, [row]);
  });
  return sizes.map((size, place) => {
    const own = [...(labels[place] ?? [])].toSorted(([, a], [, b]) => b.length - a.length);
    const [words, typical] = [names[place] ?? [], rowsOf[place] ?? 0];
    const [most, ...others] = own;
    if (!most) return { size, words, typical, main: null, elsewhere: [] };
    const [label, rows] = most;
    const elsewhere = others.flatMap(([, rest]) => rest).toSorted((a, b) => a - b);
    const main = { label, count: rows.length, labeled: rows.length + elsewhere.length };
    return { size, words, typical, main, elsewhere };
  });
}
