import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { fromExitCode, fromPlaywright, fromVitest, sum } from "./outcome.ts";

const vitest = { success: true, numPassedTests: 3, numFailedTests: 0, numPendingTests: 1, numTodoTests: 0 };
const stats = { expected: 4, unexpected: 0, flaky: 0, skipped: 2 };

describe("the outcome of a part", () => {
  it("takes Vitest's counts", () => {
    expect(fromVitest(vitest)).toEqual({ passed: 3, failed: 0, skipped: 1 });
  });

  it("counts a file that Vitest could not load as a failure", () => {
    expect(fromVitest({ ...vitest, success: false })).toEqual({ passed: 3, failed: 1, skipped: 1 });
  });

  it("takes Playwright's counts, a flaky journey as a failure", () => {
    expect(fromPlaywright({ stats: { ...stats, unexpected: 1, flaky: 1 }, errors: [] })).toEqual({
      passed: 4,
      failed: 2,
      skipped: 2,
    });
  });

  it("counts an error outside any journey as a failure", () => {
    expect(fromPlaywright({ stats, errors: [{ message: "no such fixture" }] }).failed).toBe(1);
  });

  it("refuses a report without counts", () => {
    expect(() => fromVitest({})).toThrow(z.core.$ZodError);
    expect(() => fromPlaywright({ errors: [] })).toThrow(z.core.$ZodError);
  });

  it("adds up", () => {
    expect(sum([fromExitCode(0), fromExitCode(2), fromVitest(vitest)])).toEqual({ passed: 4, failed: 1, skipped: 1 });
    expect(sum([])).toEqual({ passed: 0, failed: 0, skipped: 0 });
  });
});
