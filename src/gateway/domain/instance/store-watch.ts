import type { Store } from "../../storage/store.ts";

/** Whether the store answers, checked every second. */
export interface StoreWatch {
  reachable(): boolean;
  /** how long it has answered without interruption, milliseconds */
  steadyMs(): number;
  close(): void;
}

const everyMs = 1_000;
/** Checks in a row that find no answer. They are counted, not timed: a pause of this process is not the store's. */
const mostUnanswered = 3;

export function watchStore(store: Pick<Store, "ping">): StoreWatch {
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
  }, everyMs);
  timer.unref();
  return {
    reachable: () => reachable,
    steadyMs: () => (reachable ? performance.now() - steadySince : 0),
    close: () => clearInterval(timer),
  };
}

/** The embedded store runs in this very process, and a commit that does not return is sign enough of trouble. */
export const alwaysReachable: StoreWatch = {
  reachable: () => true,
  steadyMs: () => Number.POSITIVE_INFINITY,
  close() {},
};
