import { spread } from "./random.ts";
import type { Pause } from "./turns.ts";
import { cosine, type VectorView } from "./vectors.ts";

/** Multiplications that it may take for one run: a second or so on one core, in parts. */
const workBudget = 1e9;

export interface RightRows {
  /** rows that ask */
  asked: number[];
  /** rows that may answer; a row does not answer itself */
  among: number[];
  /** by the table's row, a code for its label and one for its id, negative where it has none */
  labels: number[];
  ids: number[];
}

export interface FirstRight {
  /** those that were asked, of all that have a right answer: where there are many, a sample */
  asked: Int32Array;
  of: number;
  /** of each way of looking, the rank of the first right answer for each of `asked`, from 1 */
  ranks: Int32Array[];
}

/**
 * How soon each row meets a row that answers it: one with its label, or one whose id is its label. Of equally near rows
 * the wrong ones come first, so that vectors that tell nothing apart find nothing.
 *
 * @param views the same rows in several ways of looking at them; all are asked for the same rows
 */
export async function firstRight(
  views: readonly VectorView[],
  { asked, among, labels, ids }: RightRows,
  pause: Pause,
  budget = workBudget,
): Promise<FirstRight> {
  const there = (row: number) => views.every(({ table }) => table.present[row] === 1);
  const answers = among.filter(there);
  const labelOf = (row: number) => labels[row] ?? -1;
  const right = (row: number, other: number) => labelOf(other) === labelOf(row) || ids[other] === labelOf(row);
  const codes = new Map<number, number>();
  const count = (code: number) => codes.set(code, (codes.get(code) ?? 0) + 1);
  for (const row of answers) {
    count(labelOf(row));
    if (ids[row] !== labelOf(row)) count(ids[row] ?? -1);
  }
  const answering = new Set(answers);
  const isOwn = (row: number) => (answering.has(row) ? 1 : 0);
  const answerable = asked.filter(
    (row) => labelOf(row) >= 0 && there(row) && (codes.get(labelOf(row)) ?? 0) > isOwn(row),
  );
  const longest = Math.max(1, ...views.map(({ used }) => used));
  const sample = spread(
    Int32Array.from(answerable),
    Math.max(1, Math.floor(budget / (Math.max(1, answers.length) * longest))),
  );
  const ranks: Int32Array[] = [];
  const scores = new Float64Array(answers.length);
  for (const [place, view] of views.entries()) {
    const own = new Int32Array(sample.length);
    for (const [at, row] of sample.entries()) {
      let best = Number.NEGATIVE_INFINITY;
      answers.forEach((other, i) => {
        const score = other === row ? Number.NaN : cosine(view, row, other);
        scores[i] = score;
        if (score > best && right(row, other)) best = score;
      });
      let before = 0;
      answers.forEach((other, i) => {
        if ((scores[i] ?? 0) >= best && !right(row, other)) before += 1;
      });
      own[at] = before + 1;
      await pause((place + at / sample.length) / views.length);
    }
    ranks.push(own);
  }
  return { asked: sample, of: answerable.length, ranks };
}
