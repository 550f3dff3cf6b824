import { describe, expect, it } from "vitest";
import { matrixPixels, matrixSvg } from "../pages/playground/matrix-drawing.ts";
import { tableAnywhere, tableOf } from "./example-tables.ts";
import { similarityMatrix } from "./matrix.ts";
import { pairMedian } from "./pair-median.ts";
import { cosineText, shareOf, similarityScale, zeroIsUnrelated } from "./similarity-scale.ts";
import { viewOf } from "./vectors.ts";

/** Cosines of 0.6, 0 and 0.8. */
const three = viewOf(
  tableOf([
    [1, 0],
    [0.6, 0.8],
    [0, 1],
  ]),
);
/** Greys: a cell's red is its place on the scale. */
const palette = Uint8ClampedArray.from({ length: 1_024 }, (_, at) => (at % 4 === 3 ? 255 : Math.floor(at / 4)));

it.each([
  [0.55, 0.63, false, { from: 0, to: 1, stretched: false }],
  [-0.05, 0.63, false, { from: 0, to: 1, stretched: false }],
  [-0.2, 0.63, false, { from: -1, to: 1, stretched: false }],
  // stretched, from the least to the most similar pair, if there are two
  [0.2, 0.63, true, { from: 0.2, to: 0.63, stretched: true }],
  [0.63, 0.63, true, { from: 0, to: 1, stretched: false }],
])("the scale of similarities from %d to %d, stretched: %s", (least, most, stretch, scale) => {
  expect(similarityScale({ least, most }, stretch)).toEqual(scale);
  expect(shareOf(similarityScale({ least: 0.2, most: 0.63 }, false), 0.63)).toBeCloseTo(0.63);
});

// float32 has neither 0.94 nor 0.57
const [f94, f57] = [Math.fround(0.94), Math.fround(0.57)];
it.each([
  ["floor", [0.129, -0.001, f94, f57], "0.12 -0.01 0.94 0.57"],
  ["ceil", [0.121, f94, f57], "0.13 0.94 0.57"],
  // never up to where two rows say the same, and no minus before a zero
  [undefined, [0.9493, 0.95, 0.625, -0.001, -0.034], "0.94 0.95 0.63 0.00 -0.03"],
] as const)("a cosine has two digits, rounded by %s where a sentence needs it: %j", (how, scores, texts) =>
  expect(scores.map((score) => cosineText(score, how)).join(" ")).toBe(texts),
);

it("a matrix of some rows has those alone, in the order that is asked for", () => {
  expect([...similarityMatrix(three, null, [2, 0]).rows]).toEqual([0, 2]);
  expect([...similarityMatrix(three, [2, 1, 0], [2, 0]).rows]).toEqual([2, 0]);
  expect(similarityMatrix(three, "alike", [1, 2]).pairs).toHaveLength(1);
});

describe("the matrix's picture", () => {
  const found = similarityMatrix(three, null);
  const scale = similarityScale(found, false);

  it("leaves the diagonal blank, gives each pair the color of its own cosine, and is the same as a file", () => {
    const pixels = matrixPixels({ found, palette, scale, dim: null });
    const [reds, opaque] = [0, 3].map((channel) => Array.from(found.scores, (_, at) => pixels[at * 4 + channel]));
    expect(opaque).toEqual([0, 255, 255, 255, 0, 255, 255, 255, 0]);
    expect(reds).toEqual([0, 153, 0, 153, 0, 204, 0, 204, 0]);
    const svg = matrixSvg({ found, palette, scale, line: "#888888", dim: null, from: [0, 0], span: 3 });
    expect(svg.match(/<rect/g)).toHaveLength(6);
    expect(svg).toContain('fill="#999999"');
    expect(svg).not.toContain('fill="#ffffff"');
    // three lines in each of three cells
    expect(/<path d="([^"]*)" stroke="#888888"/.exec(svg)?.[1]?.match(/M/g)).toHaveLength(9);
  });
});

it("0 is called unrelated only where half of enough random pairs have about 0 or less: their middle is known", () => {
  const unrelated = (median: number, pairs = 2_000) => zeroIsUnrelated({ median, pairs, every: false });
  expect([unrelated(0.05), unrelated(-0.3), unrelated(0.06), unrelated(0, 19)]).toEqual([true, true, false, false]);
  expect(zeroIsUnrelated(null)).toBe(false);
  expect(pairMedian(three)).toEqual({ median: expect.closeTo(0.6), pairs: 3, every: true });
  expect(pairMedian(viewOf(tableOf([[1, 0]])))).toBeNull();
  const view = viewOf(tableAnywhere(200, 64, 3));
  const median = pairMedian(view);
  expect(median).toMatchObject({ pairs: 2_000, every: false });
  expect(Math.abs(median?.median ?? 1)).toBeLessThan(0.02);
  expect(pairMedian(view)).toEqual(median);
});
