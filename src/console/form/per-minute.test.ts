import { describe, expect, it } from "vitest";
import { parsePerMinute, perMinuteOf, rateProblems } from "./per-minute.ts";

describe("a rate as typed", () => {
  it.each([
    ["", null],
    ["600", 600],
    [" 1,000,000 ", 1_000_000],
  ])("%j is read", (typed, rate) => expect(parsePerMinute(typed)).toEqual({ rate }));

  it.each(["0", "-5", "1.5", "10,00", "many", "1000000001"])("%j is refused with what would do", (typed) => {
    expect(parsePerMinute(typed)).toHaveProperty("problem");
    expect(perMinuteOf(typed)).toBeNull();
  });

  it("is told apart by its field", () =>
    expect(Object.keys(rateProblems({ requests: "x", tokens: "5" }))).toEqual(["requests"]));
});
