import { Refusal } from "./refusal.ts";

/**
 * SQLSTATEs that say nothing about the statement: the connection was lost (08), the server is out of space, memory or
 * connections (53), is stopping or starting (57), cannot read or write its files (58), ended the session or is
 * read-only, as after a failover (25P03, 25006), or chose this transaction as a deadlock victim (40).
 */
const away = /^(08|53|57|58|40|25P03|25006)/;

const unreachable = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ECONNABORTED",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
]);

/** Whether an error's code says that a disk is full: that of the data folder, or PostgreSQL's. */
export function isDiskFull(code: unknown): boolean {
  return code === "ENOSPC" || code === "EDQUOT" || code === "53100";
}

/** The driver's own messages where there is no code. */
const disconnected =
  /^(Connection terminated|PostgreSQL did not answer in time|Client has encountered a connection error|Client was closed|timeout exceeded when trying to connect|Query read timeout|Cannot use a pool after calling end)/;

/** Whether the store could not be reached, or could not run a valid statement: the same may succeed later. */
export function isStoreAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  // A DatabaseError has a five-character code; system errors have names.
  if (/^[0-9A-Z]{5}$/.test(code) && "severity" in error) return away.test(code);
  return unreachable.has(code) || isDiskFull(code) || disconnected.test(error.message);
}

/**
 * The error for a caller while the store is unavailable.
 * @param consequence completes "The store does not answer, so …"; without it, the outcome of the request is unknown
 */
export function storeAway(cause: unknown, consequence?: string): Refusal {
  const why = consequence === undefined ? "" : `, so ${consequence}`;
  if (cause instanceof Error && "code" in cause && isDiskFull(cause.code)) {
    const message = `The disk of the store is full${why}: free some space, then try again`;
    return new Refusal("unavailable", message, { retryAfterSeconds: 10, cause });
  }
  return new Refusal("unavailable", `The store does not answer${why}: try again`, { retryAfterSeconds: 2, cause });
}
