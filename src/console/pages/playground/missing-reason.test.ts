import { expect, it } from "vitest";
import { missingReason } from "./missing-reason.ts";
import type { Progress, Refused, RunState } from "../../vectors/run-batch.ts";

const refused: Refused = {
  status: 400,
  message: "input.1 has 400 tokens, shorten it, or send truncate: true",
  requestId: null,
  retryAfterMs: null,
  reason: null,
  provider: null,
  at: 0,
  cost: null,
};
const shown = [1, 2, 3, 905].map((number) => ({ text: "", group: "", role: "document" as const, number, source: 0 }));
const run = (state: RunState) => ({
  mode: "batch" as const,
  shown,
  progress: { state, failures: [[3, refused]] } as unknown as Progress,
});

it("says of a row without a vector whether it was refused, is awaited or was left out", () => {
  expect(missingReason(run("running"), 3)).toBe(
    "It has no vector: “Row 905 has 400 tokens, shorten it, or have it cut at the end”",
  );
  expect(missingReason(run("paused"), 4)).toBe("Its vector has not come yet.");
  expect(missingReason(run("cancelled"), 4)).toBe("It has no vector.");
});
