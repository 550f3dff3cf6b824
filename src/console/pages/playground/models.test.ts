import { expect, it } from "vitest";
import type { ModelRecord } from "#contract/models.ts";
import type { RerankResult } from "#contract/rerank.ts";
import type { Item } from "../../vectors/plan.ts";
import { estimateRun, estimateWords } from "./estimate.ts";
import { closenessSentence, defaultModel, defaultReranker, modelFacts } from "./models.ts";
import type { Shown } from "./playground.ts";
import { rerankedRows, rerankSentence, scoreTexts, textRows } from "./rerank.ts";

const [lexical, semantic] = ["gatehouse/lexical", "gatehouse/semantic-en"];
const models = (...ids: string[]) =>
  ids.map((id) => ({ id, architecture: { input_modalities: ["text"] } }) as ModelRecord);

it.each([
  [{ prompt: "0" }, "free"],
  [{ prompt: "-1" }, "unpriced"],
  [{ prompt: "0", request: "12345.678901" }, "$12,345.678901/request"],
  [{ prompt: "0.00000002", image: "0.001", request: "0.5" }, "$0.02/M + $0.001/image + $0.50/request"],
])("the price of %j counts every part", (pricing, words) =>
  expect(modelFacts({ dimensions: { default: 64 }, pricing } as ModelRecord)).toBe(`64 dim · ${words}`),
);

it("the default is the built-in semantic model, or else of wording, or else the first", () => {
  expect(defaultModel(models("acme/embed", lexical, semantic), "batch")).toBe(semantic);
  expect(defaultModel(models("acme/embed", lexical), "batch")).toBe(lexical);
  expect(defaultModel(models("acme/embed", "acme/other"), "batch")).toBe("acme/embed");
});

it.each([
  [semantic, /mean the same/],
  [lexical, /share words/],
  ["gatehouse/lexical-visual", /share words and images that look alike/],
  ["acme/embed", /^What this model finds alike/],
])("of %s it is said what lies close together", (model, words) => expect(closenessSentence(model)).toMatch(words));

it.each([
  [["acme/rerank"], [lexical, semantic], "acme/rerank"],
  [[], [lexical, semantic, "acme/embed"], semantic],
  // what made the vectors would only keep their order
  [[], ["acme/embed", lexical], lexical],
  [[], ["acme/embed"], "acme/embed"],
  [[], [lexical], lexical],
  [[], [], undefined],
])("of the rerank models %j and the embedding models %j, %s reranks rows of acme/embed", (rerankers, embedders, id) =>
  expect(defaultReranker(models(...rerankers), models(...embedders), "acme/embed")?.id).toBe(id),
);

const priced = (pricing: Partial<ModelRecord["pricing"]> = {}) =>
  ({ pricing: { prompt: "0.000001", completion: "0", ...pricing } }) as ModelRecord;
const text = (input: string, inputType: string | null = null): Item => ({ input, tokens: 10, inputType });
const block = (...urls: string[]): Item => {
  const images = urls.map((url) => ({ type: "image_url", image_url: { url } }));
  return { input: { content: [{ type: "text", text: "a" }, ...images] }, tokens: 800 * urls.length, inputType: null };
};
const [one, two] = [block("data:a"), block("data:b")];

it("has the price of each picture in it, and of each call", () => {
  const found = estimateRun([block("data:a", "data:b"), block("data:c")], priced({ image: "5", request: "0.25" }));
  expect(found).toMatchObject({ calls: 1, tokens: 2, images: 3, cost: expect.closeTo(15.250002, 10) });
});

it.each([
  // no tokens of images are named, which only the model counts
  [[one, two], {}, "≈ 2 tokens of text and 2 images, at least $0.000002"],
  [[one], { prompt: "0", image: "5" }, "≈ 1 token of text and 1 image, ≈ $5.00"],
  [[text("a")], {}, "≈ 10 tokens, ≈ $0.00001"],
  [[text("a")], { prompt: "0" }, "≈ 10 tokens, free"],
  [[], {}, "≈ 0 tokens"],
])("%#: estimates a run", (items, prices, said) =>
  expect(estimateWords(estimateRun(items, priced(prices)))).toBe(said),
);

it("asks by a guess of images' tokens, and counts a text once for each role, and the calls as they will be cut", () => {
  expect(estimateRun([one, two], priced()).guess).toBeCloseTo(0.0016, 10);
  const unpriced = [priced({ prompt: "-1" }), undefined].map((model) => estimateRun([text("a")], model).cost);
  expect(unpriced).toEqual([null, null]);
  const same = [text("a", "search_query"), text("a", "search_document"), text("a", "search_document")];
  expect(estimateRun(same, priced())).toMatchObject({ calls: 2, tokens: 20 });
  const many = Array.from({ length: 300 }, (_, at) => text(`text ${at}`));
  expect(estimateRun(many, priced({ request: "1" }))).toMatchObject({ calls: 2, cost: 2.003 });
  const long = [text("a"), text("b")].map((item) => ({ ...item, tokens: 60_000 }));
  expect(estimateRun(long, priced()).calls).toBe(2);
});

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
