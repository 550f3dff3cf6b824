import { expect, it } from "vitest";
import type { ModelRecord } from "#contract/models.ts";
import { defaultModel, modelFacts } from "./models.ts";

it.each([
  [{ prompt: "0" }, "64 dim · free"],
  [{ prompt: "-1" }, "64 dim · unpriced"],
  [{ prompt: "0", request: "12345.678901" }, "64 dim · $12,345.678901/request"],
  [{ prompt: "0.00000002", image: "0.001", request: "0.5" }, "64 dim · $0.02/M + $0.001/image + $0.50/request"],
])("the price of %j counts every part", (pricing, words) => {
  expect(modelFacts({ dimensions: { default: 64 }, pricing } as ModelRecord)).toBe(words);
});

it.each([
  [["acme/embed", "gatehouse/lexical", "gatehouse/semantic-en"], "gatehouse/semantic-en"],
  [["acme/embed", "gatehouse/lexical"], "gatehouse/lexical"],
  [["acme/embed", "acme/other"], "acme/embed"],
])("of %j the default is the built-in model of meaning, or else of wording, or else the first", (ids, expected) => {
  const list = ids.map((id) => ({ id, architecture: { input_modalities: ["text"] } }) as ModelRecord);
  expect(defaultModel(list, "batch")).toBe(expected);
});
