import * as z from "zod/mini";

/** How one part of the tests went. A part that ran nothing at all has failed. */
export interface Outcome {
  passed: number;
  failed: number;
  skipped: number;
  /** what failed, by file and name, as far as the runner tells */
  failures: string[];
}

const VitestReport = z.object({
  success: z.boolean(),
  numPassedTests: z.int(),
  numFailedTests: z.int(),
  numPendingTests: z.int(),
  numTodoTests: z.int(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      assertionResults: z.array(z.object({ fullName: z.string(), status: z.string() })),
    }),
  ),
});

/** Counts from Vitest's JSON report. A file that could not even be loaded has no tests, and still is a failure. */
export function fromVitest(report: unknown): Outcome {
  const { success, testResults, ...counts } = VitestReport.parse(report);
  const failed = counts.numFailedTests === 0 && !success ? 1 : counts.numFailedTests;
  const failures = testResults
    .filter((file) => file.status === "failed")
    .flatMap(({ name, assertionResults }) => {
      const tests = assertionResults.filter((test) => test.status === "failed");
      return tests.length === 0 ? [name] : tests.map((test) => `${name}: ${test.fullName}`);
    });
  return { passed: counts.numPassedTests, failed, skipped: counts.numPendingTests + counts.numTodoTests, failures };
}

interface Suite {
  file?: string | undefined;
  specs?: { title: string; ok: boolean }[] | undefined;
  suites?: Suite[] | undefined;
}
const Suite: z.ZodMiniType<Suite> = z.object({
  file: z.optional(z.string()),
  specs: z.optional(z.array(z.object({ title: z.string(), ok: z.boolean() }))),
  get suites() {
    return z.optional(z.array(Suite));
  },
});
const PlaywrightReport = z.object({
  suites: z.array(Suite),
  stats: z.object({ expected: z.int(), unexpected: z.int(), flaky: z.int(), skipped: z.int() }),
  errors: z.array(z.unknown()),
});

/** Counts from Playwright's JSON report. A journey that passed on a second try only counts as failed. */
export function fromPlaywright(report: unknown): Outcome {
  const { suites, stats, errors } = PlaywrightReport.parse(report);
  const failed = stats.unexpected + stats.flaky;
  return {
    passed: stats.expected,
    failed: failed === 0 && errors.length > 0 ? 1 : failed,
    skipped: stats.skipped,
    failures: suites.flatMap(failuresIn),
  };
}

function failuresIn({ file = "", specs = [], suites = [] }: Suite): string[] {
  const own = specs.filter((spec) => !spec.ok).map((spec) => `${file}: ${spec.title}`);
  return [...own, ...suites.flatMap(failuresIn)];
}

/** A command's exit code as one test. */
export function fromExitCode(code: number): Outcome {
  return code === 0
    ? { passed: 1, failed: 0, skipped: 0, failures: [] }
    : { passed: 0, failed: 1, skipped: 0, failures: [] };
}

export function sum(outcomes: Outcome[]): Outcome {
  const total: Outcome = { passed: 0, failed: 0, skipped: 0, failures: [] };
  for (const outcome of outcomes) {
    total.passed += outcome.passed;
    total.failed += outcome.failed;
    total.skipped += outcome.skipped;
    total.failures.push(...outcome.failures);
  }
  return total;
}
