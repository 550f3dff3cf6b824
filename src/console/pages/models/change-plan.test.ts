import { describe, expect, it } from "vitest";
import { costAgain, csvRow, lengthsOf, memoryOf, timeAgain, vectorsMade } from "./change-plan.ts";
import type { ModelRow, Offer } from "./offers.ts";
import { PlanSearch } from "./search.ts";

const sample = { looked: 10_000, calls: 4, inputs: 10, prompt_tokens: 1000, duration_ms: 800 };
const price = { least: "0.02", most: "0.1" };

describe("a plan to change the model", () => {
  it("costs the tokens, and each request where providers charge for it", () => {
    const used = { requests: 30, prompt_tokens: 2_500_000 };
    expect(costAgain(used, { price, request: null })).toEqual({ least: 0.05, most: 0.25 });
    const found = costAgain(used, { price, request: { least: "0", most: "0.001" } });
    expect(found).toEqual({ least: expect.closeTo(0.05, 12), most: expect.closeTo(0.28, 12) });
    expect(costAgain(used, { price: null, request: null })).toBeNull();
  });

  it("takes as long as the sampled calls did for as many tokens, divided among those at a time", () => {
    const unused = { ...sample, prompt_tokens: 0 };
    expect([timeAgain(5000, sample, 1), timeAgain(5000, sample, 8)]).toEqual([4000, 500]);
    expect([timeAgain(5000, { ...unused, calls: 0, duration_ms: 0 }, 1), timeAgain(5000, unused, 1)]).toEqual([
      null,
      null,
    ]);
  });

  it("guesses the vectors from how many the sampled calls asked for", () =>
    expect([vectorsMade(7, sample), vectorsMade(7, { ...sample, calls: 0 })]).toEqual([18, null]));

  const offer = (dimensions_range: Offer["model"]["dimensions_range"], on = true) =>
    ({ on, model: { dimensions_range } }) as Offer;
  it.each([
    [1536, [offer({ minimum: 200, maximum: 1536 })], [1536, 1024, 512, 256]],
    [768, [offer(null), offer({ minimum: 1, maximum: 768 }, false)], [768]],
    [null, [], []],
  ])("of %j dimensions weighs the lengths that can be asked for, longest first", (dimensions, offers, lengths) => {
    expect(lengthsOf({ dimensions, offers })).toEqual(lengths);
    expect(memoryOf(1_000_000, 256)).toBe(1.024e9);
  });

  it("is written to a file key by key, with empty cells for what is not known", () => {
    const figures = { usage: 0.5, byok_usage: 0.25, requests: 2, prompt_tokens: 1_000_000 };
    const key = { key_hash: "ab", name: null, workspace_id: "w", ...figures };
    expect(csvRow(key, undefined)).toEqual([null, "ab", "w", 1_000_000, 2, 0.75, null, null]);
    expect(csvRow(key, { price, request: null } as ModelRow).slice(-2)).toEqual([0.02, 0.1]);
  });

  it("drops from the address what it does not know", () =>
    expect(PlanSearch.parse({ to: "a/b", last: "7", vectors: 0, calls: 2000 })).toEqual({ to: "a/b" }));
});
