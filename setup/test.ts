import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { findBrowser } from "./browser.js";
import { buildConsole, ensureConsole } from "./console.js";
import { runLanes, type Say } from "./lanes.ts";
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

interface Part {
  lane: "code" | "browser";
  run: (say: Say) => Promise<Outcome>;
}

/**
 * Two lanes, since in none of the parts all cores have work all the time: tests wait for processes, runners start alone.
 */
const parts: Record<string, Part> = {
  types: { lane: "code", run: (say) => check(["tsc", "-b"], say) },
  lint: { lane: "code", run: (say) => check(["oxlint", "--type-aware", "--deny-warnings"], say) },
  format: { lane: "code", run: (say) => check(["oxfmt", "--check"], say) },
  unused: { lane: "code", run: (say) => check(["knip", "--no-progress"], say) },
  build: {
    lane: "browser",
    run: async () => {
      built = buildConsole();
      await built;
      return fromExitCode(0);
    },
  },
  size: {
    lane: "browser",
    run: async (say) => {
      await consoleIsBuilt();
      return check(["node", "bench/console-size.ts", "--gate"], say);
    },
  },
  unit: { lane: "code", run: (say) => vitest(["--project=!processes"], "unit", say) },
  processes: { lane: "code", run: (say) => vitest(["--project=processes"], "processes", say) },
  dates: {
    lane: "code",
    run: async (say) => {
      const outcomes: Outcome[] = [];
      for (const { date, engine } of otherDates) {
        say(`\nThe time-dependent tests on ${date}, ${engine} store\n`);
        const env = {
          GATEHOUSE_TEST_DATE: date,
          GATEHOUSE_TEST_ENGINE: engine,
          NODE_OPTIONS: preloaded("other-date.js"),
        };
        outcomes.push(await vitest(timeDependent, "dates", say, env));
      }
      return sum(outcomes);
    },
  },
  journeys: {
    lane: "browser",
    run: async (say) => {
      await consoleIsBuilt();
      await runTool(["playwright", "test", "--config=e2e/playwright.config.ts", "--reporter=list,json"], say, {
        PLAYWRIGHT_JSON_OUTPUT_NAME: playwrightReport,
        GATEHOUSE_CHROMIUM: findBrowser(),
      });
      return fromPlaywright(read(playwrightReport));
    },
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

/** Once, however many parts need it. */
let built: Promise<void> | undefined;
const chosen = Object.entries(parts).filter(([name]) => asked.length === 0 || asked.includes(name));
/** Nothing else runs at the same time, so that its tools print for themselves, in color where that can be seen. */
const oneLane = new Set(chosen.map(([, { lane }]) => lane)).size === 1;
const results = await runLanes(
  chosen.map(([name, { lane, run }]) => ({ lane, run: (say) => timed(name, run, say) })),
  (text) => void process.stdout.write(text),
);

const total = sum(results.map(({ outcome }) => outcome));
const lines = results.map(({ line }) => line).join("\n");
const list = (word: string, tests: string[]) =>
  tests.map((test) => `${word}: ${test.replaceAll(`${root}/`, "")}\n`).join("");
const notes = list("passed on its second try", total.secondTries) + list("failed", total.failures);
console.log(`\n${lines}\n${notes}\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0;

/** Runs a part, and says what it is and how it went. */
async function timed(name: string, run: Part["run"], say: Say): Promise<{ outcome: Outcome; line: string }> {
  say(`\n== ${name}\n`);
  const started = performance.now();
  const told = await run(say).catch((error: unknown) => {
    say(`${error instanceof Error ? error.message : String(error)}\n`);
    return fromExitCode(1);
  });
  const ranNothing = told.passed + told.failed === 0;
  const outcome = ranNothing ? fromExitCode(1) : told;
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const word = ranNothing ? "ran nothing" : told.failed > 0 ? "failed" : "ok";
  const line = `${name.padEnd(10)} ${word.padEnd(12)} ${told.passed} of ${told.passed + told.failed} in ${seconds} s`;
  say(`${line}\n`);
  return { outcome, line };
}

async function consoleIsBuilt(): Promise<void> {
  built ??= ensureConsole();
  await built;
}

async function check(command: string[], say: Say): Promise<Outcome> {
  return fromExitCode(await runTool(command, say));
}

/** Runs Vitest. @param what selects the tests: files or options @param name of the report file */
async function vitest(what: string[], name: string, say: Say, environment: NodeJS.ProcessEnv = {}): Promise<Outcome> {
  const report = join(reports, `${name}.json`);
  rmSync(report, { force: true });
  // every gateway reads the console when it starts, and must not meet a half-written one
  await built?.catch(() => undefined);
  const asked = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const isLate = process.env["LATE"] !== undefined;
  const options = isLate ? [...asked, "--retry=0"] : asked;
  const late = isLate ? { NODE_OPTIONS: preloaded("latency.js") } : {};
  await runTool(["vitest", "run", ...what, ...options], say, { ...late, ...environment });
  return fromVitest(read(report));
}

/** What makes each Node.js process load a file of this folder first. */
function preloaded(file: string): string {
  return `--import=${pathToFileURL(join(root, "setup", file)).href}`;
}

/**
 * Runs a tool of the project and says what it prints; answers its exit code. What it loads is compiled once: the tests
 * start many processes, and compiling was a fifth of their time.
 */
function runTool([tool = "", ...args]: string[], say: Say, environment: NodeJS.ProcessEnv = {}): Promise<number> {
  const executable = join(root, "node_modules", ".bin", tool);
  return new Promise((resolve, reject) => {
    const child = spawn(executable, args, {
      cwd: root,
      env: { ...process.env, NODE_COMPILE_CACHE: join(root, ".cache", "compile"), ...environment },
      stdio: ["ignore", oneLane ? "inherit" : "pipe", oneLane ? "inherit" : "pipe"],
      shell: process.platform === "win32",
    });
    for (const output of [child.stdout, child.stderr]) output?.setEncoding("utf8").on("data", say);
    child.on("error", reject);
    child.on("close", (code) => resolve(code ?? 1));
  });
}

function read(report: string): unknown {
  if (!existsSync(report)) throw new Error("The test runner ended without a report: it stopped before any test ran.");
  return JSON.parse(readFileSync(report, "utf8"));
}
