import { describe, expect, it } from "vitest";
import { usageBars } from "./usage-bars.ts";

const hourMs = 3_600_000;
const from = (first: string, count: number, stepMs: number) =>
  Array.from({ length: count }, (_, index) => new Date(Date.parse(first) + index * stepMs).toISOString());
const ones = (count: number) => Array.from({ length: count }, () => 1);

describe("the bars of a period's usage", () => {
  it("are its hours up to two days, its days up to three months", () => {
    const day = { by: "hour", starts: from("2026-11-16T00:00:00Z", 24, hourMs), series: [], refused: [] } as const;
    expect(usageBars(day).unit).toBe("Hour");
    const month = { ...day, by: "day", starts: from("2026-10-01T00:00:00Z", 31, 24 * hourMs) } as const;
    const { unit, bars } = usageBars(month);
    expect([unit, bars.length, bars.filter(({ tick }) => tick !== undefined).map(({ tick }) => tick)]).toEqual([
      "Day",
      31,
      ["5 Oct", "12 Oct", "19 Oct", "26 Oct"],
    ]);
    expect(bars.filter(({ resets }) => resets)).toHaveLength(4);
  });

  it("are three hours each for a week by the hour, aligned to UTC, and lose nothing", () => {
    const starts = from("2026-11-14T16:00:00Z", 168, hourMs);
    const series = [{ values: ones(168) }, { values: ones(168).map((_, index) => index) }];
    const { unit, bars } = usageBars({ by: "hour", starts, series, refused: ones(168) });
    expect([unit, bars.length]).toEqual(["3 hours", 57]);
    const [first, second] = bars;
    expect(first).toMatchObject({
      label: "Sat 14 Nov 2026, 16:00 to 18:00",
      value: 2,
      since: "2026-11-14T16:00:00.000Z",
      until: "2026-11-14T18:00:00.000Z",
    });
    expect(second).toMatchObject({ value: 3, more: [2 + 3 + 4], refused: 3, until: "2026-11-14T21:00:00.000Z" });
    const sum = (values: readonly number[]) => values.reduce((all, one) => all + one, 0);
    expect(sum(bars.map(({ value }) => value))).toBe(168);
    expect(sum(bars.map(({ more }) => more?.[0] ?? 0))).toBe((167 * 168) / 2);
    expect(bars.filter(({ resets }) => resets).map(({ tick }) => tick)).toEqual(["Mon 16"]);
    // each begins where the one before ends, so that each call is of one bar
    expect(bars.slice(1).map(({ since }) => since)).toEqual(bars.slice(0, -1).map(({ until }) => until));
  });

  it("are weeks from Monday for a year by the day, whatever the page asks for meanwhile", () => {
    const starts = from("2026-01-01T00:00:00Z", 365, 24 * hourMs);
    const { unit, bars } = usageBars({ by: "hour", starts, series: [{ values: ones(365) }], refused: [] });
    expect([unit, bars.length]).toEqual(["Week", 53]);
    expect(bars.map(({ value }) => value).slice(0, 2)).toEqual([4, 7]);
    expect(bars[1]?.label).toBe("Mon 5 Jan 2026 to Sun 11 Jan 2026");
  });
});
