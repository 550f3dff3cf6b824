import { pairMedian } from "./pair-median.ts";
import type { NearestOfEach } from "./protocol.ts";
import { spread } from "./random.ts";
import type { Pause } from "./turns.ts";
import { cosine, type VectorView } from "./vectors.ts";

/** Multiplications that it may take: a second or so on one core, in parts. */
const workBudget = 1e9;

/**
 * For each row the one nearest to it, exactly: it is held against every other. Where there are so many rows that this
 * takes too long, that is done for a sample of them, still against all.
 */
export async function nearestOfEach(view: VectorView, pause: Pause, budget = workBudget) {
  const { rows, used } = view;
  // every pair serves both of its rows where all rows are looked at
  const every = (rows.length * (rows.length - 1) * used) / 2 <= budget;
  const asked = every ? rows : spread(rows, Math.max(1, Math.floor(budget / (rows.length * used))));
  const nearest = new Int32Array(asked.length).fill(-1);
  const scores = new Float32Array(asked.length).fill(Number.NEGATIVE_INFINITY);
  const note = (i: number, other: number, score: number) => {
    // not a number where a vector has such
    if (!(score > (scores[i] ?? 0))) return;
    nearest[i] = other;
    scores[i] = score;
  };
  for (const [i, row] of asked.entries()) {
    for (let j = every ? i + 1 : 0; j < rows.length; j += 1) {
      const other = rows[j] ?? 0;
      if (other === row) continue;
      const score = cosine(view, row, other);
      note(i, other, score);
      if (every) note(j, row, score);
    }
    await pause(every ? 1 - (1 - i / asked.length) ** 2 : i / asked.length);
  }
  return { rows: asked, nearest, scores, of: rows.length, random: pairMedian(view) } satisfies NearestOfEach;
}
