import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { findBrowser } from "./browser.js";
import { buildConsole, ensureConsole } from "./console.js";
import { fromExitCode, fromPlaywright, fromVitest, type Outcome, sum } from "./outcome.ts";
import { root } from "./run.js";

const reports = join(root, ".cache", "reports");
const playwrightReport = join(reports, "playwright.json");

/**
 * A leap day; years ahead; the last half minute of a day, a week, a month and a year. Each on one store, since both
 * understand the same SQL: today's run has all tests on both.
 */
const otherDates = [
  { date: "2028-02-29T12:00:00Z", engine: "embedded" },
  { date: "2035-07-01T12:00:00Z", engine: "postgres" },
  { date: "2028-12-31T23:59:30Z", engine: "embedded" },
];
/** The tests whose outcome could depend on the date. */
const timeDependent = [
  "src/contract/time.test.ts",
  "src/console/format.test.ts",
  "src/console/form/",
  "src/console/pages/audit/",
  "src/console/pages/calls/",
  "src/console/pages/keys/",
  "src/console/pages/overview/",
  "src/console/pages/workspaces/",
  "src/console/shell/",
  "src/gateway/domain/instance/sessions.test.ts",
  "src/gateway/domain/keys/",
  "src/gateway/domain/ledger/ledger.test.ts",
  "src/gateway/domain/ledger/limits.test.ts",
  "src/gateway/domain/ledger/verify.test.ts",
  "src/gateway/domain/workspaces/",
  "src/gateway/exporters/",
  "src/gateway/http/attention.test.ts",
  "src/gateway/http/calls.test.ts",
  "src/gateway/http/keys.test.ts",
  "src/gateway/http/ledger.test.ts",
  "src/gateway/http/provider",
  "src/gateway/http/refused-calls.test.ts",
  "src/gateway/http/usage.test.ts",
];

const parts: Record<string, () => Promise<Outcome>> = {
  types: () => check(["tsc", "-b"]),
  lint: () => check(["oxlint", "--type-aware", "--deny-warnings"]),
  format: () => check(["oxfmt", "--check"]),
  unused: () => check(["knip", "--no-progress"]),
  build: async () => {
    await buildConsole();
    return fromExitCode(0);
  },
  size: async () => {
    await ensureConsole();
    return await check(["node", "bench/console-size.ts", "--gate"]);
  },
  unit: () => vitest(["--project=!processes"], "unit"),
  processes: () => vitest(["--project=processes"], "processes"),
  dates: async () => {
    const outcomes: Outcome[] = [];
    for (const { date, engine } of otherDates) {
      console.log(`\nThe time-dependent tests on ${date}, ${engine} store`);
      const env = {
        GATEHOUSE_TEST_DATE: date,
        GATEHOUSE_TEST_ENGINE: engine,
        NODE_OPTIONS: `--import=${pathToFileURL(join(root, "setup/other-date.js")).href}`,
      };
      outcomes.push(await vitest(timeDependent, "dates", env));
    }
    return sum(outcomes);
  },
  journeys: async () => {
    await ensureConsole();
    await run(["playwright", "test", "--config=e2e/playwright.config.ts", "--reporter=list,json"], {
      PLAYWRIGHT_JSON_OUTPUT_NAME: playwrightReport,
      GATEHOUSE_CHROMIUM: findBrowser(),
    });
    return fromPlaywright(read(playwrightReport));
  },
};

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !(name in parts));
if (unknown.length > 0) {
  console.error(`No such part of the tests: ${unknown.join(", ")}. There are ${Object.keys(parts).join(", ")}.`);
  process.exit(2);
}

mkdirSync(reports, { recursive: true });
rmSync(playwrightReport, { force: true });

const lines: string[] = [];
const outcomes: Outcome[] = [];
for (const [name, part] of Object.entries(parts)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  console.log(`\n== ${name}`);
  const started = performance.now();
  const outcome = await part().catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    return fromExitCode(1);
  });
  const ranNothing = outcome.passed + outcome.failed === 0;
  outcomes.push(ranNothing ? fromExitCode(1) : outcome);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const word = ranNothing ? "ran nothing" : outcome.failed > 0 ? "failed" : "ok";
  lines.push(
    `${name.padEnd(10)} ${word.padEnd(12)} ${outcome.passed} of ${outcome.passed + outcome.failed} in ${seconds} s`,
  );
  console.log(lines.at(-1));
}

const total = sum(outcomes);
const failures = total.failures.map((failure) => `failed: ${failure.replaceAll(`${root}/`, "")}\n`).join("");
console.log(
  `\n${lines.join("\n")}\n${failures}\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`,
);
process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0;

async function check(command: string[]): Promise<Outcome> {
  return fromExitCode(await run(command));
}

/** Runs Vitest. @param what selects the tests: files or options @param name of the report file */
async function vitest(what: string[], name: string, environment: NodeJS.ProcessEnv = {}): Promise<Outcome> {
  const report = join(reports, `${name}.json`);
  rmSync(report, { force: true });
  const asked = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  await run(["vitest", "run", ...what, ...asked], environment);
  return fromVitest(read(report));
}

/**
 * Runs a tool of the project with its output shown as it comes; answers its exit code. What it loads is compiled once:
 * the tests start many processes, and compiling was a fifth of their time.
 */
function run([tool = "", ...args]: string[], environment: NodeJS.ProcessEnv = {}): Promise<number> {
  const executable = join(root, "node_modules", ".bin", tool);
  return new Promise((resolve, reject) => {
    const child = spawn(executable, args, {
      cwd: root,
      env: { ...process.env, NODE_COMPILE_CACHE: join(root, ".cache", "compile"), ...environment },
      stdio: ["ignore", "inherit", "inherit"],
      shell: process.platform === "win32",
    });
    child.on("error", reject);
    child.on("close", (code) => resolve(code ?? 1));
  });
}

function read(report: string): unknown {
  if (!existsSync(report)) throw new Error("The test runner ended without a report: it stopped before any test ran.");
  return JSON.parse(readFileSync(report, "utf8"));
}
