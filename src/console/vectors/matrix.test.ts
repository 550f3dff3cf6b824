import { describe, expect, it } from "vitest";
import { matrixPixels, matrixSvg } from "../pages/playground/matrix-drawing.ts";
import { similarityMatrix } from "./matrix.ts";
import { pairMedian } from "./pair-median.ts";
import { makeRandom } from "./random.ts";
import { cosineText, shareOf, similarityScale, zeroIsUnrelated } from "./similarity-scale.ts";
import { makeTable, viewOf } from "./vectors.ts";

function viewOfRows(rows: number[][]) {
  const table = makeTable(rows.length, rows[0]?.length ?? 0);
  table.data.set(rows.flat());
  table.present.fill(1);
  return viewOf(table);
}

/** Cosines of 0.6, 0 and 0.8. */
const three = viewOfRows([
  [1, 0],
  [0.6, 0.8],
  [0, 1],
]);
/** Greys: a cell's red is its place on the scale. */
const palette = Uint8ClampedArray.from({ length: 1_024 }, (_, at) => (at % 4 === 3 ? 255 : Math.floor(at / 4)));

describe("the scale of similarities", () => {
  it("ends at 1 and begins at 0, or lower where a pair is lower", () => {
    expect(similarityScale({ least: 0.55, most: 0.63 }, false)).toEqual({ from: 0, to: 1, stretched: false });
    expect(similarityScale({ least: -0.05, most: 0.63 }, false)).toEqual({ from: 0, to: 1, stretched: false });
    expect(similarityScale({ least: -0.2, most: 0.63 }, false)).toEqual({ from: -1, to: 1, stretched: false });
    expect(shareOf(similarityScale({ least: 0.2, most: 0.63 }, false), 0.63)).toBeCloseTo(0.63);
  });

  it("goes from the least to the most similar pair when stretched, if there are two", () => {
    expect(similarityScale({ least: 0.2, most: 0.63 }, true)).toEqual({ from: 0.2, to: 0.63, stretched: true });
    expect(similarityScale({ least: 0.63, most: 0.63 }, true)).toEqual({ from: 0, to: 1, stretched: false });
  });

  it("rounds down or up where a sentence needs it, and never up to where two rows say the same", () => {
    expect(cosineText(0.129, "floor")).toBe("0.12");
    expect(cosineText(0.121, "ceil")).toBe("0.13");
    expect(cosineText(-0.001, "floor")).toBe("-0.01");
    // float32 has neither 0.94 nor 0.57
    expect([0.94, 0.57].map((score) => cosineText(Math.fround(score), "floor"))).toEqual(["0.94", "0.57"]);
    expect([0.94, 0.57].map((score) => cosineText(Math.fround(score), "ceil"))).toEqual(["0.94", "0.57"]);
    expect([0.9493, 0.95].map((score) => cosineText(score))).toEqual(["0.94", "0.95"]);
  });

  it("has two digits and no minus before a zero", () =>
    expect([0.625, -0.001, -0.034].map((score) => cosineText(score))).toEqual(["0.63", "0.00", "-0.03"]));
});

describe("a matrix of some rows", () => {
  it("has those alone, in the order that is asked for", () => {
    expect(Array.from(similarityMatrix(three, null, [2, 0]).rows)).toEqual([0, 2]);
    expect(Array.from(similarityMatrix(three, [2, 1, 0], [2, 0]).rows)).toEqual([2, 0]);
    expect(similarityMatrix(three, "alike", [1, 2]).pairs).toHaveLength(1);
  });
});

describe("the matrix's picture", () => {
  const found = similarityMatrix(three, null);
  const scale = similarityScale(found, false);

  it("leaves the diagonal blank and gives each pair the color of its own cosine", () => {
    const pixels = matrixPixels({ found, palette, scale, dim: null });
    const [reds, opaque] = [0, 3].map((channel) => Array.from(found.scores, (_, at) => pixels[at * 4 + channel]));
    expect(opaque).toEqual([0, 255, 255, 255, 0, 255, 255, 255, 0]);
    expect(reds).toEqual([0, 153, 0, 153, 0, 204, 0, 204, 0]);
  });

  it("is the same as a file, with the diagonal hatched", () => {
    const svg = matrixSvg({ found, palette, scale, line: "#888888", dim: null, from: [0, 0], span: 3 });
    expect(svg.match(/<rect/g)).toHaveLength(6);
    expect(svg).toContain('fill="#999999"');
    expect(svg).not.toContain('fill="#ffffff"');
    // three lines in each of three cells
    expect(/<path d="([^"]*)" stroke="#888888"/.exec(svg)?.[1]?.match(/M/g)).toHaveLength(9);
  });
});

it("0 is called unrelated only where half of enough random pairs have about 0 or less", () => {
  const random = (median: number, pairs = 2_000) => ({ median, pairs, every: false });
  expect(zeroIsUnrelated(random(0.05))).toBe(true);
  expect(zeroIsUnrelated(random(-0.3))).toBe(true);
  expect(zeroIsUnrelated(random(0.06))).toBe(false);
  expect(zeroIsUnrelated(random(0, 19))).toBe(false);
  expect(zeroIsUnrelated(null)).toBe(false);
});

describe("the middle of pairs", () => {
  it("is that of every pair where there are few", () => {
    const median = pairMedian(three);
    expect(median).toMatchObject({ pairs: 3, every: true });
    expect(median?.median).toBeCloseTo(0.6);
    expect(pairMedian(viewOfRows([[1, 0]]))).toBeNull();
  });

  it("is that of pairs drawn at random where there are many, the same ones each time", () => {
    const random = makeRandom(3);
    const view = viewOfRows(Array.from({ length: 200 }, () => Array.from({ length: 64 }, () => random() - 0.5)));
    const median = pairMedian(view);
    expect(median).toMatchObject({ pairs: 2_000, every: false });
    expect(Math.abs(median?.median ?? 1)).toBeLessThan(0.02);
    expect(pairMedian(view)).toEqual(median);
  });
});
