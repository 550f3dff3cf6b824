import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { add, emptyWindow, type RateWindow, used, wait } from "./rate-window.ts";

const minute = 60_000;
const start = Date.UTC(2026, 10, 21, 12);
const uses = fc.array(fc.tuple(fc.nat(3 * minute), fc.integer({ min: 1, max: 50 })), { maxLength: 40 });

function after(all: readonly (readonly [number, number])[]): { window: RateWindow; now: number } {
  const ordered = all.toSorted(([a], [b]) => a - b);
  let window = emptyWindow;
  for (const [at, amount] of ordered) window = add(window, amount, start + at);
  return { window, now: start + (ordered.at(-1)?.[0] ?? 0) };
}

describe("a rate's window", () => {
  it("counts everything of the current minute, and of the one before what is less than a minute ago", () => {
    let window = add(add(emptyWindow, 4, start), 6, start + 30_000);
    expect(used(window, start + 59_999)).toBe(10);
    window = add(window, 4, start + minute + 15_000);
    expect(used(window, start + minute + 15_000)).toBe(4 + 7.5);
    expect(used(window, start + 3 * minute)).toBe(0);
  });

  it("never counts more than was used in the last two minutes, nor less than in the current one", () => {
    fc.assert(
      fc.property(uses, (all) => {
        const { window, now } = after(all);
        const since = (ms: number) => all.filter(([at]) => start + at > now - ms).reduce((sum, [, n]) => sum + n, 0);
        expect(used(window, now)).toBeLessThanOrEqual(since(2 * minute) + 1e-6);
        const thisMinute = all.filter(([at]) => start + at >= Math.floor(now / minute) * minute);
        expect(used(window, now)).toBeGreaterThanOrEqual(thisMinute.reduce((sum, [, n]) => sum + n, 0) - 1e-6);
      }),
    );
  });

  it("is empty a minute after the last use, so nobody waits for longer", () => {
    const window = add(emptyWindow, 1, start + 26_000);
    expect(wait(window, 1, 1, start + 27_000)).toBe(59_000);
    expect(wait(window, 1, 1, start + 86_000)).toBe(0);
    fc.assert(
      fc.property(uses, fc.integer({ min: 1, max: 200 }), (all, limit) => {
        const { window: any, now } = after(all);
        expect(wait(any, limit, limit, now)).toBeLessThanOrEqual(minute);
      }),
    );
  });

  it("holds nobody up for longer than two minutes when the clock is set back", () => {
    const window = add(emptyWindow, 3, start);
    expect(used(window, start - 30_000)).toBe(3);
    expect(wait(window, 1, 3, start - 30_000)).toBeLessThanOrEqual(2 * minute);
    expect(wait(window, 1, 3, start - 24 * 60 * minute)).toBe(0);
    expect(used(add(window, 1, start - 60 * minute), start - 60 * minute)).toBe(1);
  });

  it("says when it fits: then it does, and just before it does not", () => {
    fc.assert(
      fc.property(uses, fc.integer({ min: 1, max: 200 }), fc.integer({ min: 1, max: 200 }), (all, amount, limit) => {
        const { window, now } = after(all);
        const ms = wait(window, amount, limit, now);
        if (amount > limit) {
          expect(ms).toBeNull();
          return;
        }
        if (ms === null) throw new Error("it should fit some time");
        expect(used(window, now + ms) + amount).toBeLessThanOrEqual(limit + 1e-6);
        if (ms > 1) expect(used(window, now + ms - 2) + amount).toBeGreaterThan(limit - 1e-6);
      }),
    );
  });
});
