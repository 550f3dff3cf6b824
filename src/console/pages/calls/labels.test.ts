import { describe, expect, it } from "vitest";
import type { CallRecord } from "#contract/calls.ts";
import { attemptLabel, chargeLabel, isAllUnread, passedOverLabel, savedLabel, tokenLabel, triesOf } from "./labels.ts";

const served = { provider: "acme", model: "acme/embed", status: 200, latency_ms: 41, is_byok: false, error: null };
const broken = { ...served, provider: "bolt", status: 500, error: "the provider failed" };

const call = {
  model: "acme/embed",
  provider: "acme",
  status: 200,
  error_type: null,
  attempts: [served],
  api_type: "embeddings",
  prompt_tokens: 12,
  completion_tokens: 0,
  inputs: 1,
  cached_inputs: 0,
  response_cache_source_id: null,
  metered_by: "upstream",
  priced: true,
  is_byok: false,
  cost: 0.5,
  byok_cost: 0,
  overrun: 0,
  saved: 0,
  streamed: false,
  cancelled: false,
} as Partial<CallRecord> as CallRecord;

const silent = { ...broken, status: null, error: "bolt did not answer in time" };
const own = { ...served, is_byok: true };

describe("what a call cost", () => {
  it.each([
    [{}, "$0.50 was charged, by the provider's count."],
    [{ attempts: [{ ...served, reserved: 0 }] }, "$0.50 was charged, by the provider's count."],
    [
      { attempts: [{ ...served, reserved: 0.75 }] },
      "$0.50 was charged, by the provider's count; the rest of the reservation was released.",
    ],
    [{ metered_by: "gateway" as const }, /by the gateway's count, as the provider gave none that can be true/],
    [{ cost: 1_000_000 }, /A call is recorded at \$1,000,000\.00 at most: check the model's prices\.$/],
    [{ cost: 0.122449 }, /^\$0\.122449 was charged/],
    [{ overrun: 0.25 }, /came to \$0.25 more than was reserved .* that part was not charged/],
    [{ cost: 0, overrun: 0.25 }, /^Nothing was charged: the limit had no room left\. The call came to/],
    [{ cost: 0, status: 400, attempts: [{ ...broken, status: 400 }] }, "Nothing was charged: the call failed."],
    [{ cost: 0, status: 524, attempts: [silent] }, /no provider reported any usage\. .* may still bill it\.$/],
    [
      { api_type: "videos" as const, cost: 0, status: 502, attempts: [{ ...broken, status: 200 }] },
      "Nothing was charged: the call failed.",
    ],
    [
      { cost: 0, status: 502, attempts: [{ ...silent, sent: false }] },
      "Nothing was charged: the call was not sent to any provider.",
    ],
    [{ cost: 0, priced: false }, "Nothing was charged: the model had no price when the call was made."],
    [{ cost: 0 }, /cost nothing/],
    [
      { cost: 0, attempts: [], response_cache_source_id: "gen-1" },
      "Nothing was charged: the answer came from the response cache.",
    ],
    [{ cost: 0, attempts: [], inputs: 2, cached_inputs: 2 }, "Nothing was charged: everything came from the cache."],
    [
      { attempts: [{ ...broken, cost: 0.125 }, served] },
      "$0.50 was charged: $0.375 by the provider's count, and $0.125, the most that bolt may bill: it took the call and gave no usable answer.",
    ],
    [
      { status: 524, metered_by: "gateway" as const, attempts: [{ ...silent, cost: 0.5 }] },
      "$0.50 was charged, the most that bolt may bill: it took the call and gave no usable answer.",
    ],
    [
      { status: 524, attempts: ["bolt", "core", "dyne"].map((provider) => ({ ...silent, provider, cost: 0.125 })) },
      /the most that bolt, core, and dyne may bill: each took the call/,
    ],
  ])("is said with the reason: %j", (some, words) => expect(chargeLabel({ ...call, ...some })).toMatch(words));

  const include = "Limits that count BYOK usage include it.";
  it.each([
    [
      "an own key answered",
      { cost: 0, is_byok: true, byok_cost: 0.25, attempts: [own] },
      `Nothing was charged here. Your own provider key was used, for about $0.25 at the provider. ${include}`,
    ],
    [
      "an own key answered for a model without a price",
      { cost: 0, is_byok: true, priced: false, attempts: [own] },
      /^Nothing was charged here: your own provider key was used\. .* its cost at the provider is not known\.$/,
    ],
    [
      "the gateway's key hung, an own key answered",
      { cost: 0.5, is_byok: true, byok_cost: 0.25, attempts: [{ ...silent, cost: 0.5 }, own] },
      `$0.50 was charged, the most that bolt may bill: it took the call and gave no usable answer. Your own provider key was used, for about $0.25 at the provider. ${include}`,
    ],
    [
      "an own key hung, the gateway's key answered",
      { byok_cost: 0.25, attempts: [{ ...silent, is_byok: true, cost: 0.25 }, served] },
      `$0.50 was charged, by the provider's count. Your own provider key was used, and bolt may bill it up to $0.25: it took the call and gave no usable answer. ${include}`,
    ],
    [
      "an own key hung and was the last",
      { cost: 0, byok_cost: 0.25, status: 524, attempts: [{ ...silent, is_byok: true, cost: 0.25 }] },
      `Nothing was charged here. Your own provider key was used, and bolt may bill it up to $0.25: it took the call and gave no usable answer. ${include}`,
    ],
    [
      "an own key hung, another own key answered",
      { cost: 0, byok_cost: 0.5, is_byok: true, attempts: [{ ...silent, is_byok: true, cost: 0.125 }, own] },
      /for about \$0.375 at the provider, and bolt may bill up to \$0.125 more: it took the call/,
    ],
    [
      "the gateway's key hung, a provider without a price answered",
      { priced: false, attempts: [{ ...silent, cost: 0.5 }, served] },
      "$0.50 was charged, the most that bolt may bill: it took the call and gave no usable answer. This leaves out what was served without a price.",
    ],
  ])("counts every kind of key: %s", (_, some, words) => expect(chargeLabel({ ...call, ...some })).toMatch(words));

  it("says no count of tokens where nobody counted them", () => {
    const hung = { status: 524, prompt_tokens: 0, metered_by: "gateway" as const };
    expect(tokenLabel({ ...call, ...hung, attempts: [{ ...silent, cost: 0.5 }] })).toBeNull();
    expect(tokenLabel({ ...call, ...hung, cost: 0, attempts: [silent] })).toBeNull();
    expect(tokenLabel({ ...call, ...hung, cost: 0, attempts: [{ ...silent, sent: false }] })).toBe("0");
    expect(tokenLabel(call)).toBe("12");
    expect(tokenLabel({ ...call, api_type: "completions" })).toBe("12 in, 0 out");
  });

  it("knows a call of which nobody counted anything", () => {
    expect(isAllUnread(call)).toBe(false);
    expect(isAllUnread({ ...call, attempts: [{ ...silent, cost: 0.125 }, served] })).toBe(false);
    expect(isAllUnread({ ...call, attempts: [{ ...silent, cost: 0.5 }] })).toBe(true);
    expect(isAllUnread({ ...call, byok_cost: 0.5, attempts: [{ ...silent, cost: 0.5 }, own] })).toBe(false);
    expect(isAllUnread({ ...call, priced: false, attempts: [{ ...silent, cost: 0.5 }, served] })).toBe(false);
  });

  it("names what the cache saved, and is silent where it saved nothing", () => {
    expect(savedLabel(call)).toBeUndefined();
    expect(savedLabel({ ...call, cached_tokens: 9, saved: 0.3 })).toBe(
      "The provider read 9 of 12 input tokens from its cache, which saved $0.30.",
    );
    expect(savedLabel({ ...call, response_cache_source_id: "gen-1", saved: 0.3 })).toBe(
      "The response cache had the answer to an equal call, which saved $0.30.",
    );
    expect(savedLabel({ ...call, inputs: 4, cached_inputs: 3, saved: 0.3 })).toMatch(/^3 of 4 inputs .* saved \$0.30/);
  });
});

describe("what each candidate did", () => {
  it("says that a caller left, and not that the call failed", () =>
    expect(passedOverLabel({ ...call, status: 499, attempts: [silent] }, 0)).toBe(
      "the caller left before another provider was tried",
    ));

  it("is its answer, or that none came whole, and how long it took", () => {
    expect(attemptLabel(served)).toBe("answered in 41 ms");
    expect(attemptLabel(broken)).toBe("500 after 41 ms");
    expect(attemptLabel({ ...broken, status: 200 })).toBe("no usable answer in 41 ms");
    expect(attemptLabel({ ...silent, latency_ms: 30_000 })).toBe("no complete answer in 30 s");
    expect(attemptLabel(served, true)).toBe("accepted the job in 41 ms");
    expect(attemptLabel({ ...broken, status: 200 }, true)).toBe(
      "accepted the job, which ended without a video after 41 ms",
    );
    expect(attemptLabel(broken, true)).toBe("500 after 41 ms");
    const job = { ...call, api_type: "videos" as const, status: 502, attempts: [{ ...broken, status: 200 }] };
    expect(passedOverLabel(job, 0)).toBe("so no video was made");
  });

  it.each([
    ["another provider", [broken, served], 0, "passed over for acme"],
    [
      "another piece at the same one, then another",
      [broken, { ...broken, error: null }, served],
      0,
      "passed over for acme",
    ],
    ["another model", [broken, { ...broken, model: "acme/other" }], 0, "passed over for acme/other"],
    ["the gateway's key", [{ ...broken, is_byok: true }, broken], 0, "then tried with the gateway's key"],
    ["an own key", [broken, { ...broken, is_byok: true }], 0, "then tried with your own provider key"],
    ["nothing", [served, broken], 1, "no other provider was tried after it, so the call failed"],
    ["a caller who left", [{ ...silent, error: "the caller left" }], 0, "which ended the call"],
    ["a stop", [{ ...silent, error: "the gateway stopped" }], 0, "which ended the call"],
  ])("says what came after it: %s", (_, attempts, index, words) =>
    expect(passedOverLabel({ ...call, status: 502, attempts }, index)).toBe(words),
  );

  it("counts those that are not kept", () =>
    expect(triesOf({ ...call, attempts: [{ ...served, left_out: 30 }, broken] })).toBe(32));
});
