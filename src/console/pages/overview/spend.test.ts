import { describe, expect, it } from "vitest";
import { spendBars, spendSentence } from "./spend.ts";

const hours = ["2026-11-15T23:00:00.000Z", "2026-11-16T00:00:00.000Z", "2026-11-16T01:00:00.000Z"];
const series = (name: string, ...usage: number[]) => ({
  name,
  points: usage.map((usd, index) => ({ at: hours[index] ?? "", usage: usd })),
});

describe("the spend chart", () => {
  it("puts the other keys together on top of the first", () => {
    const bars = spendBars([series("a", 1, 2, 3), series("b", 0.5, 0, 1), series("c", 0.25, 0, 0)], "hour");
    expect(bars.map(({ value, more }) => [value, more])).toEqual([
      [1, 0.75],
      [2, 0],
      [3, 1],
    ]);
  });

  it("marks where days begin, and where weekly limits reset", () => {
    const bars = spendBars([series("a", 1, 2, 3)], "hour");
    expect(bars.map(({ tick, resets }) => [tick, resets])).toEqual([
      [undefined, undefined],
      ["Mon 16", true],
      [undefined, undefined],
    ]);
    expect(bars[1]?.label).toBe("Mon 16 Nov 2026, 00:00");
  });

  it("says in a sentence what it shows", () => {
    expect(spendSentence([series("a", 1, 2, 3), series("b", 2, 0, 0)], "the last 7 days")).toBe(
      "The 2 keys with the highest total spent $8.00 in the last 7 days, 75% of it by a.",
    );
    expect(spendSentence([series("a", 1)], "the last 24 hours")).toBe("a spent $1.00 in the last 24 hours.");
    expect(spendSentence([series("a", 0)], "the last 24 hours")).toBe("a spent nothing in the last 24 hours.");
  });
});
