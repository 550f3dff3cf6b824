import { describe, expect, it } from "vitest";
import { placeTitles, titleHeight, titlesOf, type Title } from "./map-titles.ts";

const measure = (text: string) => text.length * 7;
function placed(titles: readonly Title[], points: readonly (readonly [number, number])[], size = 400) {
  return placeTitles(titles, {
    positions: Float32Array.from(points.flat()),
    width: size,
    height: size,
    pointOfRow: (row) => (row < points.length ? row : undefined),
    measure,
    away: 9,
  });
}

describe("titles of a map", () => {
  it("are the labels where those are the colors, and the words of groups elsewhere", () => {
    const shown = ["a", "b", "a", ""].map((group) => ({ group, text: "The app crashes when I open it" }));
    const names = [["goal", "keeper", "ball"], []];
    const clusters = { of: Uint8Array.of(1, 0, 0, 255), sizes: [2, 1], names, typical: [1, 0] };
    expect(titlesOf("label", shown, ["a", "b"], null)).toEqual([
      { text: "a", rows: [0, 2] },
      { text: "b", rows: [1] },
    ]);
    expect(titlesOf("cluster", shown, [], clusters)).toEqual([
      { text: "goal, keeper", rows: [1, 2] },
      // without words by its most typical row, unless that is an image
      { text: "“The app crashes when I op…”", rows: [0] },
    ]);
    const images = shown.map((row) => ({ ...row, image: "data:" }));
    expect(titlesOf("cluster", images, [], clusters)).toEqual([{ text: "goal, keeper", rows: [1, 2] }]);
    expect(titlesOf("length", shown, [], clusters)).toEqual([]);
  });

  it("are cut where they are long, and those of the largest groups where there are many", () => {
    const labels = Array.from({ length: 40 }, (_, at) => `${at} `.padEnd(40, "x"));
    const shown = labels.flatMap((group, at) => Array.from({ length: at + 1 }, () => ({ group, text: "" })));
    const titles = titlesOf("label", shown, labels, null);
    expect(titles).toHaveLength(24);
    expect(titles[0]?.text).toMatch(/^39 x+…$/);
    expect(titles.every(({ text }) => text.length <= 28)).toBe(true);
  });

  it("stand above the middle of their points, within the picture", () => {
    const [title] = placed(
      [{ text: "goal", rows: [0, 1, 2] }],
      [
        [100, 200],
        [110, 210],
        [300, 220],
      ],
    );
    expect(title?.x).toBe(110);
    expect(title?.y).toBeLessThan(200 - 9);
    // at the edges they are moved in, and below where there is no room above
    const [cornered] = placed([{ text: "a long title", rows: [0] }], [[2, 3]]);
    expect(cornered?.x).toBeGreaterThanOrEqual(measure("a long title") / 2);
    expect(cornered?.y).toBeGreaterThan(3 + 9);
  });

  it("touch no other: the first has the first choice, and one without room is left out", () => {
    const crowd = Array.from({ length: 30 }, (_, at) => ({ text: `group ${at}`, rows: [at] }));
    const titles = placed(
      crowd,
      crowd.map((_, at) => [200 + (at % 6), 200 + at / 6]),
    );
    expect(titles[0]?.text).toBe("group 0");
    expect(titles.length).toBeLessThan(30);
    for (const [at, one] of titles.entries()) {
      for (const other of titles.slice(at + 1)) {
        const apart =
          Math.abs(one.x - other.x) >= (measure(one.text) + measure(other.text)) / 2 ||
          Math.abs(one.y - other.y) >= titleHeight;
        expect(apart, `${one.text} ${other.text}`).toBe(true);
      }
    }
  });

  it("of points that are out of view are not drawn", () => {
    expect(placed([{ text: "goal", rows: [0] }], [[900, 20]])).toEqual([]);
    expect(placed([{ text: "goal", rows: [5] }], [[100, 100]])).toEqual([]);
  });
});
