import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { allRooms, roomOf, roomsThatSee } from "#gateway/testing/walls.ts";
import { root } from "./run.js";
import { type Project, projectsOf } from "./test-files.ts";

/** The tests that a change may concern. */
export interface Selection {
  /** the parts of the suite to run */
  readonly parts: readonly string[];
  readonly files: readonly { readonly file: string; readonly project: Project }[];
  /** what changed and what is run for it, in words */
  readonly about: string;
  /** what is not run, in words */
  readonly leftOut: string;
}

/** What runs for every change: that the house's rules hold, that each kind of call works, and that people get in. */
const smoke = [
  "src/gateway/house.test.ts",
  "src/gateway/http/every-model-call.test.ts",
  "src/gateway/domain/ledger/limits.test.ts",
  "src/gateway/storage/journal.test.ts",
  "src/contract/",
  "setup/since.test.ts",
  "e2e/sign-in.e2e.ts",
  "e2e/first-second.e2e.ts",
];

/** The journeys that go through an area of the console's pages, by how their files' names begin. */
const journeysOfArea: Record<string, readonly string[]> = {
  audit: ["audit"],
  batches: ["batches"],
  calls: ["call", "refused-calls"],
  credits: ["budgets"],
  destinations: ["destination"],
  files: ["files"],
  guardrails: ["guardrails"],
  keys: ["key", "reveal", "management-keys", "oauth", "leave-guard"],
  models: ["media-models", "model", "change-plan", "drift-canaries"],
  overview: ["overview"],
  playground: ["playground", "embedding-cache"],
  presets: ["presets"],
  providers: ["providers", "media-models"],
  "sign-in": ["sign-in", "session"],
  workspaces: ["workspaces", "budgets", "video-notifications"],
};

/** The journeys of what all pages share. */
const journeysOfShell = [
  "back",
  "command-menu",
  "csp",
  "lists",
  "table-10k",
  "keyboard",
  "layout",
  "leave-guard",
  "offline",
  "widths",
  "axe",
];

/** Tests that start the program are run for changes of these rooms only, and of their own. */
const roomsOfProcesses = new Set(["gateway", "gateway/app", "gateway/workers", "gateway/storage"]);

/** What must survive a kill, or be shared by processes. */
const roomsThatSurvive = new Set([
  "gateway/domain/ledger",
  "gateway/domain/files",
  "gateway/relay",
  "gateway/forwarding",
]);
const ofSurvival = new Set(["src/gateway/killed.test.ts", "src/gateway/two-processes.test.ts"]);

/** A change of these may concern anything. */
const everything = /^(package(-lock)?\.json|tsconfig\.json|vite\.config\.ts|index\.html|public\/.*)$/;

/** @throws where the revision is not known to git */
export function selectSince(revision: string): Selection {
  const git = (...args: string[]) =>
    execFileSync("git", args, { cwd: root, encoding: "utf8" })
      .split("\n")
      .filter((line) => line !== "");
  const changed = [...git("diff", "--name-only", revision, "--"), ...git("ls-files", "--others", "--exclude-standard")];
  const tests = git("ls-files", "--cached", "--others", "--exclude-standard").filter(
    (file) => projectsOf(file).length > 0 && existsSync(join(root, file)),
  );
  return select(changed, tests, (file) => readFileSync(join(root, file), "utf8"));
}

/**
 * @param changed files, as paths from the project's root
 * @param tests all files of tests
 * @param read a test's text, to see whether it imports what tests share
 */
export function select(
  changed: readonly string[],
  tests: readonly string[],
  read: (file: string) => string,
): Selection {
  const all = changed.some((file) => everything.test(file));
  const sources = changed.filter((file) => projectsOf(file).length === 0 && roomOf(file) !== null);
  const seen = all ? new Set<string>(allRooms) : new Set(sources.filter((file) => !isShared(file)).flatMap(seenFrom));
  const own = new Set(sources.map((file) => roomOf(file) ?? ""));
  if (own.has("setup")) seen.add("setup");
  const shared = sources.filter(isShared).map((file) => `/${basename(file)}"`);
  const journeys = new Set(sources.flatMap(journeyNames));
  const chosen = tests.filter((file) => {
    if (all || changed.includes(file) || smoke.some((name) => file.startsWith(name))) return true;
    const projects = projectsOf(file);
    const room = roomOf(file) ?? "";
    if (projects.includes("journeys")) return [...journeys].some((name) => basename(file).startsWith(name));
    if (shared.some((name) => read(file).includes(name))) return true;
    if (projects.includes("processes")) {
      const isOwn = own.has(room) || [...own].some((one) => roomsOfProcesses.has(one));
      return isOwn || (ofSurvival.has(file) && [...own].some((one) => roomsThatSurvive.has(one)));
    }
    return seen.has(room);
  });
  const files = chosen.flatMap((file) => projectsOf(file).map((project) => ({ file, project })));
  const left = tests.filter((file) => !chosen.includes(file));
  const rooms = [...seen].filter((room) => room !== "e2e");
  const count = (among: readonly string[], browser: boolean) =>
    among.filter((file) => file.startsWith("e2e/") === browser).length;
  return {
    parts: ["types", "lint", "format", "unit", "engine", "processes", "journeys"],
    files,
    about: `${changed.length} files changed; tests of ${rooms.length === 0 ? "no room" : rooms.join(", ")} and a smoke test: ${count(chosen, false)} files of tests, ${count(chosen, true)} of journeys.`,
    leftOut:
      left.length === 0
        ? "Nothing was left out but unused, build and size."
        : `Left out: ${count(left, false)} files of tests, ${count(left, true)} of journeys, and the parts unused, build and size. \`npm test\` runs all.`,
  };
}

/** What only tests use: it is no room that others see. */
function isShared(file: string): boolean {
  return file.startsWith("src/gateway/testing/") || file.startsWith("e2e/");
}

function seenFrom(file: string): string[] {
  return [...roomsThatSee(roomOf(file) ?? "")];
}

function journeyNames(file: string): readonly string[] {
  if (!file.startsWith("src/console/")) return [];
  const area = /^src\/console\/pages\/([a-z-]+)\//.exec(file)?.[1];
  return area === undefined ? journeysOfShell : (journeysOfArea[area] ?? []);
}
