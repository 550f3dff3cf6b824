import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { randomUUID } from "node:crypto";
import type pg from "pg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openJournal } from "../../storage/journal.ts";
import { openStore, type Store } from "../../storage/store.ts";
import { charged, makeEntry } from "../../testing/ledger-calls.ts";
import { putStore } from "../../testing/store-template.ts";
import { createLocalBalances } from "./balance-local.ts";
import { type LedgerEntry, rowText } from "./entry.ts";
import { foldJournal } from "./fold.ts";
import { createLedger } from "./ledger.ts";
import { InsufficientFunds } from "./reservations.ts";

const now = () => new Date("2026-11-21T12:00:00.000Z");
const workspaceId = randomUUID();
const spendId = randomUUID();
const account = { spendId, kind: "key" as const, limits: [{ limit: 100n, reset: null, includeByok: false }] };

const call = (values: Partial<LedgerEntry> = {}) =>
  makeEntry({ createdAt: now(), workspaceId, spendId, cost: 10n, ...values });

/** The same pool, whose statements wait for this; its transactions do not. */
function writingAfter(pool: pg.Pool, until: () => Promise<unknown>): pg.Pool {
  const query = async (statement: pg.QueryConfig) => {
    await until();
    return await pool.query(statement);
  };
  return Object.assign(Object.create(pool) as pg.Pool, { query });
}

describe("the fold of the journal", () => {
  let folder: string;
  const open: Store[] = [];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "gatehouse-fold-"));
    await putStore(folder);
  });
  afterEach(async () => {
    for (const store of open.splice(0)) await store.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function start(at = folder) {
    const store = await openStore({ engine: "embedded", folder: at }, now);
    open.push(store);
    await foldJournal(store);
    return store;
  }

  const stop = async () => {
    await open.pop()?.close();
  };

  /** @param until when its calls may be put into the tables */
  const ledgerOn = (store: Store, until: () => Promise<unknown> = async () => {}, clock = now) =>
    createLedger({
      store: { ...store, unfolded: writingAfter(store.unfolded, until) },
      now: clock,
      balances: createLocalBalances(store, clock),
      processId: store.processId,
      reachable: () => true,
    });

  async function make(ledger: ReturnType<typeof ledgerOn>, ...entries: LedgerEntry[]) {
    const settle = async (entry: LedgerEntry) => {
      const reservation = await ledger.reserve({ accounts: [account], least: 10n, most: 10n, byok: false });
      await ledger.settle(reservation, entry).committed;
    };
    await Promise.all(entries.map(settle));
  }

  const read = async (pool: Store["pool"]) => {
    const { rows } = await pool.query<{ ids: string[]; total: bigint }>(
      "select coalesce(array_agg(id order by seq), '{}') as ids, (select coalesce(sum(total), 0)::bigint from spends where id = $1) as total from ledger",
      [spendId],
    );
    return rows[0];
  };

  /** Leaves what a killed process would have left in the journal. */
  async function leave(...recorded: { at?: string; row: string }[]) {
    const journal = await openJournal(join(folder, "journal"));
    await journal.begin();
    for (const { at = now().toISOString(), row } of recorded) await journal.append(`{"at":"${at}","row":${row}}`);
    await journal.close();
  }

  it("lets an answer leave before it, and shows every read what was answered", async () => {
    const store = await start();
    const folding = Promise.withResolvers<void>();
    const ledger = ledgerOn(store, () => folding.promise);
    const entries = Array.from({ length: 5 }, () => call());
    await make(ledger, ...entries);
    expect(await read(store.unfolded)).toEqual({ ids: [], total: 0n });
    folding.resolve();
    expect(await read(store.pool)).toEqual({ ids: entries.map(({ id }) => id), total: 50n });
    await make(ledger, call());
    // a read through the other door
    const spends = store.db.selectFrom("spends").select("total").where("id", "=", spendId);
    expect(await spends.executeTakeFirstOrThrow()).toEqual({ total: 60n });
    await ledger.close();
    await stop();
    const journal = await openJournal(join(folder, "journal"));
    expect(journal.tail).toEqual([]);
  });

  it("counts a call in the hour and the day in which it was answered, though it is folded after midnight", async () => {
    const store = await start();
    const folding = Promise.withResolvers<void>();
    let at = new Date("2026-11-21T23:59:59.900Z");
    const ledger = ledgerOn(
      store,
      () => folding.promise,
      () => at,
    );
    await make(ledger, call());
    at = new Date("2026-11-22T00:00:00.100Z");
    await make(ledger, call(), call());
    folding.resolve();
    await ledger.close();
    const { rows } = await store.pool.query("select hour, requests::int from usage_hourly order by hour");
    expect(rows).toEqual([
      { hour: new Date("2026-11-21T23:00:00Z"), requests: 1 },
      { hour: new Date("2026-11-22T00:00:00Z"), requests: 2 },
    ]);
    const spend = await store.pool.query("select day, total from spends where id = $1", [spendId]);
    expect(spend.rows).toEqual([{ day: 20n, total: 30n }]);
  });

  it("refuses what passes a limit, with money that is charged in the journal alone", async () => {
    const store = await start();
    const ledger = ledgerOn(store);
    await make(ledger, ...Array.from({ length: 10 }, () => call()));
    await expect(make(ledger, call())).rejects.toThrow(InsufficientFunds);
    expect((await read(store.pool))?.total).toBe(100n);
    await ledger.close();
  });

  it("is made up for at the next start, in a copy of the folder too: each call is there once", async () => {
    const store = await start();
    let folding = Promise.resolve();
    const ledger = ledgerOn(store, () => folding);
    const entries = Array.from({ length: 6 }, () => call());
    await make(ledger, ...entries.slice(0, 3));
    await read(store.pool);
    const copied = Promise.withResolvers<void>();
    folding = copied.promise;
    await make(ledger, ...entries.slice(3));
    const copy = await mkdtemp(join(tmpdir(), "gatehouse-fold-copy-"));
    // As a killed process leaves it: three calls in the tables, all six in the journal.
    await cp(folder, copy, { recursive: true, filter: (path) => !/lock\.db|run$|postmaster\.pid/.test(path) });
    copied.resolve();
    const all = { ids: entries.map(({ id }) => id), total: 60n };
    expect(await read((await start(copy)).pool)).toEqual(all);
    await stop();
    expect(await read((await start(copy)).pool)).toEqual(all);
    await stop();
    await rm(copy, { recursive: true });
    await ledger.close();
    expect(await read(store.pool)).toEqual(all);
  });

  it("charges each call when it was made, hours before", async () => {
    const at = ["2026-11-20T23:59:59.900Z", "2026-11-20T23:59:59.990Z", "2026-11-21T00:00:00.010Z"];
    await leave(...at.map((each) => ({ at: each, row: rowText(charged(call())) })));
    const { pool } = await start();
    const { rows } = await pool.query<{ settled_at: Date }>("select settled_at from ledger order by seq");
    expect(rows.map(({ settled_at }) => settled_at.toISOString())).toEqual([at[1], at[1], at[2]]);
    const { rows: spends } = await pool.query("select total, day from spends where id = $1", [spendId]);
    expect(spends).toEqual([{ total: 30n, day: 10n }]);
    const { rows: hours } = await pool.query("select hour, requests from usage_hourly order by hour");
    expect(hours).toEqual([
      { hour: new Date("2026-11-20T23:00:00.000Z"), requests: 2n },
      { hour: new Date("2026-11-21T00:00:00.000Z"), requests: 1n },
    ]);
  });

  it("keeps a call whose text the store rejects without that text, and one of an earlier version", async () => {
    const [good, bad, earlier] = [call({ userAgent: "curl" }), call({ userAgent: "curl" }), call()];
    const { id, workspaceId: of, createdAt, keyHash, apiType, model, provider, cost, durationMs, attempts } = earlier;
    const named = { id, workspaceId: of, createdAt, keyHash, spendId, apiType, model, provider };
    const required = { ...named, durationMs, attempts };
    await leave(
      { row: rowText(charged(good)) },
      { row: rowText(charged(bad)).replace("curl", "\\u0000") },
      { row: JSON.stringify({ ...required, cost: Number(cost), byokCost: 0, overrun: 0 }) },
    );
    const { pool } = await start();
    const { rows } = await pool.query("select id, user_agent from ledger order by seq");
    expect(rows).toEqual([
      { id: good.id, user_agent: "curl" },
      { id: bad.id, user_agent: null },
      { id, user_agent: null },
    ]);
    expect((await read(pool))?.total).toBe(30n);
  });

  it("leaves a call that the store rejects altogether in the journal; no other is started", async () => {
    const store = await start();
    const ledger = ledgerOn(store);
    await make(ledger, call({ model: "fine" }), call({ workspaceId: "none" }));
    await read(store.pool);
    expect(ledger.troubled()).toBe(true);
    await ledger.close();
    await stop();
    const { tail } = await openJournal(join(folder, "journal"));
    expect(tail).toMatchObject([{ row: { model: "fine" } }, { row: { workspaceId: "none" } }]);
    await expect(start()).rejects.toThrow("invalid input syntax for type uuid");
  });
});
