import { describe, expect, it } from "vitest";
import { parseUsd, usdText } from "./usd.ts";

describe("parseUsd", () => {
  it.each([
    ["5", 5, "5.00"],
    ["5.00", 5, "5.00"],
    ["$1,234.5", 1234.5, "1234.50"],
    [" $ 1 234.50 ", 1234.5, "1234.50"],
    ["0", 0, "0.00"],
    [".5", 0.5, "0.50"],
    ["5.", 5, "5.00"],
    ["007", 7, "7.00"],
    ["0.000125", 0.000125, "0.000125"],
    ["0.000000001", 0.000000001, "0.000000001"],
    ["1,000,000,000", 1_000_000_000, "1000000000.00"],
  ])("reads %j as %d", (typed, usd, text) => expect(parseUsd(typed)).toEqual({ usd, text }));

  it.each([
    ["", /Enter an amount/],
    ["$", /Enter an amount/],
    ["-1", /cannot be negative/],
    ["\u22125", /cannot be negative/],
    ["1e3", /without an exponent/],
    ["1,23", /point for cents/],
    ["1.234,50", /point for cents/],
    ["1.2.3", /such as 50/],
    [".", /such as 50/],
    ["five", /such as 50/],
    ["Infinity", /such as 50/],
    ["0.0000000001", /nine decimals/],
    ["1000000000.01", /At most/],
  ])("refuses %j", (typed, problem) => expect(parseUsd(typed)).toEqual({ problem: expect.stringMatching(problem) }));

  it("normalises its own output to itself", () => {
    for (const typed of ["5", "$1,234.5", "0.000125"]) {
      const once = parseUsd(typed);
      expect("text" in once && parseUsd(once.text)).toEqual(once);
    }
  });
});

describe("usdText", () => {
  it.each([
    [50, "50.00"],
    [0, "0.00"],
    [1234.5, "1234.50"],
    [0.000125, "0.000125"],
  ])("shows %d as %s", (usd, text) => expect(usdText(usd)).toBe(text));
});
