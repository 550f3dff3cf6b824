import { createWaiters } from "../waiters.ts";

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
  /** what is written of an item that the store rejects */
  reduced?(item: T): T;
  largestGroup: number;
  /** what an item adds to the size of its group, apart from what every item does */
  sizeOf: (item: T) => number;
  /** A group is no larger; an item that is by itself is written alone, with those that have no size. */
  largestSize: number;
  /** whether two items may share a write; default: always */
  alike?(one: T, other: T): boolean;
  /** how long items for which nobody waits are kept for others to share their commit, milliseconds; default: 0 */
  lingerMs?: number;
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
  /** The same for an item that is safe elsewhere: it lingers, and is never overdue. */
  addLater(item: T): Promise<void>;
  /**
   * Commits now. Resolves when everything that was added before is committed or refused, or once writes are failing: on a
   * full disk what is in the store already can still be read.
   */
  flush(): Promise<void>;
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
  item: T;
  /** the store rejected it as it was */
  reduced: boolean;
  readonly since: number;
  /** somebody waits for it */
  urgent: boolean;
  /** it is never overdue */
  readonly patient: boolean;
  /** it is committed or refused, waited for or not; or writes are failing, and a flush waits no longer */
  readonly ended: PromiseWithResolvers<void>;
  settled: boolean;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

const firstRetryMs = 50;
const longestRetryMs = 1_000;
const sweepMs = 500;

/** The item that has waited longest, and of the others, in their order, those that there is room for; and the rest. */
function takeGroup<T>(
  queue: readonly Waiting<T>[],
  { sizeOf, largestGroup, largestSize, alike = () => true }: GroupCommitOptions<T>,
): [group: Waiting<T>[], left: Waiting<T>[]] {
  const group: Waiting<T>[] = [];
  const left: Waiting<T>[] = [];
  let size = 0;
  for (const waiting of queue) {
    const own = sizeOf(waiting.item);
    const fits = group.length === 0 || own === 0 || size + own <= largestSize;
    const [first] = group;
    const joins = first === undefined || alike(first.item, waiting.item);
    if (fits && joins && group.length < largestGroup) {
      group.push(waiting);
      size += own;
    } else left.push(waiting);
  }
  return [group, left];
}

export function createGroupCommit<T>(options: GroupCommitOptions<T>): GroupCommit<T> {
  let queue: Waiting<T>[] = [];
  let inFlight: Waiting<T>[] = [];
  let running = false;
  let failures = 0;
  let isWriting = false;
  let stalledMs = 0;
  const idle: (() => void)[] = [];
  const hurry = createWaiters();
  const isFailing = () => failures > 1;

  function sweep() {
    if (isWriting) stalledMs += sweepMs;
    const overdue = performance.now() - options.patienceMs;
    for (const waiting of [...inFlight, ...queue]) {
      if (waiting.settled || waiting.patient || waiting.since > overdue) continue;
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
        if (isFailing()) for (const { ended } of [...inFlight, ...queue]) ended.resolve();
        await new Promise((resolve) => setTimeout(resolve, delay));
      }
    }
  }

  /** The store rejects something in the group: bisect it until the culprit is alone. */
  async function refuse(group: readonly Waiting<T>[], error: unknown): Promise<void> {
    const [only] = group;
    if (group.length === 1 && only !== undefined) {
      if (only.reduced || options.reduced === undefined) return done(only, error);
      only.item = options.reduced(only.item);
      only.reduced = true;
      return await attempt(group);
    }
    const middle = group.length >> 1;
    await attempt(group.slice(0, middle));
    await attempt(group.slice(middle));
  }

  function done(waiting: Waiting<T>, error: unknown) {
    waiting.ended.resolve();
    if (waiting.settled) return;
    waiting.settled = true;
    if (error === null) waiting.resolve();
    else waiting.reject(error);
  }

  const isDue = () => queue.length >= options.largestGroup || queue.some(({ urgent }) => urgent);

  function hurryAll() {
    for (const waiting of queue) waiting.urgent = true;
    hurry.wake();
  }

  async function run(): Promise<void> {
    const sweeper = setInterval(sweep, sweepMs);
    while (queue.length > 0) {
      if (options.lingerMs !== undefined && !isDue()) await hurry.wait(performance.now() + options.lingerMs);
      [inFlight, queue] = takeGroup(queue, options);
      await attempt(inFlight);
      inFlight = [];
    }
    running = false;
    clearInterval(sweeper);
    for (const resolve of idle.splice(0)) resolve();
  }

  function enqueue(item: T, patient: boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const ended = Promise.withResolvers<void>();
      const flags = { urgent: !patient, patient, reduced: false, settled: false };
      queue.push({ item, since: performance.now(), ended, ...flags, resolve, reject });
      if (!patient || queue.length >= options.largestGroup) hurry.wake();
      if (running) return;
      running = true;
      queueMicrotask(() => void run());
    });
  }

  return {
    add: (item) => enqueue(item, false),
    addLater: (item) => enqueue(item, true),
    async flush() {
      const all = [...inFlight, ...queue];
      hurryAll();
      if (!isFailing()) await Promise.all(all.map(({ ended }) => ended.promise));
    },
    pending: () => queue.length + inFlight.length,
    stalledMs: () => stalledMs,
    failing: isFailing,
    drain() {
      hurryAll();
      return running ? new Promise((resolve) => idle.push(resolve)) : Promise.resolve();
    },
  };
}
