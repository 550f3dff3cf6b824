import { formatRelative } from "../../format.ts";

/** When an event is tried again: what is due may wait for others of its destination. */
export const nextTry = (at: Date, now: Date): string =>
  at.getTime() - now.getTime() < 1_000 ? "and the next is due" : `and the next comes ${formatRelative(at, now)}`;
