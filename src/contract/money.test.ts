import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { maxUsd, nanoPerUsd, toNanoUsd, toUsd, UsdAmount } from "./money.ts";

describe("money", () => {
  it.each([
    [0, 0n],
    [0.000000001, 1n],
    [0.1, 100_000_000n],
    [0.3, 300_000_000n],
    [1.005, 1_005_000_000n],
    [19.99, 19_990_000_000n],
    [123_456.789, 123_456_789_000_000n],
    [maxUsd, BigInt(maxUsd) * nanoPerUsd],
  ])("%d USD is %d nano-dollars", (usd, nano) => expect(toNanoUsd(usd)).toBe(nano));

  it("takes an amount of nine decimals exactly, however it was computed", () => {
    const amount = fc.bigInt({ min: 0n, max: 999_999n * nanoPerUsd });
    fc.assert(
      fc.property(amount, (nano) => {
        const text = `${nano / nanoPerUsd}.${String(nano % nanoPerUsd).padStart(9, "0")}`;
        expect(toNanoUsd(Number(text))).toBe(nano);
      }),
    );
  });

  it("comes back from dollars as it went, below eight million dollars: a JSON number is exact to the nano-dollar there", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 8_000_000n * nanoPerUsd }), (nano) => {
        expect(toNanoUsd(toUsd(nano))).toBe(nano);
      }),
    );
  });

  it("keeps the order of amounts", () => {
    const usd = fc.double({ min: 0, max: maxUsd, noNaN: true });
    fc.assert(
      fc.property(usd, usd, (a, b) => {
        const [low, high] = a < b ? [a, b] : [b, a];
        expect(toNanoUsd(low) <= toNanoUsd(high)).toBe(true);
      }),
    );
  });
});

describe("an amount that a caller sets", () => {
  it.each([0, 1e-9, 5, 0.25, maxUsd])("may be %d", (usd) => expect(UsdAmount.safeParse(usd).success).toBe(true));

  it.each([-1e-9, -5, maxUsd + 1, 1e-10, Number.NaN, Number.POSITIVE_INFINITY, "5"])("may not be %j", (usd) =>
    expect(UsdAmount.safeParse(usd).success).toBe(false),
  );
});
