import { expect, it } from "vitest";
import type { ModelRecord } from "#contract/models.ts";
import type { Item } from "../../vectors/plan.ts";
import { estimateRun, estimateWords } from "./estimate.ts";

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

it("asks by a guess of images' tokens, and knows nothing where the model has no price", () => {
  expect(estimateRun([one, two], priced()).guess).toBeCloseTo(0.0016, 10);
  const unpriced = [priced({ prompt: "-1" }), undefined].map((model) => estimateRun([text("a")], model).cost);
  expect(unpriced).toEqual([null, null]);
});

it("counts a text once for each role, and the calls as they will be cut: by inputs, by tokens, and by role", () => {
  const same = [text("a", "search_query"), text("a", "search_document"), text("a", "search_document")];
  expect(estimateRun(same, priced())).toMatchObject({ calls: 2, tokens: 20 });
  const many = Array.from({ length: 300 }, (_, at) => text(`text ${at}`));
  expect(estimateRun(many, priced({ request: "1" }))).toMatchObject({ calls: 2, cost: 2.003 });
  const long = [text("a"), text("b")].map((item) => ({ ...item, tokens: 60_000 }));
  expect(estimateRun(long, priced()).calls).toBe(2);
});
