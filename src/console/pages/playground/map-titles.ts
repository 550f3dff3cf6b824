import { pointOf } from "../../vectors/plane.ts";
import type { Groups } from "../../vectors/protocol.ts";
import { touch, type Box } from "./map-tags.ts";
import type { Shown } from "./playground.ts";
import type { PaintBy } from "./map-paint.ts";

/** The name of a group of rows, which is written among its points. */
export interface Title {
  text: string;
  /** some of its rows, which say where it lies */
  rows: readonly number[];
  /** a smaller place within groups, named once the map is enlarged */
  isPlace?: boolean;
}

/** A title where it is drawn; x is its middle, y its baseline. */
export interface PlacedTitle {
  text: string;
  x: number;
  y: number;
  isPlace: boolean;
  /** what it covers */
  box: Box;
}

/** So many rows of a group say where its middle is. */
const mostRows = 201;
/** More names than these would be read by nobody. */
const mostTitles = 24;
const longest = 28;
export const titleHeight = 18;
const gap = 4;

/**
 * What the groups of rows are called: by their labels where those are the colors, else by their distinctive words, or
 * without any by their most typical text. Of a typical image its picture says more.
 */
export function titlesOf(
  by: PaintBy,
  shown: readonly Pick<Shown, "group" | "text" | "image">[],
  groups: readonly string[],
  clusters: Groups | null,
): Title[] {
  if (by === "label" || by.startsWith("column ")) {
    const indexOf = new Map(groups.map((group, index) => [group, index]));
    return gather(groups, shown.length, (row) => indexOf.get(shown[row]?.group ?? "") ?? -1);
  }
  if (!clusters || by === "role" || by === "length") return [];
  const names = clusters.names.map((words, index) => {
    const typical = shown[clusters.typical[index] ?? -1];
    if (words.length > 0) return words.slice(0, 2).join(", ");
    return typical === undefined || typical.image !== undefined ? "" : `“${shortened(typical.text, longest - 2)}”`;
  });
  return gather(names, clusters.of.length, (row) => clusters.of[row] ?? -1);
}

/** The titles of the largest groups, in the order of the groups. */
function gather(names: readonly string[], count: number, groupOf: (row: number) => number): Title[] {
  const rows: number[][] = names.map(() => []);
  for (let row = 0; row < count; row += 1) rows[groupOf(row)]?.push(row);
  const largest = [...rows.keys()].toSorted((a, b) => (rows[b]?.length ?? 0) - (rows[a]?.length ?? 0));
  return largest.slice(0, mostTitles).flatMap((group) => {
    const own = rows[group] ?? [];
    const name = names[group] ?? "";
    if (name === "" || own.length === 0) return [];
    const step = Math.max(1, own.length / mostRows);
    const some = Array.from({ length: Math.min(own.length, mostRows) }, (_, at) => own[Math.floor(at * step)] ?? 0);
    return [{ text: shortened(name, longest), rows: some }];
  });
}

const shortened = (text: string, most: number) => (text.length > most ? `${text.slice(0, most - 1).trimEnd()}…` : text);

interface Ground {
  positions: Float32Array;
  width: number;
  height: number;
  /** the point of a row; undefined: it is not in the picture */
  pointOfRow: (row: number) => number | undefined;
  /** a text's width as it is drawn */
  measure: (text: string) => number;
  /** how far from a point a title must begin, so that it does not lie on it */
  away: number;
}

/**
 * Where titles go: above the middle of their points, else below, else on it; the first has the first choice, and what
 * finds no room without touching another one is left out.
 */
export function placeTitles(titles: readonly Title[], ground: Ground): PlacedTitle[] {
  const taken: Box[] = [];
  return titles.flatMap(({ text, rows, isPlace = false }) => {
    const points = rows.map(ground.pointOfRow).filter((at) => at !== undefined);
    if (points.length === 0) return [];
    const xs = points.map((at) => pointOf(ground.positions, at)[0]).toSorted((a, b) => a - b);
    const ys = points.map((at) => pointOf(ground.positions, at)[1]).toSorted((a, b) => a - b);
    const middle = share(xs, 0.5);
    const half = ground.measure(text) / 2 + gap;
    const tops = [
      share(ys, 0.1) - ground.away - titleHeight,
      share(ys, 0.9) + ground.away,
      share(ys, 0.5) - titleHeight / 2,
    ];
    if (middle < 0 || middle > ground.width) return [];
    const x = Math.max(half, Math.min(ground.width - half, middle));
    for (const top of tops) {
      const box = [x - half, top, x + half, top + titleHeight] as const;
      if (top < 0 || box[3] > ground.height || taken.some((other) => touch(box, other))) continue;
      taken.push(box);
      return [{ text, x, y: top + titleHeight - 5, isPlace, box }];
    }
    return [];
  });
}

const share = (sorted: readonly number[], part: number) => sorted[Math.round((sorted.length - 1) * part)] ?? 0;
