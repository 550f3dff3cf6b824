import { readdirSync, readFileSync } from "node:fs";

/** Ticks a second in which Linux counts processor time; the kernel reports nothing else to programs. */
export const ticksPerSecond = 100;
/** How often it looks, milliseconds. What a process uses between the last look and its end is not counted. */
const lookEveryMs = 200;

interface ProcessTime {
  readonly parent: number;
  readonly ticks: number;
  /** of the processes that it has started and seen end */
  readonly endedChildrenTicks: number;
}

/**
 * The processor time of a process and of all that it starts, whoever waits for them: a browser's processes and a killed
 * gateway's are nobody's children when they end. From Linux's /proc (proc_pid_stat(5)).
 */
export interface Meter {
  /** stops looking; null on other systems @returns seconds of processor time */
  stop(): number | null;
}

/** Begins to count the processor time of what this process starts from now on. */
export function measureProcessorTime(): Meter {
  const own = process.pid;
  const members = new Map<string, number>();
  const known = new Set<number>();
  const before = new Set(readProcesses()?.keys());
  const look = () => {
    const all = readProcesses();
    if (all === null) return;
    // Parents first, as far as ids tell; what came too late for that is found at the next look.
    for (const [id, { parent, ticks }] of [...all].toSorted(([one], [other]) => one - other)) {
      if (!known.has(id) && !before.has(id) && (parent === own || known.has(parent))) known.add(id);
      if (known.has(id)) members.set(`${id}`, Math.max(ticks, members.get(`${id}`) ?? 0));
    }
    for (const id of known) {
      if (all.has(id)) continue;
      // Its number may be given to another process.
      known.delete(id);
      members.set(`${id} ${members.size}`, members.get(`${id}`) ?? 0);
      members.delete(`${id}`);
    }
  };
  const timer = setInterval(look, lookEveryMs);
  return {
    stop() {
      clearInterval(timer);
      look();
      if (readProcesses() === null) return null;
      return [...members.values()].reduce((sum, ticks) => sum + ticks, 0) / ticksPerSecond;
    },
  };
}

/** @returns null where there is no /proc */
function readProcesses(): Map<number, ProcessTime> | null {
  let names: string[];
  try {
    names = readdirSync("/proc");
  } catch {
    return null;
  }
  return new Map(
    names.flatMap((name) => {
      const time = /^\d+$/.test(name) ? readProcess(name) : null;
      return time === null ? [] : [[Number(name), time] as const];
    }),
  );
}

/** @returns null where there is no such process, or no /proc */
export function readProcess(id: string): ProcessTime | null {
  try {
    const stat = readFileSync(`/proc/${id}/stat`, "utf8");
    // A program's name is in parentheses, and may hold any character.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const [own, ended] = [11, 13].map((at) => Number(fields[at]) + Number(fields[at + 1]));
    return { parent: Number(fields[1]), ticks: own ?? 0, endedChildrenTicks: ended ?? 0 };
  } catch {
    return null;
  }
}

export interface FileTime {
  readonly file: string;
  /** of processor time */
  readonly seconds: number;
}

/** The files that took most, largest first. A file that is reported several times is counted in all. */
export function mostExpensive(times: readonly FileTime[], count: number): FileTime[] {
  const sums = new Map<string, number>();
  for (const { file, seconds } of times) sums.set(file, (sums.get(file) ?? 0) + seconds);
  return [...sums]
    .map(([file, seconds]) => ({ file, seconds }))
    .toSorted((one, other) => other.seconds - one.seconds)
    .slice(0, count);
}

/** Shares a part's processor time out among its files, by how long their tests ran. */
export function sharedByDuration(durations: ReadonlyMap<string, number>, seconds: number): FileTime[] {
  const total = [...durations.values()].reduce((sum, duration) => sum + duration, 0);
  if (total === 0) return [];
  return Array.from(durations, ([file, duration]) => ({
    file,
    seconds: (seconds * duration) / total,
  }));
}
