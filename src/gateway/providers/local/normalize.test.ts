import { describe, expect, it } from "vitest";
import { embedSteps } from "./lexical.ts";
import { normalize } from "./normalize.ts";

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
  ])("does not hold the thread for %s", (_, text) => {
    const before = process.cpuUsage();
    embedSteps(text, 384).next();
    const { user, system } = process.cpuUsage(before);
    // Without the bound the first two take more than a minute.
    expect((user + system) / 1_000).toBeLessThan(1_000);
  });
});
