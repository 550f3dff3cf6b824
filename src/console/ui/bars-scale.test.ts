import * as fc from "fast-check";
import { expect, it } from "vitest";
import { barLabel, tickEm, tickRooms } from "./bar-labels.ts";
import { barHeight, scaleTicks } from "./bars-scale.ts";
import { litBars } from "./lit-bars.ts";
import { seriesTones, tonesOfGroups } from "./series-tones.ts";

it.each([
  [20.4, false, [0, 10, 20, 30]],
  [18, false, [0, 5, 10, 15, 20]],
  [0.0000071, false, [0, 0.000002, 0.000004, 0.000006, 0.000008]],
  [0, false, [0]],
  // no half values for what is counted
  [1, true, [0, 1]],
  [3, true, [0, 1, 2, 3]],
  [9, true, [0, 3, 6, 9]],
  [400, true, [0, 100, 200, 300, 400]],
])("the ticks of a scale up to %d, counted: %s, are %j", (highest, whole, ticks) =>
  expect(whole ? scaleTicks(highest, { whole }) : scaleTicks(highest)).toEqual(ticks),
);

it("the ticks of a scale always hold the highest value in few steps", () => {
  fc.assert(
    fc.property(fc.double({ min: 1e-9, max: 1e9, noNaN: true }), (highest) => {
      const ticks = scaleTicks(highest);
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(highest);
      expect([3, 4, 5, 6]).toContain(ticks.length);
    }),
  );
});

it("a bar draws anything above nothing", () => {
  const heights = [barHeight(0, 10, 100), barHeight(0.00001, 10, 100), barHeight(5, 10, 100), barHeight(1, 0, 100)];
  expect(heights).toEqual([0, 1, 50, 0]);
});

it("of thirty bars, none is lit only at nothing, all only at the limit, and never fewer as use goes up", () => {
  expect([0, Number.NaN, -1, 1, 7].map((use) => litBars(use, 30))).toEqual([0, 0, 0, 30, 30]);
  const [part, use] = [
    fc.double({ min: 1e-12, max: 1 - 1e-12, noNaN: true }),
    fc.double({ min: 0, max: 2, noNaN: true }),
  ];
  fc.assert(fc.property(part, (fraction) => litBars(fraction, 30) >= 1 && litBars(fraction, 30) <= 29));
  fc.assert(fc.property(use, use, (a, b) => litBars(Math.min(a, b), 30) <= litBars(Math.max(a, b), 30)));
});

it("a bar is read out with what was refused in it, and the texts under a chart have room up to the next one, or the end", () => {
  const label = (more: object, parts?: string[]) =>
    barLabel({ label: "Wed", value: 2, ...more }, (value) => `$${value}`, parts);
  expect([label({}), label({ refused: 1 })]).toEqual(["Wed: $2", "Wed: $2, 1 call refused"]);
  const read = "Wed: Credits $2, BYOK $1, 1,066 calls refused";
  expect(label({ more: [1], refused: 1_066 }, ["Credits", "BYOK"])).toBe(read);
  const week = Array.from({ length: 168 }, (_, hour) => (hour % 24 === 7 ? { tick: "Thu 19" } : {}));
  const day = 1 / 7;
  const rooms = tickRooms(week).filter((room) => room !== null);
  expect(rooms).toEqual([161 / 168, day, 2 * day, day, 65 / 168, day, 17 / 168]);
  expect(tickRooms([{ tick: "Mon" }, {}])).toEqual([1, null]);
});

it.each([0, 1, 2, 3, 4, 5, 6])(
  "the tones of %i parts of a chart are different ones, beginning with the accent",
  (count) => {
    const tones = seriesTones(count);
    expect(new Set(tones).size).toBe(count);
    if (count > 0) expect(tones[0]).toContain("stroke-accent ");
  },
);

it("a group keeps its tone in every chart, and no two of a chart share one", () => {
  const ids = Array.from({ length: 40 }, (_, index) => `key ${index}`);
  fc.assert(
    fc.property(
      fc.array(fc.subarray(ids, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 4 }),
      (charts) => {
        const memory = new Map<string, number>();
        for (const groups of charts) {
          const tones = tonesOfGroups(groups, memory);
          expect(new Set(tones).size).toBe(groups.length);
          expect(tonesOfGroups(groups.toReversed(), memory)).toEqual(tones.toReversed());
        }
      },
    ),
  );
  const week = tonesOfGroups(["prod-search", null], new Map());
  expect(tonesOfGroups([null, "prod-search"], new Map())).toEqual(week.toReversed());
});

it("a day's name has room for its wide letters", () => {
  // the widths in em of the house's face, of M and W 0.87 and 0.98
  const widths: Record<string, number> = { M: 0.87, W: 0.98, o: 0.6, n: 0.59, e: 0.58, d: 0.61 };
  for (const name of ["Mon", "Wed"]) {
    const width = [...name].reduce((sum, letter) => sum + (widths[letter] ?? 0), 0);
    expect(tickEm(name)).toBeGreaterThan(width);
  }
});
