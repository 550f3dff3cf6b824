import { describe, expect, it } from "vitest";
import { placeTags, touch, type Box, type Tag } from "./map-tags.ts";
import { placeTitles, titleHeight, titlesOf, type Title } from "./map-titles.ts";

const measure = (text: string) => text.length * 7;
const title = (text: string, ...rows: number[]): Title => ({ text, rows });
const placed = (titles: readonly Title[], ...points: readonly (readonly [number, number])[]) =>
  placeTitles(titles, {
    positions: Float32Array.from(points.flat()),
    width: 400,
    height: 400,
    pointOfRow: (row) => (row < points.length ? row : undefined),
    measure,
    away: 9,
  });

it("titles of a map are the labels where those are the colors, and the words of groups elsewhere", () => {
  const shown = ["a", "b", "a", ""].map((group) => ({ group, text: "The app crashes when I open it" }));
  const names = [["goal", "keeper", "ball"], []];
  const clusters = { of: Uint8Array.of(1, 0, 0, 255), sizes: [2, 1], names, typical: [1, 0] };
  expect(titlesOf("label", shown, ["a", "b"], null)).toEqual([title("a", 0, 2), title("b", 1)]);
  const goal = title("goal, keeper", 1, 2);
  // without words by its most typical row, unless that is an image
  expect(titlesOf("cluster", shown, [], clusters)).toEqual([goal, title("“The app crashes when I op…”", 0)]);
  const images = shown.map((row) => ({ ...row, image: "data:" }));
  expect(titlesOf("cluster", images, [], clusters)).toEqual([goal]);
  expect(titlesOf("length", shown, [], clusters)).toEqual([]);
});

it("titles of a map are cut where they are long, and those of the largest groups where there are many", () => {
  const labels = Array.from({ length: 40 }, (_, at) => `${at} `.padEnd(40, "x"));
  const shown = labels.flatMap((group, at) => Array.from({ length: at + 1 }, () => ({ group, text: "" })));
  const titles = titlesOf("label", shown, labels, null);
  expect(titles).toHaveLength(24);
  expect(titles[0]?.text).toMatch(/^39 x+…$/);
  expect(titles.every(({ text }) => text.length <= 28)).toBe(true);
});

it("titles of a map stand above the middle of their points, within the picture, or not where those are out of view", () => {
  const [goal] = placed([title("goal", 0, 1, 2)], [100, 200], [110, 210], [300, 220]);
  expect(goal?.x).toBe(110);
  expect(goal?.y).toBeLessThan(200 - 9);
  // at the edges they are moved in, and below where there is no room above
  const [cornered] = placed([title("a long title", 0)], [2, 3]);
  expect(cornered?.x).toBeGreaterThanOrEqual(measure("a long title") / 2);
  expect(cornered?.y).toBeGreaterThan(3 + 9);
  expect([placed([title("goal", 0)], [900, 20]), placed([title("goal", 5)], [100, 100])]).toEqual([[], []]);
});

it("titles of a map touch no other: the first has the first choice, and one without room is left out", () => {
  const crowd = Array.from({ length: 30 }, (_, at) => title(`group ${at}`, at));
  const titles = placed(crowd, ...crowd.map((_, at) => [200 + (at % 6), 200 + at / 6] as const));
  expect(titles[0]?.text).toBe("group 0");
  expect(titles.length).toBeLessThan(30);
  const apart = (one: (typeof titles)[number], other: typeof one) =>
    Math.abs(one.x - other.x) >= (measure(one.text) + measure(other.text)) / 2 ||
    Math.abs(one.y - other.y) >= titleHeight;
  const touching = titles.filter((one, at) => titles.slice(at + 1).some((other) => !apart(one, other)));
  expect(touching).toEqual([]);
});

describe("tags of a map", () => {
  const measure = (text: string) => text.length * 6;
  const tag = (number: number, x: number, y: number, side: Tag["side"] = "left"): Tag => {
    return { text: `#${number}`, x, y, away: 10, side };
  };
  const place = (tags: readonly Tag[], taken: readonly Box[] = []) =>
    placeTags(tags, { width: 300, height: 300, measure, taken });

  it("stand on their own side of the point, on its middle", () => {
    expect(place([tag(1, 100, 50)])).toEqual([{ tag: tag(1, 100, 50), x: 78, y: 54 }]);
    expect(place([tag(1, 100, 50, "right")])[0]?.x).toBe(110);
  });

  it("never lie on one another, nor on what is there already, nor out of sight", () => {
    const title: Box = [60, 60, 140, 78];
    const crowd = Array.from({ length: 40 }, (_, at) => tag(at + 1, 100 + (at % 7) * 3, 60 + (at % 5) * 3));
    const placed = place([tag(0, 2, 2), ...crowd], [title]);
    const boxes = placed.map(({ tag: { text }, x, y }): Box => [x, y - 10, x + measure(text), y + 2]);
    expect(boxes.every(([left, top]) => left >= 0 && top >= 0)).toBe(true);
    expect(boxes.some((box) => touch(box, title))).toBe(false);
    expect(boxes.filter((box, at) => boxes.some((other, i) => i !== at && touch(box, other)))).toEqual([]);
  });

  it("the first have the first choice, and what finds no room is left out", () => {
    const same = Array.from({ length: 6 }, (_, at) => tag(at + 1, 100, 100));
    expect(place(same).map((one) => one.tag.text)).toEqual(["#1", "#2", "#3", "#4"]);
  });
});
