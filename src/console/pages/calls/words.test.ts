import { describe, expect, it } from "vitest";
import type { CallRecord } from "#contract/calls.ts";
import { attemptWords, chargeWords, passedOverWords, savedWords } from "./words.ts";

const served = { provider: "acme", model: "acme/embed", status: 200, latency_ms: 41, is_byok: false, error: null };
const broken = { ...served, provider: "bolt", status: 500, error: "the provider failed" };

const call: CallRecord = {
  id: "gen-1",
  created_at: "2026-11-21T12:00:00.000Z",
  workspace_id: "00000000-0000-4000-8000-000000000001",
  key_hash: "0".repeat(64),
  key_name: "search",
  api_type: "embeddings",
  model: "acme/embed",
  provider: "acme",
  provider_name: "Acme",
  status: 200,
  error_type: null,
  attempts: [served],
  prompt_tokens: 12,
  completion_tokens: 0,
  reasoning_tokens: 0,
  cached_tokens: 0,
  inputs: 1,
  cached_inputs: 0,
  metered_by: "upstream",
  priced: true,
  is_byok: false,
  cost: 0.5,
  byok_cost: 0,
  overrun: 0,
  saved: 0,
  latency_ms: 40,
  duration_ms: 41,
  streamed: false,
  cancelled: false,
  finish_reason: null,
  upstream_id: null,
  request_id: null,
  session_id: null,
  external_user: null,
  http_referer: null,
  app_title: null,
  user_agent: null,
};

describe("what a call cost", () => {
  it.each([
    [{}, "$0.50 was charged, by the vendor's count; what had been reserved beyond that was given back."],
    [{ metered_by: "gateway" as const }, /by the gateway's count, as the vendor gave none/],
    [{ overrun: 0.25 }, /came to \$0.25 more than was reserved .* that part was not charged/],
    [{ cost: 0, status: 502 }, /the call failed, and what had been reserved for it was given back/],
    [{ cost: 0, priced: false }, /had no price/],
    [{ cost: 0, is_byok: true, byok_cost: 0.125 }, /your own provider key was used, for about \$0.13/],
    [{ cost: 0 }, /came to nothing/],
  ])("is said with the reason", (some, words) => {
    expect(chargeWords({ ...call, ...some })).toMatch(words);
  });

  it("names what the cache saved, and is silent where it saved nothing", () => {
    expect(savedWords(call)).toBeUndefined();
    expect(savedWords({ ...call, inputs: 4, cached_inputs: 3, saved: 0.3 })).toMatch(/^3 of 4 inputs .* saved \$0.30/);
  });
});

describe("what each candidate did", () => {
  it("is its answer, or that there was none, and how long it took", () => {
    expect(attemptWords(served)).toBe("answered in 41 ms");
    expect(attemptWords(broken)).toBe("500 after 41 ms");
    expect(attemptWords({ ...broken, status: null, latency_ms: 30_000 })).toBe("no answer in 30 s");
  });

  it("says for whom it was passed over, or that nobody was left", () => {
    expect(passedOverWords({ ...call, attempts: [broken, served] }, 0)).toBe("passed over for acme");
    expect(passedOverWords({ ...call, status: 502, attempts: [broken] }, 0)).toBe(
      "nobody was left, so the call failed",
    );
  });
});
