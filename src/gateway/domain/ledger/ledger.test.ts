import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import fc from "fast-check";
import type pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { nextReset } from "#contract/time.ts";
import type { TestGateway } from "../../testing/gateway.ts";
import { ledgerRow } from "../../testing/ledger-calls.ts";
import { makeClock } from "../../testing/clock.ts";
import { describeGateway, engine } from "../../testing/describe-gateway.ts";
import { createLedger, type Ledger } from "./ledger.ts";
import { InsufficientFunds, type Reservation } from "./reservations.ts";
import { commitGroup } from "./commit.ts";
import { type ChargedEntry, initialValues, type LedgerEntry } from "./entry.ts";
import { addSpend, noSpend, spendOfRow, type LimitSettings } from "./limits.ts";
import { newGenerationId } from "../generation-id.ts";
import type { Account, Balances } from "./balance.ts";
import { createLeasedBalances } from "./balance-leased.ts";
import { createLocalBalances } from "./balance-local.ts";
import { Refusal } from "../refusal.ts";
import { checkPeriods, recount } from "./recount.ts";
import { isStoreAway } from "../store-away.ts";
import { verifyLedger } from "./verify.ts";

const at = new Date("2026-11-21T12:00:00.000Z");

function entry(spendId: string, workspaceId: string, cost: bigint, byokCost = 0n): LedgerEntry {
  return {
    ...initialValues,
    id: newGenerationId(at),
    workspaceId,
    createdAt: at,
    keyHash: "0".repeat(64),
    spendId,
    apiType: "embeddings",
    model: "acme/embed",
    provider: "acme",
    promptTokens: 3,
    byok: byokCost > 0n,
    cost,
    byokCost,
    inputs: 1,
    latencyMs: 1,
    durationMs: 2,
    attempts: [],
  };
}

const charged = (made: LedgerEntry): ChargedEntry => ({
  entry: made,
  own: made.cost,
  byok: made.byokCost,
  overrun: 0n,
});

/** Holds the locks of processes that live: the gateway takes back what others have leased. Null: nothing is leased. */
let presence: pg.PoolClient | null = null;

async function appear(processId: string): Promise<void> {
  await presence?.query("select pg_advisory_lock_shared(hashtextextended($1, 0))", [processId]);
}

function makeLedger({ deps }: TestGateway, processId = randomUUID(), now = deps.now): Ledger {
  const { store } = deps;
  void appear(processId);
  const shared = store.engine === "postgres";
  const balances = shared ? createLeasedBalances(store, now, { processId }) : createLocalBalances(store, now);
  return createLedger({ store, now, balances, processId, reachable: () => true });
}

/** With what each account holds, as the balances were told. */
function watchedLedger({ deps: { store, now } }: TestGateway) {
  const processId = randomUUID();
  void appear(processId);
  const balances =
    store.engine === "postgres" ? createLeasedBalances(store, now, { processId }) : createLocalBalances(store, now);
  const held = new Map<string, bigint>();
  const add = ({ spendId }: Account, amount: bigint, byok: boolean) => {
    const id = `${spendId} ${byok ? "byok" : "own"}`;
    held.set(id, (held.get(id) ?? 0n) + amount);
  };
  const watched: Balances = {
    ...balances,
    chargeable: (...asked) => balances.chargeable(...asked),
    hold(account, amount, byok) {
      add(account, amount, byok);
      balances.hold(account, amount, byok);
    },
    release(account, amount, byok) {
      add(account, -amount, byok);
      balances.release(account, amount, byok);
    },
    spent(account, amount, byok) {
      add(account, -amount, byok);
      balances.spent(account, amount, byok);
    },
  };
  return { ledger: createLedger({ store, now, balances: watched, processId, reachable: () => true }), held };
}

function account(spendId: string, limit: bigint, settings: Partial<LimitSettings> = {}): Account {
  return { spendId, kind: "key", limits: [{ limit, reset: null, includeByok: false, ...settings }] };
}

async function spendRow({ deps }: TestGateway, id: string) {
  return await deps.store.db.selectFrom("spends").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
}

/** Spends until nothing fits any more; many at once. */
async function spendAll(
  ledgers: readonly Ledger[],
  balance: Account,
  workspaceId: string,
  cost: bigint,
  calls: number,
) {
  let served = 0;
  const one = async (index: number) => {
    const ledger = ledgers[index % ledgers.length];
    if (ledger === undefined) throw new Error("no ledger");
    for (;;) {
      try {
        const reservation = await ledger.reserve({ accounts: [balance], least: cost, most: cost, byok: false });
        await ledger.settle(reservation, entry(balance.spendId, workspaceId, cost)).committed;
        served += 1;
        return;
      } catch (error) {
        if (error instanceof Refusal && error.type === "unavailable") {
          // A store that takes seconds for a commit, as it may on a busy machine, is taken for unavailable meanwhile.
          await setTimeout(100);
          continue;
        }
        if (!(error instanceof InsufficientFunds)) throw error;
        const { spent, needed, limit, reserved } = error.shortfall;
        // Others hold what is missing: on a busy machine for longer than a call waits for them.
        if (spent + needed > limit || reserved === 0n) return;
      }
    }
  };
  await Promise.all(Array.from({ length: calls }, (_, index) => one(index)));
  return served;
}

/** Takes a process's leases away, as others do once it has not renewed them for long enough. */
async function reclaimFrom({ deps }: TestGateway, processId: string): Promise<void> {
  await deps.store.pool.query(
    `with dead as (select spend_id from leases where process_id = $1 order by spend_id for update skip locked),
     ended as (
       delete from leases l using dead where l.spend_id = dead.spend_id and l.process_id = $1
       returning l.spend_id, l.amount
     )
     update spends s set reserved = s.reserved - ended.amount from ended where s.id = ended.spend_id`,
    [processId],
  );
}

describeGateway("the ledger", (gateway) => {
  beforeAll(async () => {
    if (engine === "postgres") presence = await gateway().deps.store.pool.connect();
  });
  afterAll(async () => {
    // After those before it.
    await presence?.query("select pg_advisory_unlock_all()");
    presence?.release();
    presence = null;
  });

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
          await commitGroup(gateway().deps.store.pool, { entries, at: instant, leased: [], processId: randomUUID() });
          expected = addSpend(expected, { own, byok, overrun: 0n, byokOverrun: 0n }, instant);
        }
        expect(spendOfRow(await spendRow(gateway(), spendId))).toEqual(expected);
        expect(spendOfRow(await spendRow(gateway(), workspaceId))).toEqual(expected);
      }),
      { numRuns: 25 },
    );
  });

  it("sets more aside for a call under way, as far as the limit goes", async () => {
    const [spendId, workspaceId] = [randomUUID(), randomUUID()];
    const ledger = makeLedger(gateway());
    const balance = account(spendId, 100n);
    const demand = { accounts: [balance], byok: false };
    const reservation = await ledger.reserve({ ...demand, least: 40n, most: 40n });
    await ledger.raise(reservation, [balance], 70n);
    expect(reservation.amount).toBe(70n);
    await expect(ledger.raise(reservation, [balance], 101n)).rejects.toThrow(InsufficientFunds);
    await expect(ledger.reserve({ ...demand, least: 101n, most: 101n })).rejects.toThrow(InsufficientFunds);
    const other = await ledger.reserve({ ...demand, least: 30n, most: 30n });
    ledger.release(other);
    await ledger.settle(reservation, entry(spendId, workspaceId, 65n)).committed;
    expect((await spendRow(gateway(), spendId)).total).toBe(65n);
    // What was set aside and not charged is there again.
    ledger.release(await ledger.reserve({ ...demand, least: 35n, most: 35n }));
    // A call that has ended takes nothing more.
    await ledger.raise(reservation, [balance], 100n);
    ledger.release(await ledger.reserve({ ...demand, least: 35n, most: 35n }));
    await ledger.close();
  });

  it("leaves a call under way no room by a limit that was lowered, however much it has set aside", async () => {
    const [spendId, workspaceId] = [randomUUID(), randomUUID()];
    const ledger = makeLedger(gateway());
    const reservation = await ledger.reserve({
      accounts: [account(spendId, 100n)],
      byok: false,
      least: 80n,
      most: 80n,
    });
    const lowered = [account(spendId, 50n)];
    await expect(ledger.raise(reservation, lowered, 51n)).rejects.toThrow(InsufficientFunds);
    expect(reservation.amount).toBe(80n);
    await ledger.raise(reservation, lowered, 50n);
    await ledger.settle(reservation, entry(spendId, workspaceId, 40n)).committed;
    await ledger.close();
    expect(await spendRow(gateway(), spendId)).toMatchObject({ total: 40n, reserved: 0n });
  });

  it("gives back what it set aside where it set it aside, however limits come and go meanwhile", async () => {
    const limits = fc.tuple(fc.nat(1), fc.boolean(), fc.boolean());
    const cost = fc.bigInt(0n, 1_000n);
    const steps = fc.array(
      fc.oneof(
        fc.record({ is: fc.constant("reserve" as const), amount: cost, byok: fc.boolean() }),
        fc.record({ is: fc.constant("raise" as const), call: fc.nat(), amount: cost, ends: fc.boolean() }),
        fc.record({ is: fc.constant("limit" as const), to: limits }),
        fc.record({ is: fc.constant("settle" as const), call: fc.nat(), cost, byokCost: cost }),
        fc.record({ is: fc.constant("release" as const), call: fc.nat() }),
      ),
      { minLength: 30, maxLength: 40 },
    );
    const everEnough = 1_000_000n;
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        const workspaceId = randomUUID();
        const unlimited = [randomUUID(), workspaceId].map((spendId): Account => ({ spendId, kind: "key", limits: [] }));
        const accounts = unlimited.map(({ spendId }) => account(spendId, everEnough));
        const [spendId = ""] = accounts.map((each) => each.spendId);
        const { ledger, held } = watchedLedger(gateway());
        const accountsNow = async () => [...accounts];
        const calls: Reservation[] = [];
        const take = (call: number) => calls.splice(call % Math.max(1, calls.length), 1)[0];
        for (const step of all) {
          if (step.is === "limit") {
            const [which, isLimited, includeByok] = step.to;
            const id = accounts[which]?.spendId ?? "";
            accounts[which] = isLimited
              ? account(id, everEnough, { includeByok })
              : { spendId: id, kind: "key", limits: [] };
          } else if (step.is === "reserve") {
            const { amount, byok } = step;
            const demand = { accounts: [...accounts], accountsNow, least: amount, most: amount, byok };
            calls.push(await ledger.reserve(demand));
          } else {
            const reservation = take(step.call);
            if (reservation === undefined) continue;
            if (step.is === "raise") {
              const raising = ledger.raise(reservation, await accountsNow(), step.amount);
              if (step.ends) ledger.release(reservation);
              else calls.push(reservation);
              await raising;
            } else if (step.is === "release") ledger.release(reservation);
            else await ledger.settle(reservation, entry(spendId, workspaceId, step.cost, step.byokCost)).committed;
          }
          for (const amount of held.values()) expect(amount).toBeGreaterThanOrEqual(0n);
        }
        for (const reservation of calls) ledger.release(reservation);
        expect([...held.values()].filter((amount) => amount !== 0n)).toEqual([]);
        await ledger.close();
      }),
      { numRuns: 40 },
    );
  });

  it("changes nothing when a group is written a second time", async () => {
    const [spendId, workspaceId] = [randomUUID(), randomUUID()];
    const entries = [1n, 20n, 300n].map((cost) => charged(entry(spendId, workspaceId, cost)));
    const group = { entries, at, leased: [], processId: randomUUID() };
    await commitGroup(gateway().deps.store.pool, group);
    await commitGroup(gateway().deps.store.pool, group);
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

  it("holds a replaced key and its successor, which share a count, each to the limit of its own", async () => {
    const [spendId, workspaceId] = [randomUUID(), randomUUID()];
    const ledger = makeLedger(gateway());
    const replaced = { ...account(spendId, 100_000n), owner: "replaced" };
    const successor = { ...account(spendId, 50n), owner: "successor" };
    expect(await spendAll([ledger], replaced, workspaceId, 10n, 1)).toBe(1);
    expect(await spendAll([ledger], successor, workspaceId, 10n, 40)).toBe(4);
    expect(await spendAll([ledger], replaced, workspaceId, 10n, 1)).toBe(1);
    expect(await spendAll([ledger], successor, workspaceId, 10n, 1)).toBe(0);
    await ledger.close();
    expect(await spendRow(gateway(), spendId)).toMatchObject({ total: 60n, overrun_total: 0n, reserved: 0n });
  });

  it("charges a call what it reserved, though a key of the same count has reserved beyond its limit since", async () => {
    const [spendId, workspaceId] = [randomUUID(), randomUUID()];
    const ledger = makeLedger(gateway());
    const low = { ...account(spendId, 50n), owner: "low" };
    const high = { ...account(spendId, 100_000n), owner: "high" };
    const first = await ledger.reserve({ accounts: [low], least: 40n, most: 40n, byok: false });
    const second = await ledger.reserve({ accounts: [high], least: 9_000n, most: 9_000n, byok: false });
    const settlement = ledger.settle(first, entry(spendId, workspaceId, 40n));
    await settlement.committed;
    expect(settlement).toMatchObject({ own: 40n, overrun: 0n });
    ledger.release(second);
    await ledger.close();
    expect(await spendRow(gateway(), spendId)).toMatchObject({ total: 40n, overrun_total: 0n, reserved: 0n });
  });

  it("charges what the vendor counted, and beyond the limit nothing", async () => {
    const [spendId, workspaceId] = [randomUUID(), randomUUID()];
    const ledger = makeLedger(gateway());
    const balance = account(spendId, 100n);
    const reservation = await ledger.reserve({ accounts: [balance], least: 10n, most: 10n, byok: false });
    const settlement = ledger.settle(reservation, entry(spendId, workspaceId, 250n));
    await settlement.committed;
    const charged = engine === "embedded" ? 100n : settlement.own;
    expect(settlement).toMatchObject({ own: charged, overrun: 250n - charged });
    expect(settlement.own).toBeLessThanOrEqual(100n);
    // What was beyond is counted, so nothing fits any more: not even where the limit is raised by less than that.
    const next = { least: 1n, most: 1n, byok: false };
    const raised = account(spendId, 249n);
    await expect(ledger.reserve({ accounts: [balance], ...next })).rejects.toBeInstanceOf(InsufficientFunds);
    await expect(ledger.reserve({ accounts: [raised], ...next })).rejects.toMatchObject({ shortfall: { spent: 250n } });
    ledger.release(await ledger.reserve({ accounts: [account(spendId, 251n)], ...next }));
    await ledger.close();
    const counted = { total: settlement.own, day: settlement.own, overrun_total: settlement.overrun, reserved: 0n };
    expect(await spendRow(gateway(), spendId)).toMatchObject(counted);
  });

  it("charges a call that cannot be written as it is without what its caller and vendor wrote", async () => {
    const [spendId, workspaceId] = [randomUUID(), randomUUID()];
    const ledger = makeLedger(gateway());
    const balance = account(spendId, 10n);
    let deep: unknown = null;
    for (let level = 0; level < 20_000; level += 1) deep = [deep];
    const reservation = await ledger.reserve({ accounts: [balance], least: 4n, most: 4n, byok: false });
    const made = { ...entry(spendId, workspaceId, 4n), trace: { deep }, userAgent: "a program" };
    await ledger.settle(reservation, made).committed;
    const row = await ledgerRow(gateway(), made.id);
    expect(row).toMatchObject({ cost: 4n, trace: null, user_agent: null, key_hash: made.keyHash });
    expect((await spendRow(gateway(), spendId)).total).toBe(4n);
    await ledger.close();
  });

  it("ends a reservation once: what is released after it was settled, or settled after that, changes nothing", async () => {
    const [spendId, workspaceId] = [randomUUID(), randomUUID()];
    const ledger = makeLedger(gateway());
    const balance = account(spendId, 10n);
    const reservation = await ledger.reserve({ accounts: [balance], least: 10n, most: 10n, byok: false });
    await ledger.settle(reservation, entry(spendId, workspaceId, 3n)).committed;
    ledger.release(reservation);
    expect(() => ledger.settle(reservation, entry(spendId, workspaceId, 3n))).toThrow("settled twice");
    await expect(ledger.reserve({ accounts: [balance], least: 8n, most: 8n, byok: false })).rejects.toThrow(
      InsufficientFunds,
    );
    const rest = await ledger.reserve({ accounts: [balance], least: 7n, most: 7n, byok: false });
    ledger.release(rest);
    ledger.release(rest);
    await expect(ledger.reserve({ accounts: [balance], least: 8n, most: 8n, byok: false })).rejects.toThrow(
      InsufficientFunds,
    );
    await ledger.close();
  });

  it("gives back what a call did not use to those who wait for it", async () => {
    const [spendId, workspaceId] = [randomUUID(), randomUUID()];
    const ledger = makeLedger(gateway());
    const balance = account(spendId, 100n);
    const first = await ledger.reserve({ accounts: [balance], least: 100n, most: 100n, byok: false });
    const second = ledger.reserve({ accounts: [balance], least: 90n, most: 90n, byok: false });
    await ledger.settle(first, entry(spendId, workspaceId, 10n)).committed;
    ledger.release(await second);
    await ledger.close();
    expect(await spendRow(gateway(), spendId)).toMatchObject({ total: 10n, reserved: 0n });
  });

  it("counts a clock that went back over midnight in the day that has begun, so that its limit holds", async () => {
    const [spendId, workspaceId] = [randomUUID(), randomUUID()];
    const clock = makeClock("2026-12-01T00:00:20.000Z");
    const ledger = makeLedger(gateway(), randomUUID(), clock.now);
    const balance = account(spendId, 100n, { reset: "daily" });
    expect(await spendAll([ledger], balance, workspaceId, 10n, 3)).toBe(3);
    clock.set("2026-11-30T23:59:00.000Z");
    expect(await spendAll([ledger], balance, workspaceId, 10n, 30)).toBe(7);
    expect(await spendRow(gateway(), spendId)).toMatchObject({ day: 100n, week: 100n, month: 100n, total: 100n });
    await ledger.close();
  });

  it("lets no limit reset once a clock was years ahead, says until when, and does again after a recount", async () => {
    const [spendId, idle, workspaceId] = [randomUUID(), randomUUID(), randomUUID()];
    const clock = makeClock("2026-11-18T12:00:00.000Z");
    const { store } = gateway().deps;
    const recounted = async () => await recount({ store, now: clock.now });
    // What other tests left in later days.
    await recounted();
    const daily = { reset: "daily" } as const;
    const balance = account(spendId, 100n, daily);
    const ahead = makeLedger(gateway(), randomUUID(), clock.now);
    expect(await spendAll([ahead], account(idle, 100n, daily), workspaceId, 10n, 2)).toBe(2);
    expect(await spendAll([ahead], balance, workspaceId, 10n, 3)).toBe(3);
    clock.set("2035-11-21T12:00:00.000Z");
    expect(await spendAll([ahead], balance, workspaceId, 10n, 1)).toBe(1);
    clock.set("2026-11-18T13:00:00.000Z");
    expect(await spendAll([ahead], balance, workspaceId, 10n, 30)).toBe(9);
    const refused = ahead.reserve({ accounts: [balance], least: 10n, most: 10n, byok: false });
    await expect(refused).rejects.toMatchObject({
      shortfall: { spent: 100n, resetsAt: new Date("2035-11-22T00:00:00.000Z") },
    });
    await ahead.close();

    const latest = new Date("2035-11-21T00:00:00.000Z");
    expect(await recounted()).toEqual({ counters: 3, latest });
    expect(await recounted()).toBeNull();
    expect(await spendRow(gateway(), spendId)).toMatchObject({
      day: 130n,
      month: 130n,
      total: 130n,
      day_start: new Date("2026-11-18T00:00:00.000Z"),
    });
    expect(await spendRow(gateway(), workspaceId)).toMatchObject({ day: 150n, week: 150n, total: 150n });
    const ledger = makeLedger(gateway(), randomUUID(), clock.now);
    expect(await spendAll([ledger], balance, workspaceId, 10n, 30)).toBe(0);
    expect(await spendAll([ledger], account(idle, 100n, daily), workspaceId, 10n, 30)).toBe(8);
    clock.set("2026-11-19T12:00:00.000Z");
    expect(await spendAll([ledger], balance, workspaceId, 10n, 30)).toBe(10);
    await ledger.close();
    const { differences } = await verifyLedger({ store, now: clock.now });
    expect(differences.filter(({ row }) => row === spendId || row === idle || row.startsWith(workspaceId))).toEqual([]);
  });

  it("warns of limits that a clock moved more than two days ahead", async () => {
    const [spendId, workspaceId] = [randomUUID(), randomUUID()];
    const { store } = gateway().deps;
    const clock = makeClock("2048-02-29T12:00:00.000Z");
    const ledger = makeLedger(gateway(), randomUUID(), clock.now);
    expect(await spendAll([ledger], account(spendId, 10n, { reset: "daily" }), workspaceId, 10n, 1)).toBe(1);
    await ledger.close();
    const warned = async (now: string) => {
      const warnings: object[] = [];
      await checkPeriods({ store, now: makeClock(now).now }, (_, details) => void warnings.push(details));
      return warnings;
    };
    expect(await warned("2048-02-27T00:00:00.000Z")).toEqual([]);
    expect(await warned("2048-02-26T23:59:59.000Z")).toEqual([{ counters: 3, latest_day: "2048-02-29T00:00:00.000Z" }]);
    expect(await recount({ store, now: makeClock("2026-11-19T13:00:00.000Z").now })).toMatchObject({ counters: 3 });
  });

  it("charges at most a million dollars for a call, whatever a vendor counts, and marks the count as not the vendor's", async () => {
    const [spendId, workspaceId] = [randomUUID(), randomUUID()];
    const ledger = makeLedger(gateway());
    const made = { ...entry(spendId, workspaceId, 2n ** 80n), promptTokens: 2 ** 53, saved: 2n ** 70n };
    const reservation = await ledger.reserve({ accounts: [], least: 0n, most: 0n, byok: false });
    await ledger.settle(reservation, made).committed;
    const row = await ledgerRow(gateway(), made.id);
    expect(row).toMatchObject({ cost: 10n ** 15n, saved: 10n ** 15n, overrun: 0n, metered_by: "gateway" });
    await ledger.close();
  });

  it("says which figures it decided on when a call does not fit", async () => {
    const ledger = makeLedger(gateway());
    const balance = account(randomUUID(), 5n, { reset: "monthly" });
    const refused = ledger.reserve({ accounts: [balance], least: 6n, most: 6n, byok: false });
    const resetsAt = nextReset("monthly", gateway().clock.now());
    await expect(refused).rejects.toMatchObject({
      shortfall: { kind: "key", limit: 5n, reset: "monthly", spent: 0n, needed: 6n, resetsAt },
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
      const balance = account(spendId, 50n, { includeByok });
      const demand = { accounts: [balance], least: 40n, most: 40n, byok: true };
      await ledger.settle(await ledger.reserve(demand), entry(spendId, workspaceId, 0n, 40n)).committed;
      const again = ledger.reserve(demand);
      if (includeByok) await expect(again).rejects.toBeInstanceOf(InsufficientFunds);
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

    it("holds a replaced key and its successor to their own limits, whichever process asks first", async () => {
      const [spendId, workspaceId] = [randomUUID(), randomUUID()];
      const [one, other] = [makeLedger(gateway()), makeLedger(gateway())];
      const replaced = { ...account(spendId, 100_000n), owner: "replaced" };
      const successor = { ...account(spendId, 200n), owner: "successor" };
      expect(await spendAll([one], replaced, workspaceId, 10n, 2)).toBe(2);
      const [served] = await Promise.all([
        spendAll([one, other], successor, workspaceId, 10n, 60),
        spendAll([other], replaced, workspaceId, 10n, 3),
      ]);
      expect(served).toBeLessThanOrEqual(18);
      expect(served).toBeGreaterThanOrEqual(15);
      await Promise.all([one.close(), other.close()]);
      const { total, reserved } = await spendRow(gateway(), spendId);
      expect([total, reserved]).toEqual([BigInt(served + 5) * 10n, 0n]);
    });

    it("spends a daily limit once, though one of them has not yet seen midnight", async () => {
      const [spendId, workspaceId] = [randomUUID(), randomUUID()];
      const ahead = makeLedger(gateway(), randomUUID(), makeClock("2026-12-01T00:00:20.000Z").now);
      const behind = makeLedger(gateway(), randomUUID(), makeClock("2026-11-30T23:59:00.000Z").now);
      const balance = account(spendId, 100n, { reset: "daily" });
      expect(await spendAll([ahead], balance, workspaceId, 10n, 3)).toBe(3);
      await ahead.close();
      expect(await spendAll([behind], balance, workspaceId, 10n, 30)).toBe(7);
      await behind.close();
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

    it("charges calls whose lease was taken away as far as the limit has room, and goes on with a new one", async () => {
      const [spendId, workspaceId, frozen] = [randomUUID(), randomUUID(), randomUUID()];
      const balance = account(spendId, 100n);
      const ledger = makeLedger(gateway(), frozen);
      const demand = { accounts: [balance], least: 30n, most: 30n, byok: false };
      const held = await Promise.all([ledger.reserve(demand), ledger.reserve(demand)]);
      await reclaimFrom(gateway(), frozen);
      const heir = makeLedger(gateway());
      expect(await spendAll([heir], balance, workspaceId, 55n, 1)).toBe(1);
      await heir.close();
      // 45 of 100 are left for the two of 30, which are charged in one group.
      await Promise.all(held.map((each) => ledger.settle(each, entry(spendId, workspaceId, 30n)).committed));
      expect(await spendRow(gateway(), spendId)).toMatchObject({ total: 100n, overrun_total: 15n, reserved: 0n });
      await expect(ledger.reserve(demand)).rejects.toBeInstanceOf(InsufficientFunds);
      const raised = account(spendId, 200n);
      expect(await spendAll([ledger], raised, workspaceId, 30n, 5)).toBe(2);
      await ledger.close();
      expect(await spendRow(gateway(), spendId)).toMatchObject({ total: 160n, reserved: 0n });
    });

    it("never charges more than the limit while leases are taken from the living at any time", async () => {
      const [spendId, workspaceId] = [randomUUID(), randomUUID()];
      const ids = [randomUUID(), randomUUID()];
      const ledgers = ids.map((id) => makeLedger(gateway(), id));
      let robbing = true;
      const rob = async () => {
        // oxlint-disable-next-line eslint/no-unmodified-loop-condition -- the test below ends it
        for (let turn = 0; robbing; turn += 1) {
          // Like the round of a real process, it comes again when it was the one to resolve a deadlock.
          await reclaimFrom(gateway(), ids[turn % 2] ?? "").catch((error: unknown) => {
            if (!isStoreAway(error)) throw error;
          });
        }
      };
      const robber = rob();
      const served = await spendAll(ledgers, account(spendId, 700n), workspaceId, 7n, 200).finally(() => {
        robbing = false;
      });
      await robber;
      await Promise.all(ledgers.map((ledger) => ledger.close()));
      const { total, overrun_total: overrun, reserved } = await spendRow(gateway(), spendId);
      expect(total + overrun).toBe(BigInt(served) * 7n);
      expect(total).toBeLessThanOrEqual(700n);
      expect(reserved).toBe(0n);
    });

    it("releases what a process held that ended, long before its lease does, and nothing of one that lives", async () => {
      const { store, now } = gateway().deps;
      const [ended, lives, workspaceId] = [randomUUID(), randomUUID(), randomUUID()];
      const [first, second] = [account(randomUUID(), 100n), account(randomUUID(), 100n)];
      await makeLedger(gateway(), ended).reserve({ accounts: [first], least: 100n, most: 100n, byok: false });
      // Under another name, which nobody renews.
      await store.pool.query("update leases set process_id = gen_random_uuid() where process_id = $1", [ended]);
      await makeLedger(gateway(), lives).reserve({ accounts: [second], least: 100n, most: 100n, byok: false });
      const processId = randomUUID();
      const balances = createLeasedBalances(store, now, { processId, presence: true, steadyMs: () => 0 });
      const heir = createLedger({ store, now, balances, processId, reachable: () => true });
      expect(await spendAll([heir], first, workspaceId, 100n, 1)).toBe(1);
      expect((await spendRow(gateway(), second.spendId)).reserved).toBe(100n);
      await heir.close();
    });

    it("ends only when what it was giving back already is given back", async () => {
      const { store } = gateway().deps;
      const spendId = randomUUID();
      const ledger = makeLedger(gateway());
      const demand = { accounts: [account(spendId, 100n)], least: 10n, most: 10n, byok: false };
      const reservation = await ledger.reserve(demand);
      const others = await store.pool.connect();
      await others.query("begin");
      await others.query("select from leases where spend_id = $1 for update", [spendId]);
      // Not before: what is free for a second is given back.
      ledger.release(reservation);
      await store.notices.send("gatehouse_leases", spendId);
      const waits =
        "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query ~ 'leases'";
      await expect.poll(async () => (await store.pool.query(waits)).rowCount).toBe(1);
      const order: string[] = [];
      const closed = ledger.close().then(() => order.push("closed"));
      await store.ping();
      order.push("given back");
      await others.query("rollback");
      others.release();
      await closed;
      expect(order).toEqual(["given back", "closed"]);
      expect((await spendRow(gateway(), spendId)).reserved).toBe(0n);
    });

    it("takes back what a process held that died", async () => {
      const { pool } = gateway().deps.store;
      const [spendId, workspaceId, dead] = [randomUUID(), randomUUID(), randomUUID()];
      const ledger = makeLedger(gateway(), dead);
      await ledger.reserve({ accounts: [account(spendId, 100n)], least: 100n, most: 100n, byok: false });
      expect((await spendRow(gateway(), spendId)).reserved).toBe(100n);
      // Under another name, which nobody renews.
      await pool.query(
        "update leases set process_id = gen_random_uuid(), expires_at = now() - interval '1 second' where process_id = $1",
        [dead],
      );
      const heir = makeLedger(gateway());
      expect(await spendAll([heir], account(spendId, 100n), workspaceId, 100n, 1)).toBe(1);
      await heir.close();
      expect(await spendRow(gateway(), spendId)).toMatchObject({ total: 100n, reserved: 0n });
    });
  });
});
