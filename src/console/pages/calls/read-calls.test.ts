import { expect, it } from "vitest";
import type { CallRecord } from "#contract/calls.ts";
import { readCalls } from "./read-calls.ts";

/** A ledger of calls that all began in the same second, read in pages of odd sizes; a cursor is a place in it. */
const ledger = Array.from({ length: 23_456 }, (_, at) => ({ id: `gen-${at}`, created_at: "2026-11-20T17:42:00Z" }));
const page = async (cursor: string | null) => {
  const from = Number(cursor ?? 0);
  const data = ledger.slice(from, from + (from % 200 === 0 ? 99 : 101)) as CallRecord[];
  const next = from + data.length;
  return { data, next_cursor: next < ledger.length ? String(next) : null };
};

it("cuts the calls into files in which each is once, whatever second it began in", async () => {
  const files: string[][] = [];
  let next: string | null = null;
  do {
    const read = await readCalls(page, next, () => {});
    files.push(read.calls.map(({ id }) => id));
    next = read.next;
  } while (next !== null);
  expect(files).toHaveLength(3);
  expect(files.flat()).toEqual(ledger.map(({ id }) => id));
});
