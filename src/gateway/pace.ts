/** How much new work the thread begins in one round of the event loop. */
export interface Pace {
  /** whether this round has begun as much as it may */
  isOver(): boolean;
  begin(): void;
  /** A new round. @param isShort whether work waits for it: only then a round's length says anything */
  next(isShort: boolean): void;
  /** what the thread has worked so far, milliseconds of processor time */
  spentMs(): number;
}

/** Whatever comes is begun at once. */
export const unpaced: Pace = { isOver: () => false, begin: () => {}, next: () => {}, spentMs: () => 0 };

/** Processor time of a round. A request takes several rounds, and their length is every caller's latency. */
const roundMs = 2;
const leastBegun = 1;
const mostBegun = 64;

/**
 * Keeps rounds short however many calls arrive. The bound is on processor time: a round that takes long because the
 * machine does something else has not begun too much.
 * @param usedMs processor time of this thread, milliseconds
 */
export function createPace(usedMs: () => number = threadMs): Pace {
  let may = mostBegun;
  let begun = 0;
  let before: number | null = null;
  return {
    isOver: () => begun >= may,
    begin: () => void (begun += 1),
    next(isShort) {
      begun = 0;
      if (!isShort) {
        before = null;
        return;
      }
      const used = usedMs();
      if (before !== null) {
        if (used - before > roundMs) may = Math.max(leastBegun, may - Math.max(1, may >> 2));
        else may = Math.min(mostBegun, may + 1);
      }
      before = used;
    },
    spentMs: usedMs,
  };
}

function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
