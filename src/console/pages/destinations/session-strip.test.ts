import { describe, expect, it } from "vitest";
import { barsOf, keptText } from "./session-strip.ts";

describe("the strip of sessions", () => {
  it("draws each session where it lies on the slider's scale, the higher the more calls it has", () => {
    const sessions = [
      { position: 0.01, calls: 1 },
      { position: 0.5, calls: 8 },
      { position: 0.00001, calls: 64 },
      { position: 0, calls: 0 },
    ];
    expect(barsOf(sessions, ({ position }) => position >= 0.01)).toBe("M20.000 1V0.700M37.000 1V0.350");
    expect(barsOf(sessions, ({ position }) => position < 0.01)).toBe("M0.000 1V0.000M0.000 1V0.700");
    expect(barsOf([{ position: 0.55, calls: 2 }], () => true)).toBe("M37.523 1V0.467");
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
