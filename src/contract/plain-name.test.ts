import { describe, expect, it } from "vitest";
import { isPlainName, withoutHidden } from "./plain-name.ts";

describe("a name", () => {
  it.each(["", "search", "مفتاح الإنتاج", "می‌خواهم", "क्‍ष", "ශ්‍රී ලංකා", "👩‍👩‍👧‍👦", "❤️ 1️⃣", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "ｎａｍｅ", "a\u00a0b"])(
    "may be %j, and stays what it is",
    (name) => expect([isPlainName(name), withoutHidden(name)]).toEqual([true, name]),
  );

  it.each([
    ["a\u0000", "a"],
    ["a\r\nb", "ab"],
    ["a\u2028b", "ab"],
    ["a\u202eb", "ab"],
    ["\u2066a", "a"],
    ["\u061ca\u200f", "a"],
    ["Te\u00adam", "Team"],
    ["a\u200bb", "ab"],
    ["a\u200cb", "ab"],
    ["a\u200db", "ab"],
    // after a letter that does not join, a joiner changes nothing
    ["\u062f\u200c\u0628", "\u062f\u0628"],
    ["a\u2060b", "ab"],
    ["a\ufeffb", "ab"],
    ["a\u{e0041}\u{e0042}", "a"],
    ["\u{1f3f4}\u{e0073}\u{e007f}", "\u{1f3f4}"],
    ["a\ufe0f", "a"],
    ["a\u{e0100}", "a"],
    ["a\u034fb", "ab"],
    ["a\u180eb", "ab"],
    ["a\u3164b", "ab"],
    ["a\u115fb", "ab"],
    ["a\uffa0b", "ab"],
    ["a\u17b4b", "ab"],
    ["a\ufff9b", "ab"],
    ["a\ud800", "a"],
    ["\u200b", ""],
    [" \u200d\u200b ", "  "],
    ["\ufe0f", ""],
    ["\u2800\u2800", "\u2800\u2800"],
    [" ", " "],
  ])("may not be %j, of which %j can be seen", (name, rest) =>
    expect([isPlainName(name), withoutHidden(name)]).toEqual([false, rest]),
  );

  it("is read in no time, however often it almost fits", () => {
    const name = `${"❤️👩‍👩‍👧‍👦".repeat(20_000)}\u200b`;
    expect(isPlainName(name)).toBe(false);
  });
});
