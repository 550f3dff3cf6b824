import { stripVTControlCharacters } from "node:util";
import * as z from "zod/mini";

/** How one part of the tests went. A part that ran nothing at all has failed. */
export interface Outcome {
  passed: number;
  failed: number;
  skipped: number;
  /** what failed, by file and name, as far as the runner tells, and on further lines how */
  failures: string[];
  /** what passed on its second try only, told as failures are */
  secondTries: string[];
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
      message: z.optional(z.string()),
      assertionResults: z.array(
        z.object({ fullName: z.string(), status: z.string(), failureMessages: z.optional(z.array(z.string())) }),
      ),
    }),
  ),
});

/**
 * Counts from Vitest's JSON report. A file that could not even be loaded has no tests, and still is a failure. A test that
 * passed on its second try has passed, and is named: its report tells of the first one.
 */
export function fromVitest(report: unknown): Outcome {
  const { success, testResults, ...counts } = VitestReport.parse(report);
  const failed = counts.numFailedTests === 0 && !success ? 1 : counts.numFailedTests;
  const failures = testResults
    .filter((file) => file.status === "failed")
    .flatMap(({ name, message = "", assertionResults }) => {
      const tests = assertionResults.filter((test) => test.status === "failed");
      if (tests.length === 0) return [explained(name, message)];
      return tests.map((test) => explained(`${name}: ${test.fullName}`, test.failureMessages?.[0]));
    });
  const secondTries = testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.flatMap(({ fullName, status, failureMessages: [first] = [] }) =>
      status === "passed" && first !== undefined ? [explained(`${name}: ${fullName}`, first)] : [],
    ),
  );
  const skipped = counts.numPendingTests + counts.numTodoTests;
  return { passed: counts.numPassedTests, failed, skipped, failures, secondTries };
}

const Spec = z.object({
  title: z.string(),
  ok: z.boolean(),
  tests: z.optional(
    z.array(
      z.object({
        status: z.optional(z.string()),
        results: z.array(
          z.object({
            duration: z.optional(z.number()),
            error: z.optional(z.object({ message: z.optional(z.string()) })),
          }),
        ),
      }),
    ),
  ),
});
interface Suite {
  file?: string | undefined;
  specs?: z.infer<typeof Spec>[] | undefined;
  suites?: Suite[] | undefined;
}
const Suite: z.ZodMiniType<Suite> = z.object({
  file: z.optional(z.string()),
  specs: z.optional(z.array(Spec)),
  get suites() {
    return z.optional(z.array(Suite));
  },
});
const PlaywrightReport = z.object({
  suites: z.array(Suite),
  stats: z.object({ expected: z.int(), unexpected: z.int(), flaky: z.int(), skipped: z.int() }),
  errors: z.array(z.unknown()),
});

/** Counts from Playwright's JSON report. A journey that passed on its second try has passed, and is named. */
export function fromPlaywright(report: unknown): Outcome {
  const { suites, stats, errors } = PlaywrightReport.parse(report);
  const specs = suites.flatMap(specsIn);
  return {
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected === 0 && errors.length > 0 ? 1 : stats.unexpected,
    skipped: stats.skipped,
    failures: specs.filter((spec) => !spec.ok).map(told),
    secondTries: specs.filter(({ tests = [] }) => tests.some(({ status }) => status === "flaky")).map(told),
  };
}

/** How long the journeys of each file ran together, milliseconds. */
export function journeyDurations(report: unknown): Map<string, number> {
  const durations = new Map<string, number>();
  for (const { file, tests = [] } of PlaywrightReport.parse(report).suites.flatMap(specsIn)) {
    const ran = tests.flatMap(({ results }) => results).reduce((all, { duration = 0 }) => all + duration, 0);
    durations.set(`e2e/${file}`, (durations.get(`e2e/${file}`) ?? 0) + ran);
  }
  return durations;
}

type SpecOfFile = z.infer<typeof Spec> & { file: string };

function specsIn({ file = "", specs = [], suites = [] }: Suite): SpecOfFile[] {
  return [...specs.map((spec) => ({ ...spec, file })), ...suites.flatMap(specsIn)];
}

function told({ file, title, tests = [] }: SpecOfFile): string {
  const results = tests.flatMap((test) => test.results);
  return explained(`${file}: ${title}`, results.find(({ error }) => error !== undefined)?.error?.message);
}

/** A failure with the beginning of its message: what runs the tests elsewhere may keep only the last lines. */
function explained(name: string, message = ""): string {
  const lines = stripVTControlCharacters(message)
    .split("\n")
    .filter((line) => line.trim() !== "")
    .slice(0, 12)
    .map((line) => `  ${line.slice(0, 300)}`);
  return [name, ...lines].join("\n");
}

/** A command's exit code as one test. */
export function fromExitCode(code: number): Outcome {
  return { ...sum([]), passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1 };
}

export function sum(outcomes: Outcome[]): Outcome {
  const total: Outcome = { passed: 0, failed: 0, skipped: 0, failures: [], secondTries: [] };
  for (const outcome of outcomes) {
    total.passed += outcome.passed;
    total.failed += outcome.failed;
    total.skipped += outcome.skipped;
    total.failures.push(...outcome.failures);
    total.secondTries.push(...outcome.secondTries);
  }
  return total;
}
