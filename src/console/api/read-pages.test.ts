import { expect, it } from "vitest";
import { readByOffset, readPages } from "./read-pages.ts";

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

const counted = async ({ limit, offset }: { limit: string; offset: string }) => ({
  data: ledger.slice(Number(offset), Number(offset) + Number(limit)),
  total_count: 250,
});

it("reads a list that counts its rows until it has all of them, or as many as are wanted", async () => {
  const { rows, total } = await readByOffset(async (at) => {
    const page = await counted(at);
    return { ...page, data: page.data.slice(0, 250 - Number(at.offset)) };
  });
  expect([rows.map(({ id }) => id), total]).toEqual([ledger.slice(0, 250).map(({ id }) => id), 250]);
  expect((await readByOffset(counted, 150)).rows).toHaveLength(200);
});

it("ends where rows were deleted meanwhile", async () => {
  const { rows, total } = await readByOffset(async ({ offset }) => ({
    data: offset === "0" ? ["a"] : [],
    total_count: 2,
  }));
  expect([rows, total]).toEqual([["a"], 2]);
});
