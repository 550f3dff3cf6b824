/** When to replace a worker that ended. */
export interface Restarts {
  /** the worker serves */
  serves(worker: number): void;
  /** how long to wait before it is replaced, milliseconds */
  after(worker: number): number;
}

const firstMs = 200;
const longestMs = 30_000;
/** Who has served this long did not end because of its start. */
const soundMs = 60_000;

/** A worker that ends again and again is replaced later and later. @param now milliseconds of a clock that never jumps */
export function createRestarts(now: () => number): Restarts {
  const servedSince = new Map<number, number>();
  const delays = new Map<number, number>();
  return {
    serves: (worker) => void servedSince.set(worker, now()),
    after(worker) {
      const since = servedSince.get(worker);
      servedSince.delete(worker);
      const isSound = since !== undefined && now() - since >= soundMs;
      const delay = isSound ? firstMs : (delays.get(worker) ?? firstMs);
      delays.set(worker, Math.min(delay * 2, longestMs));
      return delay;
    },
  };
}
