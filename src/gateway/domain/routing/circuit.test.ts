import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { admission, begin, type Circuit, closed, observe, type Outcome } from "./circuit.ts";

const start = new Date("2026-11-21T12:00:00Z");
const after = (ms: number) => new Date(start.getTime() + ms);
const failed: Outcome = { type: "failure", retryAfterSeconds: null };
const opened = [failed, failed, failed].reduce<Circuit>((circuit, outcome) => observe(circuit, outcome, start), closed);

describe("the circuit", () => {
  it("opens after three failures in a row, and not before", () => {
    const twice = observe(observe(closed, failed, start), failed, start);
    expect(admission(twice, start)).toBe("up");
    expect(admission(observe(twice, { type: "success" }, start), start)).toBe("up");
    expect(admission(opened, start)).toBe("down");
  });

  it("opens at once when the vendor says how long, for that long", () => {
    const told = observe(closed, { type: "failure", retryAfterSeconds: 7 }, start);
    expect(admission(told, after(6_999))).toBe("down");
    expect(admission(told, after(7_000))).toBe("probe");
    const long = observe(closed, { type: "failure", retryAfterSeconds: 86_400 }, start);
    expect(admission(long, after(60_000))).toBe("probe");
  });

  it("lets one call through when its time is up, and no second one meanwhile", () => {
    expect(admission(opened, after(5_000))).toBe("probe");
    const probing = begin(opened, after(5_000));
    expect(admission(probing, after(5_001))).toBe("down");
    expect(admission(observe(probing, { type: "success" }, after(5_100)), after(5_100))).toBe("up");
  });

  it("lets a call through when the clock is set back by more than it stays open, and opens again from there", () => {
    const before = after(-3_600_000);
    expect(admission(opened, before)).toBe("probe");
    const probing = begin(begin(opened, after(5_000)), before);
    expect(admission(probing, after(-3_599_000))).toBe("down");
    const again = observe(probing, failed, after(-3_599_000));
    expect(again.retryAt?.getTime()).toBeLessThan(start.getTime());
    expect(admission(again, after(-3_599_000))).toBe("down");
  });

  it("stays open twice as long after each probe that failed, up to a minute", () => {
    let circuit = opened;
    let now = start.getTime();
    const waits: number[] = [];
    for (let round = 0; round < 6; round += 1) {
      const wait = (circuit.retryAt?.getTime() ?? 0) - now;
      waits.push(wait);
      now += wait;
      circuit = observe(begin(circuit, new Date(now)), failed, new Date(now));
    }
    expect(waits).toEqual([5_000, 10_000, 20_000, 40_000, 60_000, 60_000]);
  });

  it("does not wait for ever for a probe that never came back", () => {
    const probing = begin(opened, after(5_000));
    expect(admission(probing, after(65_000))).toBe("probe");
  });

  it("learns nothing from a request that was itself at fault, but frees the probe", () => {
    expect(observe(closed, { type: "neutral" }, start)).toEqual(closed);
    const probing = begin(opened, after(5_000));
    expect(admission(observe(probing, { type: "neutral" }, after(5_001)), after(5_001))).toBe("probe");
  });

  it("always comes back: whatever happened, within two minutes a call is let through, and a success closes it", () => {
    const outcome: fc.Arbitrary<Outcome> = fc.oneof(
      fc.constant<Outcome>({ type: "success" }),
      fc.constant<Outcome>({ type: "neutral" }),
      fc.record({
        type: fc.constant("failure" as const),
        retryAfterSeconds: fc.option(fc.nat(100_000), { nil: null }),
      }),
    );
    const step = fc.tuple(fc.nat(90_000), fc.boolean(), outcome);
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        let circuit: Circuit = closed;
        let now = start.getTime();
        for (const [ms, begins, outcome] of steps) {
          now += ms;
          if (begins) circuit = begin(circuit, new Date(now));
          circuit = observe(circuit, outcome, new Date(now));
        }
        expect(admission(circuit, new Date(now + 120_000))).not.toBe("down");
        expect(admission(observe(circuit, { type: "success" }, new Date(now)), new Date(now))).toBe("up");
      }),
    );
  });
});
