import * as z from "zod/mini";

/** How one part of the tests went. A part that ran nothing at all has failed. */
export interface Outcome {
  passed: number;
  failed: number;
  skipped: number;
}

const VitestReport = z.object({
  success: z.boolean(),
  numPassedTests: z.int(),
  numFailedTests: z.int(),
  numPendingTests: z.int(),
  numTodoTests: z.int(),
});

/** Counts from Vitest's JSON report. A file that could not even be loaded has no tests, and still is a failure. */
export function fromVitest(report: unknown): Outcome {
  const { success, ...counts } = VitestReport.parse(report);
  const failed = counts.numFailedTests === 0 && !success ? 1 : counts.numFailedTests;
  return { passed: counts.numPassedTests, failed, skipped: counts.numPendingTests + counts.numTodoTests };
}

const PlaywrightReport = z.object({
  stats: z.object({ expected: z.int(), unexpected: z.int(), flaky: z.int(), skipped: z.int() }),
  errors: z.array(z.unknown()),
});

/** Counts from Playwright's JSON report. A journey that passed on a second try only counts as failed. */
export function fromPlaywright(report: unknown): Outcome {
  const { stats, errors } = PlaywrightReport.parse(report);
  const failed = stats.unexpected + stats.flaky;
  return { passed: stats.expected, failed: failed === 0 && errors.length > 0 ? 1 : failed, skipped: stats.skipped };
}

/** A command's exit code as one test. */
export function fromExitCode(code: number): Outcome {
  return code === 0 ? { passed: 1, failed: 0, skipped: 0 } : { passed: 0, failed: 1, skipped: 0 };
}

export function sum(outcomes: Outcome[]): Outcome {
  const total = { passed: 0, failed: 0, skipped: 0 };
  for (const outcome of outcomes) {
    total.passed += outcome.passed;
    total.failed += outcome.failed;
    total.skipped += outcome.skipped;
  }
  return total;
}
