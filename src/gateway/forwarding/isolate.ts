/**
 * What became of one try.
 * - `too_large`, `rejected`: the sink says that it is about what was sent
 * - `erring`: the sink failed at it, for whatever reason
 * - `sick`: the sink, the way to it or the settings are in trouble, whatever was sent
 */
export interface Failure {
  readonly outcome: "too_large" | "rejected" | "erring" | "sick";
  readonly message: string;
  /** null: no answer came */
  readonly status: number | null;
  /** the beginning of the answer */
  readonly body: string | null;
  /** how long the sink asked to be left alone; null: it did not */
  readonly afterMs: number | null;
}

export type Outcome = { readonly outcome: "accepted" } | Failure;

/** An event that the sink does not take although it takes others. */
export interface Poisoned<T> {
  readonly event: T;
  readonly attempts: number;
  readonly failure: Failure;
}

/** How far a group came: everything before `done` is accepted or poisoned. */
export interface Isolated<T> {
  readonly done: number;
  readonly poisoned: readonly Poisoned<T>[];
  /** why it stopped there; null: all is done */
  readonly failure: Failure | null;
}

/** Times that an event is tried before it is given up. */
const tries = 3;

/**
 * Finds out which events of a group the sink does not take, by halving. An event is only given up when the sink takes
 * another one at the same time, or when it alone is larger than the sink allows.
 * @param giveUpAlone true: a group of one that is rejected may be given up without that proof
 * @param mostInARow single events that may fail one after the other with none accepted, until the sink is taken for the
 *   culprit; more of them find a longer run of poison, and cost a broken sink more requests
 */
export async function isolate<T>(
  group: readonly T[],
  attempt: (events: readonly T[]) => Promise<Outcome>,
  giveUpAlone: boolean,
  mostInARow: number,
): Promise<Isolated<T>> {
  const suspects: { index: number; failure: Failure }[] = [];
  const poisoned: Poisoned<T>[] = [];
  const stop = (at: number, failure: Failure): Isolated<T> => ({
    done: Math.min(suspects[0]?.index ?? at, at),
    poisoned,
    failure,
  });

  /** The sink takes others, so those that it did not take are looked at on their own merits. */
  async function judge(): Promise<Failure | null> {
    for (let suspect = suspects[0]; suspect !== undefined; suspect = suspects[0]) {
      const event = group[suspect.index] as T;
      let failure: Failure | null = suspect.failure;
      for (let tried = 1; tried < tries && failure !== null; tried += 1) {
        const again = await attempt([event]);
        if (again.outcome === "sick") return again;
        failure = again.outcome === "accepted" ? null : again;
      }
      if (failure !== null) poisoned.push({ event, attempts: tries, failure });
      suspects.shift();
    }
    return null;
  }

  const pieces: { from: number; to: number }[] = [{ from: 0, to: group.length }];
  for (let piece = pieces.pop(); piece !== undefined; piece = pieces.pop()) {
    const { from, to } = piece;
    const outcome = await attempt(group.slice(from, to));
    if (outcome.outcome === "accepted") {
      const trouble = await judge();
      if (trouble !== null) return stop(to, trouble);
    } else if (outcome.outcome === "sick") {
      return stop(from, outcome);
    } else if (to - from > 1) {
      const middle = (from + to) >> 1;
      pieces.push({ from: middle, to }, { from, to: middle });
    } else if (outcome.outcome === "too_large" || (giveUpAlone && group.length === 1)) {
      poisoned.push({ event: group[from] as T, attempts: 1, failure: outcome });
    } else {
      suspects.push({ index: from, failure: outcome });
      if (suspects.length >= mostInARow) return stop(from, outcome);
    }
  }
  const last = suspects.at(-1);
  return last === undefined ? { done: group.length, poisoned, failure: null } : stop(group.length, last.failure);
}
