import type { Store } from "../storage/store.ts";

/** Whether the store answers, found out by asking it every second. */
export interface StoreWatch {
  reachable(): boolean;
  /** for how long it has answered without a break, milliseconds */
  steadyMs(): number;
  close(): void;
}

const everyMs = 1_000;
const patienceMs = 3_000;

export function watchStore(store: Store): StoreWatch {
  let reachable = true;
  let steadySince = performance.now();
  let askedAt: number | null = null;

  async function ask(): Promise<void> {
    askedAt = performance.now();
    try {
      await store.ping();
      if (!reachable) steadySince = performance.now();
      reachable = true;
    } catch {
      reachable = false;
    } finally {
      askedAt = null;
    }
  }

  const timer = setInterval(() => {
    if (askedAt === null) void ask();
    else if (performance.now() - askedAt > patienceMs) reachable = false;
  }, everyMs);
  timer.unref();
  return {
    reachable: () => reachable,
    steadyMs: () => (reachable ? performance.now() - steadySince : 0),
    close: () => clearInterval(timer),
  };
}

/** The embedded store runs in this very process; a commit that does not come back tells enough of it. */
export const alwaysReachable: StoreWatch = {
  reachable: () => true,
  steadyMs: () => Number.POSITIVE_INFINITY,
  close() {},
};
