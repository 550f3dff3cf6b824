import { expect, it } from "vitest";
import { paintOf } from "./map-paint.ts";
import * as map from "./map-positions.ts";
import { mapSvg } from "./map-svg.ts";

const colour = (digit: number) => `#${String(digit).repeat(6)}`;
const inks = { points: [1, 2, 3, 4, 5, 6, 7, 8].map(colour), ink: "#000000", ground: "#ffffff", line: "#cccccc" };
type Drawing = Parameters<typeof mapSvg>[0];

function drawn(groups: string[], more: Partial<Drawing> = {}, by: "label" | "length" = "label") {
  const shown = groups.map((group) => ({ group, role: "document" as const, text: `secret of ${group}` }));
  const drawing: Drawing = {
    width: 400,
    height: 300,
    ratio: 2,
    positions: Float32Array.from(groups.flatMap((_, at) => [at * 10, at * 5])),
    zero: [200, 150],
    rows: Int32Array.from(groups.keys()),
    paint: paintOf(by, shown, [...new Set(groups)], { scores: null, selected: null, clusters: null }),
    selected: -1,
    near: [],
    sprites: null,
    side: 28,
    hits: [],
    picked: null,
    textOf: () => "",
    numberOf: (row) => row + 1,
    titles: [],
    outline: [],
  };
  return mapSvg({ ...drawing, ...more }, inks);
}

it("has the picture of each row that is one, at its point, and axes only where they mean something", () => {
  const url = "data:image/png;base64,AA==";
  const svg = drawn(["a", "a"], { sprites: [{ image: {} as CanvasImageSource, width: 1, height: 0.5, url }, null] });
  const image = `<image x="-14.0" y="-7.0" width="28.0" height="14.0" href="${url}"/>`;
  expect(svg.match(/<image [^>]*>/g)).toEqual([image]);
  expect(svg.match(/<path transform="translate/g)).toHaveLength(1 + 1);
  expect(drawn(["a"])).toContain('<path d="M200.0 0V300M0 150.0H400"');
  expect(drawn(["a"], { zero: null })).not.toContain("V300M0");
});

it("has the groups' names where they were placed, and joins the question with its nearest rows", () => {
  const titles: Drawing["titles"] = [{ text: "goal <1>", x: 50, y: 20, isPlace: false, box: [20, 7, 80, 25] }];
  const [title] = drawn(["a"], { titles }).match(/<text [^>]*text-anchor="middle"[^>]*>[^<]*/) ?? [];
  expect(title).toMatch(/^<text x="50\.0" y="20\.0" .*stroke="#ffffff" .*fill="#000000">goal &lt;1&gt;$/);
  expect(drawn(["a"])).not.toContain("text-anchor");
  const svg = drawn(["a", "b"], { hits: [0, 1].map((at) => ({ at, score: 0.5 })) });
  expect(svg).toContain('d="M5.0 2.5L0.0 0.0M5.0 2.5L10.0 5.0"');
  expect(svg).toContain("translate(5.0 2.5)");
  expect(drawn(["a", "b"])).not.toContain("translate(5.0 2.5)");
});

it("has every point in a colour that any program knows, its number, and a legend with every label", () => {
  const svg = drawn(["north", "in <out>", "north"]);
  expect(svg.match(/<path transform="translate/g)).toHaveLength(3 + 2);
  expect([...svg.matchAll(/fill="([^"]+)"/g)].every(([, fill]) => /^#[0-9a-f]{6}$/.test(fill ?? ""))).toBe(true);
  const texts = Array.from(svg.matchAll(/<text[^>]*>([^<]*)</g), ([, text]) => text);
  expect(texts).toEqual(["1", "2", "3", "north", "in &lt;out&gt;"]);
  expect(svg).not.toContain("secret");
  expect(svg).toContain('translate(20.0 10.0)" fill="#111111"');
  expect(svg).toContain('translate(10.0 5.0)" fill="#222222"');
});

it("has the scale of a number in words, and grows with its legend", () => {
  const svg = drawn(["a", "bcdef"], {}, "length");
  expect(svg).toContain(`>${"secret of bcdef".length} characters</text>`);
  expect(svg).toContain('height="332"');
  expect(drawn(Array.from({ length: 20 }, (_, at) => `label ${at}`))).toContain('height="512"');
});

// a square with its middle, y upwards as in the picture
const square = { rows: Int32Array.of(0, 1, 2, 3, 4), points: Float32Array.of(-1, -1, 1, -1, 1, 1, -1, 1, 0, 0) };
const size = { width: 268, height: 268 };
const { positions, zero } = map.positionsOf(square, size, map.unmoved);

it("positions fill the picture but for its margin, and find the point under the pointer or inside of a line", () => {
  expect([...positions]).toEqual([34, 234, 234, 234, 234, 34, 34, 34, 134, 134]);
  expect(zero).toEqual([134, 134]);
  expect([...map.positionsOf(square, size, { x: 10, y: -5, zoom: 2 }).positions].slice(0, 2)).toEqual([-56, 329]);
  expect([map.pointAt(positions, 130, 140), map.pointAt(positions, 80, 134)]).toEqual([4, -1]);
  expect(map.pointsWithin(positions, [0, 100, 200, 100, 200, 260, 0, 260])).toEqual([0, 4]);
});

it("the nearest in a direction is found, and the point itself where there is none", () => {
  // both corners at the right are just within 45 degrees: the first of them
  expect(map.nextThatWay(positions, 4, [1, 0])).toBe(1);
  const toMiddle = [map.nextThatWay(positions, 0, [0, -1]), map.nextThatWay(positions, 0, [1, 0])];
  expect([...toMiddle, map.nextThatWay(positions, 2, [-1, 0])]).toEqual([4, 4, 4]);
  expect(map.nextThatWay(positions, 0, [-1, 0])).toBe(0);
});

it("tells how many true neighbours the picture keeps", () => {
  // the two nearest to corner 0 in the picture are the middle and one of the corners beside it
  expect([map.nearInPicture(positions, 0, [4, 2]), map.nearInPicture(positions, 0, [4])]).toEqual([1, 1]);
});

const hit = (at: number, score: number) => ({ at, score });
it.each([
  ["the middle of its nearest rows", [hit(0, 0.5), hit(1, 0.5)], [134, 234]],
  ["closer to what is more alike", [hit(0, 0.75), hit(1, 0.25)], [84, 234]],
  ["found from none that points the other way", [hit(4, 0.2), hit(0, -0.1)], [134, 134]],
  ["none where all point the other way", [hit(0, 0), hit(1, -0.3)], null],
  ["none without rows", [], null],
])("a question's place is %s", (_, hits, place) => {
  expect(map.questionPosition(positions, hits)).toEqual(place);
  expect(map.joined([0, 1, 2, 3, 4, 0].map((at) => hit(at, 0.4)))).toHaveLength(5);
});
