import { expect, it, afterEach, beforeEach, describe, vi } from "vitest";
import { deleteKey, getKey, listKeys } from "#contract/keys.ts";
import { getWorkspace } from "#contract/workspaces.ts";
import { call, callPath } from "./call.ts";
import { type OfferedModel, unpricedModels } from "./providers.ts";
import { readByOffset, readPages } from "./read-pages.ts";
import { session, startSession } from "./session.ts";

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

it("the path of a call has its parameters in place, escaped so that a value can't become another path", () => {
  expect(callPath(getKey, { params: { hash: "c0ffee" } })).toBe("/keys/c0ffee");
  expect(callPath(getWorkspace, { params: { id: "../keys?x=1#y" } })).toBe("/workspaces/..%2Fkeys%3Fx%3D1%23y");
  expect(callPath(listKeys, { query: { q: "a&status=disabled" } })).toBe("/keys?q=a%26status%3Ddisabled");
  // what is undefined is left out, and an empty text kept
  expect(callPath(listKeys, { query: { q: "", cursor: undefined } })).toBe("/keys?q=");
  expect(callPath(listKeys, { query: { cursor: undefined } })).toBe("/keys");
});

describe("a call that is refused because its session ended", () => {
  const times = { created_at: "2026-11-21T12:00:00.000Z", expires_at: "2026-11-22T12:00:00.000Z" };
  const start = (csrf_token: string) => startSession({ user: "admin", csrf_token, ...times });
  const refused = () => Response.json({ error: { code: 401, message: "Not signed in" } }, { status: 401 });
  beforeEach(() => {
    vi.stubGlobal("document", { querySelector: () => null });
    start("first");
  });
  afterEach(() => {
    vi.unstubAllGlobals();
    session.set({ state: "unknown" });
  });

  it("ends the session that it was sent with", async () => {
    vi.stubGlobal("fetch", async () => refused());
    await expect(call(getKey, { params: { hash: "c0ffee" } })).rejects.toMatchObject({ status: 401 });
    expect(session.get().state).toBe("ended");
  });

  it("is made again where somebody signed in meanwhile, and leaves the new session alone", async () => {
    const answers = [refused(), Response.json({ data: { hash: "c0ffee" } })];
    const sent: (string | null)[] = [];
    vi.stubGlobal("fetch", async (_: string, init: { headers: Headers }) => {
      sent.push(init.headers.get("x-csrf-token"));
      start("second");
      return answers.shift();
    });
    expect(await call(deleteKey, { params: { hash: "c0ffee" } })).toMatchObject({ data: { hash: "c0ffee" } });
    expect([sent, session.get().state]).toEqual([["first", "second"], "signed-in"]);
  });
});
