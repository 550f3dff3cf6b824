import {
  claimCallbacks,
  claimDueJobs,
  nextJobDue,
  purgeJobs,
  releaseClaims,
  type VideoJobRow,
} from "../../domain/calls/video-jobs.ts";
import type { RelayDeps } from "../deps.ts";
import { tell } from "./callback.ts";
import { createKeeper } from "./keeper.ts";
import { pollJob } from "./poll.ts";
import { errorName } from "../../error-name.ts";

/** The jobs of this process: it asks providers about those that are due, and tells of those that have ended. */
export interface VideoJobs {
  /** a job was begun, or has ended */
  wake(): void;
  /** resolves when nothing is under way; begins nothing from now on */
  close(): Promise<void>;
}

/** What is claimed at a time, and then under way: of one provider's jobs, or of one workspace's messages, up to twice as much. */
const atATime = 8;
const mostAsked = 64;
const mostTold = 32;
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
  let isSoon = false;
  let purgedMs = Number.NEGATIVE_INFINITY;
  const startedAt = domain.now();
  const keeper = createKeeper(deps);
  const asked = createUnderWay(mostAsked);
  const told = createUnderWay(mostTold);

  function start(): void {
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

  /** Something may be due before what was due next. */
  function wake(): void {
    if (running !== null) again = true;
    else if (!isSoon) later(shortestMs);
    isSoon = true;
  }

  const isOver = () => isClosed || deps.interrupted() !== null;

  function later(waitMs: number): void {
    if (isOver()) return;
    if (timer !== null) clearTimeout(timer);
    timer = setTimeout(start, waitMs);
    timer.unref();
  }

  async function round(): Promise<void> {
    again = isSoon = false;
    let waitMs = longestMs;
    try {
      if (isFirst) await releaseClaims(domain, startedAt);
      isFirst = false;
      if (performance.now() - purgedMs > purgeEveryMs) {
        purgedMs = performance.now();
        await purgeJobs(domain);
      }
      for (let hasMore = true; hasMore && !isOver();) {
        const due = await claimDueJobs(domain, asked.room());
        for (const job of due) begin(asked, job.provider, pollJob(deps, job).then(keeper.keep), job);
        const over = isOver() ? [] : await claimCallbacks(domain, told.room());
        for (const job of over) begin(told, job.workspace_id, tell(deps, job), job);
        hasMore = due.length + over.length > 0;
      }
      const next = await nextJobDue(domain);
      if (next !== null) waitMs = Math.min(Math.max(next.getTime() - domain.now().getTime(), shortestMs), longestMs);
    } catch (error) {
      if (!isOver()) deps.warn("video jobs could not be checked", { reason: errorName(error) });
    }
    later(waitMs);
  }

  /** What fails unexpectedly is claimed for a while, and due again then. */
  function begin(underWay: UnderWay, owner: string, work: Promise<void>, { id }: VideoJobRow): void {
    const done = work.catch((error: unknown) => {
      if (!isOver()) deps.warn("a video job could not be checked", { job: id, reason: errorName(error) });
    });
    underWay.add(owner, done.finally(wake));
    deps.untilSettled(done);
  }

  later(0);
  return {
    wake,
    async close() {
      isClosed = true;
      if (timer !== null) clearTimeout(timer);
      await running;
      await Promise.all([...asked.all, ...told.all]);
      await keeper.close();
    },
  };
}

type UnderWay = ReturnType<typeof createUnderWay>;

/** What is under way, no more than so much. A provider or a receiver that is slow holds up only what is its own. */
function createUnderWay(most: number) {
  const all = new Set<Promise<void>>();
  const owners: string[] = [];
  return {
    all: all as ReadonlySet<Promise<void>>,
    add(owner: string, work: Promise<void>): void {
      const ended = work.finally(() => {
        all.delete(ended);
        owners.splice(owners.indexOf(owner), 1);
      });
      all.add(ended);
      owners.push(owner);
    },
    /** how much may be begun, and of whom nothing */
    room() {
      const except = [...new Set(owners)].filter((owner) => owners.filter((one) => one === owner).length >= atATime);
      return { most: Math.min(most - all.size, atATime), except };
    },
  };
}
