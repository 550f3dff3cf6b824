import { setTimeout as sleep } from "node:timers/promises";
import { markForPurge, purgeBatches } from "../../domain/calls/batch-purge.ts";
import { errorName } from "../../error-name.ts";
import type { BatchDeps } from "./run-request.ts";

/** Deletes what is left of batches that nobody sees any more. */
interface Purging {
  /** a batch was deleted */
  wake(): void;
  close(): Promise<void>;
}

const markEveryMs = 600_000;
/** Between two steps of it others have the store for as long as the step took. */
const shortestPauseMs = 5;

export function startPurging({ domain, warn }: Pick<BatchDeps, "domain" | "warn">): Purging {
  const closing = new AbortController();
  let running: Promise<void> | null = null;
  let again = false;
  let marksNext = true;

  function wake(): void {
    again = true;
    if (running !== null || closing.signal.aborted) return;
    running = purge()
      .catch((error: unknown) => {
        again = false;
        if (!closing.signal.aborted) warn("batches could not be purged", { reason: errorName(error) });
      })
      .finally(() => {
        running = null;
        if (again) wake();
      });
  }

  async function purge(): Promise<void> {
    again = false;
    if (marksNext) while (!closing.signal.aborted && (await pausing(() => markForPurge(domain))));
    marksNext = false;
    while (!closing.signal.aborted && (await pausing(() => purgeBatches(domain))));
  }

  async function pausing(step: () => Promise<boolean>): Promise<boolean> {
    const began = performance.now();
    const isMore = await step();
    const pauseMs = Math.max(performance.now() - began, shortestPauseMs);
    if (isMore) await sleep(pauseMs, undefined, closing).catch(() => {});
    return isMore;
  }

  const marking = setInterval(() => {
    marksNext = true;
    wake();
  }, markEveryMs);
  marking.unref();
  wake();
  return {
    wake,
    async close() {
      closing.abort();
      again = false;
      clearInterval(marking);
      await running;
    },
  };
}
