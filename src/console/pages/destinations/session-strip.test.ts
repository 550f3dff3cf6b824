import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { barsOf, heightOf, keptText } from "./session-strip.ts";

const rates = fc.double({ min: 0.0001, max: 1, noNaN: true });

describe("the strip of sessions", () => {
  it("stands from 100% at the foot to 0.01% at the top", () => {
    expect([1, 0.0001, 0.00001].map(heightOf)).toEqual([0, 1, 1]);
    expect([0.1, 0.01, 0.001].map((rate) => Math.round(heightOf(rate) * 100))).toEqual([44, 66, 84]);
  });

  it("has a bar reach the line of a rate exactly where the rate keeps its session", () => {
    fc.assert(
      fc.property(rates, rates, (position, rate) => {
        if (position < rate) expect(heightOf(position)).toBeGreaterThanOrEqual(heightOf(rate));
        else expect(heightOf(position)).toBeLessThanOrEqual(heightOf(rate));
      }),
    );
  });

  it("draws each session once, in its own place", () => {
    const sessions = [0.5, 0.004, 0.9999].map((position) => ({ position, calls: 1 }));
    expect(barsOf(sessions, ({ position }) => position < 0.1)).toBe("M1.5 1V0.264");
    expect(barsOf(sessions, ({ position }) => position >= 0.1)).toBe("M0.5 1V0.788M2.5 1V0.950");
  });
});

describe("what the strip says", () => {
  it("counts sessions and calls", () => {
    const sessions = [
      { position: 0.05, calls: 1_200 },
      { position: 0.5, calls: 3 },
      { position: 0.15, calls: 30 },
    ];
    expect(keptText(sessions, 0.15)).toBe("1 of 3 sessions, 1,200 of 1,233 calls are kept at 15%.");
    expect(keptText(sessions, 0.150001)).toBe("2 of 3 sessions, 1,230 of 1,233 calls are kept at 15.0001%.");
    expect(keptText(sessions, 1)).toBe("3 of 3 sessions, 1,233 of 1,233 calls are kept at 100%.");
    expect(keptText([{ position: 0.05, calls: 1 }], 0.1)).toBe("1 of 1 session, 1 of 1 call is kept at 10%.");
    expect(keptText([{ position: 0.5, calls: 1 }], 0.1)).toBe("0 of 1 session, 0 of 1 call are kept at 10%.");
  });
});
