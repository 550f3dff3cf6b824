import { expect, it } from "vitest";
import { type ArrivedCall, arrivalWords, costWords, limitStep, tokenWords } from "./first-call.ts";

const call: ArrivedCall = {
  model: "acme/embed",
  key_hash: "a".repeat(64),
  key_name: "search",
  api_type: "embeddings",
  status: 200,
  prompt_tokens: 1_204,
  completion_tokens: 0,
  cost: 0.000012,
  byok_cost: 0,
  priced: true,
  duration_ms: 38,
  created_at: "2026-11-20T17:42:00.000Z",
};

it("says how the first call went", () => {
  expect(arrivalWords(call)).toBe("acme/embed answered it in 38 ms. The key works where you put it.");
  expect(arrivalWords({ ...call, status: 502 })).toBe(
    "The key works, and the call failed with HTTP 502. Its page says why.",
  );
});

it("says what it took", () => {
  expect(tokenWords(call)).toBe("1,204 in");
  expect(tokenWords({ ...call, api_type: "completions", completion_tokens: 7 })).toBe("1,204 in, 7 out");
  expect(costWords(call)).toBe("$0.000012");
  expect(costWords({ ...call, cost: 0, byok_cost: 0.5 })).toBe("$0.50");
  expect(costWords({ ...call, cost: 0 })).toBe("free");
  expect(costWords({ ...call, cost: 0, priced: false })).toBe("no price");
});

it("says whether its key has a limit", () => {
  const key = { name: "search", limit: null, limit_watch_only: false };
  expect(limitStep(undefined).done).toBe(false);
  expect(limitStep(key)).toEqual({ done: false, detail: "search can spend any amount." });
  expect(limitStep({ ...key, limit: 5 })).toEqual({ done: true, detail: "search can spend $5.00." });
  expect(limitStep({ ...key, limit: 5, limit_watch_only: true }).detail).toBe("search is watched from $5.00.");
});
