import type { BatchRow } from "../../domain/calls/batches.ts";
import {
  type ClaimedRequest,
  claimInterrupted,
  claimRequests,
  endQueued,
  holdEveryMs,
  holdRequests,
  nextRequestDue,
  releaseRequests,
} from "../../domain/calls/batch-queue.ts";
import { newRequestId } from "../../domain/request-id.ts";
import { isStoreAway } from "../../domain/store-away.ts";
import type { Slot, Slots } from "../../slots.ts";
import { endInterrupted, makeRequest } from "./finish-request.ts";
import { startPurging } from "./purging.ts";
import type { BatchDeps } from "./run-request.ts";
import { type BatchUpload, submitBatch } from "./submit.ts";
import { errorName } from "../../error-name.ts";

/** The batches of this process: it makes their calls while there is room for them. */
export interface Batches {
  submit(upload: BatchUpload): Promise<BatchRow>;
  /** looks at once for all that is due, such as the requests of a batch that was cancelled; resolves when it has looked */
  look(): Promise<void>;
  /** a batch was deleted: its rows are to go */
  deleted(): void;
  /** begins no call from now on; resolves when those in flight are over */
  close(): Promise<void>;
}

interface RunnerOptions extends BatchDeps {
  /** the bound on all model calls of this process */
  readonly calls: Slots;
  /** how many that are; 0: there is no bound */
  readonly mostCalls: number;
}

/** In flight in this process: of all batches, and of one key's. */
const mostInFlight = 16;
const mostOfOneKey = 8;
const claimedAtOnce = 4;
/** What another process left, or room that was found, is noticed this late. */
const longestMs = 5_000;
const shortestMs = 500;

export function startBatches(options: RunnerOptions): Batches {
  const { domain, mostCalls, warn } = options;
  /** by the id of the request that is being made */
  const inFlight = new Map<string, { request: ClaimedRequest; spendId: string; done: Promise<void> }>();
  const held = createHeldKeys(domain.now);
  /** by `performance.now()`: the store was away, and others have not had time to hold what they make */
  let absentUntilMs = 0;
  // Others find at least three quarters of the slots free of batches, and batches begin while half of them are.
  const most = mostCalls === 0 ? mostInFlight : Math.min(mostInFlight, Math.max(1, Math.floor(mostCalls / 4)));
  const closing = new AbortController();
  const startedAt = domain.now();
  let timer: NodeJS.Timeout | null = null;
  let running: Promise<void> | null = null;
  /** what the next round is for: to begin calls, or to look for all that is due */
  let wanted: "nothing" | "calls" | "all" = "nothing";
  let isFirst = true;
  const purging = startPurging(options);
  const holding = setInterval(() => void holdRequests(domain, requestsOf(inFlight)).catch(() => {}), holdEveryMs);
  holding.unref();

  function wake(what: "calls" | "all"): void {
    if (wanted !== "all") wanted = what;
    if (running !== null || closing.signal.aborted) return;
    running = round().finally(() => {
      running = null;
      if (wanted !== "nothing") wake(wanted);
    });
  }

  async function round(): Promise<void> {
    const isFull = wanted === "all";
    wanted = "nothing";
    let waitMs = longestMs;
    if (isFull && timer !== null) clearTimeout(timer);
    try {
      if (isFull) await endDue();
      while (await beginSome());
      if (!isFull) return;
      const next = await nextRequestDue(domain);
      if (next !== null) waitMs = Math.min(Math.max(next.getTime() - domain.now().getTime(), shortestMs), longestMs);
    } catch (error) {
      wanted = "nothing";
      if (isStoreAway(error)) absentUntilMs = performance.now() + holdEveryMs + longestMs;
      if (!closing.signal.aborted) warn("batches could not be checked", { reason: errorName(error) });
    }
    if (!isFull || closing.signal.aborted) return;
    timer = setTimeout(wake, waitMs, "all");
    timer.unref();
  }

  /** What was cancelled, is over, or was left by a process that has gone. */
  async function endDue(): Promise<void> {
    if (isFirst) await releaseRequests(domain, startedAt);
    isFirst = false;
    while (await endQueued(domain));
    if (performance.now() < absentUntilMs) return;
    if (await endInterruptedRequests(options, [...inFlight.keys()])) wanted = "all";
  }

  /** Begins calls of one batch, as far as there is room. @returns whether there may be room, and more to begin */
  async function beginSome(): Promise<boolean> {
    const slots = closing.signal.aborted ? [] : takeSlots(options, Math.min(claimedAtOnce, most - inFlight.size));
    if (slots.length === 0) return false;
    let claimed: Awaited<ReturnType<typeof claimRequests>> = null;
    try {
      const except = keysWithEnough(Array.from(inFlight.values(), ({ spendId }) => spendId));
      const requestIds = slots.map(() => newRequestId(domain.now()));
      claimed = await claimRequests(domain, { requestIds, except: [...except, ...held.now()] });
    } finally {
      for (const slot of slots.slice(claimed?.requests.length ?? 0)) slot();
    }
    if (claimed === null) return false;
    const { batch, requests } = claimed;
    for (const [index, request] of requests.entries()) begin(batch, request, slots[index]);
    return true;
  }

  function begin(batch: BatchRow, request: ClaimedRequest, slot: Slot | undefined): void {
    const { spend_id: spendId } = batch;
    const done = makeRequest(options, batch, request, closing.signal)
      .then((heldMs) => held.hold(spendId, heldMs))
      .catch((error: unknown) => {
        // Its claim runs out, and says what happened.
        if (!closing.signal.aborted)
          warn("a request of a batch was lost", { batch: batch.id, reason: errorName(error) });
      })
      .finally(() => {
        slot?.();
        inFlight.delete(request.request_id);
        wake("calls");
      });
    inFlight.set(request.request_id, { request, spendId, done });
  }

  wake("all");
  return {
    async submit(upload) {
      const batch = await submitBatch(domain, upload, purging.wake);
      wake("calls");
      return batch;
    },
    async look() {
      wake("all");
      while (running !== null) await running;
    },
    deleted: purging.wake,
    async close() {
      closing.abort();
      wanted = "nothing";
      if (timer !== null) clearTimeout(timer);
      await running;
      await Promise.all(Array.from(inFlight.values(), ({ done }) => done));
      clearInterval(holding);
      await purging.close();
    },
  };
}

const requestsOf = (inFlight: ReadonlyMap<string, { readonly request: ClaimedRequest }>): ClaimedRequest[] =>
  Array.from(inFlight.values(), ({ request }) => request);

/** @returns whether there may be more */
async function endInterruptedRequests(options: RunnerOptions, inFlight: readonly string[]): Promise<boolean> {
  const interrupted = await claimInterrupted(options.domain, claimedAtOnce, inFlight);
  for (const { batch, request } of interrupted) {
    // One that cannot be ended now is claimed again later, and keeps nothing else from being done.
    await endInterrupted(options, batch, request).catch((error: unknown) => {
      if (isStoreAway(error)) throw error;
      options.warn("an interrupted request could not be ended", { batch: batch.id, reason: errorName(error) });
    });
  }
  return interrupted.length > 0;
}

/** @param spendIds of the calls in flight */
const keysWithEnough = (spendIds: readonly string[]): string[] =>
  [...new Set(spendIds)].filter((one) => spendIds.filter((id) => id === one).length > mostOfOneKey - claimedAtOnce);

/** As many as are free, and not wanted by others. */
function takeSlots({ calls, mostCalls }: RunnerOptions, most: number): Slot[] {
  const slots: Slot[] = [];
  while (slots.length < most) {
    const isBusy = calls.waiting() > 0 || (mostCalls > 0 && calls.inUse() * 2 >= Math.max(mostCalls, 2));
    const slot = isBusy ? null : calls.tryTake("batches");
    if (slot === null) break;
    slots.push(slot);
  }
  return slots;
}

/** Keys whose requests the gateway would refuse itself, by what they spend. */
function createHeldKeys(now: () => Date) {
  const untilMs = new Map<string, number>();
  return {
    hold(spendId: string, forMs: number): void {
      if (forMs > 0) untilMs.set(spendId, Math.max(untilMs.get(spendId) ?? 0, now().getTime() + forMs));
    },
    now(): readonly string[] {
      const nowMs = now().getTime();
      for (const [spendId, endsMs] of untilMs) if (endsMs <= nowMs) untilMs.delete(spendId);
      return [...untilMs.keys()];
    },
  };
}
