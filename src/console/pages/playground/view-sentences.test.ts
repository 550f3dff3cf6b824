import { describe, expect, it } from "vitest";
import type { Clusters, MatrixResult, NearestOfEach } from "../../vectors/protocol.ts";
import * as say from "./view-sentences.ts";

const shown = Array.from({ length: 60 }, (_, row) => ({ number: row + 1, group: row % 2 === 0 ? "a" : "b" }));
const unlabeled = shown.map(({ number }) => ({ number, group: "" }));

/** Every row's nearest is the next one, with these cosines. */
const near = (scores: readonly number[], of = scores.length, usually = 0.35): NearestOfEach => ({
  rows: Int32Array.from(scores.keys()),
  nearest: Int32Array.from(scores, (_, row) => (row + 1) % scores.length),
  scores: Float32Array.from(scores),
  of,
  random: { median: usually, pairs: 2_000, every: false },
});
const usual = Array.from({ length: 20 }, (_, at) => 0.6 + at / 100);
const alike = usual.map(() => 0.99);

const like = (pattern: RegExp) => expect.stringMatching(pattern) as string;

describe("the map's sentence", () => {
  const groups = (silhouette: number, sizes: number[], among: number, shuffled: number, chosen = false): Clusters => {
    const best = { count: 3, silhouette: chosen ? 0.4 : silhouette, among, shuffled };
    return { of: new Uint8Array(), sizes, names: [], typical: [], fit: { silhouette, among }, best };
  };

  it.each([
    [0.4, 0.02, [20, 12, 8], 40, null, "Three groups, with a silhouette of 0.40; shuffled vectors have 0.02"],
    [0.13, 0.01, [900, 60, 40], 600, null, like(/0\.13; shuffled vectors have 0\.01, in a sample of 600 rows$/)],
    // what shuffled vectors have as well is no groups: in few dimensions that is much, in many it is little
    [0.3, 0.28, [30, 10], 40, null, like(/^No clear groups: the best split, into two, has a silhouette of 0\.30, and/)],
    [0.04, 0.01, [30, 10], 40, null, like(/^No clear groups/)],
    [0.07, 0.01, [30, 10], 40, null, like(/^Two groups/)],
    // of a number that a person chose, which one holds together better, and nothing where none does
    [0.2, 0, [9, 9], 40, 2, "Two groups, as chosen, with a silhouette of 0.20; three hold together best, with 0.40"],
    [0.4, 0, [20, 10, 10], 40, 3, "Three groups, as chosen, with a silhouette of 0.40"],
    [0.5, 0, [20, 10, 5, 5], 40, 4, "Four groups, as chosen, with a silhouette of 0.50"],
  ])("of a silhouette of %d, of %d by chance, for groups of %j among %d, chosen %j", (...each) => {
    const [fit, shuffled, sizes, among, chosen, sentence] = each;
    expect(say.groupsSentence(groups(fit, sizes, among, shuffled, chosen !== null), chosen)).toEqual(sentence);
  });

  it("goes by the labels where groups fit them, whatever the silhouette", () => {
    const found = groups(0.03, [5_000, 5_000], 600, 0.01);
    expect(say.groupsSentence(found, null, { labeled: 10_000, pure: 9_889, largest: 1_300 })).toBe(
      "Two groups, which fit the labels of 9,889 of 10,000 labeled rows",
    );
    // as many as one group of all rows would have
    expect(say.groupsSentence(found, null, { labeled: 100, pure: 92, largest: 90 })).toMatch(/^No clear groups/);
  });

  it.each([
    // of 21, the quartiles are 0.64 and 0.74: the fence is at 0.64 − 1.5 × 0.10 = 0.49
    [near([...usual, 0.5]), []],
    [near([...usual, 0.48]), [20]],
    [near([...usual, 0.4, 0.3]), [21, 20]],
    // where all are nearly the same, far from the quartiles is not yet alone: half way from 0.2 to 0.99 is
    [near([...alike, 0.82], 21, 0.2), []],
    [near([...alike, 0.59], 21, 0.2), [20]],
    // of few rows there are no quartiles to speak of
    [near([0.9, 0.9, 0.9, 0.9, 0.1]), []],
  ])("%#: rows lie alone below the fence of all nearest", (found, rows) => expect(say.lonelyRows(found)).toEqual(rows));

  it.each([
    [usual, 20, ""],
    [[...usual, 0.3], 21, "; row 21 lies alone: its nearest has 0.30"],
    [[...usual, 0.3, 0.2], 22, "; rows 22 and 21 lie alone"],
    [[...usual, ...usual, 0.3], 5_000, "; row 41 lies alone: its nearest has 0.30, in a sample of 41 rows"],
  ])("%#: names the rows that lie alone", (scores, all, words) => {
    const found = { near: near(scores, all), groups: "Six groups", byLabel: false };
    expect(say.mapSentence(unlabeled, found)).toBe(`Six groups${words}`);
  });

  it("colored by labels, says for how many labeled rows the nearest has the same", () => {
    // by turns a and b, and each row's nearest is the next: only the last of an odd number has the label of the first
    const found = { near: near([0.5, 0.6, 0.7, 0.8, 0.9]), groups: null, byLabel: true };
    expect(say.mapSentence(shown, found)).toBe("For 20% of 5 labeled rows the nearest row has the same label");
    expect(say.mapSentence(unlabeled, found)).toMatch(/^Half of the rows/);
  });
});

describe("the list's sentence", () => {
  const [all, sample] = ["Half of the rows have another at", "In a sample of 3 rows, half have another at"];
  it.each([
    [near([0.2, 0.9, 0.4, 0.3]), `${all} 0.40 or more; the closest two are rows 2 and 3 with 0.90`],
    [near([0.2, 0.9, 0.4], 10_000), `${sample} 0.40 or more; the closest found are rows 2 and 3 with 0.90`],
    [near([0.5, 0.5]), "The two rows have 0.50"],
    // what half of them have "or more" is not rounded up
    [near([0.9493, 0.9493, 0.9493, 0.99]), like(/^Half .* at 0\.94 or more;/)],
    [near([0.94, 0.94, 0.94, 0.99]), like(/^Half .* at 0\.94 or more;/)],
    // no two are the closest where others are as close
    [near([0.2, 0.9, 0.901, 0.9]), `${all} 0.90 or more; rows 3 and 4 are among the closest, with 0.90`],
    [near([0.9, 0.9, 0.9], 10_000), `${sample} 0.90 or more; rows 1 and 2 are among the closest found, with 0.90`],
    [near([0.5]), null],
  ])("%#: says how near rows are, and which most", (found, said) =>
    expect(say.nearSentence(found, shown)).toEqual(said),
  );

  const others = "half of the others have 0.50 or less";
  it.each([
    [[1, 0.5, Number.NaN, 0.8, 0.1], 0, `Row 4 is nearest to row 1 with 0.80, 0.30 ahead of row 2; ${others}`],
    [
      [1, 0.5, Number.NaN, 0.8, 0.1],
      null,
      "Row 1 is nearest to the question with 1.00, 0.20 ahead of row 4; half of the rows have 0.50 or less",
    ],
    [[0.7, 0.7], null, like(/, as near as row 2; half/)],
    [
      [0.7, 0.7, 0.699, 0.1],
      null,
      "Row 1 is nearest to the question with 0.70, as near as two others; half of the rows have 0.70 or less",
    ],
    [[0.9, 0.123, 0.1], null, like(/have 0\.13 or less$/)],
    [[1], 0, null],
  ])("ranked by %j, says which row is nearest, by how much, and what half of them have", (scores, row, sentence) => {
    const to = row === null ? ({ question: true } as const) : { row };
    expect(say.rankedSentence(Float32Array.from(scores), to, shown)).toEqual(sentence);
  });
});

const ranked = (query: number, score: number, ...rows: number[]) => {
  return { query, rows: Int32Array.from(rows), scores: Float32Array.from(rows, () => score) };
};
const two = [ranked(0, 0.4, 2), ranked(1, 0.8, 4)];
const ends = "row 2 has the nearest first document (0.80), row 1 the farthest (0.40)";

it("the search's sentence counts the queries whose first document has their label", () => {
  const sentence = "For 1 of 2 labeled queries the first document has the query’s label";
  expect(say.searchSentence(two, 2, shown)).toBe(sentence);
});

it.each([
  [two, 2, `R${ends.slice(1)}`],
  [two, 90, `Among 2 of 90 queries: ${ends}`],
  [two.slice(0, 1), 1, "Row 3 is the document nearest to row 1, with 0.40"],
  // nothing is nearest that others are as near as
  [[ranked(0, 0.9, 2, 3)], 1, "Row 3 is among the documents nearest to row 1, with 0.90"],
  [[ranked(0, 0.9, 2), ranked(1, 0.9, 4)], 2, "The first documents of all two queries are as near, with 0.90"],
  [[], 3, null],
])("%#: the search's sentence without labels, names the best query and the worst", (found, of, said) =>
  expect(say.searchSentence(found, of, unlabeled)).toBe(said),
);

describe("the matrix's sentence", () => {
  const found: MatrixResult = {
    rows: Int32Array.of(0, 1, 2),
    scores: new Float32Array(),
    pairs: [{ a: 0, b: 2, score: 0.84 }],
    least: 0,
    most: 0.84,
    same: 0,
    median: { median: 0.123, pairs: 3, every: true },
  };
  const random = { median: -0.001, pairs: 2_000, every: false };
  const close = (...scores: number[]) => ({ pairs: scores.map((score, at) => ({ a: at, b: at + 1, score })) });

  it.each<[Partial<MatrixResult>, string | null]>([
    [
      {},
      like(
        /^No pair is nearly the same \(≥ 0\.95\): the closest, rows 1 and 3, have 0\.84; half of all pairs have 0\.13 or less$/,
      ),
    ],
    [
      { same: 6, median: random },
      "Six pairs are nearly the same (≥ 0.95); half of 2,000 random pairs have 0.00 or less",
    ],
    [{ same: 1 }, like(/^One pair is nearly the same/)],
    [{ pairs: [] }, null],
    // no score is written like the threshold that it lies under, and no pair is the closest of equals
    [close(0.9493), like(/: the closest, rows 1 and 2, have 0\.94;/)],
    [close(0.9499999), like(/: the closest, rows 1 and 2, have 0\.94;/)],
    [close(0.8, 0.8), like(/: the closest, among them rows 1 and 2, have 0\.80;/)],
    [{ median: { median: 0.9493, pairs: 3, every: true } }, like(/have 0\.95 or less$/)],
  ])("counts pairs alike: %j", (some, said) => expect(say.matrixSentence({ ...found, ...some }, shown)).toEqual(said));

  it("says of how many rows it speaks where not of all", () => {
    expect(say.amongRows("Six pairs say the same", 200, 5_000)).toBe("Among 200 of 5,000 rows: six pairs say the same");
    expect(say.amongRows("Six pairs say the same", 5_000, 5_000)).toBe("Six pairs say the same");
  });
});

describe("the sentence of fewer dimensions", () => {
  const point = (used: number, overlap: number, rows = 100) => ({ used, overlap, correlation: 0.9, rows, of: 100 });
  const points = [point(64, 0.7), point(256, 0.91), point(512, 0.97), point(1_536, 1)];
  const less = (gigabytes: number) => `of the nearest neighbors: ${gigabytes} GB less per million vectors`;
  const none = "No cut shown keeps nine tenths of the nearest neighbors: 64 dimensions keep 70%";

  it.each([
    [points, 1_536, 1_536, `256 dimensions keep 91% ${less(5.1)}`],
    [points, 1_536, 64, `64 dimensions keep 70% ${less(5.9)}`],
    // what is looked at has not been computed yet
    [points, 1_536, 65, null],
    [[point(64, 0.7, 50), point(128, 1, 50)], 128, 128, `${none}, in a sample of 50 rows`],
    [[point(64, 0.897), point(128, 1)], 128, 128, like(/: 64 dimensions keep 89%$/)],
  ])("%#: names the shortest cut that keeps nine tenths, or the one looked at", (of, all, seen, said) =>
    expect(say.tradeoffSentence(of, all, seen)).toEqual(said),
  );
});

const sizes = [0, 1_536, 256, 1_536];
const points = { rows: new Int32Array(), points: new Float32Array() };
const neighbors = "of run 1’s nearest neighbors";
it.each([
  [{ 1: 1, 2: 0.81 }, `Run 2 finds 81% ${neighbors}, in 17% of its memory`],
  [{ 1: 1, 3: 0.81 }, like(/, in as much memory$/)],
  [{ 1: 1 }, null],
  [{ 1: 1, 2: 0.6, 3: 0.9 }, `Run 3 finds 90% ${neighbors}, the most; run 2 finds 60%, the fewest`],
  [{ 1: 1, 2: 0.6, 3: 0.6 }, `The two other runs each find 60% ${neighbors}`],
])("the comparison's sentence of %j says how many of the first run's neighbors others find", (found, sentence) => {
  const runs = Object.entries(found).map(([run, overlap]) => {
    return { run: Number(run), overlap, correlation: 1, rows: 10, of: 10, points };
  });
  expect(say.compareSentence(runs, (id) => sizes[id] ?? 0)).toEqual(sentence);
});

it("one vector's sentence says how much of its length is in its largest numbers", () => {
  const largest = [4, -2].map((value, at) => ({ place: at + 1, value }));
  const facts = { first: [], shape: [], histogram: { from: 0, to: 1, counts: [] }, filled: 3, norm: 5, largest };
  expect(say.vectorSentence(facts, 512)).toBe("Two of its 512 numbers make up 80% of the vector’s squared length");
  expect(say.vectorSentence({ ...facts, filled: 0, norm: 0 }, 512)).toBeNull();
});
