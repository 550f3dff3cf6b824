import { capital } from "../../format.ts";
import type { RowScan } from "../../vectors/protocol.ts";
import { sameLevels } from "../../vectors/row-scan.ts";
import type { Run, Shown } from "./playground.ts";
import { lonelyRows, spelled } from "./view-sentences.ts";

export type SameLevel = (typeof sameLevels)[number];

/** Why rows are worth a look. */
export interface RowsToCheck {
  doubtful: { row: number; label: string; theirs: string; count: number; of: number }[];
  /** sets of rows that say the same */
  same: number[][];
  lonely: { row: number; score: number }[];
  unfamiliar: number[];
}

/** A code for each label, in the order in which they come first; −1 for none. */
export function labelCodes(labels: readonly string[]): number[] {
  const codes = new Map<string, number>();
  return labels.map((label) => {
    if (label === "") return -1;
    const code = codes.get(label) ?? codes.size;
    codes.set(label, code);
    return code;
  });
}

/** What a scan found, of the rows that are left. */
export function rowsToCheck(
  { near, doubtful, same }: RowScan,
  { shown, progress, removed }: Pick<Run, "shown" | "progress" | "removed">,
  level: SameLevel,
): RowsToCheck {
  const isLeft = (row: number) => !removed?.has(row);
  // vectors that say nothing are alike whatever their texts are
  const says = (row: number) => isLeft(row) && !strange.has(row);
  const strange = new Set(progress.unfamiliar);
  const labelOf = (row: number) => shown[row]?.group ?? "";
  const codes = labelCodes(shown.map(({ group }) => group));
  const names = new Map(codes.map((code, row) => [code, labelOf(row)]));
  const scoreOf = new Map(Array.from(near.rows, (row, at) => [row, near.scores[at] ?? 0]));
  return {
    doubtful: doubtful
      .filter(({ row }) => says(row))
      .map(({ row, theirs, count, of }) => ({ row, label: labelOf(row), theirs: names.get(theirs) ?? "", count, of })),
    same: (same[sameLevels.indexOf(level)] ?? []).map((set) => set.filter(says)).filter((set) => set.length > 1),
    lonely: lonelyRows(near)
      .filter(says)
      .map((row) => ({ row, score: scoreOf.get(row) ?? 0 })),
    unfamiliar: progress.unfamiliar.filter(isLeft),
  };
}

/** What there is to look at, of each kind. */
export function checkSentence({ doubtful, same, lonely, unfamiliar }: RowsToCheck, labeled: boolean): string {
  const words = [
    doubtful.length > 0 &&
      `${spelled(doubtful.length)} ${doubtful.length === 1 ? "row has a label" : "rows have a label"} unlike ${doubtful.length === 1 ? "its" : "their"} neighbors’`,
    same.length > 0 &&
      `${spelled(same.flat().length)} rows are near-duplicates, in ${same.length === 1 ? "one set" : `${spelled(same.length)} sets`}`,
    lonely.length > 0 && `${spelled(lonely.length)} ${lonely.length === 1 ? "row lies" : "rows lie"} alone`,
    unfamiliar.length > 0 &&
      `${spelled(unfamiliar.length)} ${unfamiliar.length === 1 ? "looks" : "look"} like another language`,
  ].filter((part) => part !== false);
  if (words.length === 0)
    return `Nothing to look at: no near-duplicates, no row that lies alone${labeled ? ", no doubtful label" : ""}`;
  return capital(words.join("; "));
}

/** All rows of sets but the first of each: what goes where one of each is kept. */
export const furtherRows = (sets: readonly (readonly number[])[]): number[] => sets.flatMap((set) => set.slice(1));

type Kind = "label" | "same" | "alone" | "language";

/** The rows with why each is in the list, as the lines of a file. */
export function checkLines(found: RowsToCheck, shown: readonly Shown[], kinds: readonly Kind[]): (string | number)[][] {
  const line = (row: number, kind: Kind, detail: string) => {
    const { number = 0, text = "", group = "" } = shown[row] ?? {};
    return [number, text, group, kind, detail];
  };
  const lines: Record<Kind, (string | number)[][]> = {
    label: found.doubtful.map(({ row, theirs, count, of }) =>
      line(row, "label", `${count} of the ${of} nearest are labeled ${theirs}`),
    ),
    same: found.same.flatMap((set, at) => set.map((row) => line(row, "same", `set ${at + 1}`))),
    alone: found.lonely.map(({ row, score }) => line(row, "alone", `nearest ${score.toFixed(4)}`)),
    language: found.unfamiliar.map((row) => line(row, "language", "")),
  };
  return kinds.flatMap((kind) => lines[kind]);
}

export const checkHeader = ["row", "text", "group", "why", "detail"];
