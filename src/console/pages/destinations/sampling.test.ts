import { describe, expect, it } from "vitest";
import fc from "fast-check";
import {
  expected,
  isFraction,
  nearestStop,
  oneIn,
  overlapText,
  rangeText,
  percentText,
  placeOfRate,
  readRate,
  roughly,
  samplingStops,
  seldom,
} from "./sampling.ts";

describe("the stops of the sampling slider", () => {
  it("are 41 from 0.0001 to 1, each the decimal that it is written as", () => {
    expect(samplingStops).toHaveLength(41);
    expect([samplingStops[0], samplingStops[40]]).toEqual([0.0001, 1]);
    const mantissas = [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8];
    const written = ["e-4", "e-3", "e-2", "e-1"].flatMap((decade) => mantissas.map((one) => Number(`${one}${decade}`)));
    expect(samplingStops).toEqual([...written, 1]);
  });

  it("lie ten to a decade, so that a page key is ×10 or ÷10", () => {
    for (let stop = 0; stop + 10 < samplingStops.length; stop += 1)
      expect((samplingStops[stop + 10] ?? 0) / (samplingStops[stop] ?? 1)).toBeCloseTo(10, 10);
  });

  it("place a rate between two of them at the nearer one, by ratio", () => {
    expect(samplingStops[nearestStop(0.07)]).toBe(0.08);
    expect(samplingStops[nearestStop(0.0333)]).toBe(0.03);
    for (const [index, stop] of samplingStops.entries()) expect(nearestStop(stop)).toBe(index);
  });

  it("cut the scale exactly where a rate keeps what is below it", () => {
    const rate = fc.double({ min: 0.0001, max: 1, noNaN: true });
    fc.assert(
      fc.property(rate, rate, (low, high) => {
        if (low < high) expect(placeOfRate(low)).toBeLessThanOrEqual(placeOfRate(high));
      }),
    );
    expect([0, 0.00001, 0.0001, 0.0316227766, 1].map(placeOfRate)).toEqual([0, 0, 0, expect.closeTo(25.18, 2), 40]);
  });
});

describe("what is typed into the percent field", () => {
  it.each([
    ["10", 0.1],
    ["2.5", 0.025],
    ["2.5 %", 0.025],
    ["0.01", 0.0001],
    ["0.07", 0.0007],
    ["100", 1],
    ["1/1000", 0.001],
    ["1:1000", 0.001],
    ["1 / 10,000", 0.0001],
    ["1/3", 0.333333],
    ["0.001", 0.001],
    ["0.0001", 0.0001],
    [".5", 0.005],
    ["33.3333", 0.333333],
    ["2,5", 0.025],
    ["0,25 %", 0.0025],
  ])("%s is %d", (text, rate) => expect(readRate(text)).toEqual({ rate }));

  it.each([
    "",
    "0",
    "abc",
    "-1",
    "101",
    "1e-3",
    "0.001%",
    "0.009 %",
    "1/0",
    "0/5",
    "2/1",
    "1/20000",
    "0.00001",
    "1,000",
  ])("%j is refused with what would work", (text) =>
    expect(readRate(text)).toEqual({ problem: expect.stringContaining("from 0.01 to 100") as string }),
  );

  it("refuses more digits than the field keeps", () =>
    expect(readRate("1.23456")).toEqual({ problem: "Use at most 4 digits after the point" }));

  it("reads back what it shows, for every rate of four digits", () => {
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 1_000_000 }), (millionths) => {
        const rate = Number(`${millionths}e-6`);
        expect(readRate(percentText(rate))).toEqual({ rate });
      }),
    );
  });
});

it("tells a fraction from a percentage", () =>
  expect(["0.005", "0.0001", "0.01", "0.5", "1/1000", "0.005%"].map(isFraction)).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
  ]));

it("says a rate as one in so many", () =>
  expect([1, 0.5, 0.8, 0.025, 0.03, 0.0001].map(oneIn)).toEqual([
    "every call",
    "1 in 2",
    "8 in 10",
    "1 in 40",
    "about 1 in 33",
    "1 in 10,000",
  ]));

it("estimates with the spread of chance, and never more than there is", () => {
  const one = expected(10_300, 0.1, 1);
  expect(roughly(one.perDay)).toBe("1,030");
  expect(rangeText(one)).toBe("970 to 1,100");
  // sessions of four calls are kept or dropped whole: the range doubles
  expect(rangeText(expected(10_300, 0.1, 4))).toBe("900 to 1,200");
  expect(rangeText(expected(50, 0.1, 1))).toBe("1 to 9");
  expect(rangeText(expected(50, 0.1, 4))).toBe("0 to 14");
  expect(expected(10, 1, 4).high).toBe(10);
  expect(expected(0, 0.5, 1)).toEqual({ perDay: 0, low: 0, high: 0 });
  expect(seldom(expected(3_333, 0.0001, 1).perDay)).toBe("about one every 3 days");
});

it("says how a rate lies to another destination's, as all choose the same sessions", () => {
  const others = [
    { name: "Datadog", sampling_rate: 0.1 },
    { name: "everything", sampling_rate: 1 },
    { name: "Tempo", sampling_rate: 0.001 },
  ];
  expect(overlapText(0.01, others)).toBe("This 1% is a subset of the 10% in Datadog: both choose the same sessions.");
  expect(overlapText(0.5, others)).toBe("It contains the 10% in Datadog: both choose the same sessions.");
  expect(overlapText(1, others)).toBeNull();
  expect(overlapText(0.01, others.slice(1, 2))).toBeNull();
});
