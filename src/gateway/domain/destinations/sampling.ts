import { createHash } from "node:crypto";
import type { ForwardedEvent } from "#contract/forwarded-event.ts";

/**
 * A call's position between 0 and 1, from a stable hash of its session (else its trace, else the call itself).
 * It is the same at every destination and in every process, so that a session is kept or dropped as a whole, and the
 * calls that a 1% destination gets are a subset of those that a 10% destination gets.
 */
export function samplingPosition(event: Pick<ForwardedEvent, "id" | "sessionId" | "trace">): number {
  const traceId = event.trace?.["trace_id"];
  const subject = event.sessionId
    ? `session:${event.sessionId}`
    : typeof traceId === "string" && traceId
      ? `trace:${traceId}`
      : `call:${event.id}`;
  // 48 bits: exact in a double, and fine enough for a rate of 0.0001.
  return createHash("sha256").update(subject).digest().readUIntBE(0, 6) / 2 ** 48;
}

/** Whether a destination that samples at `rate` (0.0001 to 1) takes this call. */
export function isSampled(event: Pick<ForwardedEvent, "id" | "sessionId" | "trace">, rate: number): boolean {
  return rate >= 1 || samplingPosition(event) < rate;
}

/** A sampling rate for display, with the digits that a form keeps: `0.25` is `25%`. */
export const percentOf = (rate: number): string => `${Number((rate * 100).toPrecision(6))}%`;
