import { groupNames } from "./group-names.ts";
import { pointOf } from "./plane.ts";
import type { Place, Points } from "./protocol.ts";

/** Squares along the longer side of the whole picture; twice as many with each power of two that it is enlarged by. */
const squares = 4;
/** Fewer rows have no words in common that would say something of their place. */
const fewestRows = 6;
const mostPlaces = 200;
const mostRows = 60;
const nowhere = 255;

/**
 * The places of a picture, as they are named once it is enlarged: squares of it with the words that tell their rows from
 * those of the others, the fullest first.
 */
export function placeNames({ rows, points }: Points, level: number, textOf: (row: number) => string): Place[] {
  const bounds = boundsOf(points);
  const side = Math.max(bounds.width, bounds.height, 1e-9) / (squares * 2 ** level);
  const cells = new Map<string, number[]>();
  for (let at = 0; at < rows.length; at += 1) {
    const [x, y] = pointOf(points, at);
    const key = `${Math.floor((x - bounds.left) / side)} ${Math.floor((y - bounds.low) / side)}`;
    const own = cells.get(key);
    if (own) own.push(rows[at] ?? 0);
    else cells.set(key, [rows[at] ?? 0]);
  }
  const full = [...cells.values()].filter((own) => own.length >= fewestRows).toSorted((a, b) => b.length - a.length);
  const named = full.slice(0, mostPlaces);
  const of = new Uint8Array(rows.reduce((most, row) => Math.max(most, row), -1) + 1).fill(nowhere);
  for (const [place, own] of named.entries()) for (const row of own) of[row] = place;
  const inPlaces = rows.filter((row) => of[row] !== nowhere);
  const names = groupNames(inPlaces, of, named.length, textOf);
  return named.flatMap((own, place) => {
    const words = names[place] ?? [];
    return words.length === 0 ? [] : [{ words: words.slice(0, 2), rows: own.slice(0, mostRows) }];
  });
}

function boundsOf(points: Float32Array) {
  let [left, right, low, high] = [Infinity, -Infinity, Infinity, -Infinity];
  for (let at = 0; 2 * at < points.length; at += 1) {
    const [x, y] = pointOf(points, at);
    left = Math.min(left, x);
    right = Math.max(right, x);
    low = Math.min(low, y);
    high = Math.max(high, y);
  }
  return { left, low, width: right - left, height: high - low };
}
