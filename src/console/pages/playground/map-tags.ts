/** A word beside a point: a hit's rank, or a neighbor's number. */
export interface Tag {
  text: string;
  x: number;
  y: number;
  /** how far from the point it begins */
  away: number;
  /** tried first; the others follow in their order */
  side: Side;
}

/** A tag where it is drawn; x is its left end, y its baseline. */
export interface PlacedTag {
  tag: Tag;
  x: number;
  y: number;
}

type Side = "left" | "right" | "above" | "below";
export type Box = readonly [left: number, top: number, right: number, bottom: number];

interface Ground {
  width: number;
  height: number;
  /** a text's width as it is drawn */
  measure: (text: string) => number;
  /** what tags may not lie on */
  taken: readonly Box[];
}

const tagHeight = 12;
const gap = 1;
const sides: readonly Side[] = ["left", "right", "above", "below"];

export const touch = (a: Box, b: Box): boolean => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];

/**
 * Where tags go: on their own side of the point, else on another, so that none lies on another one or out of sight. The
 * first has the first choice, and what finds no room is left out: the list beside the map has it.
 */
export function placeTags(tags: readonly Tag[], { width, height, measure, taken }: Ground): PlacedTag[] {
  const boxes = [...taken];
  return tags.flatMap((tag) => {
    const wide = measure(tag.text);
    for (const side of [tag.side, ...sides.filter((other) => other !== tag.side)]) {
      const [left, top] = cornerOf(tag, side, wide);
      const box = [left - gap, top, left + wide + gap, top + tagHeight] as const;
      if (box[0] < 0 || box[1] < 0 || box[2] > width || box[3] > height) continue;
      if (boxes.some((other) => touch(box, other))) continue;
      boxes.push(box);
      return [{ tag, x: left, y: top + tagHeight - 2 }];
    }
    return [];
  });
}

function cornerOf({ x, y, away }: Tag, side: Side, wide: number): [left: number, top: number] {
  if (side === "left") return [x - away - wide, y - tagHeight / 2];
  if (side === "right") return [x + away, y - tagHeight / 2];
  return [x - wide / 2, side === "above" ? y - away - tagHeight : y + away];
}
