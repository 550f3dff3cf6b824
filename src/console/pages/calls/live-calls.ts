import type { CallRecord } from "#contract/calls.ts";

const position = (call: CallRecord) => `${call.created_at} ${call.id}`;

/** Newest first, as the list is ordered; each call once. */
export function mergeCalls(...lists: readonly (readonly CallRecord[])[]): CallRecord[] {
  const byId = new Map(lists.flat().map((call) => [call.id, call] as const));
  return [...byId.values()].toSorted((one, other) => (position(one) < position(other) ? 1 : -1));
}

/** The list as far as it was read. */
export interface Listed {
  /** newest first */
  calls: readonly CallRecord[];
  /** there are older calls that it has not read */
  more: boolean;
}

/** What came since the list was read. */
export interface Arrivals {
  /** newest first */
  calls: readonly CallRecord[];
  /** calls may be missing between what came and what was there: more came than one read holds */
  gap: boolean;
}

export const noArrivals: Arrivals = { calls: [], gap: false };

/** Adds what a read found to what came before. What is older than the list is not new: it was not read yet. */
export function withArrivals(before: Arrivals, found: readonly CallRecord[], { calls, more }: Listed): Arrivals {
  const have = new Set([...calls, ...before.calls].map(({ id }) => id));
  const last = calls.at(-1);
  const oldest = more && last !== undefined ? position(last) : "";
  const unknown = found.filter(({ id }) => !have.has(id));
  const fresh = unknown.filter((call) => position(call) > oldest);
  if (fresh.length === 0) return before;
  const gap = before.gap || (have.size > 0 && unknown.length === found.length);
  return { calls: mergeCalls(fresh, before.calls), gap };
}
