import { pointOf } from "../../vectors/plane.ts";
import type { Tag } from "./map-tags.ts";

/** Texts are written at points once there are so few of them in sight. */
const mostInSight = 60;
const longest = 32;

interface Sight {
  positions: Float32Array;
  rows: Int32Array;
  width: number;
  height: number;
  textOf: (row: number) => string;
}

/** The beginnings of the texts of the rows in sight; none while there are too many to be read. */
export function placeTexts({ positions, rows, width, height, textOf }: Sight): Tag[] {
  const seen: number[] = [];
  for (let at = 0; at < rows.length; at += 1) {
    const [x, y] = pointOf(positions, at);
    if (x < 0 || y < 0 || x > width || y > height) continue;
    if (seen.push(at) > mostInSight) return [];
  }
  return seen.flatMap((at) => {
    const text = textOf(rows[at] ?? 0)
      .slice(0, 200)
      .replace(/\s+/g, " ")
      .trim();
    if (text === "") return [];
    const [x, y] = pointOf(positions, at);
    const short = text.length > longest ? `${text.slice(0, longest - 1).trimEnd()}…` : text;
    return [{ text: short, x, y, away: 9, side: "right" as const }];
  });
}
