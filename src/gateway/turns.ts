import { Refusal } from "./domain/refusal.ts";
import { FairQueue } from "./fair-queue.ts";

/** Long work on the main thread, done in slices so that other work can run in between. */
export interface Turn {
  readonly owner: string;
  /** marks the real start of the work: the time waited until here does not count toward the slice */
  begin(): void;
  /** true when this slice is used up: then `await next()` */
  isOver(): boolean;
  /**
   * Resolves when the next slice begins.
   * @throws Refusal unavailable when more work is waiting than will be done in reasonable time
   */
  next(): Promise<void>;
}

/** The length of a slice. A request takes several rounds of the event loop, and each round may contain one. */
const sliceMs = 3;
const mostWaiting = 4_000;
const mostWaitingOfOne = 1_000;

const waiting = new FairQueue<() => void>();
let scheduled = false;

/**
 * @param owner whose work it is, such as a key's hash: owners who wait take turns
 * @param patient the work is on something already paid for, such as a provider's answer: it is never refused, however
 * much is waiting
 */
export function takeTurns(owner: string, { patient = false }: { patient?: boolean } = {}): Turn {
  let began = performance.now();
  return {
    owner,
    begin: () => {
      began = performance.now();
    },
    isOver: () => performance.now() - began > sliceMs,
    async next() {
      const isFull = waiting.size >= mostWaiting || waiting.sizeOf(owner) >= mostWaitingOfOne;
      if (isFull && !patient) {
        throw new Refusal("unavailable", "The gateway has too much work waiting: try again", { retryAfterSeconds: 2 });
      }
      await new Promise<void>((resolve) => {
        if (isFull) return void setImmediate(resolve);
        waiting.push(owner, resolve);
        schedule();
      });
      began = performance.now();
    },
  };
}

/** One slice per round: the work of several callers must not add up to one long wait. */
function schedule() {
  if (scheduled) return;
  scheduled = true;
  setImmediate(() => {
    scheduled = false;
    waiting.shift()?.();
    if (waiting.size > 0) schedule();
  });
}

/** Iterates over a list in turns. */
export async function forEachInTurns<T>(
  items: readonly T[],
  turn: Turn,
  work: (item: T, index: number) => void,
): Promise<void> {
  turn.begin();
  for (const [index, item] of items.entries()) {
    work(item, index);
    if (turn.isOver()) await turn.next();
  }
}

/** The same, collecting the results. */
export async function mapInTurns<T, R>(
  items: readonly T[],
  turn: Turn,
  work: (item: T, index: number) => R,
): Promise<R[]> {
  const made: R[] = [];
  await forEachInTurns(items, turn, (item, index) => void made.push(work(item, index)));
  return made;
}

/** `Buffer.concat` for an answer of any size: 64 MB take about 50 ms. */
export async function joinInTurns(pieces: readonly Buffer[], turn: Turn): Promise<Buffer> {
  const whole = Buffer.allocUnsafe(pieces.reduce((size, { length }) => size + length, 0));
  let at = 0;
  await forEachInTurns(pieces, turn, (piece) => {
    at += piece.copy(whole, at);
  });
  return whole;
}

export function runAtOnce<T>(steps: Generator<void, T, void>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Runs a computation that pauses now and then to its end, in turns. */
export async function runInTurns<T>(steps: Generator<void, T, void>, turn: Turn): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (turn.isOver()) await turn.next();
    if (step.done === true) return step.value;
  }
}
