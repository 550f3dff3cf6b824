import type { Run } from "./playground.ts";
import { mostBytes } from "../../vectors/vectors.ts";

const bytesEach = 4;

export interface Room {
  /** bytes that the vectors will take */
  needed: number;
  /** bytes that are free without discarding anything */
  free: number;
  /** the oldest runs to discard to make room; null: not even discarding all would be enough */
  letGo: Run[] | null;
}

/**
 * Whether the vectors of this many rows fit, and which runs would have to be discarded. Checked before the first call.
 */
export function roomFor(rows: number, dimensions: number, runs: readonly Run[]): Room {
  const needed = rows * dimensions * bytesEach;
  const free = mostBytes - runs.reduce((sum, run) => sum + bytesOf(run), 0);
  const letGo: Run[] = [];
  let room = free;
  for (const run of runs.toSorted((a, b) => a.id - b.id)) {
    if (room >= needed) break;
    if (bytesOf(run) === 0) continue;
    letGo.push(run);
    room += bytesOf(run);
  }
  return { needed, free, letGo: room >= needed ? letGo : null };
}

const bytesOf = ({ items, dimensions }: Run) => items.length * (dimensions ?? 0) * bytesEach;

/** 1,048,576 bytes to "1 MB", a part of one counts whole. */
export function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1_048_576)} MB`;
}

export const mostRoom = megabytes(mostBytes);
