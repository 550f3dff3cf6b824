/** Writes one line to the log. */
export type Log = (level: "info" | "warn" | "error", message: string, details: object) => void;

/** A log that stays readable when something happens a thousand times. */
export interface BurstLog {
  /** Logs the first of a kind at once; repeats within a minute are folded into one line with their count. */
  tell(level: "info" | "warn" | "error", kind: string, message: string, details: object): void;
  /** logs what has accumulated */
  close(): void;
}

const everyMs = 60_000;
/** Kinds derive from what callers send, such as keys: beyond this many at a time they are counted together. */
const mostKinds = 1_000;

interface Burst {
  readonly level: "info" | "warn" | "error";
  readonly message: string;
  /** how often it happened again since the last line, and the latest of them */
  count: number;
  latest: object;
}

export function createBurstLog(log: Log): BurstLog {
  const bursts = new Map<string, Burst>();
  let timer: NodeJS.Timeout | null = null;

  function tellRests(): void {
    for (const [kind, burst] of bursts) {
      if (burst.count === 0) bursts.delete(kind);
      else log(burst.level, `${burst.message}, repeated`, { ...burst.latest, times: burst.count });
      burst.count = 0;
    }
    if (bursts.size === 0) stop();
  }

  function stop(): void {
    if (timer !== null) clearInterval(timer);
    timer = null;
  }

  return {
    tell(level, name, message, details) {
      const kind = bursts.size < mostKinds || bursts.has(name) ? name : "others";
      const known = bursts.get(kind);
      if (known !== undefined) {
        known.count += 1;
        known.latest = details;
        return;
      }
      bursts.set(kind, { level, message, count: 0, latest: details });
      log(level, message, details);
      if (timer !== null) return;
      timer = setInterval(tellRests, everyMs);
      timer.unref();
    },
    close() {
      tellRests();
      bursts.clear();
      stop();
    },
  };
}
