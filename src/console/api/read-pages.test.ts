import { expect, it } from "vitest";
import { type OfferedModel, unpricedModels } from "./providers.ts";
import { readByOffset, readPages } from "./read-pages.ts";

const ids = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);
const ledger = Array.from({ length: 23_456 }, (_, at) => ({ id: `gen-${at}` }));
/** A list in pages of odd sizes; a cursor is a place in it. */
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
    parts.push(ids(read.rows));
    next = read.next;
  } while (next !== null);
  expect(parts).toHaveLength(3);
  expect(parts.flat()).toEqual(ids(ledger));
});

it("reads a list that counts its rows until it has all, or as many as are wanted, or rows were deleted", async () => {
  const counted = (all: typeof ledger, total_count: number) => async (at: { limit: string; offset: string }) => {
    return { data: all.slice(Number(at.offset), Number(at.offset) + Number(at.limit)), total_count };
  };
  const some = ledger.slice(0, 250);
  const { rows, total } = await readByOffset(counted(some, 250));
  expect([ids(rows), total]).toEqual([ids(some), 250]);
  expect((await readByOffset(counted(ledger, 250), 150)).rows).toHaveLength(200);
  expect(await readByOffset(counted(ledger.slice(0, 1), 2))).toMatchObject({ rows: [{ id: "gen-0" }], total: 2 });
});

it("a model is without a price where nobody who serves it has one", () => {
  const model = (id: string, price: string | null, enabled = true) =>
    ({ id, enabled, pricing: price === null ? null : { prompt: price } }) as OfferedModel;
  const providers = [
    { enabled: true, models: [model("a/free", "0"), model("a/dear", null), model("a/off", null, false)] },
    { enabled: true, models: [model("a/dear", "0.01"), model("a/unknown", null)] },
    { enabled: false, models: [model("a/elsewhere", null)] },
    { enabled: true, models: [model("a/unknown", null)] },
  ];
  expect(unpricedModels(providers)).toBe(1);
});
