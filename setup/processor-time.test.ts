import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { measureProcessorTime, mostExpensive, sharedByDuration } from "./processor-time.ts";

describe("the processor time of a part", () => {
  it("is that of the processes that it starts, and of those that these start", async () => {
    const work =
      "const { execFileSync } = require('node:child_process'); const busy = (ms) => { const { user } = process.cpuUsage(); while (process.cpuUsage().user - user < ms * 1000); };";
    const meter = measureProcessorTime();
    const inner = `${work} busy(300)`;
    await promisify(execFile)(process.execPath, [
      "-e",
      `${work} busy(300); execFileSync(process.execPath, ["-e", ${JSON.stringify(inner)}])`,
    ]);
    const seconds = meter.stop();
    if (!existsSync("/proc/self/stat")) return expect(seconds).toBeNull();
    // What a process does between the last look and its end is not seen.
    expect(seconds).toBeGreaterThan(0.3);
  });

  it("is shared among journeys by how long they ran, and added up by file", () => {
    const shared = sharedByDuration(
      new Map([
        ["a", 1_000],
        ["b", 3_000],
      ]),
      8,
    );
    expect(shared).toEqual([
      { file: "a", seconds: 2 },
      { file: "b", seconds: 6 },
    ]);
    const times = [...shared, { file: "a", seconds: 5 }, { file: "c", seconds: 1 }];
    expect(mostExpensive(times, 2)).toEqual([
      { file: "a", seconds: 7 },
      { file: "b", seconds: 6 },
    ]);
    expect(sharedByDuration(new Map(), 8)).toEqual([]);
  });
});
