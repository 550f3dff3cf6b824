import { describe, expect, it } from "vitest";
import type { ModelPricing } from "#contract/providers.ts";
import { readPrices } from "../../domain/ledger/price.ts";
import type { Candidate } from "../../domain/routing/routing.ts";
import { wave } from "../../testing/wave.ts";
import { takeTurns } from "../../turns.ts";
import { billedAmount as billedImages, imageAmount, imageKind } from "../images/kind.ts";
import { readImageRequest } from "../images/request.ts";
import { amountOf, billedUnits, costAt, mostUnits } from "../rerank/amount.ts";
import { readRerankRequest } from "../rerank/request.ts";
import { speechAmount, speechKind } from "../speech/kind.ts";
import { readSpeechRequest } from "../speech/request.ts";
import { billedAmount as billedText, transcriptionAmount, transcriptionKind } from "../transcriptions/kind.ts";
import type { TranscriptionRequest } from "../transcriptions/request.ts";
import { mediaCost } from "./kind.ts";

const turn = takeTurns("somebody");
const never = new AbortController().signal;
const bytesOf = (body: object) => Buffer.from(JSON.stringify(body));
const at = (pricing: ModelPricing, more: object = {}) =>
  ({
    provider: { slug: "acme" },
    model: { prices: readPrices(pricing), contextLength: 8_192, ...more },
  }) as unknown as Candidate;
const usd = (nanoUsd: bigint) => Number(nanoUsd) / 1e9;

describe("what images cost", () => {
  const each = { prompt: "0", output_image: "0.04" };
  const byToken = { prompt: "0.000005", completion: "0.00004" };
  const byKind = {
    ...each,
    output_images: [
      { quality: "high", price: "0.17" },
      { size: "1536x1024", price: "0.06" },
    ],
  };
  const nothing = { made: 1, usage: null, quality: null, size: null };
  const of = (promptTokens: number, completionTokens: number) => ({ usage: { promptTokens, completionTokens } });
  const low = { quality: "low", size: "1536x1024" };

  it.each<[string, ModelPricing, object, object, number]>([
    ["each", each, { n: 2 }, { made: 2 }, 0.08],
    ["as many as were made, more than asked for", each, { n: 1 }, { made: 3 }, 0.12],
    ["as many as were made, fewer", each, { n: 4 }, { made: 1 }, 0.04],
    ["as many as were asked for, where nobody knows", each, { n: 4 }, { made: null }, 0.16],
    ["by the vendor's tokens", byToken, {}, of(12, 1_056), 12 * 0.000005 + 1_056 * 0.00004],
    ["the most tokens where none are reported", byToken, {}, {}, 5 * 0.000005 + 8_192 * 0.00004],
    ["the most tokens where zeros are reported", byToken, {}, of(0, 0), 5 * 0.000005 + 8_192 * 0.00004],
    ["the most where the count cannot be true", byToken, {}, of(12, 9e9), 12 * 0.000005 + 8_192 * 0.00004],
    ["the dearest kind where none is said", byKind, {}, {}, 0.17],
    ["the kind that was asked for", byKind, low, {}, 0.06],
    ["the kind that the vendor says", byKind, {}, { quality: "low", size: "1024x1024" }, 0.04],
  ])("is %s", async (_, pricing, body, reported, cost) => {
    const prompt = "A red gate in snow";
    const request = await readImageRequest(bytesOf({ model: "m", prompt, ...body }), turn);
    const own = await imageAmount(request, turn, never);
    const candidate = at(pricing);
    const billed = billedImages(own, request, candidate, { ...nothing, ...reported });
    expect(usd(mediaCost(candidate, billed))).toBeCloseTo(cost, 9);
    const asked = "made" in reported && Number(reported.made) > request.n;
    const most = mediaCost(candidate, imageKind.most(own, request, candidate));
    if (!asked) expect(mediaCost(candidate, billed)).toBeLessThanOrEqual(most);
    expect(imageKind.fits(own, most / 2n, most)).toEqual({ images: Math.floor(request.n / 2) });
  });
});

it("what speech costs is by the character, or by the token at most one for each byte", async () => {
  const request = await readSpeechRequest(bytesOf({ model: "m", input: "The gate is rød." }), turn);
  const amount = await speechAmount(request, turn, never);
  expect(mediaCost(at({ prompt: "0", character: "0.000001" }), amount)).toBe(16_000n);
  const byToken = at({ prompt: "0.000001" });
  expect(mediaCost(byToken, amount)).toBe(5_000n);
  // 17 bytes, and the vendor's members, of which there are none.
  expect(mediaCost(byToken, speechKind.most(amount, request, byToken))).toBe(20_000n);
  expect(speechKind.fits(amount, 10_000n, 16_000n)).toEqual({ characters: 10 });
});

describe("what a transcription costs", () => {
  const request = { audio: wave(3), format: "wav", prompt: null, extra: {}, preferences: {} } as unknown;
  const asked = request as TranscriptionRequest;
  const own = transcriptionAmount(asked);
  const reported = { seconds: null, inputTokens: null, outputTokens: null };
  const perSecond = at({ prompt: "0", second: "0.000001" });
  const byToken = at({ prompt: "0.000001", completion: "0.000002" });

  it.each([
    ["by the vendor's seconds", perSecond, { seconds: 2.5 }, 2_500n],
    ["by the recording's own length where none are reported", perSecond, null, 3_002n],
    ["by the recording's own length where the count cannot be true", perSecond, { seconds: 1e12 }, 3_002n],
    ["by the recording's own length where zeros are reported", perSecond, { seconds: 0 }, 3_002n],
    ["by the vendor's tokens", byToken, { inputTokens: 40, outputTokens: 6 }, 52_000n],
    ["by the gateway's where the count cannot be true", byToken, { inputTokens: 1e9, outputTokens: 1e9 }, 78_000n],
  ])("is %s", (_, candidate, usage, cost) => {
    expect(mediaCost(candidate, billedText(own, asked, candidate, usage && { ...reported, ...usage }))).toBe(cost);
  });

  it("reserves a second more than the recording seems to have, and its tokens at their densest", () => {
    const { promptTokens, completionTokens, media } = transcriptionKind.most(own, asked, byToken);
    expect([media.units, promptTokens, completionTokens]).toEqual([expect.closeTo(4, 2), 404, 1_201]);
    expect(transcriptionKind.fits(own, 2_000n, 4_000n)).toEqual({ audio_percent: 50 });
  });
});

describe("what ranking costs", () => {
  const amountFor = async (body: object) =>
    await amountOf(await readRerankRequest(bytesOf({ model: "m", query: "red gate", ...body }), turn), turn, never);
  const perToken = at({ prompt: "0.000001" });
  const perUnit = at({ prompt: "0", request: "0.002" });

  it.each([
    ["right", { totalTokens: 15, searchUnits: null }, 15],
    ["missing", null, 15],
    ["zero", { totalTokens: 0, searchUnits: 0 }, 15],
    ["immense", { totalTokens: 9e15, searchUnits: null }, 15],
  ])("is the gateway's own count unless the vendor's, %s here, can be true", async (_, usage, tokens) => {
    const amount = await amountFor({ documents: ["a blue door", "the red gate", "a red wall"] });
    expect(billedUnits(amount, perToken, usage).totalTokens).toBe(tokens);
  });

  it("reserves three times the query's bytes and each document's, and eight around each text", async () => {
    const amount = await amountFor({ documents: ["a blue door", "the red gate", "a red wall"] });
    expect(mostUnits(amount, perToken).totalTokens).toBe(3 * 16 + 11 + 12 + 10 + 24);
  });

  it("reserves a document beyond the model's context whole: some vendors read, and bill, piece after piece", async () => {
    const amount = await amountFor({ documents: ["word ".repeat(3_000)] });
    const short = at({ prompt: "0.000001" }, { contextLength: 512 });
    expect(mostUnits(amount, short).totalTokens).toBe(16 + 15_000 + 8);
    expect(billedUnits(amount, short, null).totalTokens).toBeGreaterThan(3_000);
  });

  it("is a search unit for each hundred documents, and several for a long one", async () => {
    const many = await amountFor({ documents: Array.from({ length: 101 }, (_, at) => `document ${at}`) });
    expect(costAt(perUnit, billedUnits(many, perUnit, null))).toBe(4_000_000n);
    const long = await amountFor({ documents: Array.from({ length: 60 }, () => "word ".repeat(800)) });
    expect(billedUnits(long, perUnit, null).searchUnits).toBe(2);
  });
});
