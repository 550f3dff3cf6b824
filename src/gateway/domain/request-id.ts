import { orderedId } from "./ordered-id.ts";

/**
 * `req-` and a version 7 UUID: later requests sort after earlier ones, so that the ledger's index on them grows at its
 * end, and the instant shows where to look for a request that is not on the ledger.
 */
export function newRequestId(at: Date): string {
  return `req-${orderedId(at)}`;
}

/** The instant in a request's id; null for any other text. */
export function instantOfRequest(id: string): Date | null {
  const [, high, low] = /^req-([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.exec(id) ?? [];
  return high === undefined || low === undefined ? null : new Date(Number.parseInt(high + low, 16));
}
