import {
  claimCallback,
  claimDueJobs,
  nextJobDue,
  purgeJobs,
  releaseClaims,
  type VideoJobRow,
} from "../../domain/calls/video-jobs.ts";
import type { RelayDeps } from "../deps.ts";
import { tell } from "./callback.ts";
import { pollJob } from "./poll.ts";

/** The jobs of this process: it asks providers about those that are due, and tells of those that have ended. */
export interface VideoJobs {
  /** a job was begun */
  wake(): void;
  /** resolves when nothing is under way; begins nothing from now on */
  close(): Promise<void>;
}

/** Providers that are asked at once. */
const mostAtOnce = 16;
/** What another process left is noticed this late. */
const longestMs = 15_000;
const shortestMs = 250;
const purgeEveryMs = 3_600_000;

export function startVideoJobs(deps: RelayDeps): VideoJobs {
  const { domain } = deps;
  let timer: NodeJS.Timeout | null = null;
  let running: Promise<void> | null = null;
  let again = false;
  let isClosed = false;
  let isFirst = true;
  let purgedMs = Number.NEGATIVE_INFINITY;

  function wake(): void {
    again = true;
    if (running !== null || isOver()) return;
    if (timer !== null) clearTimeout(timer);
    running = round().finally(() => {
      running = null;
      if (again && !isClosed) later(shortestMs);
    });
    // A stop cuts off what providers are asked.
    deps.untilSettled(running);
  }

  const isOver = () => isClosed || deps.interrupted() !== null;

  function later(waitMs: number): void {
    if (isOver()) return;
    if (timer !== null) clearTimeout(timer);
    timer = setTimeout(wake, waitMs);
    timer.unref();
  }

  async function round(): Promise<void> {
    again = false;
    let waitMs = longestMs;
    try {
      if (isFirst) await releaseClaims(domain);
      isFirst = false;
      for (;;) {
        const due = await claimDueJobs(domain, mostAtOnce);
        await Promise.all(due.map(polled));
        const isTold = await tellNext();
        if (isOver() || (due.length === 0 && !isTold)) break;
      }
      if (performance.now() - purgedMs > purgeEveryMs) {
        purgedMs = performance.now();
        await purgeJobs(domain);
      }
      const next = await nextJobDue(domain);
      if (next !== null) waitMs = Math.min(Math.max(next.getTime() - domain.now().getTime(), shortestMs), longestMs);
    } catch (error) {
      if (!isOver()) deps.warn("video jobs could not be looked after", { reason: nameOf(error) });
    }
    later(waitMs);
  }

  /** What fails unexpectedly is claimed for a while, and due again then. */
  async function polled(job: VideoJobRow): Promise<void> {
    try {
      await pollJob(deps, job);
    } catch (error) {
      if (!isOver()) deps.warn("a video job could not be looked after", { job: job.id, reason: nameOf(error) });
    }
  }

  async function tellNext(): Promise<boolean> {
    const job = isOver() ? null : await claimCallback(domain);
    if (job === null) return false;
    await tell(deps, job);
    return true;
  }

  later(0);
  return {
    wake,
    async close() {
      isClosed = true;
      if (timer !== null) clearTimeout(timer);
      await running;
    },
  };
}

const nameOf = (error: unknown) => (error instanceof Error ? error.name : "unknown");
