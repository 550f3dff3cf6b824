import { setTimeout as sleep } from "node:timers/promises";
import type { BatchRow } from "../../domain/calls/batches.ts";
import {
  type ClaimedRequest,
  endRequest,
  failBatch,
  type RequestEnd,
  requeueRequest,
} from "../../domain/calls/batch-queue.ts";
import { WrongSecretKey } from "../../domain/secrets/box.ts";
import { type BatchDeps, interruptedEnd, runRequest } from "./run-request.ts";

/** Makes a claimed request, and keeps its result or puts it back. @param closing then nothing is tried again */
export async function makeRequest(
  deps: BatchDeps,
  batch: BatchRow,
  request: ClaimedRequest,
  closing: AbortSignal,
): Promise<void> {
  await failingWithKey(deps, batch, async () => {
    const outcome = await runRequest(deps, batch, request);
    if ("end" in outcome) await keep(deps, request, outcome.end, closing);
    else await requeueRequest(deps.domain, request, outcome.againIn);
  });
}

/** Ends a request whose process has gone. */
export async function endInterrupted(deps: BatchDeps, batch: BatchRow, request: ClaimedRequest): Promise<void> {
  await failingWithKey(deps, batch, async () => {
    await endRequest(deps.domain, request, await interruptedEnd(deps, batch, request));
  });
}

async function failingWithKey({ domain }: BatchDeps, batch: BatchRow, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof WrongSecretKey)) throw error;
    const why = "The secret key that its requests were encrypted with is not known to the gateway any more";
    await failBatch(domain, batch, why);
  }
}

const firstWaitMs = 250;
const longestWaitMs = 5_000;

/** An answer is paid for: it is kept as soon as the store takes it. */
async function keep(
  { domain, warn }: BatchDeps,
  request: ClaimedRequest,
  end: RequestEnd,
  closing: AbortSignal,
): Promise<void> {
  for (let waitMs = firstWaitMs; ; waitMs = Math.min(waitMs * 2, longestWaitMs)) {
    try {
      if (!(await endRequest(domain, request, end))) {
        warn("a request of a batch had been ended before", { batch: request.batch_id, request: request.request_id });
      }
      return;
    } catch (error) {
      if (closing.aborted) throw error;
      const reason = error instanceof Error ? error.name : "unknown";
      warn("the result of a request could not be kept yet", { batch: request.batch_id, reason });
      await sleep(waitMs, undefined, { ref: false });
    }
  }
}
