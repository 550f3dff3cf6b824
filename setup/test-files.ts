const ofGateway = (names: string[]) => names.map((name) => `src/gateway/${name}.test.ts`);

/** Tests of the real program that take a minute to show one thing: in the long run alone. */
export const ofLongRun = ofGateway(["forwarding/processes"]);
const isLong = process.env["GATEHOUSE_TEST_LONG"] === "1";

/** Tests with programs that are installed for them, in the long run alone. */
export const ofPrograms = ofGateway(["programs"]);

/** The tests that start the real program, and end it in every way: two seconds of processor time for each start. */
export const ofProcesses = [
  ...(isLong ? ofLongRun : []),
  ...ofGateway([
    "bounds",
    "bounds-at-work",
    "http/canary",
    "killed",
    "local-model",
    "main",
    "overload",
    "semantic-model",
    "stop",
    "two-processes",
    "workers",
  ]),
];

/** The tests of the embedded store itself. */
export const ofEmbeddedStore = ofGateway(["domain/ledger/fold", "storage/journal", "storage/store"]);

/** The tests that also run on the embedded store in a folder, with its journal: each statement of the ledger once. */
export const onBothStores = ofGateway([
  "domain/calls/batch-purge",
  "domain/calls/calls",
  "domain/files/files",
  "domain/instance/sessions",
  "domain/ledger/ledger",
  "domain/ledger/prune",
  "domain/ledger/verify",
  "forwarding/forwarding",
]);

/** What runs a file of tests: Vitest's projects, or Playwright. */
export type Project = "setup" | "contract" | "console" | "gateway" | "engine" | "processes" | "journeys";

/** @param file its path from the project's root @returns none where it holds no tests */
export function projectsOf(file: string): Project[] {
  if (file.startsWith("e2e/")) return file.endsWith(".e2e.ts") ? ["journeys"] : [];
  if (!/\.test\.tsx?$/.test(file)) return [];
  if (file.startsWith("setup/")) return ["setup"];
  if (ofProcesses.includes(file)) return ["processes"];
  if (ofLongRun.includes(file) || ofPrograms.includes(file)) return [];
  if (ofEmbeddedStore.includes(file)) return ["engine"];
  const side = file.split("/")[1];
  if (side === "contract" || side === "console") return [side];
  return onBothStores.includes(file) ? ["gateway", "engine"] : ["gateway"];
}
