import { describe, expect, it } from "vitest";
import fc from "fast-check";
import type { BatchRecord } from "#contract/batches.ts";
import { barsOf, restOf, statusOf } from "./status.ts";

const batch = (status: BatchRecord["status"], completed: number, failed: number) =>
  ({ status, request_counts: { total: 10, completed, failed } }) as BatchRecord;

it("says of a completed batch whether requests of it failed", () => {
  expect(statusOf(batch("completed", 10, 0))).toEqual({ kind: "running", word: "Completed" });
  expect(statusOf(batch("completed", 9, 1))).toEqual({ kind: "warning", word: "Completed in part" });
  expect(statusOf(batch("completed", 0, 10))).toEqual({ kind: "trouble", word: "All requests failed" });
  expect(statusOf(batch("cancelled", 3, 1)).word).toBe("Canceled");
});

describe("the bars of a batch", () => {
  it("show what failed however little it is, and are all taken only at the end", () => {
    expect(barsOf({ total: 50_000, completed: 0, failed: 0 }, 20)).toEqual({ answered: 0, failed: 0 });
    expect(barsOf({ total: 50_000, completed: 49_998, failed: 1 }, 20)).toEqual({ answered: 18, failed: 1 });
    expect(barsOf({ total: 50_000, completed: 49_999, failed: 1 }, 20)).toEqual({ answered: 19, failed: 1 });
    expect(barsOf({ total: 2, completed: 1, failed: 1 }, 20)).toEqual({ answered: 10, failed: 10 });
    expect(barsOf({ total: 3, completed: 0, failed: 3 }, 20)).toEqual({ answered: 0, failed: 20 });
  });

  it("are never more than there are, and none is missing that there is something of", () => {
    const count = fc.integer({ min: 0, max: 50_000 });
    fc.assert(
      fc.property(count, count, count, fc.integer({ min: 3, max: 60 }), (completed, failed, rest, bars) => {
        fc.pre(completed + failed + rest > 0);
        const counts = { total: completed + failed + rest, completed, failed };
        const drawn = barsOf(counts, bars);
        expect(restOf(counts)).toBe(rest);
        expect(drawn.answered > 0).toBe(completed > 0);
        expect(drawn.failed > 0).toBe(failed > 0);
        const left = bars - drawn.answered - drawn.failed;
        expect(left).toBeGreaterThanOrEqual(0);
        expect(left > 0).toBe(rest > 0);
      }),
    );
  });
});
