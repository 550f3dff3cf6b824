// Processor time of processes and of the machine, from /proc.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";

if (!existsSync("/proc/stat")) throw new Error("This bench reads processor time from /proc: it needs Linux.");

const ticksPerSecond = Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }));

interface Process {
  pid: number;
  parent: number;
  command: string;
  /** of its threads, and of its children that have ended */
  seconds: number;
}

function readProcess(pid: number): Process | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const end = stat.lastIndexOf(")");
    const fields = stat.slice(end + 2).split(" ");
    const ticks = [11, 12, 13, 14].reduce((sum, index) => sum + Number(fields[index]), 0);
    return {
      pid,
      parent: Number(fields[1]),
      command: stat.slice(stat.indexOf("(") + 1, end),
      seconds: ticks / ticksPerSecond,
    };
  } catch {
    // it has ended meanwhile
    return null;
  }
}

/** A process with all that descend from it. */
export function pidsOf(root: number): Process[] {
  const all = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((name) => readProcess(Number(name)))
    .filter((one) => one !== null);
  const tree = new Set([root]);
  // a child's number may be smaller than its parent's
  for (let size = 0; size < tree.size;) {
    size = tree.size;
    for (const { pid, parent } of all) if (tree.has(parent)) tree.add(pid);
  }
  return all.filter(({ pid }) => tree.has(pid));
}

/** Processor time that these processes and their descendants have used, in seconds. */
export function cpuSeconds(roots: readonly number[]): number {
  const trees = new Map(roots.flatMap((root) => pidsOf(root).map((one) => [one.pid, one] as const)));
  return [...trees.values()].reduce((sum, { seconds }) => sum + seconds, 0);
}

/** Processor time that the whole machine has used, in seconds. */
export function busySeconds(): number {
  const [, user = 0, nice = 0, system = 0, , , irq = 0, softIrq = 0] =
    readFileSync("/proc/stat", "utf8").split("\n", 1)[0]?.split(/\s+/).map(Number) ?? [];
  return (user + nice + system + irq + softIrq) / ticksPerSecond;
}

/** Processor time that the threads of a process have used, by their names, in seconds. */
export function threadSeconds(pid: number): Map<string, number> {
  const seconds = new Map<string, number>();
  for (const id of readdirSync(`/proc/${pid}/task`)) {
    try {
      const name = readFileSync(`/proc/${pid}/task/${id}/comm`, "utf8").trim();
      const [nanoseconds] = readFileSync(`/proc/${pid}/task/${id}/schedstat`, "utf8").split(" ");
      seconds.set(name, (seconds.get(name) ?? 0) + Number(nanoseconds) / 1e9);
    } catch {
      // it has ended meanwhile
    }
  }
  return seconds;
}
