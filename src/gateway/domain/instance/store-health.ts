import type { Store } from "../../storage/store.ts";

/** Whether a call made now can be recorded on the ledger. One per process. */
export interface StoreHealth {
  /** true while the store does not answer or does not accept commits */
  troubled(): boolean;
  /** adds a check for trouble; the ledger adds its own */
  watch(troubled: () => boolean): void;
}

export function createStoreHealth(): StoreHealth {
  const signs: (() => boolean)[] = [];
  return {
    troubled: () => signs.some((troubled) => troubled()),
    watch: (troubled) => void signs.push(troubled),
  };
}

const checkEveryMs = 100;

/**
 * Logs once when the store becomes unavailable and once when it is back.
 * @returns a function that stops it
 */
export function logStoreOutages(
  health: Pick<StoreHealth, "troubled">,
  warn: (message: string, details: object) => void,
): () => void {
  let since: number | null = null;
  const timer = setInterval(() => {
    const troubled = health.troubled();
    if (troubled === (since !== null)) return;
    if (since === null) warn("the store is unavailable: calls are refused until it takes commits again", {});
    else warn("the store is back", { awayMs: Math.round(performance.now() - since) });
    since = troubled ? performance.now() : null;
  }, checkEveryMs);
  timer.unref();
  return () => clearInterval(timer);
}

/** Whether the store answers, checked every second. */
export interface StoreReachability {
  reachable(): boolean;
  /** how long it has answered without interruption, milliseconds */
  steadyMs(): number;
  close(): void;
}

const pingEveryMs = 1_000;
/** Checks in a row that find no answer. They are counted, not timed: a pause of this process is not the store's. */
const mostUnanswered = 3;

export function watchReachability(store: Pick<Store, "ping">): StoreReachability {
  let reachable = true;
  let steadySince = performance.now();
  let unanswered: number | null = null;

  async function ask(): Promise<void> {
    unanswered = 0;
    try {
      // One connection that was ended says nothing of the store.
      await store.ping().catch(() => store.ping());
      if (!reachable) steadySince = performance.now();
      reachable = true;
    } catch {
      reachable = false;
    } finally {
      unanswered = null;
    }
  }

  const timer = setInterval(() => {
    if (unanswered === null) void ask();
    else if ((unanswered += 1) >= mostUnanswered) reachable = false;
  }, pingEveryMs);
  timer.unref();
  return {
    reachable: () => reachable,
    steadyMs: () => (reachable ? performance.now() - steadySince : 0),
    close: () => clearInterval(timer),
  };
}

/** The embedded store runs in this very process, and a commit that does not return is sign enough of trouble. */
export const alwaysReachable: StoreReachability = {
  reachable: () => true,
  steadyMs: () => Number.POSITIVE_INFINITY,
  close() {},
};
