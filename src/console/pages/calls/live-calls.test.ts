import { describe, expect, it } from "vitest";
import type { CallRecord } from "#contract/calls.ts";
import { mergeCalls, noArrivals, withArrivals } from "./live-calls.ts";

/** Calls that began a second after another, by the alphabet. */
const calls = (ids: string) =>
  [...ids].map((id) => ({ id, created_at: `2026-11-22T10:00:0${id.charCodeAt(0) - 96}.000Z` }) as CallRecord);
const ids = (found: readonly CallRecord[]) => found.map(({ id }) => id).join("");

describe("calls as they come", () => {
  it("are put where they belong by their beginning: a slow one comes after quicker ones that began later", () =>
    expect(ids(mergeCalls(calls("bd"), calls("ca")))).toBe("dcba"));

  it("are each there once, whichever read found them", () => {
    const [a, b] = [calls("a"), calls("a").map((call) => ({ ...call, id: "b" }))];
    expect(ids(mergeCalls(a, [...a, ...b]))).toBe("ba");
  });

  it("are counted from what neither the list nor an earlier read had", () => {
    const known = { calls: calls("a"), more: false };
    const first = withArrivals(noArrivals, calls("ba"), known);
    expect([ids(first.calls), first.gap]).toEqual(["b", false]);
    expect(withArrivals(first, calls("ba"), known)).toBe(first);
    expect(ids(withArrivals(first, calls("cb"), known).calls)).toBe("cb");
  });

  it("are not those that the list has not read yet, but those that began long ago and ended now", () => {
    const arrived = (more: boolean) => ids(withArrivals(noArrivals, calls("cba"), { calls: calls("b"), more }).calls);
    expect([arrived(true), arrived(false)]).toEqual(["c", "ca"]);
  });

  it("leave a gap where a read reaches nothing that was there", () => {
    expect(withArrivals(noArrivals, calls("cb"), { calls: calls("a"), more: false }).gap).toBe(true);
    // an empty list has nothing to reach
    expect(withArrivals(noArrivals, calls("c"), { calls: [], more: false }).gap).toBe(false);
  });
});
