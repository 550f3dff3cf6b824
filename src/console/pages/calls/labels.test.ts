import { describe, expect, it } from "vitest";
import type { CallRecord } from "#contract/calls.ts";
import {
  attemptLabel,
  chargeLabel,
  isAllUnread,
  passedOverLabel,
  savedLabel,
  tokenLabel,
  triesOf,
  withoutText,
} from "./labels.ts";

const served = { provider: "acme", model: "acme/embed", status: 200, latency_ms: 41, is_byok: false, error: null };
const broken = { ...served, provider: "bolt", status: 500, error: "the provider failed" };
const silent = { ...broken, status: null, error: "bolt did not answer in time" };
const own = { ...served, is_byok: true };
const ownSilent = { ...silent, is_byok: true };

const tokens = { prompt_tokens: 12, completion_tokens: 0, inputs: 1, cached_inputs: 0, response_cache_source_id: null };
const money = { metered_by: "upstream", priced: true, is_byok: false, cost: 0.5, byok_cost: 0, overrun: 0, saved: 0 };
const answer = { status: 200, error_type: null, attempts: [served], streamed: false, cancelled: false };
const made = { model: "acme/embed", provider: "acme", api_type: "embeddings" };
const call = { ...made, ...answer, ...tokens, ...money } as Partial<CallRecord> as CallRecord;
const like = (pattern: RegExp) => expect.stringMatching(pattern) as string;

describe("what a call cost", () => {
  const counted = "$0.50 was charged, by the provider's count";
  const most = "the most that bolt may bill: it took the call and gave no usable answer.";
  const free = (reason: string) => `Nothing was charged: ${reason}.`;
  const three = ["bolt", "core", "dyne"].map((provider) => ({ ...silent, provider, cost: 0.125 }));
  const two = [{ ...broken, cost: 0.125 }, served];
  it.each<[Partial<CallRecord>, string]>([
    [{}, `${counted}.`],
    [{ attempts: [{ ...served, reserved: 0 }] }, `${counted}.`],
    [{ attempts: [{ ...served, reserved: 0.75 }] }, `${counted}; the rest of the reservation was released.`],
    [{ metered_by: "gateway" }, like(/by the gateway's count, since the provider gave no usable one/)],
    [{ cost: 1_000_000 }, like(/A call is recorded at \$1,000,000\.00 at most: check the model's prices\.$/)],
    [{ cost: 0.122449 }, like(/^\$0\.122449 was charged/)],
    [{ overrun: 0.25 }, like(/came to \$0.25 more than was reserved .* that part was not charged/)],
    [{ cost: 0, overrun: 0.25 }, like(/^Nothing was charged: the limit had no room left\. The call came to/)],
    [{ cost: 0, status: 400, attempts: [{ ...broken, status: 400 }] }, free("the call failed")],
    [{ cost: 0, status: 524, attempts: [silent] }, like(/no provider reported any usage\. .* may still bill it\.$/)],
    [{ api_type: "videos", cost: 0, status: 502, attempts: [{ ...broken, status: 200 }] }, free("the call failed")],
    [{ cost: 0, status: 502, attempts: [{ ...silent, sent: false }] }, free("the call was not sent to any provider")],
    [{ cost: 0, priced: false }, free("the model had no price when the call was made")],
    [{ cost: 0 }, like(/cost nothing/)],
    [{ cost: 0, attempts: [], response_cache_source_id: "gen-1" }, free("the answer came from the response cache")],
    [{ cost: 0, attempts: [], inputs: 2, cached_inputs: 2 }, free("everything came from the cache")],
    [{ attempts: two }, `$0.50 was charged: $0.375 by the provider's count, and $0.125, ${most}`],
    [{ status: 524, metered_by: "gateway", attempts: [{ ...silent, cost: 0.5 }] }, `$0.50 was charged, ${most}`],
    [{ status: 524, attempts: three }, like(/the most that bolt, core, and dyne may bill: each took the call/)],
  ])("is said with the reason: %j", (some, words) => expect(chargeLabel({ ...call, ...some })).toEqual(words));

  const include = "Limits that count BYOK usage include it.";
  const ownUsed = `Your own provider key was used, for about $0.25 at the provider. ${include}`;
  const ownMayBill = `Your own provider key was used, and bolt may bill it up to $0.25: it took the call and gave no usable answer. ${include}`;
  const unknown =
    /^Nothing was charged here: your own provider key was used\. .* its cost at the provider is not known\.$/;
  const more = /for about \$0.375 at the provider, and bolt may bill up to \$0.125 more: it took the call/;
  const unpriced = `$0.50 was charged, ${most} This leaves out what was served without a price.`;
  const used = { cost: 0, is_byok: true, attempts: [own] };
  const hung = { ...silent, cost: 0.5 };
  const hungThenOwn = { is_byok: true, byok_cost: 0.25, attempts: [hung, own] };
  const ownThen = (rest: (typeof served)[]) => {
    return { byok_cost: 0.25, attempts: [{ ...ownSilent, cost: 0.25 }, ...rest] };
  };
  const failedLate = { cost: 0, status: 524 };
  const twoOwn = [{ ...ownSilent, cost: 0.125 }, own];
  it.each<[string, Partial<CallRecord>, string]>([
    ["an own key answered", { ...used, byok_cost: 0.25 }, `Nothing was charged here. ${ownUsed}`],
    ["an own key answered for a model without a price", { ...used, priced: false }, like(unknown)],
    ["the gateway's key hung, an own key answered", hungThenOwn, `$0.50 was charged, ${most} ${ownUsed}`],
    ["an own key hung, the gateway's key answered", ownThen([served]), `${counted}. ${ownMayBill}`],
    ["an own key hung and was the last", { ...ownThen([]), ...failedLate }, `Nothing was charged here. ${ownMayBill}`],
    ["an own key hung, another own key answered", { ...used, byok_cost: 0.5, attempts: twoOwn }, like(more)],
    ["the gateway's key hung, an unpriced provider answered", { priced: false, attempts: [hung, served] }, unpriced],
  ])("counts every kind of key: %s", (_, some, words) => expect(chargeLabel({ ...call, ...some })).toEqual(words));

  const uncounted = { status: 524, prompt_tokens: 0, metered_by: "gateway" } as const;
  it.each<[Partial<CallRecord>, string | null]>([
    [{ ...uncounted, attempts: [hung] }, null],
    [{ ...uncounted, cost: 0, attempts: [silent] }, null],
    [{ ...uncounted, cost: 0, attempts: [{ ...silent, sent: false }] }, "0"],
    [{}, "12"],
    [{ api_type: "completions" }, "12 in, 0 out"],
  ])("has no tokens where nobody counted: %j", (some, count) => expect(tokenLabel({ ...call, ...some })).toBe(count));

  it("knows a call of which nobody counted anything", () => {
    expect(isAllUnread({ ...call, attempts: [hung] })).toBe(true);
    expect(isAllUnread(call)).toBe(false);
    expect(isAllUnread({ ...call, attempts: [{ ...silent, cost: 0.125 }, served] })).toBe(false);
    expect(isAllUnread({ ...call, byok_cost: 0.5, attempts: [hung, own] })).toBe(false);
    expect(isAllUnread({ ...call, priced: false, attempts: [hung, served] })).toBe(false);
  });

  const saved = "which saved $0.30.";
  it.each<[Partial<CallRecord>, string | undefined]>([
    [{}, undefined],
    [{ cached_tokens: 9, saved: 0.3 }, `The provider read 9 of 12 input tokens from its cache, ${saved}`],
    [{ response_cache_source_id: "gen-1", saved: 0.3 }, `The response cache had the answer to an equal call, ${saved}`],
    [{ inputs: 4, cached_inputs: 3, saved: 0.3 }, like(/^3 of 4 inputs .* saved \$0.30/)],
  ])("names what a cache saved: %j", (some, words) => expect(savedLabel({ ...call, ...some })).toEqual(words));
});

describe("what each candidate did", () => {
  const madeNothing = { ...broken, status: 200 };
  it.each([
    [served, false, "answered in 41 ms"],
    [broken, false, "500 after 41 ms"],
    [madeNothing, false, "no usable answer in 41 ms"],
    [{ ...silent, latency_ms: 30_000 }, false, "no complete answer in 30 s"],
    [served, true, "accepted the job in 41 ms"],
    [madeNothing, true, "accepted the job, which ended without a video after 41 ms"],
    [broken, true, "500 after 41 ms"],
  ])("is how it ended, and when: %j, job: %s", (one, job, words) => expect(attemptLabel(one, job)).toBe(words));

  it("says that a caller left, or that no video was made, and not that the call failed", () => {
    const left = { ...call, status: 499, attempts: [silent] };
    expect(passedOverLabel(left, 0)).toBe("the caller left before another provider was tried");
    const job = { ...call, api_type: "videos" as const, status: 502, attempts: [madeNothing] };
    expect(passedOverLabel(job, 0)).toBe("so no video was made");
  });

  it.each([
    ["another provider", [broken, served], 0, "passed over for acme"],
    [
      "another piece there, then another provider",
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

it.each<[Partial<CallRecord>, string]>([
  [{}, "Vectors, which are not kept."],
  [{ api_type: "rerank" }, "Scores, which are not kept."],
  [{ api_type: "messages" }, "No text."],
  [{ status: 502 }, "No answer."],
])("what was answered without a text is said of %j", (some, words) =>
  expect(withoutText({ ...call, ...some })).toBe(words),
);
