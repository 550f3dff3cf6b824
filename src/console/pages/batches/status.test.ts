import fc from "fast-check";
import { expect, it } from "vitest";
import type { BatchRecord } from "#contract/batches.ts";
import { barsOf, restOf, statusOf } from "./status.ts";

it.each([
  ["completed", 10, 0, { kind: "running", word: "Completed" }],
  ["completed", 9, 1, { kind: "warning", word: "Completed in part" }],
  ["completed", 0, 10, { kind: "trouble", word: "All requests failed" }],
  ["cancelled", 3, 1, { word: "Canceled" }],
] as const)(
  "says of a %s batch whether requests of it failed: %d answered, %d failed",
  (status, completed, failed, word) =>
    expect(statusOf({ status, request_counts: { total: 10, completed, failed } } as BatchRecord)).toMatchObject(word),
);

it.each([
  [50_000, 0, 0, { answered: 0, failed: 0 }],
  [50_000, 49_998, 1, { answered: 18, failed: 1 }],
  [50_000, 49_999, 1, { answered: 19, failed: 1 }],
  [2, 1, 1, { answered: 10, failed: 10 }],
  [3, 0, 3, { answered: 0, failed: 20 }],
])(
  "bars show what failed however little, and are all taken only at the end: %d, %d and %d",
  (total, completed, failed, bars) => expect(barsOf({ total, completed, failed }, 20)).toEqual(bars),
);

it("bars are never more than there are, and none is missing that there is something of", () => {
  const count = fc.integer({ min: 0, max: 50_000 });
  fc.assert(
    fc.property(count, count, count, fc.integer({ min: 3, max: 60 }), (completed, failed, rest, bars) => {
      fc.pre(completed + failed + rest > 0);
      const counts = { total: completed + failed + rest, completed, failed };
      const drawn = barsOf(counts, bars);
      const left = bars - drawn.answered - drawn.failed;
      expect(restOf(counts)).toBe(rest);
      expect([drawn.answered > 0, drawn.failed > 0, left > 0]).toEqual([completed > 0, failed > 0, rest > 0]);
      expect(left).toBeGreaterThanOrEqual(0);
    }),
  );
});
