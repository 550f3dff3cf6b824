import type { CallAttempt, CallRecord } from "#contract/calls.ts";

/** When an attempt was made, in milliseconds from the beginning of the call. */
export interface AttemptTimes {
  /** null: not recorded */
  from: number | null;
  /** the first byte of the answer, of a job that it was accepted; null: there was none, or it was not recorded for this attempt */
  firstByte: number | null;
  to: number;
}

/** Whether the call is answered at once, and goes on until its job has ended. */
export const isVideoJob = ({ api_type: type }: Pick<CallRecord, "api_type">) => type === "videos";

/** When each attempt was made, as far as the record has it. */
export function attemptTimes(call: CallRecord): AttemptTimes[] {
  const { attempts, latency_ms: firstByteMs, duration_ms: durationMs, streamed } = call;
  const isJob = isVideoJob(call);
  const answered = attempts.filter(({ error }) => error === null);
  return attempts.map((attempt) => {
    const from = attempt.started_ms ?? null;
    // the call has one time to the first byte: with several answers it is not known whose it is
    const isServing = attempt.error === null && answered.length === 1;
    const start = from ?? 0;
    if (isServing && isJob && from !== null)
      return { from, firstByte: Math.min(start + attempt.latency_ms, durationMs), to: durationMs };
    const firstByte = isServing && firstByteMs !== null && from !== null ? start + firstByteMs : null;
    // an attempt at a stream is over when it begins to answer; it goes on to the end of the call
    const to = isServing && streamed && from !== null ? durationMs : start + attempt.latency_ms;
    return { from, firstByte: firstByte === null ? null : Math.min(firstByte, to), to };
  });
}

/** What the picture is as wide as: the whole call, and no attempt leaves it. */
export function wholeMs({ duration_ms: durationMs }: CallRecord, times: readonly AttemptTimes[]): number {
  return Math.max(1, durationMs, ...times.map(({ to }) => to));
}

/** What was set aside for the call, and what it came to; undefined where nothing of it was recorded. */
export function reservedMost(attempts: readonly CallAttempt[]): number | undefined {
  const recorded = attempts.flatMap(({ reserved }) => reserved ?? []);
  return recorded.length === 0 ? undefined : Math.max(...recorded);
}
