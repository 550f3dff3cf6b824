import { startOfUtcHour } from "#contract/time.ts";
import type { Store } from "../../storage/store.ts";
import { commitRows, isPassing } from "./commit.ts";
import { bareRow, fullRow } from "./entry.ts";

/** A call as the journal has it. */
interface Recorded {
  /** when it was charged */
  readonly at: string;
  readonly row: object;
}

/** Calls that are folded at once, at most. */
export const largestFold = 500;

/** Puts the calls into the tables that are in the journal alone: their process was killed before it did. */
export async function foldJournal(store: Pick<Store, "journal" | "unfolded" | "processId">): Promise<void> {
  const calls = (store.journal?.tail ?? []) as Recorded[];
  for (let from = 0; from < calls.length;) {
    const group = groupFrom(calls, from);
    await fold(store, group);
    from += group.length;
  }
  await store.journal?.begin();
}

/** Calls in a row that were charged in the same hour, and so in the same periods. */
function groupFrom(calls: readonly Recorded[], from: number): Recorded[] {
  const hour = hourOf(calls[from]);
  const group = calls.slice(from, from + largestFold);
  const other = group.findIndex((call) => hourOf(call) !== hour);
  return other === -1 ? group : group.slice(0, other);
}

const hourOf = (call: Recorded | undefined) => startOfUtcHour(new Date(call?.at ?? 0)).getTime();

async function fold(store: Pick<Store, "unfolded" | "processId">, calls: readonly Recorded[]): Promise<void> {
  const last = calls.at(-1);
  if (last === undefined) return;
  const commit = (rows: readonly object[]) =>
    commitRows(store.unfolded, {
      rows: rows.map((row) => JSON.stringify(fullRow(row))),
      at: new Date(last.at),
      leased: [],
      processId: store.processId,
    });
  try {
    await commit(calls.map(({ row }) => row));
  } catch (error) {
    if (isPassing(error)) throw error;
    // The store rejects something in the group: bisect it until the culprit is alone.
    const middle = calls.length >> 1;
    if (middle === 0) return await commit([bareRow(last.row)]);
    await fold(store, calls.slice(0, middle));
    await fold(store, calls.slice(middle));
  }
}
