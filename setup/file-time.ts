// Loaded by each test file of Vitest: reports the processor time that the file took, for the table at the end of a run.
import { appendFileSync } from "node:fs";
import { env, pid } from "node:process";
import { afterAll, expect } from "vitest";
import { readProcess, ticksPerSecond } from "./processor-time.ts";

const report = env["GATEHOUSE_FILE_TIMES"];

if (report !== undefined) {
  const before = processorSeconds();
  // Registered before the file's own, so that it runs after them.
  afterAll(() => {
    const line = { file: expect.getState().testPath, seconds: processorSeconds() - before };
    appendFileSync(report, `${JSON.stringify(line)}\n`);
  });
}

/** Of this worker with its threads, and on Linux of the processes that it has started and seen end. */
function processorSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000_000 + (readProcess(`${pid}`)?.endedChildrenTicks ?? 0) / ticksPerSecond;
}
