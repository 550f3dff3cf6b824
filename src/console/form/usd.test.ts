import { expect, it } from "vitest";
import { parsePerMinute, perMinuteOf, rateProblems } from "./per-minute.ts";
import { parseUsd, usdText } from "./usd.ts";

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
])("an amount %j is read as %d, shown as %s, and read as itself again", (typed, usd, text) => {
  expect(parseUsd(typed)).toEqual({ usd, text });
  expect(parseUsd(text)).toEqual({ usd, text });
  expect(usdText(usd)).toBe(text);
});

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
])("amount %j is refused", (typed, why) => expect(parseUsd(typed)).toEqual({ problem: expect.stringMatching(why) }));

it.each([
  ["", null],
  ["600", 600],
  [" 1,000,000 ", 1_000_000],
])("a rate %j is read", (typed, rate) => expect(parsePerMinute(typed)).toEqual({ rate }));

it.each(["0", "-5", "1.5", "10,00", "many", "1000000001"])("a rate %j is refused at its field", (typed) => {
  expect(parsePerMinute(typed)).toHaveProperty("problem");
  expect(perMinuteOf(typed)).toBeNull();
  expect(Object.keys(rateProblems({ requests: typed, tokens: "5" }))).toEqual(["requests"]);
});
