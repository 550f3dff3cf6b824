import { expect, it } from "vitest";
import type { ModelRecord } from "#contract/models.ts";
import { closenessSentence, defaultModel, defaultReranker, modelFacts } from "./models.ts";

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
  [[], [lexical, "acme/embed"], "acme/embed"],
  [[], [lexical], lexical],
  [[], [], undefined],
])("of the rerank models %j and the embedding models %j, %s reranks rows of acme/embed", (rerankers, embedders, id) =>
  expect(defaultReranker(models(...rerankers), models(...embedders), "acme/embed")?.id).toBe(id),
);
