import { expect, it } from "vitest";
import type { Claimed } from "../domain/destinations/cursor-store.ts";
import { createFailingDestinations } from "./failing-destinations.ts";

const claimed = (id: string, version: number) => ({ id, version }) as Claimed;

it("counts a destination as failing until it accepts events, or another process forwards to it", () => {
  const counts: number[] = [];
  const failing = createFailingDestinations(
    () => {},
    (count) => counts.push(count),
  );
  failing.report({ type: "failing", destination: "a", status: 500 });
  failing.report({ type: "failing", destination: "b", status: null });
  failing.report({ type: "recovered", destination: "a", failedMs: 10 });
  failing.retain(new Set(["a"]));
  expect(counts).toEqual([1, 2, 1, 0]);
  failing.close();
});

it("remembers which version of a destination's settings cannot be used, until it works or is gone", () => {
  const failing = createFailingDestinations(
    () => {},
    () => {},
  );
  failing.setUnusable(claimed("a", 3), "wrong key");
  expect(failing.isUnusable(claimed("a", 3))).toBe(true);
  expect(failing.isUnusable(claimed("a", 4))).toBe(false);
  failing.retain(new Set());
  expect(failing.isUnusable(claimed("a", 3))).toBe(false);
  failing.close();
});
