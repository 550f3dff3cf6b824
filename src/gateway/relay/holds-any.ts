import type { Turn } from "../turns.ts";

const searchedAtOnce = 1_048_576;

/** Whether a body holds one of some short texts, perhaps within another: most bodies need not be parsed to know it. */
export async function holdsAny(body: Buffer, traces: readonly Buffer[], turn: Turn): Promise<boolean> {
  const longest = Math.max(...traces.map(({ length }) => length));
  turn.begin();
  for (let from = 0; from < body.length; from += searchedAtOnce) {
    const piece = body.subarray(from, from + searchedAtOnce + longest);
    if (traces.some((trace) => piece.includes(trace))) return true;
    if (turn.isOver()) await turn.next();
  }
  return false;
}
