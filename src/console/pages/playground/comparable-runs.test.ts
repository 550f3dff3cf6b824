import { describe, expect, it } from "vitest";
import { comparableRuns } from "./comparable-runs.ts";
import type { Run } from "./playground.ts";

const run = (id: number, texts: string[], done = texts.length) =>
  ({ id, shown: texts.map((text) => ({ text })), progress: { done } }) as unknown as Run;
const [two, three] = [
  ["a", "b"],
  ["a", "b", "c"],
];

describe("what a comparison opens with", () => {
  it("is the two latest runs of the same texts, the earlier first", () => {
    expect(comparableRuns([run(4, three), run(3, two), run(2, two), run(1, two)], [])).toEqual([2, 3]);
    expect(comparableRuns([run(4, three), run(3, two), run(2, three)], [])).toEqual([2, 4]);
  });

  it("leaves out runs without vectors, and is nothing where no two fit", () => {
    expect(comparableRuns([run(3, two, 0), run(2, two), run(1, two)], [])).toEqual([1, 2]);
    expect(comparableRuns([run(2, two), run(1, three)], [])).toEqual([]);
  });

  it("keeps what was chosen, and gives a single one the latest that fits it", () => {
    const runs = [run(4, three), run(3, two), run(2, three), run(1, two)];
    expect(comparableRuns(runs, [1, 3])).toEqual([1, 3]);
    expect(comparableRuns(runs, [1])).toEqual([1, 3]);
    expect(comparableRuns([run(2, two), run(1, three)], [1])).toEqual([1]);
  });
});
