// Loaded by each test file of Vitest: reports the processor time that the file took, for the table at the end of a run.
import { appendFileSync, readFileSync } from "node:fs";
import { env, pid } from "node:process";
import { afterAll, expect } from "vitest";

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
  return (user + system) / 1_000_000 + childrenSeconds();
}

function childrenSeconds(): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[13]) + Number(fields[14])) / 100;
  } catch {
    return 0;
  }
}
