import { describe, expect, it } from "vitest";
import type { UsageFigures } from "#contract/usage-figures.ts";
import { fourDates } from "../../example-dates.ts";
import { customDaysOf } from "../../form/day-range.ts";
import { changeWords } from "../../shell/usage-words.ts";
import { callsOf, rangeOf, usageSearchOf } from "./ranges.ts";
import { chartOrder, type SpendSeries, spendSentence } from "./spend.ts";

const tokens = { prompt_tokens: 0, completion_tokens: 0, reasoning_tokens: 0 };
const figures = (usage: number, requests: number): UsageFigures => {
  return { usage, requests, byok_usage: 0, saved: 0, failures: 0, ...tokens };
};

function series(name: string | null, previous: number, ...usage: number[]): SpendSeries {
  const total = usage.reduce((sum, usd) => sum + usd, 0);
  return {
    group: name,
    name,
    total: figures(total, usage.length),
    previous: figures(previous, 1),
  };
}

describe("the spend chart", () => {
  it.each([
    ["what drove a rise", [series("a", 3, 3), series("b", 1, 3), series(null, 1, 1)], ["b", "a", null]],
    ["what drove a fall", [series("a", 2, 2), series("b", 6, 1)], ["b", "a"]],
    ["what spent most where nothing changed", [series("a", 2, 2), series("b", 1, 1)], ["a", "b"]],
    ["what spent most where nothing was spent before", [series("a", 0, 2), series("b", 0, 1)], ["a", "b"]],
  ])("begins with %s", (_, shown, order) => expect(chartOrder(shown).map(({ group }) => group)).toEqual(order));
});

describe("the sentence over it", () => {
  it.each([
    [[series(null, 0)], "No calls in the last 7 days."],
    [[series("a", 0, 0)], "1 call in the last 7 days, at no cost."],
    [[series("a", 0, 0, 0)], "2 calls in the last 7 days, at no cost."],
    [[series("a", 0, 3), series("b", 0, 1)], "$4.00 was spent in the last 7 days, 75% of it by “a”."],
    [[series("a", 0, 30_000), series("b", 0, 1)], "$30,001.00 was spent in the last 7 days, >99.9% of it by “a”."],
    [[series("a", 0, 3)], "$3.00 was spent in the last 7 days, all of it by “a”."],
    [[series("a", 3, 3), series("b", 1, 3)], "Spend rose 50% to $6.00 in the last 7 days, driven by “b”."],
    [[series("a", 6, 2), series("b", 2, 2)], "Spend fell 50% to $4.00 in the last 7 days, driven by “a”."],
    [[series("a", 2, 2)], "Spend stayed at $2.00 in the last 7 days."],
    // what was refused is counted, and said
    [[series(null, 0)], "66 calls in the last 7 days, all of them refused.", 66],
    [[series("a", 0, 0)], "67 calls in the last 7 days, 66 of them refused, at no cost.", 66],
    [[series("a", 2, 2)], "Spend stayed at $2.00 in the last 7 days. 66 calls were refused.", 66],
  ])("%#", (shown, said, refused = 0) => expect(spendSentence(shown, "key", "the last 7 days", refused)).toBe(said));

  it("is not free where an own provider key paid, says whose spend a call is, and gives a change as a percentage", () => {
    const shown = series("a", 0, 0);
    const paid = { ...shown, total: { ...shown.total, byok_usage: 37_837.5 } };
    const sentence = "1 call in the last 7 days, $37,837.50 on own provider keys alone.";
    expect(spendSentence([paid], "key", "the last 7 days", 0)).toBe(sentence);
    expect(spendSentence([series("a", 0, 3)], "provider", "the last 7 days", 0)).toBe(
      "$3.00 was spent in the last 7 days, all of it at “a”. A call's whole cost is under the provider that answered it, or was tried last.",
    );
    const changes = [changeWords(118, 100), changeWords(97, 100), changeWords(2_000, 100), changeWords(5, 0)];
    expect(changes).toEqual(["+18%", "−3%", "×20", undefined]);
  });
});

it("leads to the same period on the page of usage", () => {
  expect(usageSearchOf({}, "key")).toEqual({ period: "7d" });
  const days = { from: "2026-11-03", to: "2026-11-09" };
  expect(usageSearchOf({ range: "custom", ...days }, "model")).toEqual({ period: "custom", by: "model", ...days });
});

const [now] = fourDates;

describe("the range of the overview", () => {
  it("is seven days by the hour unless the address says otherwise, by the hour up to a week, beyond it by the day", () => {
    expect(rangeOf({}, now)).toEqual({ by: "hour", last: 168, words: "the last 7 days" });
    expect(rangeOf({ range: "30d" }, now)).toMatchObject({ by: "day", last: 30 });
    const custom = (from: string, to: string) => rangeOf({ range: "custom", from, to }, now);
    const week = { by: "hour", last: 168, until: "2026-11-09T23:59:59Z", words: "3 Nov to 9 Nov" };
    expect(custom("2026-11-03", "2026-11-09")).toEqual(week);
    expect(custom("2026-11-02", "2026-11-09")).toMatchObject({ by: "day", last: 8 });
    expect(custom("2026-11-09", "2026-11-09")).toMatchObject({ by: "hour", last: 24, words: "9 Nov" });
  });

  it.each([
    ["2026-11-09", "2026-11-03", "2026-11-03", "2026-11-09"],
    ["2026-11-19", "2040-01-01", "2026-11-19", "2026-11-21"],
    ["2040-01-01", "2040-01-02", "2026-11-21", "2026-11-21"],
    ["2020-01-01", "2026-11-21", "2025-11-21", "2026-11-21"],
  ])("puts %s to %s right: in order, none ahead, none more than a year back", (from, to, first, last) =>
    expect(customDaysOf({ from, to }, now)).toEqual({ from: first, to: last }),
  );

  it("is two weeks up to each date where no days are named, and ends with the year's end or the leap day", () => {
    const ranges = fourDates.map((at) => rangeOf({ range: "custom" }, at));
    const words = ["8 Nov to 21 Nov", "16 Feb to 29 Feb", "18 Dec to 31 Dec", "18 Jun to 1 Jul"];
    expect(ranges.map((range) => range.words)).toEqual(words);
    for (const range of ranges) expect(range).toMatchObject({ by: "day", last: 14 });
    const years = fourDates.map((at) => customDaysOf({ from: "2020-01-01", to: "2040-01-01" }, at).from);
    expect(years).toEqual(["2025-11-21", "2027-03-01", "2028-01-01", "2034-07-01"]);
  });
});

it("lists the calls of a range from where its usage begins to its last second", () => {
  const since = "2026-11-03T00:00:00.000Z";
  const range = { by: "day", last: 7, words: "" } as const;
  expect(callsOf(range, since)).toEqual({ since });
  const whole = { since, until: "2026-11-10T00:00:00.000Z" };
  expect(callsOf({ ...range, until: "2026-11-09T23:59:59Z" }, since)).toEqual(whole);
});
