import type { CallEntry } from "#contract/call-list.ts";

export const idOf = (entry: CallEntry) => (entry.kind === "call" ? entry.call.id : entry.id);
export const instantOf = (entry: CallEntry) => (entry.kind === "call" ? entry.call.created_at : entry.refused.first_at);
const position = (entry: CallEntry) => `${instantOf(entry)} ${idOf(entry)}`;

/** How many calls a line stands for. */
export const callsOf = (entry: CallEntry) => (entry.kind === "call" ? 1 : entry.refused.count);

/** Newest first, as the list is ordered; each line once, as the latest read has it: counts of refused calls grow. */
export function mergeCalls(...lists: readonly (readonly CallEntry[])[]): CallEntry[] {
  const byId = new Map<string, CallEntry>();
  for (const entry of lists.flat()) {
    const known = byId.get(idOf(entry));
    if (known === undefined || callsOf(known) < callsOf(entry)) byId.set(idOf(entry), entry);
  }
  return [...byId.values()].toSorted((one, other) => (position(one) < position(other) ? 1 : -1));
}

/** The list as far as it was read. */
export interface Listed {
  /** newest first */
  calls: readonly CallEntry[];
  /** there are older calls that it has not read */
  more: boolean;
}

/** What came since the list was read. */
export interface Arrivals {
  /** newest first */
  calls: readonly CallEntry[];
  /** calls may be missing between what came and what was there: more came than one read holds */
  gap: boolean;
}

export const noArrivals: Arrivals = { calls: [], gap: false };

/** Adds what a read found to what came before. What is older than the list is not new: it was not read yet. */
export function withArrivals(before: Arrivals, found: readonly CallEntry[], { calls, more }: Listed): Arrivals {
  const known = new Map([...calls, ...before.calls].map((entry) => [idOf(entry), callsOf(entry)] as const));
  const last = calls.at(-1);
  const oldest = more && last !== undefined ? position(last) : "";
  const unknown = found.filter((entry) => (known.get(idOf(entry)) ?? 0) < callsOf(entry));
  const fresh = unknown.filter((entry) => position(entry) > oldest);
  if (fresh.length === 0) return before;
  const gap = before.gap || (known.size > 0 && found.every((entry) => !known.has(idOf(entry))));
  return { calls: mergeCalls(fresh, before.calls), gap };
}

/** Neighboring lines of one key that was refused for one reason, as one line: a key that goes on trying has one a minute. */
export function foldRefused(entries: readonly CallEntry[]): CallEntry[] {
  const folded: CallEntry[] = [];
  for (const entry of entries) {
    const last = folded.at(-1);
    if (entry.kind === "refused" && last?.kind === "refused" && isAlike(last.refused, entry.refused)) {
      const { first_at } = entry.refused;
      const count = last.refused.count + entry.refused.count;
      folded[folded.length - 1] = { ...last, refused: { ...last.refused, first_at, count } };
    } else folded.push(entry);
  }
  return folded;
}

type Refused = Extract<CallEntry, { kind: "refused" }>["refused"];

const isAlike = (one: Refused, other: Refused) =>
  one.key_hash === other.key_hash && one.reason === other.reason && one.status === other.status;
