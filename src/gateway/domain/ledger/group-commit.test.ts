import { afterEach, describe, expect, it, vi } from "vitest";
import { CommitOverdue, createGroupCommit } from "./group-commit.ts";

/** What commits need besides a way to write; each test says what it looks at. */
const plain = {
  retryable: () => false,
  yielded: () => false,
  patienceMs: 60_000,
  largestGroup: 100,
  sizeOf: () => 0,
  largestSize: 1,
};

/** A store whose writes are answered when the test says so. */
function slowStore() {
  const groups: number[][] = [];
  const answers: ((error?: Error) => void)[] = [];
  const commits = createGroupCommit<number>({
    ...plain,
    write: (items) => {
      groups.push([...items]);
      return new Promise((resolve, reject) => answers.push((error) => (error ? reject(error) : resolve())));
    },
    retryable: (error) => ["away", "deadlock"].includes((error as Error).message),
    yielded: (error) => (error as Error).message === "deadlock",
    largestGroup: 3,
    sizeOf: (item) => (item < 10 ? 0 : item),
    largestSize: 25,
  });
  const answered = async (error?: Error) => {
    while (answers.length === 0) await new Promise(setImmediate);
    answers.shift()?.(error);
  };
  return { commits, groups, answered };
}

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe("the group commit", () => {
  it("commits at once when idle, and what comes meanwhile together, in groups that are bounded", async () => {
    const { commits, groups, answered } = slowStore();
    const first = commits.add(1);
    await Promise.resolve();
    expect(groups).toEqual([[1]]);
    const others = [2, 3, 4, 5].map((item) => commits.add(item));
    await answered();
    await answered();
    await answered();
    await Promise.all([first, ...others]);
    expect(groups).toEqual([[1], [2, 3, 4], [5]]);
    expect(commits.pending()).toBe(0);
  });

  it("writes large items in groups of a bounded size, the oldest first, and lets no small one wait for all of them", async () => {
    const { commits, groups, answered } = slowStore();
    const all = [commits.add(1)];
    await Promise.resolve();
    all.push(...[30, 20, 12, 13, 2].map((item) => commits.add(item)));
    for (let write = 0; write < 4; write += 1) await answered();
    await Promise.all(all);
    expect(groups).toEqual([[1], [30, 2], [20], [12, 13]]);
  });

  it("writes what may not share a write one after the other", async () => {
    const groups: number[][] = [];
    const write = async (items: readonly number[]) => void groups.push([...items]);
    const commits = createGroupCommit<number>({ ...plain, write, alike: (one, other) => one % 2 === other % 2 });
    await Promise.all([1, 2, 3, 4, 5].map((item) => commits.add(item)));
    expect(groups).toEqual([
      [1, 3, 5],
      [2, 4],
    ]);
  });

  it("writes the same group again until the store is back", async () => {
    const { commits, groups, answered } = slowStore();
    const done = Promise.all([commits.add(1), commits.add(2)]);
    await answered(new Error("away"));
    await answered(new Error("away"));
    expect(commits.failing()).toBe(true);
    // Who wants to read waits for no store that takes nothing, and again for one that does.
    await commits.flush();
    await answered();
    await done;
    const next = commits.add(3);
    let flushed = false;
    const flush = commits.flush().then(() => (flushed = true));
    await answered(new Error("away"));
    expect(flushed).toBe(false);
    await answered();
    await Promise.all([next, flush]);
    expect(groups).toEqual([[1, 2], [1, 2], [1, 2], [3], [3]]);
    expect(commits.failing()).toBe(false);
  });

  it("takes no store for unavailable that answers: a write that yields to others is only written again", async () => {
    const { commits, answered } = slowStore();
    const done = commits.add(1);
    for (let again = 0; again < 3; again += 1) {
      await answered(new Error("deadlock"));
      expect(commits.failing()).toBe(false);
    }
    await answered();
    await done;
  });

  it("knows how long the store has not answered, and takes no pause of this process for the store's", async () => {
    vi.useFakeTimers();
    const { commits, answered } = slowStore();
    const done = commits.add(1);
    await vi.advanceTimersByTimeAsync(0);
    // After a pause the clock is two seconds ahead, and the timer fires once.
    const clock = performance.now.bind(performance);
    vi.spyOn(performance, "now").mockImplementation(() => clock() + 2_000);
    expect(commits.stalledMs()).toBe(0);
    vi.advanceTimersToNextTimer();
    expect(commits.stalledMs()).toBe(500);
    vi.advanceTimersToNextTimer();
    expect(commits.stalledMs()).toBe(1_000);
    await answered();
    await done;
    expect(commits.stalledMs()).toBe(0);
  });

  it("finds the one item that the store objects to, and commits the others", async () => {
    const written: number[] = [];
    const write = async (items: readonly number[]) => {
      if (items.includes(13)) throw new Error("wrong value");
      written.push(...items);
    };
    const commits = createGroupCommit<number>({ ...plain, write });
    const results = await Promise.allSettled([10, 11, 12, 13, 14].map((item) => commits.add(item)));
    expect(results.map(({ status }) => status === "fulfilled")).toEqual([true, true, true, false, true]);
    expect(written.toSorted((a, b) => a - b)).toEqual([10, 11, 12, 14]);
  });

  it("lets a caller go whose patience is over, and commits the item all the same", async () => {
    let away = true;
    const written: number[] = [];
    const write = async (items: readonly number[]) => {
      if (away) throw new Error("away");
      written.push(...items);
    };
    const commits = createGroupCommit<number>({ ...plain, write, retryable: () => true, patienceMs: 1 });
    await expect(commits.add(7)).rejects.toBeInstanceOf(CommitOverdue);
    away = false;
    await commits.drain();
    expect(written).toEqual([7]);
  });

  it("keeps what nobody waits for until the group is full, somebody is in a hurry, or the time is over", async () => {
    const groups: number[][] = [];
    const write = async (items: readonly number[]) => {
      if (items.includes(66)) throw new Error("rejected");
      groups.push([...items]);
    };
    const commits = createGroupCommit<number>({
      ...plain,
      write,
      patienceMs: 0,
      reduced: (item) => item + 1,
      largestGroup: 3,
      lingerMs: 700,
    });
    const later = (...items: number[]) => Promise.all(items.map((item) => commits.addLater(item)));
    await later(1, 2, 3);
    const kept = later(4, 5);
    await commits.add(6);
    await kept;
    // The text that is rejected is replaced before the flush is over.
    const rejected = later(7, 66);
    await commits.flush();
    expect(groups).toEqual([[1, 2, 3], [4, 5, 6], [7], [67]]);
    await rejected;
    const drained = later(8);
    await commits.drain();
    await drained;
    vi.useFakeTimers();
    // No patience is lost on it: it is safe elsewhere.
    const lingering = later(9);
    await vi.advanceTimersByTimeAsync(699);
    expect(groups.slice(4)).toEqual([[8]]);
    await vi.advanceTimersByTimeAsync(1);
    expect(groups.slice(4)).toEqual([[8], [9]]);
    await lingering;
  });
});
