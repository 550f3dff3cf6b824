import { counted } from "../../format.ts";
import { mostMatrixRows } from "../../vectors/matrix.ts";
import { spread } from "../../vectors/random.ts";
import type { Progress } from "../../vectors/run-batch.ts";
import type { Shown } from "./playground.ts";

/** Rows of a run that is too large for one matrix. */
export interface MatrixPart {
  id: string;
  /** "A sample of 500 rows", "12 rows picked on the map", "shipping, 40 rows" */
  words: string;
  rows: readonly number[];
}

/** So many that each still has a pixel on a phone, and the closest pairs come at once. */
const sampleSize = 500;

/**
 * What a matrix can be drawn of: a sample, what was picked on the map, and each label that is not too large itself.
 * @param failures of rows that have no vector, which no sample needs
 */
export function matrixParts(
  shown: readonly Shown[],
  picked: readonly number[] | null,
  failures: Progress["failures"] = [],
): MatrixPart[] {
  const failed = new Set(failures.map(([place]) => place));
  const all = Int32Array.from([...shown.keys()].filter((row) => !failed.has(row)));
  const sample = Array.from(spread(all, sampleSize));
  const parts: MatrixPart[] = [{ id: "sample", words: `A sample of ${counted(sample.length, "row")}`, rows: sample }];
  if (picked && picked.length > 1)
    parts.push({ id: "picked", words: `${counted(picked.length, "row")} picked on the map`, rows: picked });
  const labeled = Map.groupBy(shown.keys(), (row) => shown[row]?.group ?? "");
  labeled.delete("");
  for (const [label, rows] of labeled) {
    if (rows.length > 1) parts.push({ id: `label ${label}`, words: `${label}, ${counted(rows.length, "row")}`, rows });
  }
  return parts.filter(({ rows }) => rows.length <= mostMatrixRows);
}
