import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ModelPricing } from "#contract/providers.ts";
import { comparePrices, formatPrice, perMillion, perToken, readPrice } from "./token-price.ts";

describe("a price by the token and by the million", () => {
  it.each([
    ["0.00000002", "0.02"],
    ["0.0000025", "2.5"],
    ["0", "0"],
    ["0.000001", "1"],
    ["1", "1000000"],
    ["0.0000000000001", "0.0000001"],
    ["0.000000000000000001", "0.000000000001"],
    ["0.00012345", "123.45"],
  ])("%s a token is %s a million", (token, million) => {
    expect(perMillion(token)).toBe(million);
    expect(perToken(million)).toBe(token);
  });

  it("loses no digit on the way there and back, and is what the API takes", () => {
    const parts = fc.tuple(fc.nat({ max: 999_999_999 }), fc.bigInt({ min: 0n, max: 10n ** 12n - 1n }));
    const price = parts.map(([whole, fraction]) => `${whole}.${fraction.toString().padStart(12, "0")}`);
    fc.assert(
      fc.property(price, (typed) => {
        const read = readPrice(typed, 12);
        if (!("price" in read)) throw new Error(read.problem);
        expect(perMillion(perToken(read.price))).toBe(read.price);
        expect(comparePrices(read.price, typed)).toBe(0);
        expect(ModelPricing.parse({ prompt: perToken(read.price) }).prompt).toBe(perToken(read.price));
      }),
    );
  });

  it("is ordered by value, not by text", () =>
    expect(["10", "9.5", "0.02", "0.1", "0"].toSorted(comparePrices)).toEqual(["0", "0.02", "0.1", "9.5", "10"]));
});

describe("reading a price", () => {
  it.each([
    ["0.02", "0.02"],
    ["$1,234.50", "1234.5"],
    [" $ 2 ", "2"],
    [".5", "0.5"],
    ["007.0", "7"],
    ["0", "0"],
  ])("%j is %s", (typed, price) => expect(readPrice(typed, 12)).toEqual({ price }));

  it.each([
    ["", /Enter a price/],
    [".", /Enter a price/],
    ["free", /Enter a price/],
    ["-1", /negative/],
    ["2e-8", /exponent/],
    ["1,5", /point for decimals/],
    ["0.0000000000001", /12 decimals/],
    ["1000000000", /999,999,999/],
  ])("%j is refused", (typed, why) => expect(readPrice(typed, 12)).toEqual({ problem: expect.stringMatching(why) }));
});

it("shows prices by the million", () => {
  const shown = ["0.02", "2.5", "0", "1234", "0.0001"].map((price) => formatPrice(price));
  expect(shown).toEqual(["$0.02", "$2.50", "$0.00", "$1,234.00", "$0.0001"]);
});
