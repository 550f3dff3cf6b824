import { expect, it } from "vitest";
import type { RerankResult } from "#contract/rerank.ts";
import type { Shown } from "./playground.ts";
import { rerankedRows, rerankSentence, scoreTexts, textRows } from "./rerank.ts";

const shown: Shown[] = ["a cat", "", "a dog", "photo.png", "a bus"].map((text, at) => ({
  text,
  group: "",
  role: "document",
  number: at + 1,
  source: at,
  ...(text.endsWith(".png") && { image: "data:image/png;base64,AA==" }),
}));
const usage = { cost: 0, is_byok: false };
/** The indexes in their new order, each with its score. */
function answer(...order: [index: number, score: number][]): RerankResult {
  const results = order.map(([index, relevance_score]) => ({ index, relevance_score, document: {} }));
  return { id: "rerank-1", model: "m", provider: "p", results, usage };
}
const byCosine = [4, 3, 0, 2];
const rows = textRows(byCosine, shown);

it("a reranking is of the rows that are texts, with both ranks of each, without an index that was not sent", () => {
  expect(textRows([1, ...byCosine], shown)).toEqual([4, 0, 2]);
  expect(rerankedRows(answer([2, 0.9], [0, 0.5], [1, 0.1]), rows, byCosine)).toEqual([
    { row: 2, score: 0.9, cosineRank: 4 },
    { row: 4, score: 0.5, cosineRank: 1 },
    { row: 0, score: 0.1, cosineRank: 3 },
  ]);
  expect(rerankedRows(answer([7, 1], [0, 0.5]), rows, byCosine)).toHaveLength(1);
});

it.each([
  [answer([2, 0.9], [0, 0.5], [1, 0.1]), "puts row 3 first, number 4 by cosine; 3 rows of 3 moved"],
  [answer([0, 0.9], [2, 0.5], [1, 0.1]), "keeps row 5 first; 2 rows of 3 moved"],
  [answer([0, 0.9], [1, 0.5], [2, 0.1]), "keeps the order by cosine"],
  [answer(), "returned no row"],
])("says how the order differs: %#", (found, said) =>
  expect(rerankSentence("m", rerankedRows(found, rows, byCosine), shown)).toBe(`m ${said}`),
);

it.each([
  [[0.98765, 0.5, 0.00001], "0.988 0.500 0.000"],
  [[1, 0.5], "1.00 0.50"],
  [[8.5, -11.25, -0.001], "8.50 −11.25 0.00"],
  [[0.000012345, 0.000001], "0.0000123 0.0000010"],
  [[0], "0.00"],
  [[], ""],
])("writes the column %j with equal decimals: %j", (scores, texts) => expect(scoreTexts(scores).join(" ")).toBe(texts));
