import { expect, it } from "vitest";
import { resetLine } from "./resets.ts";

const now = new Date("2026-11-20T17:42:00Z");

it.each([
  ["daily", "resets in 6 h (00:00 UTC)"],
  ["weekly", "resets in 2 d 6 h (Mon 00:00 UTC)"],
  ["monthly", "resets in 10 d 6 h (1 Dec 00:00 UTC)"],
  [null, "does not reset"],
] as const)("says when a %s limit is back", (reset, line) => {
  expect(resetLine(reset, now)).toBe(line);
});

it("counts a whole week from the instant of the reset", () => {
  expect(resetLine("weekly", new Date("2026-11-23T00:00:00Z"))).toBe("resets in 7 d (Mon 00:00 UTC)");
});
