import { describe, expect, it } from "vitest";
import type { ModelRecord } from "#contract/models.ts";
import { estimateRun, estimateWords } from "./estimate.ts";
import type { Item } from "../../vectors/plan.ts";

const priced = (pricing: Partial<ModelRecord["pricing"]>) =>
  ({ pricing: { prompt: "0.000001", completion: "0", ...pricing } }) as ModelRecord;
const text = (input: string, inputType: string | null = null): Item => ({ input, tokens: 10, inputType });
const block = (...urls: string[]): Item => ({
  input: { content: [{ type: "text", text: "a" }, ...urls.map((url) => ({ type: "image_url", image_url: { url } }))] },
  tokens: 800 * urls.length,
  inputType: null,
});

describe("what a run is estimated to cost", () => {
  it("has the price of each picture in it, and of each call", () => {
    const found = estimateRun([block("data:a", "data:b"), block("data:c")], priced({ image: "5", request: "0.25" }));
    expect(found).toMatchObject({ calls: 1, tokens: 2, images: 3 });
    expect(found.cost).toBeCloseTo(15.250002, 10);
  });

  it("names no tokens of images, which only the model counts, and asks by a guess of them", () => {
    const found = estimateRun([block("data:a"), block("data:b")], priced({}));
    expect(estimateWords(found)).toBe("≈ 2 tokens of text and 2 images, at least $0.000002");
    expect(found.guess).toBeCloseTo(0.0016, 10);
    expect(estimateWords(estimateRun([block("data:a")], priced({ prompt: "0", image: "5" })))).toBe(
      "≈ 1 token of text and 1 image, ≈ $5.00",
    );
    expect(estimateWords(estimateRun([text("a")], priced({})))).toBe("≈ 10 tokens, ≈ $0.00001");
    expect(estimateWords(estimateRun([text("a")], priced({ prompt: "0" })))).toBe("≈ 10 tokens, free");
    expect(estimateWords(estimateRun([], priced({})))).toBe("≈ 0 tokens");
  });

  it("counts a text once for each role that it is sent in", () => {
    const same = [text("a", "search_query"), text("a", "search_document"), text("a", "search_document")];
    expect(estimateRun(same, priced({}))).toMatchObject({ calls: 2, tokens: 20 });
  });

  it("counts the calls as they will be cut: by 256 inputs, by 100,000 tokens, and by role", () => {
    const many = Array.from({ length: 300 }, (_, at) => text(`text ${at}`));
    expect(estimateRun(many, priced({ request: "1" }))).toMatchObject({ calls: 2, cost: 2.003 });
    const long = [text("a"), text("b")].map((item) => ({ ...item, tokens: 60_000 }));
    expect(estimateRun(long, priced({})).calls).toBe(2);
  });

  it("is unknown where the model has no price", () => {
    expect(estimateRun([text("a")], priced({ prompt: "-1" })).cost).toBeNull();
    expect(estimateRun([text("a")], undefined).cost).toBeNull();
  });
});
