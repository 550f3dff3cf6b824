import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ModelPricing } from "#contract/providers.ts";
import {
  affordable,
  costOf,
  type ImageVariant,
  isFree,
  parsePrice,
  readPrices,
  savedByCache,
  unitPrice,
} from "./price.ts";

const quantities = fc.record({
  promptTokens: fc.nat(10_000_000),
  completionTokens: fc.nat(1_000_000),
  images: fc.nat(100),
  requests: fc.nat(10),
});
const decimal = fc
  .tuple(fc.nat(1_000), fc.stringMatching(/^\d{1,18}$/))
  .map(([whole, fraction]) => `${whole}.${fraction}`);
const pricing = fc.record({ prompt: decimal, completion: decimal, image: decimal, request: decimal });

function pricesOf(text: ModelPricing) {
  const prices = readPrices(text);
  if (prices === null) throw new Error("no prices");
  return prices;
}

describe("price", () => {
  it.each([
    ["0", 0n],
    ["1", 10n ** 18n],
    ["0.00000002", 20n * 10n ** 9n],
    ["0.000000000000000001", 1n],
    ["0.0000000000000000001", 1n],
  ])("reads %s as %s × 1e-18 USD", (text, atto) => expect(parsePrice(text)).toBe(atto));

  it.each(["", "-1", "1e-8", ".5", "0,5", "NaN", " 1"])("refuses %j", (text) =>
    expect(() => parsePrice(text)).toThrow(RangeError),
  );

  it.each([
    [{ prompt: "0", completion: "0" }, true],
    [{ prompt: "0", completion: "0.000001" }, false],
    [{ prompt: "0", request: "0.001" }, false],
    [{ prompt: "0", second: "0.1" }, false],
    [{ prompt: "0", output_images: [{ size: "2K", price: "0.1" }] }, false],
    [null, false],
  ])("of %j is free: %s", (pricing, free) => expect(isFree(readPrices(pricing))).toBe(free));

  it("is no price at all without a row, and 0 for a member that the row leaves out", () => {
    expect(readPrices(null)).toBeNull();
    const half = 5n * 10n ** 17n;
    const cache = { cacheRead: half, cacheWrite: null, hourCacheWrite: null };
    const media = { media: { character: 0n, second: 0n, image: 0n }, images: [], seconds: [] };
    const none = { imageOutput: null, completion: 0n, image: 0n, request: 0n };
    expect(readPrices({ prompt: "0.5" })).toEqual({ prompt: half, ...cache, ...none, ...media });
  });

  const nothing = { promptTokens: 0, completionTokens: 0, images: 0, requests: 0 };

  it("of what the vendor read from its cache is its own, and never above that of other tokens", () => {
    const used = { ...nothing, promptTokens: 100 };
    const prices = pricesOf({ prompt: "0.00001", input_cache_read: "0.000001" });
    expect(costOf(prices, { ...used, cachedTokens: 40 })).toBe(640_000n);
    expect(costOf(prices, { ...used, cachedTokens: 400 })).toBe(100_000n);
    expect(savedByCache(prices, 40)).toBe(360_000n);
    const dear = pricesOf({ prompt: "0.00001", input_cache_read: "1" });
    expect(costOf(dear, { ...used, cachedTokens: 40 })).toBe(costOf(dear, used));
    expect(savedByCache(dear, 40)).toBe(0n);
  });

  it("of images in a chat model's answer is its own, and at least that of other tokens", () => {
    const used = { ...nothing, completionTokens: 100 };
    const prices = pricesOf({ prompt: "0", completion: "0.00001", image_output: "0.00004" });
    expect(costOf(prices, { ...used, imageOutputTokens: 40 })).toBe(2_200_000n);
    expect(costOf(prices, { ...used, imageOutputTokens: 400 })).toBe(4_000_000n);
    const cheap = pricesOf({ prompt: "0", completion: "0.00001", image_output: "0" });
    expect(costOf(cheap, { ...used, imageOutputTokens: 40 })).toBe(costOf(cheap, used));
  });

  describe("of what the vendor wrote to its cache", () => {
    const used = { ...nothing, promptTokens: 100 };
    const plain = { prompt: "0.00001" };
    const written = { tokens: 40, forHour: 10, surcharge: 25, hourSurcharge: 100 };
    const rates = { ...plain, input_cache_write: "0.00002", input_cache_write_1h: "0.00004" };

    it.each([
      ["is its own, for minutes and for an hour", rates, written, 1_600_000n],
      ["is a share of the prompt's where the model has none", plain, written, 1_175_000n],
      ["for an hour is at least that for minutes", { ...plain, input_cache_write: "0.00003" }, written, 1_800_000n],
      ["is never below the prompt's", { ...rates, input_cache_write: "0" }, { ...written, forHour: 0 }, 1_000_000n],
      ["counts no token twice", rates, { ...written, tokens: 4_000, forHour: 0 }, 2_000_000n],
    ])("%s", (_, pricing, these, nano) => expect(costOf(pricesOf(pricing), { ...used, written: these })).toBe(nano));

    it("is charged for what was not read from there", () => {
      const prices = pricesOf({ ...rates, input_cache_read: "0" });
      expect(costOf(prices, { ...used, cachedTokens: 80, written: { ...written, forHour: 0 } })).toBe(400_000n);
    });

    it("is at most what a reservation assumes, whatever was read and written", () => {
      const price = fc.record({ prompt: decimal }, { requiredKeys: ["prompt"] });
      const writes = fc.record({ input_cache_write: decimal, input_cache_write_1h: decimal }, { requiredKeys: [] });
      const counts = fc.record({ tokens: fc.nat(200), forHour: fc.nat(200), cachedTokens: fc.nat(200) });
      fc.assert(
        fc.property(price, writes, counts, (plain, dear, { cachedTokens, ...count }) => {
          const prices = pricesOf({ ...plain, ...dear });
          const shares = { surcharge: 25, hourSurcharge: 100 };
          const reserved = { tokens: 100, forHour: 100, ...shares };
          const brief = { ...reserved, forHour: 0 };
          const most = [reserved, brief].map((all) => costOf(prices, { ...used, written: all }));
          const cost = costOf(prices, { ...used, cachedTokens, written: { ...count, ...shares } });
          return most.some((each) => cost <= each);
        }),
      );
    });
  });

  describe("of images by their quality and size", () => {
    const output_images = [
      { quality: "high", size: "1024x1024", price: "0.17" },
      { quality: "high", size: "2K", price: "0.5" },
      { quality: "high", price: "0.25" },
      { size: "512", price: "0.01" },
    ];
    const prices = pricesOf({ prompt: "0", output_image: "0.04", output_images });
    const usdOf = (quality: string | null, size: string | null) =>
      Number(unitPrice(prices, { unit: "image", variant: { quality, size } })) / 1e18;

    it.each<[quality: string | null, size: string | null, usd: number, why: string]>([
      ["high", "1024x1024", 0.17, "the first that fits"],
      ["high", "2048x1536", 0.5, "the first that fits"],
      ["high", "1536x1024", 0.25, "the first that fits"],
      ["low", "512x512", 0.01, "the first that fits"],
      ["low", "1024x1024", 0.04, "the first that fits"],
      [null, null, 0.5, "the dearest that it can be"],
      ["high", null, 0.5, "the dearest that it can be"],
      ["high", "1K", 0.25, "the dearest that it can be"],
      ["low", null, 0.04, "the dearest that it can be"],
      [null, "512", 0.25, "the dearest that it can be"],
    ])("%s %s is %d: %s", (quality, size, usd) => expect(usdOf(quality, size)).toBe(usd));

    it("is never more once more is known: a reservation is enough", () => {
      const oneOf = <T>(...values: T[]) => fc.constantFrom(...values);
      const quality = oneOf("low", "medium", "high");
      const size = oneOf("512", "1K", "2K", "512x512", "1024x1024", "1536x1024", "2048x2048");
      const row = fc.record({ quality: fc.option(quality), size: fc.option(size), price: decimal });
      fc.assert(
        fc.property(fc.array(row, { maxLength: 6 }), decimal, quality, size, (rows, base, exactly, pixels) => {
          const kinds = rows.map((one) => ({
            price: one.price,
            ...(one.quality !== null && { quality: one.quality }),
            ...(one.size !== null && { size: one.size }),
          }));
          const priced = pricesOf({ prompt: "0", output_image: base, output_images: kinds });
          const at = (variant: ImageVariant) => unitPrice(priced, { unit: "image", variant });
          const known = at({ quality: exactly, size: pixels });
          expect(at({ quality: null, size: pixels })).toBeGreaterThanOrEqual(known);
          expect(at({ quality: exactly, size: null })).toBeGreaterThanOrEqual(known);
          expect(at({ quality: null, size: null })).toBeGreaterThanOrEqual(known);
        }),
      );
    });
  });

  it("rounds a call up to the nano-dollar, once", () => {
    fc.assert(
      fc.property(pricing, quantities, (text, used) => {
        const prices = pricesOf(text);
        const exact =
          prices.prompt * BigInt(used.promptTokens) +
          prices.completion * BigInt(used.completionTokens) +
          prices.image * BigInt(used.images) +
          prices.request * BigInt(used.requests);
        const cost = costOf(prices, used);
        expect(cost * 10n ** 9n).toBeGreaterThanOrEqual(exact);
        expect(cost * 10n ** 9n - exact).toBeLessThan(10n ** 9n);
      }),
    );
  });

  it("of media goes by thousandths of a unit, and what is smaller rounds up", () => {
    const prices = pricesOf({ prompt: "0", character: "0.000001" });
    const none = { ...nothing, requests: 1 };
    const cost = (units: number) => costOf(prices, { ...none, media: { unit: "character", units } });
    expect([cost(0), cost(1), cost(1_000), cost(1.5), cost(1.0001)]).toEqual([0n, 1_000n, 1_000_000n, 1_500n, 1_001n]);
  });

  it("never makes more usage cheaper", () => {
    fc.assert(
      fc.property(pricing, quantities, quantities, (text, a, b) => {
        const sum = {
          promptTokens: a.promptTokens + b.promptTokens,
          completionTokens: a.completionTokens + b.completionTokens,
          images: a.images + b.images,
          requests: a.requests + b.requests,
        };
        expect(costOf(pricesOf(text), sum)).toBeGreaterThanOrEqual(costOf(pricesOf(text), a));
      }),
    );
  });

  it("says how many units fit: that many do, and one more does not", () => {
    fc.assert(
      fc.property(fc.bigInt(1n, 10n ** 15n), fc.bigInt(0n, 10n ** 12n), (price, budget) => {
        const units = affordable(price, budget);
        if (units === null) throw new Error("free");
        fc.pre(Number.isSafeInteger(units));
        expect(price * BigInt(units)).toBeLessThanOrEqual(budget * 10n ** 9n);
        expect(price * BigInt(units + 1)).toBeGreaterThan(budget * 10n ** 9n);
      }),
    );
    expect(affordable(0n, 5n)).toBeNull();
    expect(affordable(7n, -1n)).toBe(0);
  });
});
