/** What a group commit needs to know of the store. */
export interface GroupCommitOptions<T> {
  /** Writes all items in one statement. Called with one group at a time, and with the same group again after a failure. */
  write(items: readonly T[]): Promise<void>;
  /** whether the same write may succeed later: the store is away, or a deadlock was resolved against us */
  retryable(error: unknown): boolean;
  /** how long an answer waits for its commit before its caller is told to come back, milliseconds */
  patienceMs: number;
  largestGroup: number;
}

/** An answer waited longer than the patience; its entry is still on its way into the store. */
export class CommitOverdue extends Error {
  override readonly name = "CommitOverdue";
}

/**
 * Commits in groups: what arrives while a commit is in flight goes into the next one; with none in flight an item is
 * committed at once. An item is only ever dropped when the store says that this very item is wrong.
 */
export interface GroupCommit<T> {
  /** Resolves when the item is committed; rejects with CommitOverdue, or with the store's objection to the item. */
  add(item: T): Promise<void>;
  /** items that are not committed yet */
  pending(): number;
  /** how long the oldest write has been under way without an answer, milliseconds; 0 when none is */
  stalledMs(): number;
  /** true from a failed write until the next one that succeeds */
  failing(): boolean;
  /** Resolves when nothing is pending. */
  drain(): Promise<void>;
}

interface Waiting<T> {
  readonly item: T;
  readonly since: number;
  settled: boolean;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

const firstRetryMs = 50;
const longestRetryMs = 1_000;
const sweepMs = 500;

export function createGroupCommit<T>(options: GroupCommitOptions<T>): GroupCommit<T> {
  let queue: Waiting<T>[] = [];
  let inFlight: Waiting<T>[] = [];
  let running = false;
  let failing = false;
  let writingSince: number | null = null;
  let idle: (() => void)[] = [];
  let sweeper: NodeJS.Timeout | null = null;

  function sweep() {
    const overdue = performance.now() - options.patienceMs;
    for (const waiting of [...inFlight, ...queue]) {
      if (waiting.settled || waiting.since > overdue) continue;
      waiting.settled = true;
      waiting.reject(new CommitOverdue("The ledger did not commit in time"));
    }
  }

  async function attempt(group: readonly Waiting<T>[]): Promise<void> {
    for (let delay = firstRetryMs; ; delay = Math.min(delay * 2, longestRetryMs)) {
      try {
        writingSince ??= performance.now();
        await options.write(group.map((waiting) => waiting.item));
        writingSince = null;
        failing = false;
        for (const waiting of group) done(waiting, null);
        return;
      } catch (error) {
        if (!options.retryable(error)) {
          writingSince = null;
          await refuse(group, error);
          return;
        }
        failing = true;
        await new Promise((resolve) => setTimeout(resolve, delay));
      }
    }
  }

  /** The store objects to something in the group: halve it until the culprit stands alone. */
  async function refuse(group: readonly Waiting<T>[], error: unknown): Promise<void> {
    const [only] = group;
    if (group.length === 1 && only !== undefined) {
      done(only, error);
      return;
    }
    const middle = group.length >> 1;
    await attempt(group.slice(0, middle));
    await attempt(group.slice(middle));
  }

  function done(waiting: Waiting<T>, error: unknown) {
    if (waiting.settled) return;
    waiting.settled = true;
    if (error === null) waiting.resolve();
    else waiting.reject(error);
  }

  async function run(): Promise<void> {
    sweeper ??= setInterval(sweep, sweepMs);
    while (queue.length > 0) {
      inFlight = queue.slice(0, options.largestGroup);
      queue = queue.slice(options.largestGroup);
      await attempt(inFlight);
      inFlight = [];
    }
    running = false;
    if (sweeper !== null) clearInterval(sweeper);
    sweeper = null;
    const waiters = idle;
    idle = [];
    for (const resolve of waiters) resolve();
  }

  return {
    add(item) {
      return new Promise((resolve, reject) => {
        queue.push({ item, since: performance.now(), settled: false, resolve, reject });
        if (running) return;
        running = true;
        queueMicrotask(() => void run());
      });
    },
    pending: () => queue.length + inFlight.length,
    stalledMs: () => (writingSince === null ? 0 : performance.now() - writingSince),
    failing: () => failing,
    drain: () => (running ? new Promise((resolve) => idle.push(resolve)) : Promise.resolve()),
  };
}
