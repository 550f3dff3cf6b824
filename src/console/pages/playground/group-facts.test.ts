import { expect, it } from "vitest";
import { groupFacts } from "./group-facts.ts";

const shown = (labels: string) => [...labels].map((label) => ({ group: label === "." ? "" : label }));

it("a group's rows are compared with the label that most of its labeled rows have", () => {
  const of = Uint8Array.of(0, 0, 0, 0, 1, 1, 2, 255);
  const clusters = { of, sizes: [4, 2, 1], names: [["goal"], [], []], typical: [3, 4, 6] };
  expect(groupFacts(clusters, shown("aab.bb.a"))).toEqual([
    { size: 4, words: ["goal"], typical: 3, main: { label: "a", count: 2, labeled: 3 }, elsewhere: [2] },
    { size: 2, words: [], typical: 4, main: { label: "b", count: 2, labeled: 2 }, elsewhere: [] },
    { size: 1, words: [], typical: 6, main: null, elsewhere: [] },
  ]);
});

it("of two labels that are as frequent the first among the rows is the group's", () => {
  const clusters = { of: Uint8Array.of(0, 0, 0, 0), sizes: [4], names: [[]], typical: [0] };
  expect(groupFacts(clusters, shown("baab"))[0]).toMatchObject({ main: { label: "b", count: 2 }, elsewhere: [1, 2] });
});
