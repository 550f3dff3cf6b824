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
    expect(found?.most).toBeCloseTo(0.28, 12);
    expect(found?.least).toBeCloseTo(0.05, 12);
    expect(costAgain(used, { price: null, request: null })).toBeNull();
  });

  it("takes as long as the sampled calls did for as many tokens, divided among those at a time", () => {
    expect(timeAgain(5000, sample, 1)).toBe(4000);
    expect(timeAgain(5000, sample, 8)).toBe(500);
    expect(timeAgain(5000, { ...sample, calls: 0, prompt_tokens: 0, duration_ms: 0 }, 1)).toBeNull();
    expect(timeAgain(5000, { ...sample, prompt_tokens: 0 }, 1)).toBeNull();
  });

  it("guesses the vectors from how many the sampled calls asked for", () => {
    expect(vectorsMade(7, sample)).toBe(18);
    expect(vectorsMade(7, { ...sample, calls: 0 })).toBeNull();
  });

  it("weighs the lengths that can be asked for, longest first", () => {
    const offer = (range: Offer["model"]["dimensions_range"], on = true) =>
      ({ on, model: { dimensions_range: range } }) as Offer;
    expect(lengthsOf({ dimensions: 1536, offers: [offer({ minimum: 200, maximum: 1536 })] })).toEqual([
      1536, 1024, 512, 256,
    ]);
    expect(lengthsOf({ dimensions: 768, offers: [offer(null), offer({ minimum: 1, maximum: 768 }, false)] })).toEqual([
      768,
    ]);
    expect(lengthsOf({ dimensions: null, offers: [] })).toEqual([]);
    expect(memoryOf(1_000_000, 256)).toBe(1.024e9);
  });

  it("is written to a file key by key, with empty cells for what is not known", () => {
    const key = {
      key_hash: "ab",
      name: null,
      workspace_id: "w",
      usage: 0.5,
      byok_usage: 0.25,
      requests: 2,
      prompt_tokens: 1_000_000,
    };
    expect(csvRow(key, undefined)).toEqual([null, "ab", "w", 1_000_000, 2, 0.75, null, null]);
    expect(csvRow(key, { price, request: null } as ModelRow).slice(-2)).toEqual([0.02, 0.1]);
  });

  it("drops from the address what it does not know", () => {
    const search = { to: "a/b", last: "7", vectors: 0, calls: 2000 };
    expect(PlanSearch.parse(search)).toEqual({ to: "a/b" });
  });
});
