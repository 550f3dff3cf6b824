import { afterEach, describe, expect, it, vi } from "vitest";
import { embedSteps } from "./lexical.ts";
import { normalize } from "./normalize.ts";

const longestRun = (text: unknown) =>
  Math.max(0, ...Array.from(String(text).matchAll(/[\p{M}\uff9e]+/gu), ([run]) => run.length));

afterEach(() => void vi.restoreAllMocks());

describe("normalizing a text", () => {
  it.each(["Crème brûlée", "ﬁne ｗｉｄｅ", "हिन्दी में लिखा हुआ", "ไทยนี้", "ｶﾞｷﾞｸﾞ", "a\u0315\u0300", "👩🏽‍🚀", "\ud800"])(
    "is NFKC for %j",
    (text) => expect(normalize(text)).toBe(text.normalize("NFKC")),
  );

  it("leaves out marks beyond what any writing has", () => {
    expect(normalize(`a${"\u0315".repeat(1_000)}b`)).toBe(`a${"\u0315".repeat(30)}b`);
  });

  it.each([
    ["marks in the wrong order", `a${"\u0315".repeat(131_072)}${"\u0300".repeat(131_072)}`],
    ["marks that alternate", `a${"\u0315\u0300".repeat(131_072)}`],
    ["half-width marks between others", `a${"\u0315\uff9e".repeat(131_072)}`],
    ["just as many marks as count", `${"\u0315".repeat(15)}${"\u0300".repeat(15)}a`.repeat(8_456)],
  ])("sorts no more marks of one letter than the bound, for %s", (_, text) => {
    const normalized = vi.spyOn(String.prototype, "normalize");
    embedSteps(text, 384).next();
    // Sorting takes the square of their number: of the first two it would take more than a minute.
    expect(normalized.mock.contexts.map(longestRun)).toEqual([30]);
  });
});
