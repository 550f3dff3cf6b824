import { describe, expect, it } from "vitest";
import { checkPatterns } from "./check-patterns.ts";

describe("patterns that can be used", () => {
  it.each([
    ["secret-\\d+"],
    ["(?i)\\bproject (?:falcon|eagle)\\b"],
    ["[*+(?=]{2}"],
    ["\\Q(?=a)+\\1\\E"],
    ["(?:\\d{3}-)+"],
    ["(?:a+b)?c"],
    ["\\(?=x"],
    ["[[:alpha:]]+@"],
    ["[]a]+b"],
  ])("%s", (pattern) => expect(checkPatterns(["first", pattern])).toBeNull());
});

describe("patterns that cannot", () => {
  it.each([
    ["a(?=b)", "looks ahead or behind"],
    ["(?<!x)y", "looks ahead or behind"],
    ["(a)\\1", "refers back to a group, with \\1"],
    ["(?<n>a)\\k<n>", "refers back"],
    ["(a+)+", "repetition is repeated"],
    ["(?:(?:x*)y)*z", "repetition is repeated"],
    ["(a{2,})*b", "repetition is repeated"],
    ["(unclosed", "RE2 does not compile it"],
    ["a{1001}", "RE2 does not compile it"],
    ["x*", "matches an empty text"],
  ])("%s", (pattern, problem) =>
    expect(checkPatterns(["first", pattern])).toMatchObject({ index: 1, problem: expect.stringContaining(problem) }),
  );

  it("together have a bound", () => {
    const long = "ab".repeat(25_000);
    expect(checkPatterns([long, `${long}c`])).toBeNull();
    const problem = checkPatterns([long, `${long}c`, `${long}d`]);
    expect(problem).toMatchObject({ index: 2, problem: expect.stringContaining("120000 is the most") });
  });
});
