import { describe, expect, it } from "vitest";
import type { Clusters, MatrixResult, NearestOfEach } from "../../vectors/protocol.ts";
import {
  amongRows,
  compareSentence,
  groupsSentence,
  lonelyRows,
  mapSentence,
  matrixSentence,
  nearSentence,
  rankedSentence,
  searchSentence,
  tradeoffSentence,
  vectorSentence,
} from "./view-sentences.ts";

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

const groups = (silhouette: number, sizes: number[], among = 40): Clusters => ({
  of: new Uint8Array(),
  sizes,
  names: [],
  typical: [],
  fit: { silhouette, among },
  best: { count: 3, silhouette: 0.4, among },
});

describe("the map's sentence", () => {
  it("says how many groups there are, with how well they hold together", () => {
    expect(groupsSentence(groups(0.4, [20, 12, 8]), null)).toBe("Three groups, with a silhouette of 0.40");
    expect(groupsSentence(groups(0.4, [900, 60, 40], 600), null)).toBe(
      "Three groups, with a silhouette of 0.40, in a sample of 600 rows",
    );
  });

  it("calls no groups what does not hold together, from the published bound on", () => {
    expect(groupsSentence(groups(0.249, [30, 10]), null)).toBe(
      "No clear groups: the best split, into two, has a silhouette of 0.24, under 0.25",
    );
    expect(groupsSentence(groups(0.25, [30, 10]), null)).toMatch(/^Two groups/);
  });

  it("of a number that a person chose, says which one holds together better, and nothing where none does", () => {
    expect(groupsSentence(groups(0.2, [20, 20]), 2)).toBe(
      "Two groups, as chosen, with a silhouette of 0.20; three hold together best, with 0.40",
    );
    expect(groupsSentence(groups(0.4, [20, 10, 10]), 3)).toBe("Three groups, as chosen, with a silhouette of 0.40");
    expect(groupsSentence(groups(0.5, [20, 10, 5, 5]), 4)).toBe("Four groups, as chosen, with a silhouette of 0.50");
  });

  it("names rows that lie alone: those whose nearest is below the lower fence of all rows' nearest", () => {
    // of 21, the quartiles are 0.64 and 0.74: the fence is at 0.64 − 1.5 × 0.10 = 0.49
    expect(lonelyRows(near([...usual, 0.5]))).toEqual([]);
    expect(lonelyRows(near([...usual, 0.48]))).toEqual([20]);
    expect(lonelyRows(near([...usual, 0.4, 0.3]))).toEqual([21, 20]);
    // where all are nearly the same, far from the quartiles is not yet alone: half way from 0.2 to 0.99 is
    const alike = Array.from({ length: 20 }, () => 0.99);
    expect(lonelyRows(near([...alike, 0.82], 21, 0.2))).toEqual([]);
    expect(lonelyRows(near([...alike, 0.59], 21, 0.2))).toEqual([20]);
    // of few rows there are no quartiles to speak of
    expect(lonelyRows(near([0.9, 0.9, 0.9, 0.9, 0.1]))).toEqual([]);
    const six = "Six groups";
    const of = (scores: readonly number[], all = scores.length) =>
      mapSentence(unlabeled, { near: near(scores, all), groups: six, byLabel: false });
    expect(of(usual)).toBe(six);
    expect(of([...usual, 0.3])).toBe("Six groups; row 21 lies alone: its nearest has 0.30");
    expect(of([...usual, 0.3, 0.2])).toBe("Six groups; rows 22 and 21 lie alone");
    expect(of([...usual, ...usual, 0.3], 5_000)).toBe(
      "Six groups; row 41 lies alone: its nearest has 0.30, in a sample of 41 rows",
    );
  });

  it("colored by labels, says for how many labeled rows the nearest has the same", () => {
    // by turns a and b, and each row's nearest is the next: only the last of an odd number has the label of the first
    const odd = near([0.5, 0.6, 0.7, 0.8, 0.9]);
    expect(mapSentence(shown, { near: odd, groups: null, byLabel: true })).toBe(
      "For 20% of 5 labeled rows the nearest row has the same label",
    );
    expect(mapSentence(unlabeled, { near: odd, groups: null, byLabel: true })).toMatch(/^Half of the rows/);
  });
});

describe("the list's sentence", () => {
  it("says how near rows usually are to their nearest, and which two are nearest", () => {
    expect(nearSentence(near([0.2, 0.9, 0.4, 0.3]), shown)).toBe(
      "Half of the rows have another at 0.40 or more; the closest two are rows 2 and 3 with 0.90",
    );
    expect(nearSentence(near([0.2, 0.9, 0.4], 10_000), shown)).toBe(
      "In a sample of 3 rows, half have another at 0.40 or more; the closest found are rows 2 and 3 with 0.90",
    );
    expect(nearSentence(near([0.5, 0.5]), shown)).toBe("The two rows have 0.50");
    // what half of them have "or more" is not rounded up
    expect(nearSentence(near([0.9493, 0.9493, 0.9493, 0.99]), shown)).toMatch(/^Half .* at 0\.94 or more;/);
    expect(nearSentence(near([0.94, 0.94, 0.94, 0.99]), shown)).toMatch(/^Half .* at 0\.94 or more;/);
    expect(nearSentence(near([0.5]), shown)).toBeNull();
  });

  it("calls no two rows the closest where others are as close", () => {
    expect(nearSentence(near([0.2, 0.9, 0.901, 0.9]), shown)).toBe(
      "Half of the rows have another at 0.90 or more; rows 3 and 4 are among the closest, with 0.90",
    );
    expect(nearSentence(near([0.9, 0.9, 0.9], 10_000), shown)).toBe(
      "In a sample of 3 rows, half have another at 0.90 or more; rows 1 and 2 are among the closest found, with 0.90",
    );
  });

  it("ranked, says which row is nearest, by how much, and what half of them have", () => {
    const scores = Float32Array.of(1, 0.5, Number.NaN, 0.8, 0.1);
    expect(rankedSentence(scores, { row: 0 }, shown)).toBe(
      "Row 4 is nearest to row 1 with 0.80, 0.30 ahead of row 2; half of the others have 0.50 or less",
    );
    expect(rankedSentence(scores, { question: true }, shown)).toBe(
      "Row 1 is nearest to the question with 1.00, 0.20 ahead of row 4; half of the rows have 0.50 or less",
    );
    expect(rankedSentence(Float32Array.of(0.7, 0.7), { question: true }, shown)).toMatch(/, as near as row 2; half/);
    expect(rankedSentence(Float32Array.of(0.7, 0.7, 0.699, 0.1), { question: true }, shown)).toBe(
      "Row 1 is nearest to the question with 0.70, as near as two others; half of the rows have 0.70 or less",
    );
    expect(rankedSentence(Float32Array.of(0.9, 0.123, 0.1), { question: true }, shown)).toMatch(/have 0\.13 or less$/);
    expect(rankedSentence(Float32Array.of(1), { row: 0 }, shown)).toBeNull();
  });
});

describe("the search's sentence", () => {
  const ranked = (query: number, first: number, score: number) => ({
    query,
    rows: Int32Array.of(first),
    scores: Float32Array.of(score),
  });

  it("counts the queries whose first document has their label", () => {
    expect(searchSentence([ranked(0, 2, 0.9), ranked(1, 4, 0.8)], 2, shown)).toBe(
      "For 1 of 2 labeled queries the first document has the query’s label",
    );
  });

  it("without labels, names the query that is served best and the one served worst", () => {
    expect(searchSentence([ranked(0, 2, 0.4), ranked(1, 4, 0.8)], 2, unlabeled)).toBe(
      "Row 2 has the nearest first document (0.80), row 1 the farthest (0.40)",
    );
    expect(searchSentence([ranked(0, 2, 0.4)], 1, unlabeled)).toBe("Row 3 is the document nearest to row 1, with 0.40");
    expect(searchSentence([ranked(0, 2, 0.4), ranked(1, 4, 0.8)], 90, unlabeled)).toBe(
      "Among 2 of 90 queries: row 2 has the nearest first document (0.80), row 1 the farthest (0.40)",
    );
    expect(searchSentence([], 3, shown)).toBeNull();
  });

  it("names nothing nearest that others are as near as", () => {
    const two = { query: 0, rows: Int32Array.of(2, 3), scores: Float32Array.of(0.9, 0.9) };
    expect(searchSentence([two], 1, unlabeled)).toBe("Row 3 is among the documents nearest to row 1, with 0.90");
    expect(searchSentence([ranked(0, 2, 0.9), ranked(1, 4, 0.9)], 2, unlabeled)).toBe(
      "The first documents of all two queries are as near, with 0.90",
    );
  });
});

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

  it("counts the pairs that say the same, and says what is usual", () => {
    expect(matrixSentence(found, shown)).toBe(
      "No pair says the same (≥ 0.95): the closest, rows 1 and 3, have 0.84; half of all pairs have 0.13 or less",
    );
    const random = { median: -0.001, pairs: 2_000, every: false };
    expect(matrixSentence({ ...found, same: 6, median: random }, shown)).toBe(
      "Six pairs say the same (≥ 0.95); half of 2,000 random pairs have 0.00 or less",
    );
    expect(matrixSentence({ ...found, same: 1 }, shown)).toMatch(/^One pair says the same/);
    expect(matrixSentence({ ...found, pairs: [] }, shown)).toBeNull();
  });

  it("writes no score like the threshold that it lies under, and names no pair the closest of equals", () => {
    const close = (...scores: number[]) => ({
      ...found,
      pairs: scores.map((score, at) => ({ a: at, b: at + 1, score })),
    });
    expect(matrixSentence(close(0.9493), shown)).toMatch(/: the closest, rows 1 and 2, have 0\.94;/);
    expect(matrixSentence(close(0.9499999), shown)).toMatch(/: the closest, rows 1 and 2, have 0\.94;/);
    expect(matrixSentence(close(0.8, 0.8), shown)).toMatch(/: the closest, rows 1 and 2 among them, have 0\.80;/);
    const half = { median: 0.9493, pairs: 3, every: true };
    expect(matrixSentence({ ...found, median: half }, shown)).toMatch(/have 0\.95 or less$/);
  });

  it("says of how many rows it speaks where not of all", () => {
    expect(amongRows("Six pairs say the same", 200, 5_000)).toBe("Among 200 of 5,000 rows: six pairs say the same");
    expect(amongRows("Six pairs say the same", 5_000, 5_000)).toBe("Six pairs say the same");
  });
});

describe("the sentence of fewer dimensions", () => {
  const point = (used: number, overlap: number, rows = 100) => ({ used, overlap, correlation: 0.9, rows, of: 100 });
  const points = [point(64, 0.7), point(256, 0.91), point(512, 0.97), point(1_536, 1)];

  it("names the shortest cut that keeps nine tenths, or the one that is looked at", () => {
    expect(tradeoffSentence(points, 1_536, 1_536)).toBe(
      "256 dimensions keep 91% of the nearest neighbors: 5.1 GB less per million vectors",
    );
    expect(tradeoffSentence(points, 1_536, 64)).toBe(
      "64 dimensions keep 70% of the nearest neighbors: 5.9 GB less per million vectors",
    );
    // what is looked at has not been computed yet
    expect(tradeoffSentence(points, 1_536, 65)).toBeNull();
  });

  it("says so where no cut keeps as much, and where it speaks of a sample", () => {
    expect(tradeoffSentence([point(64, 0.7, 50), point(128, 1, 50)], 128, 128)).toBe(
      "No cut shown keeps nine tenths of the nearest neighbors: 64 dimensions keep 70%, in a sample of 50 rows",
    );
    expect(tradeoffSentence([point(64, 0.897), point(128, 1)], 128, 128)).toMatch(/: 64 dimensions keep 89%$/);
  });
});

describe("the comparison's sentence", () => {
  const run = (id: number, overlap: number) => ({
    run: id,
    overlap,
    correlation: 1,
    rows: 10,
    of: 10,
    points: { rows: new Int32Array(), points: new Float32Array() },
  });
  const sizes = new Map([
    [1, 1_536],
    [2, 256],
    [3, 1_536],
  ]);
  const sizeOf = (id: number) => sizes.get(id) ?? 0;

  it("says how many of the first run's neighbors another finds, and in how much memory", () => {
    expect(compareSentence([run(1, 1), run(2, 0.81)], sizeOf)).toBe(
      "Run 2 finds 81% of run 1’s nearest neighbors, in 17% of its memory",
    );
    expect(compareSentence([run(1, 1), run(3, 0.81)], sizeOf)).toMatch(/, in as much memory$/);
    expect(compareSentence([run(1, 1)], sizeOf)).toBeNull();
  });

  it("of several, names those that agree most and least", () => {
    expect(compareSentence([run(1, 1), run(2, 0.6), run(3, 0.9)], sizeOf)).toBe(
      "Run 3 finds 90% of run 1’s nearest neighbors, the most; run 2 finds 60%, the fewest",
    );
    expect(compareSentence([run(1, 1), run(2, 0.6), run(3, 0.6)], sizeOf)).toBe(
      "The two other runs each find 60% of run 1’s nearest neighbors",
    );
  });
});

it("one vector's sentence says how much of its length is in its largest numbers", () => {
  const facts = {
    first: [],
    shape: [],
    histogram: { from: 0, to: 1, counts: [] },
    filled: 3,
    norm: 5,
    largest: [
      { place: 1, value: 4 },
      { place: 2, value: -2 },
    ],
  };
  expect(vectorSentence(facts, 512)).toBe("Two of its 512 numbers make up 80% of the vector’s squared length");
  expect(vectorSentence({ ...facts, filled: 0, norm: 0 }, 512)).toBeNull();
});
