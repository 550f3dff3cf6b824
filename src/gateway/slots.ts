import { FairQueue } from "./fair-queue.ts";
import { type Pace, unpaced } from "./pace.ts";

/** Ends what is in flight; a second time does nothing. */
export type Slot = () => void;

/** A bound on what is in flight at once. Whoever finds no room waits a moment, and owners who wait take turns. */
export interface Slots {
  /** null when there is no room, or others wait for it */
  tryTake(owner: string): Slot | null;
  /**
   * Gives a slot, or null when no room was found in a moment.
   * @param leave what calls its argument when the owner no longer wants the slot, which is then null
   */
  take(owner: string, leave?: (left: () => void) => void): Slot | null | Promise<Slot | null>;
  inUse(): number;
  waiting(): number;
}

export interface SlotsOptions {
  readonly most: number;
  /** an owner leaves free one slot for this many that it holds; default: it may hold them all */
  readonly ownPerFree?: number;
  /** how long a moment is, milliseconds */
  readonly waitMs: number;
  readonly pace?: Pace;
}

interface Waiting {
  readonly owner: string;
  /** by `performance.now()` */
  readonly deadline: number;
  /** what the thread had worked when it came, milliseconds */
  readonly spentMs: number;
  readonly end: (slot: Slot | null) => void;
}

/** Whoever waits for the thread alone waits a moment of its processor time, but no longer than this many by the clock. */
const mostMoments = 15;
/** Those whose moment is over get their answer this many at a time: a refusal takes time as well. */
const endedAtOnce = 8;

export function createSlots({
  most,
  ownPerFree = Number.POSITIVE_INFINITY,
  waitMs,
  pace = unpaced,
}: SlotsOptions): Slots {
  const { hasRoom, hold, inUse } = createHoldings(most, ownPerFree);
  const slotOf = (owner: string) => hold(owner, wake);
  const turns = new FairQueue<Waiting>();
  /** the same, in the order of coming, which is that of their deadlines */
  const coming = new Set<Waiting>();
  let round: NodeJS.Immediate | null = null;
  let timer: NodeJS.Timeout | null = null;

  function wake() {
    if (turns.size > 0) schedule();
  }

  function forget(waiting: Waiting) {
    coming.delete(waiting);
    turns.remove(waiting.owner, waiting);
  }

  /** A machine that is busy with something else shortens no caller's moment. */
  function isKept({ owner, deadline, spentMs }: Waiting, now: number): boolean {
    const isOver = pace.spentMs() - spentMs >= waitMs || now >= deadline + waitMs * (mostMoments - 1);
    return !isOver && hasRoom(owner);
  }

  function endOverdue(): boolean {
    const now = performance.now();
    let ended = 0;
    for (const waiting of coming) {
      if (waiting.deadline > now || isKept(waiting, now)) return false;
      if (ended >= endedAtOnce) return true;
      forget(waiting);
      waiting.end(null);
      ended += 1;
    }
    return false;
  }

  /** Gives slots as far as there is room and the round has time. @returns whether only time is short */
  function give(): boolean {
    while (turns.size > 0) {
      if (pace.isOver()) return true;
      const next = turns.shift(hasRoom);
      if (next === undefined) return false;
      coming.delete(next);
      pace.begin();
      next.end(slotOf(next.owner));
    }
    return false;
  }

  function schedule() {
    round ??= setImmediate(() => {
      round = null;
      pace.next(turns.size > 0);
      const left = endOverdue();
      if (give() || left) schedule();
      else wakeAtDeadline();
    });
  }

  function wakeAtDeadline() {
    if (timer !== null) return;
    for (const { deadline } of coming) {
      timer = setTimeout(
        () => {
          timer = null;
          schedule();
        },
        Math.max(1, deadline - performance.now()),
      );
      return;
    }
  }

  function tryTake(owner: string): Slot | null {
    if (turns.size > 0 || !hasRoom(owner) || pace.isOver()) return null;
    pace.begin();
    if (pace !== unpaced) schedule();
    return slotOf(owner);
  }

  return {
    tryTake,
    take(owner, leave) {
      const slot = tryTake(owner);
      if (slot !== null) return slot;
      return new Promise((resolve) => {
        const deadline = performance.now() + waitMs;
        const waiting: Waiting = { owner, deadline, spentMs: pace.spentMs(), end: resolve };
        coming.add(waiting);
        turns.push(owner, waiting);
        leave?.(() => {
          if (!coming.has(waiting)) return;
          forget(waiting);
          resolve(null);
        });
        schedule();
      });
    },
    inUse,
    waiting: () => turns.size,
  };
}

/** Who holds how many. */
function createHoldings(most: number, ownPerFree: number) {
  const held = new Map<string, number>();
  let inUse = 0;
  return {
    inUse: () => inUse,
    /** However many an owner holds on to, the next one finds a slot. */
    hasRoom(owner: string): boolean {
      const own = held.get(owner) ?? 0;
      return inUse < most && (own === 0 || (own + 1) / ownPerFree <= most - inUse - 1);
    },
    hold(owner: string, given: () => void): Slot {
      held.set(owner, (held.get(owner) ?? 0) + 1);
      inUse += 1;
      let ended = false;
      return () => {
        if (ended) return;
        ended = true;
        const own = (held.get(owner) ?? 0) - 1;
        if (own > 0) held.set(owner, own);
        else held.delete(owner);
        inUse -= 1;
        given();
      };
    },
  };
}
