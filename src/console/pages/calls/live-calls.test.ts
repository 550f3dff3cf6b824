import { describe, expect, it } from "vitest";
import type { CallRecord } from "#contract/calls.ts";
import { mergeCalls, noArrivals, withArrivals } from "./live-calls.ts";

const call = (id: string, second: number) =>
  ({ id, created_at: `2026-11-22T10:00:${String(second).padStart(2, "0")}.000Z` }) as CallRecord;
const ids = (calls: readonly CallRecord[]) => calls.map(({ id }) => id);

describe("calls as they come", () => {
  it("are put where they belong by their beginning: a slow one comes after quicker ones that began later", () => {
    const there = [call("c", 3), call("a", 1)];
    expect(ids(mergeCalls([call("b", 2), call("d", 4)], there))).toEqual(["d", "c", "b", "a"]);
  });

  it("are each there once, whichever read found them", () =>
    expect(ids(mergeCalls([call("a", 1)], [call("a", 1), call("b", 1)]))).toEqual(["b", "a"]));

  it("are counted from what neither the list nor an earlier read had", () => {
    const known = { calls: [call("a", 1)], more: false };
    const first = withArrivals(noArrivals, [call("b", 2), call("a", 1)], known);
    expect([ids(first.calls), first.gap]).toEqual([["b"], false]);
    expect(withArrivals(first, [call("b", 2), call("a", 1)], known)).toBe(first);
    expect(ids(withArrivals(first, [call("c", 3), call("b", 2)], known).calls)).toEqual(["c", "b"]);
  });

  it("are not those that the list has not read yet, but those that began long ago and ended now", () => {
    const found = [call("c", 3), call("b", 2), call("a", 1)];
    const listed = [call("b", 2)];
    expect(ids(withArrivals(noArrivals, found, { calls: listed, more: true }).calls)).toEqual(["c"]);
    expect(ids(withArrivals(noArrivals, found, { calls: listed, more: false }).calls)).toEqual(["c", "a"]);
  });

  it("leave a gap where a read reaches nothing that was there", () => {
    const known = { calls: [call("a", 1)], more: false };
    expect(withArrivals(noArrivals, [call("c", 3), call("b", 2)], known).gap).toBe(true);
    // an empty list has nothing to reach
    expect(withArrivals(noArrivals, [call("c", 3)], { calls: [], more: false }).gap).toBe(false);
  });
});
