import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DestinationStatus } from "#contract/forwarding.ts";
import { fourDates } from "../../example-dates.ts";
import { nextTry } from "./next-try.ts";
import { backlogWords, effectiveRate, healthSince, healthWords, lastDay, notSent, totals } from "./health.ts";
import * as sampling from "./sampling.ts";
import { barsOf, keptText } from "./session-strip.ts";

describe("the stops of the sampling slider", () => {
  it("are 41 from 0.0001 to 1, ten to a decade so that a page key is ×10 or ÷10, each the decimal that it is written as", () => {
    const mantissas = [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8];
    const written = ["e-4", "e-3", "e-2", "e-1"].flatMap((decade) => mantissas.map((one) => Number(`${one}${decade}`)));
    expect(sampling.samplingStops).toEqual([...written, 1]);
  });

  it("place a rate at the nearer one, by ratio, and cut the scale exactly where a rate keeps what is below it", () => {
    expect([0.07, 0.0333].map((rate) => sampling.samplingStops[sampling.nearestStop(rate)])).toEqual([0.08, 0.03]);
    expect(sampling.samplingStops.map(sampling.nearestStop)).toEqual([...sampling.samplingStops.keys()]);
    const rate = fc.double({ min: 0.0001, max: 1, noNaN: true });
    const inOrder = (low: number, high: number) =>
      low >= high || sampling.placeOfRate(low) <= sampling.placeOfRate(high);
    fc.assert(fc.property(rate, rate, inOrder));
    expect([0, 0.00001, 0.0001, 1].map(sampling.placeOfRate)).toEqual([0, 0, 0, 40]);
    expect(sampling.placeOfRate(0.0316227766)).toBeCloseTo(25.18, 2);
  });
});

describe("what is typed into the percent field", () => {
  it.each<[number, string[]]>([
    [1, ["100"]],
    [0.333333, ["1/3", "33.3333"]],
    [0.1, ["10"]],
    [0.025, ["2.5", "2.5 %", "2,5"]],
    [0.005, [".5"]],
    [0.0025, ["0,25 %"]],
    [0.001, ["1/1000", "1:1000", "0.001"]],
    [0.0007, ["0.07"]],
    [0.0001, ["0.01", "1 / 10,000", "0.0001"]],
  ])("is %d for %j", (rate, typed) => expect(typed.map(sampling.readRate)).toEqual(typed.map(() => ({ rate }))));

  const wrong = "0 abc -1 101 1e-3 0.001% 1/0 0/5 2/1 1/20000 0.00001 1,000".split(" ");
  it.each(["", "0.009 %", ...wrong])("is refused with what would work: %j", (text) =>
    expect(sampling.readRate(text)).toEqual({ problem: expect.stringContaining("from 0.01 to 100") as string }),
  );

  it("is a fraction or a percentage of no more digits than the field keeps, and what the field shows is read back", () => {
    expect(sampling.readRate("1.23456")).toEqual({ problem: "Use at most 4 digits after the point" });
    const rates = fc.integer({ min: 100, max: 1_000_000 }).map((millionths) => Number(`${millionths}e-6`));
    fc.assert(
      fc.property(rates, (rate) => {
        expect(sampling.readRate(sampling.percentText(rate))).toEqual({ rate });
      }),
    );
    const fractions = ["0.005", "0.0001", "0.01", "0.5", "1/1000", "0.005%"].filter(sampling.isFraction);
    expect(fractions).toEqual(["0.005", "0.0001"]);
  });
});

it("a rate in words is one in so many, estimated with the spread of chance, and never more than there is", () => {
  const words = "every call, 1 in 2, 8 in 10, 1 in 40, about 1 in 33, 1 in 10,000";
  expect([1, 0.5, 0.8, 0.025, 0.03, 0.0001].map(sampling.oneIn).join(", ")).toBe(words);
  expect(sampling.roughly(sampling.expected(10_300, 0.1, 1).perDay)).toBe("1,030");
  const range = (calls: number, perSession: number) => sampling.rangeText(sampling.expected(calls, 0.1, perSession));
  // sessions of four calls are kept or dropped whole: the range doubles
  expect([range(10_300, 1), range(10_300, 4)]).toEqual(["970 to 1,100", "900 to 1,200"]);
  expect([range(50, 1), range(50, 4)]).toEqual(["1 to 9", "0 to 14"]);
  expect(sampling.expected(10, 1, 4).high).toBe(10);
  expect(sampling.expected(0, 0.5, 1)).toEqual({ perDay: 0, low: 0, high: 0 });
  expect(sampling.seldom(sampling.expected(3_333, 0.0001, 1).perDay)).toBe("about one every 3 days");
});

it("a rate in words says how it lies to another destination's, as all choose the same sessions", () => {
  const rates = { Datadog: 0.1, everything: 1, Tempo: 0.001 };
  const others = Object.entries(rates).map(([name, sampling_rate]) => ({ name, sampling_rate }));
  const words = "the 10% in Datadog: both choose the same sessions.";
  expect(sampling.overlapText(0.01, others)).toBe(`This 1% is a subset of ${words}`);
  expect(sampling.overlapText(0.5, others)).toBe(`It contains ${words}`);
  expect([sampling.overlapText(1, others), sampling.overlapText(0.01, others.slice(1, 2))]).toEqual([null, null]);
});

describe("the strip of sessions", () => {
  const sessions = (...those: string[]) => {
    return those.map((one) => ({ position: Number(one.split(":")[0]), calls: Number(one.split(":")[1]) }));
  };

  it("draws each session where it lies on the slider's scale, the higher the more calls it has", () => {
    const some = sessions("0.01:1", "0.5:8", "0.00001:64", "0:0");
    expect(barsOf(some, ({ position }) => position >= 0.01)).toBe("M20.000 1V0.700M37.000 1V0.350");
    expect(barsOf(some, ({ position }) => position < 0.01)).toBe("M0.000 1V0.000M0.000 1V0.700");
    expect(barsOf(sessions("0.55:2"), () => true)).toBe("M37.523 1V0.467");
  });

  const three = sessions("0.05:1200", "0.5:3", "0.15:30");
  it.each([
    [three, 0.15, "1 of 3 sessions, 1,200 of 1,233 calls are kept at 15%."],
    [three, 0.150001, "2 of 3 sessions, 1,230 of 1,233 calls are kept at 15.0001%."],
    [three, 1, "3 of 3 sessions, 1,233 of 1,233 calls are kept at 100%."],
    [sessions("0.05:1"), 0.1, "1 of 1 session, 1 of 1 call is kept at 10%."],
    [sessions("0.5:1"), 0.1, "0 of 1 session, 0 of 1 call are kept at 10%."],
  ])("counts sessions and calls: of %j at %d", (some, rate, words) => expect(keptText(some, rate)).toBe(words));
});

const nothing = { delivered: 0, failed: 0, filtered: 0, sampled_out: 0, not_allowed: 0, dead: 0 };
const hours = [
  { ...nothing, hour: "2026-11-20T02:00:00.000Z", delivered: 5, filtered: 15_200 },
  { ...nothing, hour: "2026-11-20T17:00:00.000Z", delivered: 7, failed: 2, sampled_out: 90 },
];

it("lays the hours out over the day, names what was not sent, and is never green without an answer", () => {
  const { delivered, failed } = lastDay(hours, new Date("2026-11-20T17:42:00Z"));
  expect([delivered.length, failed.length]).toEqual([24, 24]);
  expect([delivered[23], failed[23], delivered[8], delivered[0]]).toEqual([7, 2, 5, 0]);
  expect(lastDay(hours, new Date("2026-11-21T02:10:00Z")).delivered.filter((count) => count > 0)).toEqual([7]);
  expect(effectiveRate({ ...nothing, delivered: 4, failed: 9, filtered: 90, sampled_out: 6 })).toBe(0.04);
  expect(effectiveRate(totals([]))).toBeNull();
  expect(notSent(totals(hours))).toEqual(["15,200 filtered", "90 sampled out"]);
  expect(notSent(nothing)).toEqual([]);
  expect(healthWords(undefined)).toMatchObject({ kind: "unknown", word: "Unknown" });
  const health = { status: "paused" } as Parameters<typeof healthWords>[0];
  expect(healthWords(health)).toMatchObject({ kind: "off", word: "Paused" });
  expect(DestinationStatus.options).toHaveLength(5);
});

it("calls what is not checked yet waiting only where everything will be sent", () => {
  const all = { api_key_hashes: null, filter_rules: null, sampling_rate: 1 };
  const words = [all, { ...all, sampling_rate: 0.1 }, { ...all, api_key_hashes: ["a".repeat(64)] }];
  expect(words.map((one) => backlogWords(one, 15))).toEqual(["15 waiting", "15 not checked yet", "15 not checked yet"]);
  const rules = { enabled: false, groups: [{ rules: [{ field: "model", operator: "equals", value: "a" }] }] } as const;
  const off = { ...all, filter_rules: rules } as unknown as Parameters<typeof backlogWords>[0];
  expect(backlogWords(off, 1_204)).toBe("1,204 waiting");
});

it("says since when a destination fails, and of others when they last took something", () => {
  const now = new Date("2026-11-20T17:42:00Z");
  const times = { failing_since: "2026-11-20T16:58:00Z", last_success_at: "2026-11-20T16:57:00Z" };
  const since = (status: string) => healthSince({ status, ...times } as Parameters<typeof healthSince>[0], now);
  expect(since("failing")).toBe("Failing since 16:58 UTC, 44 min ago");
  expect(since("delivering")).toBe("Delivering, last sent 45 min ago");
  expect(healthSince(undefined, now)).toBe("Unknown");
});

it.each(fourDates)("says when an event is tried again, and of what is due no time that has passed: %s", (now) => {
  const after = (ms: number) => nextTry(new Date(now.getTime() + ms), now);
  expect([after(-60_000), after(400)]).toEqual(["and the next is due", "and the next is due"]);
  expect(after(30_000)).toBe("and the next comes in 30 s");
});
