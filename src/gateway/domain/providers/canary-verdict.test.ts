import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  baselineOf,
  distanceBetween,
  measure,
  nextDelayMs,
  nextState,
  packVectors,
  setupOf,
  thresholdOf,
  unpackVectors,
} from "./canary-verdict.ts";

const hour = 3_600_000;
const space = "vs_00112233445566778899-3";
const a = [1, 0, 0];
const b = [0, 1, 0];

describe("distance", () => {
  it("is that of the text that moved most, whatever the vectors' lengths", () => {
    const moved = [
      [5, 0, 0],
      [1, 1, 0],
    ];
    expect(distanceBetween([a, a], moved)).toBeCloseTo(1 - Math.SQRT1_2, 12);
    expect(distanceBetween([a], [b])).toBe(1);
    expect(distanceBetween([a], [[-1, 0, 0]])).toBe(2);
  });

  it("of a vector of zeros is 1, and 0 from another one", () => {
    expect(distanceBetween([a], [[0, 0, 0]])).toBe(1);
    expect(distanceBetween([[0, 0, 0]], [[0, 0, 0]])).toBe(0);
  });
});

describe("baseline", () => {
  it("has no noise where answers are the same, and then the floor decides", () => {
    const { noise, vectors } = baselineOf(Array.from({ length: 3 }, () => [a, b]));
    expect(noise).toBe(0);
    expect(vectors).toEqual([Float32Array.of(1, 0, 0), Float32Array.of(0, 1, 0)]);
    expect(thresholdOf(noise)).toBe(0.0001);
  });

  it("has as noise the distance of the call that lies furthest from the others", () => {
    const off = [Math.cos(0.1), Math.sin(0.1), 0];
    const { noise } = baselineOf([[a], [a], [off]]);
    expect(noise).toBeCloseTo(1 - Math.cos(0.1), 6);
    expect(thresholdOf(noise)).toBeCloseTo(3 * (1 - Math.cos(0.1)), 6);
  });

  it("counts every call alike, however long its vectors are", () => {
    const [mean = []] = baselineOf([[a], [[0, 1_000, 0]]]).vectors;
    expect(mean[0]).toBeCloseTo(mean[1] ?? 0, 6);
  });

  it("comes back from the store as it was", () => {
    const vectors = [Float32Array.of(0.1, -0.2, 3e-8), Float32Array.of(1, 0, -1)];
    expect(unpackVectors(packVectors(vectors), 2)).toEqual(vectors);
  });
});

describe("measure", () => {
  const baseline = { vectors: [Float32Array.from(a)], noise: 0, space };

  it.each([
    ["the same vectors", { vectors: [a], space }, null],
    ["a shift below the floor", { vectors: [[1, 0.014, 0]], space }, null],
    ["a shift from the floor on", { vectors: [[1, 0.015, 0]], space }, "distance"],
    ["another length", { vectors: [[1, 0]], space: `${setupOf(space)}-2` }, "length"],
    ["another model name, even with the same vectors", { vectors: [a], space: `${space}-0a1b2c3d` }, "model_name"],
  ])("%s", (_, run, reason) => expect(measure(run, baseline).reason).toBe(reason));

  it("allows a noisy vendor more", () => {
    const run = { vectors: [[1, 0.1, 0]], space };
    expect(measure(run, { ...baseline, noise: 0.001 }).reason).toBe("distance");
    expect(measure(run, { ...baseline, noise: 0.002 }).reason).toBeNull();
  });
});

describe("nextState", () => {
  const after = (found: boolean[], from = { drifted: false, suspected: false }) => found.reduce(nextState, from);

  it.each([
    ["one run that found one", [true], { drifted: false, suspected: true }],
    ["one that did not after it", [true, false], { drifted: false, suspected: false }],
    ["two in a row", [true, true], { drifted: true, suspected: false }],
    ["its end", [true, true, false], { drifted: true, suspected: true }],
    ["two in a row at its end", [true, true, false, false], { drifted: false, suspected: false }],
  ])("reports a drift, and its end, after two runs in a row: %s", (_, runs, state) =>
    expect(after(runs)).toEqual(state),
  );

  it("never changes what is reported by one run that differs from the ones around it", () => {
    fc.assert(
      fc.property(fc.array(fc.boolean()), fc.boolean(), (runs, odd) => {
        const before = after([...runs, !odd, !odd]);
        expect(after([odd, !odd], before)).toEqual(before);
      }),
    );
  });
});

describe("nextDelayMs", () => {
  const usual = { everyHours: 24, failures: 0, suspected: false };

  it("is the interval, a tenth more or less", () => {
    expect(nextDelayMs(usual, 0)).toBe(21.6 * hour);
    expect(nextDelayMs(usual, 0.5)).toBe(24 * hour);
    expect(nextDelayMs(usual, 1)).toBeCloseTo(26.4 * hour, 3);
  });

  it("is a minute after a suspicion", () => expect(nextDelayMs({ ...usual, suspected: true }, 0.5)).toBe(60_000));

  it("doubles with each failure up to the interval, suspicion or not", () => {
    const after = (failures: number) => nextDelayMs({ everyHours: 1, failures, suspected: true }, 0.5) / 60_000;
    expect([1, 2, 3, 4, 5, 1_000].map(after)).toEqual([5, 10, 20, 40, 60, 60]);
  });
});
