import { existsSync, readFileSync, rmSync } from "node:fs";
import { spawn } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { findBrowser } from "./browser.js";
import { buildConsole, ensureConsole } from "./console.js";
import { fromExitCode, fromPlaywright, fromVitest, journeyDurations, type Outcome, sum } from "./outcome.ts";
import { type FileTime, sharedByDuration } from "./processor-time.ts";
import { installPrograms } from "./programs.ts";
import { root } from "./run.js";
import type { Selection } from "./since.ts";

export const reports = join(root, ".cache", "reports");
const fileTimes = join(reports, "file-times.jsonl");
const playwrightReport = join(reports, "playwright.json");

/** What a run of the tests was asked for. */
export interface Run {
  /** which tests to run, where not all; null: all */
  readonly selection: Selection | null;
  /** the store of the gateway's tests */
  readonly engine: "embedded" | "postgres";
  /** ends a part at its first failure */
  readonly bail: boolean;
}

export interface Part {
  /** what it proves, for the help */
  readonly about: string;
  /** @returns how it went; null: nothing of it was asked for */
  run(run: Run): Promise<Outcome | null>;
  /** how its processor time is shared among its files, where they do not report their own */
  files?(seconds: number): FileTime[];
}

/** Three further dates: a leap day; the last half minute of a day, a week, a month and a year; years ahead. */
const otherDates = ["2028-02-29T12:00:00Z", "2028-12-31T23:59:30Z", "2035-07-01T12:00:00Z"];

const check = (about: string, ...command: string[]): Part => ({
  about,
  run: async () => fromExitCode(await runTool(command)),
});

/** `npm test`: the whole proof, in the order in which a mistake shows soonest. */
export const parts: Record<string, Part> = {
  types: check("the compiler, project by project", "tsc", "-b"),
  lint: check("the linter, with types", "oxlint", "--type-aware", "--deny-warnings"),
  format: check("the formatter", "oxfmt", "--check"),
  unused: check("exports, files and packages that nothing uses", "knip", "--no-progress"),
  build: {
    about: "the console is built",
    run: async () => {
      await buildConsole();
      return fromExitCode(0);
    },
  },
  size: {
    about: "what the console's pages load stays within bounds",
    run: async () => {
      await ensureConsole();
      return fromExitCode(await runTool(["node", "bench/console-size.ts", "--gate"]));
    },
  },
  unit: {
    about: "functions, components, and the gateway in this process on PostgreSQL",
    run: (run) => vitest("unit", ["setup", "contract", "console", "gateway"], run),
  },
  engine: {
    about: "the embedded store in a folder, with its journal",
    run: (run) => vitest("engine", ["engine"], run),
  },
  processes: {
    about: "the real program: starts, stops, kills, several at once",
    run: (run) => vitest("processes", ["processes"], run),
  },
  journeys: {
    about: "a real browser on the real program",
    run: (run) => journeys(run, ["--grep-invert=@long"]),
    files: journeyTimes,
  },
};

const long = { GATEHOUSE_TEST_LONG: "1" };
/** What may fail once in thousands of tests over hours is tried twice, and named. */
const twice = ["--retry=1"];

/** `npm run test:long`: the same at length. Each part by itself takes less than an hour on two cores. */
export const longParts: Record<string, Part> = {
  embedded: {
    about: "all tests of the gateway on the embedded store in a folder",
    run: (run) => vitest("embedded", ["gateway"], { ...run, engine: "embedded" }, { options: twice }),
  },
  dates: {
    about: "the tests of functions and of the gateway on three further dates",
    run: async (run) => {
      const outcomes: (Outcome | null)[] = [];
      for (const date of otherDates) {
        console.log(`\nOn ${date}\n`);
        const env = { GATEHOUSE_TEST_DATE: date, NODE_OPTIONS: preloaded("other-date.js") };
        outcomes.push(await vitest("dates", ["contract", "console", "gateway"], run, { env, options: twice }));
      }
      return sum(outcomes.filter((outcome) => outcome !== null));
    },
  },
  kills: {
    about: "the tests of the real program, with twenty kills in place of three",
    run: (run) => vitest("kills", ["processes", "engine"], run, { env: long, options: twice }),
  },
  fuzz: check("200,000 generated requests against the real program", "node", "bench/fuzz.ts", "200000"),
  journeys: {
    about: "all journeys: nine widths, all states in both themes",
    run: (run) => journeys(run, ["--retries=1"], long),
    files: journeyTimes,
  },
  programs: {
    about: "Codex and Claude Code as they are installed, each in a loop of tools at four kinds of provider",
    run: (run) =>
      vitest("programs", ["programs"], run, { env: { GATEHOUSE_TEST_PROGRAMS: installPrograms() }, options: twice }),
  },
  late: {
    about: "unit tests with statements, timers and requests up to 0.3 s late: finds what depends on an order",
    run: (run) => {
      const env = { LATE: "300", NODE_OPTIONS: preloaded("latency.js") };
      return vitest("late", ["setup", "contract", "console", "gateway"], run, { env, options: twice });
    },
  },
  "late-journeys": {
    about: "journeys with answers up to 1.5 s late: finds what depends on speed",
    run: (run) => journeys(run, ["--grep-invert=@long", "--retries=1"], { LATE: "1500" }),
    files: journeyTimes,
  },
  faults: {
    about: "36 faults put in by hand, each against the tests that --since chooses: they must be caught",
    run: async () => fromExitCode(await runTool(["node", "setup/faults.ts"])),
  },
};

async function vitest(
  name: string,
  projects: string[],
  { selection, engine, bail }: Run,
  { env = {}, options = [] }: { env?: NodeJS.ProcessEnv; options?: string[] } = {},
): Promise<Outcome | null> {
  const files = selection?.files.filter(({ project }) => projects.includes(project)).map(({ file }) => file);
  if (files?.length === 0) return null;
  const report = join(reports, `${name}.json`);
  rmSync(report, { force: true });
  const own = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`, ...(bail ? ["--bail=1"] : [])];
  const command = ["vitest", "run", ...projects.map((project) => `--project=${project}`), ...own, ...options];
  await runTool([...command, ...(files ?? [])], {
    GATEHOUSE_FILE_TIMES: fileTimes,
    ...(engine === "embedded" ? { GATEHOUSE_TEST_ENGINE: engine } : {}),
    ...env,
  });
  return fromVitest(read(report));
}

async function journeys(
  { selection, bail }: Run,
  options: string[],
  env: NodeJS.ProcessEnv = {},
): Promise<Outcome | null> {
  const files = selection?.files.filter(({ project }) => project === "journeys").map(({ file }) => file);
  if (files?.length === 0) return null;
  await ensureConsole();
  rmSync(playwrightReport, { force: true });
  const own = ["--config=e2e/playwright.config.ts", "--reporter=list,json", ...(bail ? ["-x"] : [])];
  await runTool(["playwright", "test", ...own, ...options, ...(files ?? [])], {
    PLAYWRIGHT_JSON_OUTPUT_NAME: playwrightReport,
    GATEHOUSE_CHROMIUM: findBrowser(),
    ...env,
  });
  return fromPlaywright(read(playwrightReport));
}

function journeyTimes(seconds: number): FileTime[] {
  return existsSync(playwrightReport) ? sharedByDuration(journeyDurations(read(playwrightReport)), seconds) : [];
}

/** What each file of tests reported since the run began. */
export function reportedFileTimes(): FileTime[] {
  if (!existsSync(fileTimes)) return [];
  const lines = readFileSync(fileTimes, "utf8").trim().split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as FileTime);
}

export function forgetFileTimes(): void {
  rmSync(fileTimes, { force: true });
}

/** What makes each Node.js process load a file of this folder first. */
function preloaded(file: string): string {
  return `--import=${pathToFileURL(join(root, "setup", file)).href}`;
}

/**
 * Runs a tool of the project; answers its exit code. What it loads is compiled once: the tests start many processes, and
 * compiling was a fifth of their time.
 */
function runTool([tool = "", ...args]: string[], environment: NodeJS.ProcessEnv = {}): Promise<number> {
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
