import { expect, it } from "vitest";
import { readPages } from "./read-pages.ts";

/** A list in pages of odd sizes; a cursor is a place in it. */
const ledger = Array.from({ length: 23_456 }, (_, at) => ({ id: `gen-${at}` }));
const page = async (cursor: string | null) => {
  const from = Number(cursor ?? 0);
  const data = ledger.slice(from, from + (from % 200 === 0 ? 99 : 101));
  const next = from + data.length;
  return { data, next_cursor: next < ledger.length ? String(next) : null };
};

it("cuts a list into parts in which each row is once", async () => {
  const parts: string[][] = [];
  let next: string | null = null;
  do {
    const read: { rows: { id: string }[]; next: string | null } = await readPages(page, { from: next, enough: 10_000 });
    parts.push(read.rows.map(({ id }) => id));
    next = read.next;
  } while (next !== null);
  expect(parts).toHaveLength(3);
  expect(parts.flat()).toEqual(ledger.map(({ id }) => id));
});
