import { capital, formatRelative } from "../../format.ts";
import type { DestinationHealth } from "#contract/forwarding.ts";

type Failed = Pick<NonNullable<DestinationHealth["last_error"]>, "status" | "message">;

/** What an answer's status means for the person who has to fix it; the original message is shown next to it. */
export function failureMessage({ status, message }: Failed): string {
  if (status === null) return capital(message);
  if (status === 401 || status === 403) return "The destination refuses the gateway's credential. Check the secrets";
  if (status === 404 || status === 405) return "The destination accepts nothing at this address. Check the address";
  if (status === 413) return "The destination refuses an event because it is too large";
  if (status === 429) return "The destination asks the gateway to slow down";
  if (status >= 500) return "The destination has an internal problem";
  if (status >= 300 && status < 400) return "The destination moved to another address. Check the address";
  return "The destination refuses an event";
}

/** When an event is tried again: what is due may wait for others of its destination. */
export const nextTry = (at: Date, now: Date): string =>
  at.getTime() - now.getTime() < 1_000 ? "and the next is due" : `and the next comes ${formatRelative(at, now)}`;
