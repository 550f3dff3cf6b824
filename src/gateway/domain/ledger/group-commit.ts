/** What a group commit needs to know of the store. */
export interface GroupCommitOptions<T> {
  /**
   * Writes all items in one statement. Called with one group at a time, and again with the same group after a failure.
   */
  write(items: readonly T[]): Promise<void>;
  /** whether the same write may succeed later: the store is unavailable, or a deadlock was resolved against us */
  retryable(error: unknown): boolean;
  /** whether such an error is an answer of a store that works: the write lost to another one */
  yielded(error: unknown): boolean;
  /** how long an answer waits for its commit before the caller is asked to come back later, milliseconds */
  patienceMs: number;
  largestGroup: number;
  /** what an item adds to the size of its group, apart from what every item does */
  sizeOf(item: T): number;
  /** A group is no larger; an item that is by itself is written alone, with those that have no size. */
  largestSize: number;
}

/** An answer waited longer than `patienceMs`; its entry is still on its way into the store. */
export class CommitOverdue extends Error {
  override readonly name = "CommitOverdue";
}

/**
 * Commits in groups: items that arrive during a commit go into the next one; with none in progress an item is committed
 * at once. An item is dropped only when the store says that this very item is wrong.
 */
export interface GroupCommit<T> {
  /** Resolves when the item is committed; rejects with CommitOverdue, or with the store's objection to the item. */
  add(item: T): Promise<void>;
  /** items that are not committed yet */
  pending(): number;
  /**
   * How long the oldest unanswered write has been in progress, milliseconds, to within half a second; 0 when there is
   * none. A pause of this process does not count: the answer may be there, and not read yet.
   */
  stalledMs(): number;
  /**
   * true from the second consecutive failed write until the next success: a single failure is usually a broken
   * connection, and the next attempt uses another one. A write that yielded to another says nothing about the store.
   */
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
  let failures = 0;
  let isWriting = false;
  let stalledMs = 0;
  let idle: (() => void)[] = [];
  let sweeper: NodeJS.Timeout | null = null;

  function sweep() {
    if (isWriting) stalledMs += sweepMs;
    const overdue = performance.now() - options.patienceMs;
    for (const waiting of [...inFlight, ...queue]) {
      if (waiting.settled || waiting.since > overdue) continue;
      waiting.settled = true;
      waiting.reject(new CommitOverdue("The ledger did not commit in time"));
    }
  }

  function answered() {
    isWriting = false;
    stalledMs = 0;
  }

  async function attempt(group: readonly Waiting<T>[]): Promise<void> {
    for (let delay = firstRetryMs; ; delay = Math.min(delay * 2, longestRetryMs)) {
      try {
        isWriting = true;
        await options.write(group.map((waiting) => waiting.item));
        answered();
        failures = 0;
        for (const waiting of group) done(waiting, null);
        return;
      } catch (error) {
        if (!options.retryable(error)) {
          answered();
          await refuse(group, error);
          return;
        }
        if (options.yielded(error)) answered();
        else failures += 1;
        await new Promise((resolve) => setTimeout(resolve, delay));
      }
    }
  }

  /** The store rejects something in the group: bisect it until the culprit is alone. */
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

  /** The item that has waited longest, and of the others, in their order, those that there is room for. */
  function takeGroup(): Waiting<T>[] {
    const group: Waiting<T>[] = [];
    const left: Waiting<T>[] = [];
    let size = 0;
    for (const waiting of queue) {
      const own = options.sizeOf(waiting.item);
      const fits = group.length === 0 || own === 0 || size + own <= options.largestSize;
      if (fits && group.length < options.largestGroup) {
        group.push(waiting);
        size += own;
      } else left.push(waiting);
    }
    queue = left;
    return group;
  }

  async function run(): Promise<void> {
    sweeper ??= setInterval(sweep, sweepMs);
    while (queue.length > 0) {
      inFlight = takeGroup();
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
    stalledMs: () => stalledMs,
    failing: () => failures > 1,
    drain: () => (running ? new Promise((resolve) => idle.push(resolve)) : Promise.resolve()),
  };
}
