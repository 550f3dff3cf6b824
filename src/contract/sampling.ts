import type { ForwardedEvent } from "./forwarded-event.ts";
import { sha256 } from "./sha256.ts";

/** What of a call sampling goes by: its session, else its trace, else the call itself. */
export function samplingId(call: Pick<ForwardedEvent, "id" | "sessionId" | "trace">): string {
  const traceId = call.trace?.["trace_id"];
  if (call.sessionId) return `session:${call.sessionId}`;
  return typeof traceId === "string" && traceId ? `trace:${traceId}` : `call:${call.id}`;
}

/**
 * A position from 0 to below 1, from a stable hash. It is the same at every destination and in every process, so that a
 * session is kept or dropped as a whole, and the sessions that a 1% destination gets are a part of those that a 10%
 * destination gets.
 * @param id as {@link samplingId} gives it
 */
export function samplingPosition(id: string): number {
  const [high = 0, low = 0] = sha256(id);
  // 48 bits: exact in a double, and fine enough for a rate of 0.0001.
  return (high * 2 ** 16 + (low >>> 16)) / 2 ** 48;
}

/** Whether a destination that samples at `rate` (0.0001 to 1) keeps a session. */
export function keeps(id: string, rate: number): boolean {
  return rate >= 1 || keepsPosition(samplingPosition(id), rate);
}

/** The same of a session whose position is known. */
export function keepsPosition(position: number, rate: number): boolean {
  return position < rate;
}

/** The lowest rate, in the six digits that a form keeps, at which a session is kept. */
export function rateThatKeeps(id: string): number {
  return rateThatKeepsPosition(samplingPosition(id));
}

/** The same of a session whose position is known. */
export function rateThatKeepsPosition(position: number): number {
  return Math.min(1, Math.max(0.0001, (Math.floor(position * 1e6) + 1) / 1e6));
}

/** A sampling rate for display, with the digits that a form keeps: `0.25` is `25%`. */
export const percentOf = (rate: number): string => `${Number((rate * 100).toPrecision(6))}%`;
