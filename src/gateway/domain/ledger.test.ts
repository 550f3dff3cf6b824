import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { TestGateway } from "../testing/gateway.ts";
import { describeOnEngines } from "../testing/engines.ts";
import { createLedger, type Ledger, Short } from "./ledger.ts";
import { commitGroup } from "./ledger-commit.ts";
import type { ChargedEntry, LedgerEntry } from "./ledger-entry.ts";
import { addSpend, noSpend, spendOfRow, type LimitSettings } from "./limits.ts";
import { newGenerationId } from "./generation-id.ts";
import type { Account } from "./purse.ts";
import { createLeasedPurses } from "./purses-leased.ts";
import { createOwnedPurses } from "./purses-owned.ts";

const at = new Date("2026-11-21T12:00:00.000Z");

function entry(spendId: string, workspaceId: string, cost: bigint, byokCost = 0n): LedgerEntry {
  return {
    id: newGenerationId(at),
    workspaceId,
    createdAt: at,
    keyHash: "0".repeat(64),
    spendId,
    apiType: "embeddings",
    model: "acme/embed",
    provider: "acme",
    status: 200,
    errorType: null,
    promptTokens: 3,
    completionTokens: 0,
    reasoningTokens: 0,
    cachedTokens: 0,
    meteredBy: "upstream",
    priced: true,
    byok: byokCost > 0n,
    cost,
    byokCost,
    saved: 0n,
    inputs: 1,
    cachedInputs: 0,
    latencyMs: 1,
    durationMs: 2,
    streamed: false,
    cancelled: false,
    finishReason: null,
    nativeFinishReason: null,
    upstreamId: null,
    attempts: [],
    httpReferer: null,
    appTitle: null,
    userAgent: null,
    externalUser: null,
    sessionId: null,
    trace: null,
    requestId: null,
  };
}

const charged = (made: LedgerEntry): ChargedEntry => ({
  entry: made,
  own: made.cost,
  byok: made.byokCost,
  overrun: 0n,
});

function makeLedger({ deps }: TestGateway, processId = randomUUID()): Ledger {
  const { store, now } = deps;
  const shared = store.engine === "postgres";
  const purses = shared ? createLeasedPurses(store, now, processId) : createOwnedPurses(store, now);
  return createLedger({ store, now, purses, processId, reachable: () => true });
}

function account(spendId: string, limit: bigint, settings: Partial<LimitSettings> = {}): Account {
  return { spendId, kind: "key", limits: [{ limit, reset: null, includeByok: false, ...settings }] };
}

async function spendRow({ deps }: TestGateway, id: string) {
  return await deps.store.db.selectFrom("spends").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
}

/** Spends until nothing fits any more; many at once. */
async function spendAll(ledgers: readonly Ledger[], purse: Account, workspaceId: string, cost: bigint, calls: number) {
  let served = 0;
  const one = async (index: number) => {
    const ledger = ledgers[index % ledgers.length];
    if (ledger === undefined) throw new Error("no ledger");
    try {
      const reservation = await ledger.reserve({ accounts: [purse], least: cost, most: cost, byok: false });
      await ledger.settle(reservation, entry(purse.spendId, workspaceId, cost)).committed;
      served += 1;
    } catch (error) {
      if (!(error instanceof Short)) throw error;
    }
  };
  await Promise.all(Array.from({ length: calls }, (_, index) => one(index)));
  return served;
}

describeOnEngines("the ledger", (gateway, engine) => {
  it("moves the counters as the pure functions say, for charges at any instants", async () => {
    const instants = fc.date({
      min: new Date("2026-10-25T00:00:00Z"),
      max: new Date("2027-01-10T00:00:00Z"),
      noInvalidDate: true,
    });
    const charges = fc.array(fc.tuple(instants, fc.bigInt(0n, 10n ** 12n), fc.bigInt(0n, 10n ** 9n)), {
      minLength: 1,
      maxLength: 8,
    });
    await fc.assert(
      fc.asyncProperty(charges, async (all) => {
        const [spendId, workspaceId] = [randomUUID(), randomUUID()];
        let expected = noSpend(all[0]?.[0] ?? at);
        for (const [instant, own, byok] of all) {
          const entries = [charged(entry(spendId, workspaceId, own, byok))];
          await commitGroup(gateway().deps.store, { entries, at: instant, leased: [], processId: randomUUID() });
          expected = addSpend(expected, { own, byok }, instant);
        }
        expect(spendOfRow(await spendRow(gateway(), spendId))).toEqual(expected);
        expect(spendOfRow(await spendRow(gateway(), workspaceId))).toEqual(expected);
      }),
      { numRuns: 25 },
    );
  });

  it("changes nothing when a group is written a second time", async () => {
    const [spendId, workspaceId] = [randomUUID(), randomUUID()];
    const entries = [1n, 20n, 300n].map((cost) => charged(entry(spendId, workspaceId, cost)));
    const group = { entries, at, leased: [], processId: randomUUID() };
    await commitGroup(gateway().deps.store, group);
    await commitGroup(gateway().deps.store, group);
    expect((await spendRow(gateway(), spendId)).total).toBe(321n);
    const { rows } = await gateway().deps.store.pool.query(
      "select count(*) as rows, sum(cost)::bigint as cost from ledger where spend_id = $1",
      [spendId],
    );
    expect(rows).toEqual([{ rows: 3n, cost: 321n }]);
    const hourly = await gateway().deps.store.pool.query(
      "select usage, requests, prompt_tokens from usage_hourly where workspace_id = $1",
      [workspaceId],
    );
    expect(hourly.rows).toEqual([{ usage: 321n, requests: 3n, prompt_tokens: 9n }]);
  });

  it("spends a limit to the last unit, and not one more, however many ask at once", async () => {
    const [spendId, workspaceId] = [randomUUID(), randomUUID()];
    const ledger = makeLedger(gateway());
    const served = await spendAll([ledger], account(spendId, 1_007n), workspaceId, 10n, 500);
    await ledger.close();
    expect(served).toBe(100);
    expect(await spendRow(gateway(), spendId)).toMatchObject({ total: 1_000n, reserved: 0n });
  });

  it("charges what the vendor counted, and beyond the limit nothing", async () => {
    const [spendId, workspaceId] = [randomUUID(), randomUUID()];
    const ledger = makeLedger(gateway());
    const purse = account(spendId, 100n);
    const reservation = await ledger.reserve({ accounts: [purse], least: 10n, most: 10n, byok: false });
    const settlement = ledger.settle(reservation, entry(spendId, workspaceId, 250n));
    await settlement.committed;
    await ledger.close();
    const bearable = engine === "embedded" ? 100n : settlement.own;
    expect(settlement).toMatchObject({ own: bearable, overrun: 250n - bearable });
    expect(settlement.own).toBeLessThanOrEqual(100n);
    expect(await spendRow(gateway(), spendId)).toMatchObject({ total: settlement.own, reserved: 0n });
  });

  it("charges a call that cannot be written as it is without what its caller and vendor wrote", async () => {
    const [spendId, workspaceId] = [randomUUID(), randomUUID()];
    const ledger = makeLedger(gateway());
    const purse = account(spendId, 10n);
    let deep: unknown = null;
    for (let level = 0; level < 20_000; level += 1) deep = [deep];
    const reservation = await ledger.reserve({ accounts: [purse], least: 4n, most: 4n, byok: false });
    const made = { ...entry(spendId, workspaceId, 4n), trace: { deep }, userAgent: "a program" };
    await ledger.settle(reservation, made).committed;
    const row = await gateway()
      .deps.store.db.selectFrom("ledger")
      .selectAll()
      .where("id", "=", made.id)
      .executeTakeFirstOrThrow();
    expect(row).toMatchObject({ cost: 4n, trace: null, user_agent: null, key_hash: made.keyHash });
    expect((await spendRow(gateway(), spendId)).total).toBe(4n);
    await ledger.close();
  });

  it("ends a reservation once: what is released after it was settled, or settled after that, changes nothing", async () => {
    const [spendId, workspaceId] = [randomUUID(), randomUUID()];
    const ledger = makeLedger(gateway());
    const purse = account(spendId, 10n);
    const reservation = await ledger.reserve({ accounts: [purse], least: 10n, most: 10n, byok: false });
    await ledger.settle(reservation, entry(spendId, workspaceId, 3n)).committed;
    ledger.release(reservation);
    expect(() => ledger.settle(reservation, entry(spendId, workspaceId, 3n))).toThrow("settled twice");
    await expect(ledger.reserve({ accounts: [purse], least: 8n, most: 8n, byok: false })).rejects.toThrow(Short);
    const rest = await ledger.reserve({ accounts: [purse], least: 7n, most: 7n, byok: false });
    ledger.release(rest);
    ledger.release(rest);
    await expect(ledger.reserve({ accounts: [purse], least: 8n, most: 8n, byok: false })).rejects.toThrow(Short);
    await ledger.close();
  });

  it("gives back what a call did not use to those who wait for it", async () => {
    const [spendId, workspaceId] = [randomUUID(), randomUUID()];
    const ledger = makeLedger(gateway());
    const purse = account(spendId, 100n);
    const first = await ledger.reserve({ accounts: [purse], least: 100n, most: 100n, byok: false });
    const second = ledger.reserve({ accounts: [purse], least: 90n, most: 90n, byok: false });
    await ledger.settle(first, entry(spendId, workspaceId, 10n)).committed;
    ledger.release(await second);
    await ledger.close();
    expect(await spendRow(gateway(), spendId)).toMatchObject({ total: 10n, reserved: 0n });
  });

  it("says which figures it decided on when a call does not fit", async () => {
    const ledger = makeLedger(gateway());
    const purse = account(randomUUID(), 5n, { reset: "monthly" });
    const refused = ledger.reserve({ accounts: [purse], least: 6n, most: 6n, byok: false });
    await expect(refused).rejects.toMatchObject({
      shortage: { kind: "key", limit: 5n, reset: "monthly", spent: 0n, needed: 6n, resetsAt: new Date("2026-12-01") },
    });
    await ledger.close();
  });

  it("counts the caller's own vendor key apart, and toward the limit only where that says so", async () => {
    const [counted, apart, workspaceId] = [randomUUID(), randomUUID(), randomUUID()];
    const ledger = makeLedger(gateway());
    for (const [spendId, includeByok] of [
      [counted, true],
      [apart, false],
    ] as const) {
      const purse = account(spendId, 50n, { includeByok });
      const demand = { accounts: [purse], least: 40n, most: 40n, byok: true };
      await ledger.settle(await ledger.reserve(demand), entry(spendId, workspaceId, 0n, 40n)).committed;
      const again = ledger.reserve(demand);
      if (includeByok) await expect(again).rejects.toBeInstanceOf(Short);
      else ledger.release(await again);
      expect(await spendRow(gateway(), spendId)).toMatchObject({ total: 0n, byok_total: 40n });
    }
    await ledger.close();
  });

  if (engine === "embedded") return;

  describe("with several processes", () => {
    it("spends a limit to the last unit between them", async () => {
      const [spendId, workspaceId] = [randomUUID(), randomUUID()];
      const ledgers = [makeLedger(gateway()), makeLedger(gateway()), makeLedger(gateway())];
      const served = await spendAll(ledgers, account(spendId, 1_009n), workspaceId, 10n, 300);
      await Promise.all(ledgers.map((ledger) => ledger.close()));
      expect(served).toBe(100);
      expect(await spendRow(gateway(), spendId)).toMatchObject({ total: 1_000n, reserved: 0n });
    });

    it("never has more settled and reserved than the limit", async () => {
      const [spendId, workspaceId] = [randomUUID(), randomUUID()];
      const ledgers = [makeLedger(gateway()), makeLedger(gateway())];
      let watching = true;
      const seen: bigint[] = [];
      const watch = async () => {
        // oxlint-disable-next-line eslint/no-unmodified-loop-condition -- the test below ends it
        while (watching) {
          const { rows } = await gateway().deps.store.pool.query(
            "select total + reserved as committed from spends where id = $1",
            [spendId],
          );
          if (rows[0] !== undefined) seen.push(rows[0].committed);
        }
      };
      const watcher = watch();
      await spendAll(ledgers, account(spendId, 500n), workspaceId, 7n, 120);
      watching = false;
      await watcher;
      await Promise.all(ledgers.map((ledger) => ledger.close()));
      expect(seen.length).toBeGreaterThan(0);
      expect(seen.filter((committed) => committed > 500n)).toEqual([]);
    });

    it("takes back what a process held that died", async () => {
      const { pool } = gateway().deps.store;
      const [spendId, workspaceId, dead] = [randomUUID(), randomUUID(), randomUUID()];
      const ledger = makeLedger(gateway(), dead);
      await ledger.reserve({ accounts: [account(spendId, 100n)], least: 100n, most: 100n, byok: false });
      expect((await spendRow(gateway(), spendId)).reserved).toBe(100n);
      await pool.query("update leases set expires_at = now() - interval '1 second' where process_id = $1", [dead]);
      const heir = makeLedger(gateway());
      expect(await spendAll([heir], account(spendId, 100n), workspaceId, 100n, 1)).toBe(1);
      await heir.close();
      expect(await spendRow(gateway(), spendId)).toMatchObject({ total: 100n, reserved: 0n });
    });
  });
});
