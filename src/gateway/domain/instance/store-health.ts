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

const lookEveryMs = 100;

/**
 * Logs once when the store becomes unavailable and once when it is back.
 * @returns a function that stops it
 */
export function tellStoreTrouble(
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
  }, lookEveryMs);
  timer.unref();
  return () => clearInterval(timer);
}
