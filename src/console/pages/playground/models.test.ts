import { expect, it } from "vitest";
import type { ModelRecord } from "#contract/models.ts";
import { closenessSentence, defaultModel, defaultReranker, modelFacts } from "./models.ts";

it.each([
  [{ prompt: "0" }, "64 dim · free"],
  [{ prompt: "-1" }, "64 dim · unpriced"],
  [{ prompt: "0", request: "12345.678901" }, "64 dim · $12,345.678901/request"],
  [{ prompt: "0.00000002", image: "0.001", request: "0.5" }, "64 dim · $0.02/M + $0.001/image + $0.50/request"],
])("the price of %j counts every part", (pricing, words) =>
  expect(modelFacts({ dimensions: { default: 64 }, pricing } as ModelRecord)).toBe(words),
);

it.each([
  [["acme/embed", "gatehouse/lexical", "gatehouse/semantic-en"], "gatehouse/semantic-en"],
  [["acme/embed", "gatehouse/lexical"], "gatehouse/lexical"],
  [["acme/embed", "acme/other"], "acme/embed"],
])("of %j the default is the built-in semantic model, or else of wording, or else the first", (ids, expected) => {
  const list = ids.map((id) => ({ id, architecture: { input_modalities: ["text"] } }) as ModelRecord);
  expect(defaultModel(list, "batch")).toBe(expected);
});

it.each([
  ["gatehouse/semantic-en", /mean the same/],
  ["gatehouse/lexical", /share words/],
  ["gatehouse/lexical-visual", /share words and images that look alike/],
  ["acme/embed", /^What this model finds alike/],
])("of %s it is said what lies close together, and no more than is known", (model, expected) =>
  expect(closenessSentence(model)).toMatch(expected),
);

it.each([
  [["acme/rerank"], ["gatehouse/lexical", "gatehouse/semantic-en"], "acme/rerank"],
  [[], ["gatehouse/lexical", "gatehouse/semantic-en", "acme/embed"], "gatehouse/semantic-en"],
  [[], ["gatehouse/lexical", "acme/embed"], "acme/embed"],
  [[], ["gatehouse/lexical"], "gatehouse/lexical"],
  [[], [], undefined],
])("of the rerank models %j and the embedding models %j, %s reranks rows of acme/embed", (rerankers, embedders, id) => {
  const records = (ids: string[]) => ids.map((one) => ({ id: one }) as ModelRecord);
  expect(defaultReranker(records(rerankers), records(embedders), "acme/embed")?.id).toBe(id);
});
