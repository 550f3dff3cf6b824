import type { CallRecord } from "#contract/calls.ts";

/** A file holds about so many: a spreadsheet and this tab have to carry it. */
export const enoughForFile = 10_000;

export interface CallsRead {
  calls: CallRecord[];
  /** where the next file goes on, so that no call is in both and none in neither; null after the last call */
  next: string | null;
}

/** One page after the other, until the file is full; the page that fills it is in it whole. */
export async function readCalls(
  page: (cursor: string | null) => Promise<{ data: CallRecord[]; next_cursor: string | null }>,
  from: string | null,
  progress: (read: number) => void,
): Promise<CallsRead> {
  const calls: CallRecord[] = [];
  let cursor = from;
  do {
    const { data, next_cursor: next } = await page(cursor);
    calls.push(...data);
    progress(calls.length);
    cursor = next;
  } while (cursor !== null && calls.length < enoughForFile);
  return { calls, next: cursor };
}
