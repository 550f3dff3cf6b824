import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { fromExitCode, fromPlaywright, fromVitest, sum } from "./outcome.ts";

const vitest = {
  success: true,
  numPassedTests: 3,
  numFailedTests: 0,
  numPendingTests: 1,
  numTodoTests: 0,
  testResults: [] as unknown[],
};
const stats = { expected: 4, unexpected: 0, flaky: 0, skipped: 2 };

const spec = (title: string, ok = false) => ({ title, ok });

describe("the outcome of a part", () => {
  it("takes Vitest's counts", () => {
    expect(fromVitest(vitest)).toEqual({ passed: 3, failed: 0, skipped: 1, failures: [], secondTries: [] });
  });

  it("counts a file that Vitest could not load as a failure", () => {
    const testResults = [{ name: "a.test.ts", status: "failed", assertionResults: [] }];
    const outcome = fromVitest({ ...vitest, success: false, testResults });
    expect(outcome).toEqual({ passed: 3, failed: 1, skipped: 1, failures: ["a.test.ts"], secondTries: [] });
  });

  it("takes Playwright's counts, and names a journey that passed on its second try", () => {
    const tests = [{ status: "flaky", results: [{ error: { message: "Timeout" } }, {}] }];
    const suites = [
      { file: "a.e2e.ts", specs: [spec("one", true)], suites: [{ file: "a.e2e.ts", specs: [spec("two")] }] },
      { file: "b.e2e.ts", specs: [{ ...spec("three", true), tests }] },
    ];
    expect(fromPlaywright({ suites, stats: { ...stats, unexpected: 1, flaky: 1 }, errors: [] })).toEqual({
      passed: 5,
      failed: 1,
      skipped: 2,
      failures: ["a.e2e.ts: two"],
      secondTries: ["b.e2e.ts: three\n  Timeout"],
    });
  });

  it("counts an error outside any journey as a failure", () => {
    expect(fromPlaywright({ suites: [], stats, errors: [{ message: "no such fixture" }] }).failed).toBe(1);
  });

  it("names the tests that failed", () => {
    const assertionResults = [
      { fullName: "adds", status: "passed" },
      { fullName: "takes away", status: "failed" },
    ];
    const testResults = [{ name: "a.test.ts", status: "failed", assertionResults }];
    expect(fromVitest({ ...vitest, numFailedTests: 1, testResults }).failures).toEqual(["a.test.ts: takes away"]);
  });

  it("names the tests that passed on their second try, with what the first one said", () => {
    const assertionResults = [
      { fullName: "adds", status: "passed", failureMessages: [] },
      { fullName: "takes away", status: "passed", failureMessages: ["expected 1 to be 2"] },
      { fullName: "divides", status: "failed", failureMessages: ["expected 3 to be 4", "expected 3 to be 4"] },
    ];
    const testResults = [{ name: "a.test.ts", status: "failed", assertionResults }];
    const outcome = fromVitest({ ...vitest, numFailedTests: 1, testResults });
    expect(outcome.secondTries).toEqual(["a.test.ts: takes away\n  expected 1 to be 2"]);
    expect(outcome.failures).toEqual(["a.test.ts: divides\n  expected 3 to be 4"]);
  });

  it("says how they failed, on further lines", () => {
    const failureMessages = ["\u001b[31mexpected 1 to be 2\u001b[39m\n\n    at a.test.ts:3"];
    const assertionResults = [{ fullName: "adds", status: "failed", failureMessages }];
    const testResults = [{ name: "a.test.ts", status: "failed", assertionResults }];
    expect(fromVitest({ ...vitest, numFailedTests: 1, testResults }).failures).toEqual([
      "a.test.ts: adds\n  expected 1 to be 2\n      at a.test.ts:3",
    ]);
    const tests = [{ results: [{}, { error: { message: "Timeout" } }] }];
    const suites = [{ file: "a.e2e.ts", specs: [{ ...spec("one"), tests }] }];
    expect(fromPlaywright({ suites, stats: { ...stats, unexpected: 1 }, errors: [] }).failures).toEqual([
      "a.e2e.ts: one\n  Timeout",
    ]);
  });

  it("refuses a report without counts", () => {
    expect(() => fromVitest({})).toThrow(z.core.$ZodError);
    expect(() => fromPlaywright({ errors: [] })).toThrow(z.core.$ZodError);
  });

  it("adds up", () => {
    expect(sum([fromExitCode(0), fromExitCode(2), fromVitest(vitest)])).toEqual({
      passed: 4,
      failed: 1,
      skipped: 1,
      failures: [],
      secondTries: [],
    });
    expect(sum([])).toEqual({ passed: 0, failed: 0, skipped: 0, failures: [], secondTries: [] });
  });
});
