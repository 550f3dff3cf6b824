import { assert, integer, property, tuple } from "fast-check";
import { describe, expect, it } from "vitest";
import { minuteMs } from "#contract/time.ts";
import { bucketsOf } from "./buckets.ts";

describe("buckets of a range", () => {
  const of = (since: string, until: string, most: number, shortest?: number) => {
    const { minutes, starts } = bucketsOf(new Date(since), new Date(until), most, shortest);
    return [minutes, starts.length, starts[0]?.toISOString(), starts.at(-1)?.toISOString()];
  };

  it("are the shortest round ones that suffice, aligned to UTC", () => {
    expect(of("2026-11-21T10:00:30Z", "2026-11-21T11:00:00Z", 60)).toEqual([
      1,
      60,
      "2026-11-21T10:00:00.000Z",
      "2026-11-21T10:59:00.000Z",
    ]);
    expect(of("2026-11-20T12:30:00Z", "2026-11-21T12:14:00.001Z", 48)).toEqual([
      30,
      48,
      "2026-11-20T12:30:00.000Z",
      "2026-11-21T12:00:00.000Z",
    ]);
    // a range that begins within a bucket needs one more
    expect(of("2026-11-21T10:00:30Z", "2026-11-21T11:00:30Z", 60).slice(0, 2)).toEqual([2, 31]);
  });

  it("are no shorter than what is counted", () =>
    expect(of("2026-11-21T10:00:00Z", "2026-11-21T16:00:00Z", 60, 60).slice(0, 2)).toEqual([60, 6]));

  it("leave out the instant at which the range ends", () => {
    const [, count, , last] = of("2026-11-21T10:00:00Z", "2026-11-21T10:02:00Z", 60);
    expect([count, last]).toEqual([2, "2026-11-21T10:01:00.000Z"]);
  });

  it("cover any range without a gap, and are never too many", () => {
    const range = tuple(integer({ min: 0, max: 4e12 }), integer({ min: 1, max: 4e12 }), integer({ min: 1, max: 120 }));
    assert(
      property(range, ([since, length, most]) => {
        const until = since + length;
        const { minutes, starts } = bucketsOf(new Date(since), new Date(until), most);
        const step = minutes * minuteMs;
        const [first = 0, last = 0] = [starts[0]?.getTime(), starts.at(-1)?.getTime()];
        expect(starts.length).toBeLessThanOrEqual(most);
        expect(first <= since && since < first + step).toBe(true);
        expect(last < until && until <= last + step).toBe(true);
        expect(starts.every((at, index) => at.getTime() === first + index * step && at.getTime() % step === 0)).toBe(
          true,
        );
      }),
    );
  });
});
