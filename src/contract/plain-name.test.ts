import { describe, expect, it } from "vitest";
import { plainName } from "./plain-name.ts";

describe("a name", () => {
  it.each(["", "search", "مفتاح الإنتاج", "👩‍👩‍👧‍👦", "a\u200bb", "ｎａｍｅ"])("may be %j", (name) =>
    expect(plainName.test(name)).toBe(true),
  );

  it.each([
    "a\u0000",
    "a\u202eb",
    "\u2066a",
    "\u200b",
    " \u200d\u200b ",
    "\u3164",
    "\u2800\u2800",
    "\ufeff",
    "\ufe0f",
    "\u034f",
  ])("may not be %j", (name) => expect(plainName.test(name)).toBe(false));
});
