// `npm test` and `npm run test:long`: runs parts of the tests one after the other, and says what they cost.
// Usage: npm test -- [part …] [--since REVISION] [--engine embedded] [--bail]
import { mkdirSync } from "node:fs";
import { parseArgs } from "node:util";
import { fromExitCode, type Outcome, sum } from "./outcome.ts";
import { forgetFileTimes, longParts, type Part, parts, reportedFileTimes, reports, type Run } from "./parts.ts";
import { type FileTime, measureProcessorTime, mostExpensive } from "./processor-time.ts";
import { root } from "./run.js";
import { selectSince } from "./since.ts";

interface Result {
  readonly name: string;
  readonly outcome: Outcome;
  readonly wallSeconds: number;
  /** null where the system does not tell */
  readonly seconds: number | null;
  readonly files: readonly FileTime[];
}

const { values, positionals } = readArguments();
const known = values.long ? longParts : parts;
const unknown = positionals.filter((name) => !(name in known));
if (unknown.length > 0) refuse(`No such part of the tests: ${unknown.join(", ")}.`);
if (values.engine !== "embedded" && values.engine !== "postgres") refuse(`No such engine: ${values.engine}.`);

const selection = values.since === undefined ? null : selectSince(values.since);
if (selection !== null) console.log(selection.about);
const run: Run = { selection, engine: values.engine, bail: values.bail };

mkdirSync(reports, { recursive: true });
forgetFileTimes();
const results: Result[] = [];
for (const [name, part] of Object.entries(known)) {
  const asked = positionals.length > 0 ? positionals.includes(name) : (selection?.parts.includes(name) ?? true);
  const result = asked ? await runPart(name, part) : null;
  if (result !== null) results.push(result);
  if (values.bail && result !== null && result.outcome.failed > 0) break;
}

const total = sum(results.map(({ outcome }) => outcome));
console.log(`\n${costs().join("\n")}\n`);
for (const test of total.secondTries) console.log(`passed on its second try: ${test.replaceAll(`${root}/`, "")}`);
for (const test of total.failures) console.log(`failed: ${test.replaceAll(`${root}/`, "")}`);
if (selection !== null) console.log(`\n${selection.leftOut}`);
console.log(`\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0;

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        long: { type: "boolean", default: false },
        since: { type: "string" },
        engine: { type: "string", default: "postgres" },
        bail: { type: "boolean", default: false },
      },
    });
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error));
  }
}

function refuse(message: string): never {
  const list = (all: Record<string, Part>) =>
    Object.entries(all)
      .map(([name, { about }]) => `  ${name.padEnd(15)}${about}`)
      .join("\n");
  console.error(
    `${message}\n\nnpm test -- [part …] [--since REVISION] [--engine embedded] [--bail]\n${list(parts)}\n\nnpm run test:long -- [part …]\n${list(longParts)}`,
  );
  process.exit(2);
}

/** Runs a part, and says what it is and how it went. @returns null where nothing of it was chosen */
async function runPart(name: string, part: Part): Promise<Result | null> {
  console.log(`\n== ${name}: ${part.about}\n`);
  const started = performance.now();
  const meter = measureProcessorTime();
  const told = await part.run(run).catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : String(error));
    return fromExitCode(1);
  });
  const seconds = meter.stop();
  if (told === null) {
    console.log("nothing that this change concerns");
    return null;
  }
  const outcome = told.passed + told.failed === 0 ? fromExitCode(1) : told;
  const wallSeconds = (performance.now() - started) / 1_000;
  return { name, outcome, wallSeconds, seconds, files: seconds === null ? [] : (part.files?.(seconds) ?? []) };
}

/** What each part cost, and the files that cost most. */
function costs(): string[] {
  const row = (name: string, tests: string, time: string, processor: string) =>
    `${name.padEnd(14)}${tests.padStart(16)}${time.padStart(10)}${processor.padStart(16)}`;
  const shown = (seconds: number | null) => (seconds === null ? "" : `${seconds.toFixed(1)} s`);
  const all = results.every(({ seconds }) => seconds !== null)
    ? results.reduce((whole, { seconds }) => whole + (seconds ?? 0), 0)
    : null;
  const wall = results.reduce((whole, { wallSeconds }) => whole + wallSeconds, 0);
  const lines = results.map(({ name, outcome: { passed, failed }, wallSeconds, seconds }) =>
    row(name, `${failed > 0 ? "FAILED " : ""}${passed} of ${passed + failed}`, shown(wallSeconds), shown(seconds)),
  );
  const expensive = mostExpensive([...reportedFileTimes(), ...results.flatMap(({ files }) => files)], 20);
  return [
    row("part", "tests passed", "time", "processor time"),
    ...lines,
    row("all", `${total.passed} of ${total.passed + total.failed}`, shown(wall), shown(all)),
    ...(expensive.length > 0
      ? ["", "The files that took the most processor time (journeys: by how long they ran):"]
      : []),
    ...expensive.map(({ file, seconds }) => `${shown(seconds).padStart(10)}  ${file.replaceAll(`${root}/`, "")}`),
  ];
}
