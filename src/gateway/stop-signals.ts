/** npm passes on a signal that its process group was sent as well: within this time the same one came twice. */
const sameSignalMs = 1_000;

/**
 * Listens to the signals that stop a process, SIGTERM and SIGINT.
 * @param first is called for the first one @param again for another one: another signal, or the same one later
 */
export function onStopSignals(first: () => void, again: () => void): void {
  let heard: { readonly signal: NodeJS.Signals; readonly atMs: number } | null = null;
  const hear = (signal: NodeJS.Signals) => {
    const atMs = performance.now();
    if (heard === null) {
      heard = { signal, atMs };
      first();
    } else if (signal !== heard.signal || atMs - heard.atMs >= sameSignalMs) again();
  };
  process.on("SIGTERM", hear);
  process.on("SIGINT", hear);
}
