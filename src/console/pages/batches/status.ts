import type { BatchRecord, BatchStatus } from "#contract/batches.ts";
import type { StatusKind } from "../../ui/Status.tsx";

/** Each status as a shape and a word. */
export const batchStatus: Readonly<Record<BatchStatus, { kind: StatusKind; word: string }>> = {
  validating: { kind: "unknown", word: "Waiting" },
  in_progress: { kind: "running", word: "In progress" },
  finalizing: { kind: "running", word: "Finishing" },
  cancelling: { kind: "off", word: "Canceling" },
  completed: { kind: "running", word: "Completed" },
  cancelled: { kind: "over", word: "Canceled" },
  expired: { kind: "over", word: "Expired" },
  failed: { kind: "trouble", word: "Failed" },
};

type Counts = BatchRecord["request_counts"];

/** A batch that is completed although requests of it failed says so. */
export function statusOf({ status, request_counts: { completed, failed } }: BatchRecord): {
  kind: StatusKind;
  word: string;
} {
  if (status !== "completed" || failed === 0) return batchStatus[status];
  return completed === 0
    ? { kind: "trouble", word: "All requests failed" }
    : { kind: "warning", word: "Completed in part" };
}

export const hasEnded = ({ finalized_at: at }: Pick<BatchRecord, "finalized_at">) => at !== null;

/** Requests that have no result: still to come, or never made once the batch has ended. */
export const restOf = ({ total, completed, failed }: Counts) => Math.max(0, total - completed - failed);

/**
 * How many of `bars` stand for the answered and the failed requests; the others are for the rest. Each of the three that
 * there is anything of has one, and the largest takes what rounding leaves over.
 */
export function barsOf(counts: Counts, bars: number): { answered: number; failed: number } {
  const parts = [counts.completed, counts.failed, restOf(counts)];
  const lit = parts.map((part) => (part === 0 ? 0 : Math.max(1, Math.floor((part / counts.total) * bars))));
  const largest = parts.indexOf(Math.max(...parts));
  const over = bars - lit.reduce((sum, one) => sum + one, 0);
  const [answered = 0, failed = 0] = lit.map((one, index) => (index === largest ? one + over : one));
  return { answered, failed };
}
