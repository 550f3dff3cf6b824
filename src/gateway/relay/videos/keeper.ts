import { keepJobs, type Progress } from "../../domain/calls/video-jobs.ts";
import type { RelayDeps } from "../deps.ts";

/** Writes what is kept of jobs that go on: nobody waits for it, so that many are one statement. */
export interface Keeper {
  /** @param progress null: the job has ended */
  keep(progress: Progress | null): void;
  close(): Promise<void>;
}

const gatherMs = 250;

export function createKeeper({
  domain,
  warn,
  untilSettled,
}: Pick<RelayDeps, "domain" | "warn" | "untilSettled">): Keeper {
  let waiting: Progress[] = [];
  let writing = Promise.resolve();
  let timer: NodeJS.Timeout | null = null;

  function write(): void {
    timer = null;
    if (waiting.length === 0) return;
    const jobs = waiting;
    waiting = [];
    writing = writing
      .then(() => keepJobs(domain, jobs))
      // Their claims end by themselves; then they are due again.
      .catch(() => warn("the state of video jobs could not be stored", { jobs: jobs.length }));
    untilSettled(writing);
    timer = setTimeout(write, gatherMs);
    timer.unref();
  }

  return {
    keep(progress) {
      if (progress === null) return;
      waiting.push(progress);
      // The first one at once.
      if (timer === null) write();
    },
    async close() {
      if (timer !== null) clearTimeout(timer);
      write();
      if (timer !== null) clearTimeout(timer);
      await writing;
    },
  };
}
