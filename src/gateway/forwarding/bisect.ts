/**
 * The outcome of one attempt.
 * - `too_large`, `rejected`: the destination blames what was sent
 * - `errored`: the destination failed on it, for whatever reason
 * - `unavailable`: the destination, the way to it or the settings are broken, whatever was sent
 */
export interface Failure {
  readonly outcome: "too_large" | "rejected" | "errored" | "unavailable";
  readonly message: string;
  /** null: no answer came */
  readonly status: number | null;
  /** the beginning of the answer */
  readonly body: string | null;
  /** how long the destination asked to be left alone; null: it did not */
  readonly afterMs: number | null;
}

export type Outcome = { readonly outcome: "accepted" } | Failure;

/** An event that the destination rejects although it accepts others. */
export interface GivenUp<T> {
  readonly event: T;
  readonly attempts: number;
  readonly failure: Failure;
}

/** How far a group got: everything before `done` is accepted or given up. */
export interface Bisected<T> {
  readonly done: number;
  readonly givenUp: readonly GivenUp<T>[];
  /** why it stopped there; null: all is done */
  readonly failure: Failure | null;
}

export interface BisectOptions<T> {
  /** true: a group of one that is rejected may be given up without proof that the destination accepts others */
  readonly giveUpAlone: boolean;
  /**
   * How many single events may fail in a row with none accepted before the destination is considered the culprit; a
   * higher number finds a longer run of rejected events, and costs a broken destination more requests.
   */
  readonly mostInARow: number;
  /** An event's session, whose later events wait for a suspect; absent: none waits, and they may overtake it. */
  readonly sessionOf?: (event: T) => string | null;
}

/** How often an event is tried before it is given up. */
const tries = 3;

/**
 * Finds the events of a group that the destination rejects, by halving. An event is only given up when the destination
 * accepts another one at the same time, or when it alone exceeds the destination's size limit.
 */
export async function bisect<T>(
  group: readonly T[],
  attempt: (events: readonly T[]) => Promise<Outcome>,
  { giveUpAlone, mostInARow, sessionOf }: BisectOptions<T>,
): Promise<Bisected<T>> {
  const suspects: { index: number; failure: Failure }[] = [];
  const givenUp: GivenUp<T>[] = [];
  const settled = group.map(() => false);
  const stop = (failure: Failure | null): Bisected<T> => {
    const open = settled.indexOf(false);
    return { done: open === -1 ? group.length : open, givenUp, failure };
  };
  const giveUp = (index: number, attempts: number, failure: Failure) => {
    settled[index] = true;
    givenUp.push({ event: group[index] as T, attempts, failure });
  };
  const session = (index: number) => sessionOf?.(group[index] as T) ?? null;

  /** The destination accepts others, so the rejected events are judged individually. */
  async function judge(): Promise<Failure | null> {
    for (let suspect = suspects[0]; suspect !== undefined; suspect = suspects[0]) {
      let failure: Failure | null = suspect.failure;
      for (let tried = 1; tried < tries && failure !== null; tried += 1) {
        const again = await attempt([group[suspect.index] as T]);
        if (again.outcome === "unavailable") return again;
        failure = again.outcome === "accepted" ? null : again;
      }
      if (failure === null) settled[suspect.index] = true;
      else giveUp(suspect.index, tries, failure);
      suspects.shift();
    }
    return null;
  }

  const pieces: number[][] = [[...group.keys()]];
  let held: number[] = [];
  for (let piece = pieces.pop(); piece !== undefined; piece = pieces.pop()) {
    const waited = new Set(suspects.map(({ index }) => session(index)).filter((one) => one !== null));
    const open = piece.filter((index) => !waited.has(session(index) ?? ""));
    held.push(...piece.filter((index) => !open.includes(index)));
    const [only] = open;
    if (only === undefined) continue;
    const outcome = await attempt(open.map((index) => group[index] as T));
    if (outcome.outcome === "accepted") {
      for (const index of open) settled[index] = true;
      const trouble = await judge();
      if (trouble !== null) return stop(trouble);
      if (held.length > 0) pieces.push(held);
      held = [];
    } else if (outcome.outcome === "unavailable") {
      return stop(outcome);
    } else if (open.length > 1) {
      const middle = open.length >> 1;
      pieces.push(open.slice(middle), open.slice(0, middle));
    } else if (outcome.outcome === "too_large" || (giveUpAlone && group.length === 1)) {
      giveUp(only, 1, outcome);
    } else {
      suspects.push({ index: only, failure: outcome });
      if (suspects.length >= mostInARow) return stop(outcome);
    }
  }
  return stop(suspects.at(-1)?.failure ?? null);
}
