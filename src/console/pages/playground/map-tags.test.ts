import { describe, expect, it } from "vitest";
import { placeTags, touch, type Box, type Tag } from "./map-tags.ts";

const measure = (text: string) => text.length * 6;
const tag = (text: string, x: number, y: number): Tag => ({ text, x, y, away: 10, side: "left" });
const place = (tags: readonly Tag[], taken: readonly Box[] = [], size = 300) =>
  placeTags(tags, { width: size, height: size, measure, taken });

describe("tags of a map", () => {
  it("stand on their own side of the point, on its middle", () => {
    expect(place([tag("#1", 100, 50)])).toEqual([{ tag: tag("#1", 100, 50), x: 78, y: 54 }]);
    expect(place([{ ...tag("#1", 100, 50), side: "right" }])[0]?.x).toBe(110);
  });

  it("never lie on one another, nor on what is there already, nor out of sight", () => {
    const title: Box = [60, 60, 140, 78];
    const crowd = Array.from({ length: 40 }, (_, at) => tag(`#${at + 1}`, 100 + (at % 7) * 3, 60 + (at % 5) * 3));
    const placed = place([tag("#0", 2, 2), ...crowd], [title]);
    const boxes = placed.map(({ tag: { text }, x, y }): Box => [x, y - 10, x + measure(text), y + 2]);
    expect(boxes.every(([left, top]) => left >= 0 && top >= 0)).toBe(true);
    expect(boxes.some((box) => touch(box, title))).toBe(false);
    expect(boxes.filter((box, at) => boxes.some((other, i) => i !== at && touch(box, other)))).toEqual([]);
  });

  it("the first have the first choice, and what finds no room is left out", () => {
    const same = Array.from({ length: 6 }, (_, at) => tag(`#${at + 1}`, 100, 100));
    expect(place(same).map(({ tag: { text } }) => text)).toEqual(["#1", "#2", "#3", "#4"]);
  });
});
