import { setTimeout as sleep } from "node:timers/promises";
import type { BatchRow } from "../../domain/calls/batches.ts";
import { type ClaimedRequest, endRequest, failBatch, requeueRequest } from "../../domain/calls/batch-queue.ts";
import { AlteredContent } from "../../domain/calls/batch-content.ts";
import { WrongSecretKey } from "../../domain/secrets/box.ts";
import { type BatchDeps, interruptedEnd, runRequest } from "./run-request.ts";
import { errorName } from "../../error-name.ts";

/**
 * Makes a claimed request, and keeps its result or puts it back.
 * @param closing then nothing is tried again
 * @returns for how many milliseconds the gateway would refuse its key's other requests as well, before any is sent
 */
export async function makeRequest(
  deps: BatchDeps,
  batch: BatchRow,
  request: ClaimedRequest,
  closing: AbortSignal,
): Promise<number> {
  let heldMs = 0;
  await failingUnread(deps, batch, async () => {
    const outcome = await runRequest(deps, batch, request);
    await insist(deps, request, closing, async () => {
      if ("againIn" in outcome) await requeueRequest(deps.domain, request, outcome);
      else if (!(await endRequest(deps.domain, request, outcome.end))) {
        deps.warn("a request of a batch had been ended before", { batch: batch.id, request: request.request_id });
      }
    });
    if ("againIn" in outcome && !outcome.wasAsked) heldMs = outcome.againIn;
  });
  return heldMs;
}

/** Ends a request whose process has gone. */
export async function endInterrupted(deps: BatchDeps, batch: BatchRow, request: ClaimedRequest): Promise<void> {
  await failingUnread(deps, batch, async () => {
    await endRequest(deps.domain, request, await interruptedEnd(deps, batch, request));
  });
}

/** Fails the batch as a whole where nothing of it can be read. */
async function failingUnread({ domain }: BatchDeps, batch: BatchRow, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof WrongSecretKey) && !(error instanceof AlteredContent)) throw error;
    const why =
      error instanceof AlteredContent
        ? "What the store has of it is not what was kept there: it cannot be read"
        : "The secret key that its requests were encrypted with is not known to the gateway any more";
    await failBatch(domain, batch, why);
  }
}

const firstWaitMs = 250;
const longestWaitMs = 5_000;

/** Tries until the store takes it: an answer is paid for, and a request that was not made is still to be made. */
async function insist(
  { warn }: BatchDeps,
  { batch_id: batch }: ClaimedRequest,
  closing: AbortSignal,
  work: () => Promise<void>,
): Promise<void> {
  for (let waitMs = firstWaitMs; ; waitMs = Math.min(waitMs * 2, longestWaitMs)) {
    try {
      return await work();
    } catch (error) {
      if (closing.aborted) throw error;
      warn("what became of a request could not be kept yet", { batch, reason: errorName(error) });
      await sleep(waitMs, undefined, { ref: false });
    }
  }
}
