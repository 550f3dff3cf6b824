import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import fc from "fast-check";
import type pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { dayMs, nextReset } from "#contract/time.ts";
import { charged, ledgerRow, makeEntry } from "../../testing/ledger-calls.ts";
import { makeClock, testDates } from "../../testing/clock.ts";
import { describeGateway, engine } from "../../testing/describe-gateway.ts";
import { createLedger, type Ledger } from "./ledger.ts";
import { InsufficientFunds, type Reservation } from "./reservations.ts";
import { commitGroup } from "./commit.ts";
import type { LedgerEntry } from "./entry.ts";
import { addSpend, noSpend, spendOfRow, type LimitSettings } from "./limits.ts";
import { type Account, type Balances, createLatestDay } from "./balance.ts";
import { createLeasedBalances } from "./balance-leased.ts";
import { createLocalBalances } from "./balance-local.ts";
import { unreserve } from "./lease-recall.ts";
import { returnLease } from "./lease-store.ts";
import { Refusal } from "../refusal.ts";
import { checkPeriods, recount } from "./recount.ts";
import { isStoreAway } from "../store-away.ts";
import { verifyLedger } from "./verify.ts";

const daily = { reset: "daily" } as const;
const unlimited = (spendId: string): Account => ({ spendId, kind: "key", limits: [] });
const accountOf = (spendId: string, limit: bigint, settings: Partial<LimitSettings> = {}): Account => ({
  ...unlimited(spendId),
  limits: [{ limit, reset: null, includeByok: false, ...settings }],
});
/** What a call of this cost asks of an account. */
const demandOf = (account: Account, cost: bigint, byok = false) => ({
  accounts: [account],
  least: cost,
  most: cost,
  byok,
});

/** Spends until nothing fits any more; many at once. @returns how many calls were served */
async function spendAll(ledgers: readonly Ledger[], account: Account, call: Partial<LedgerEntry>, calls: number) {
  const made = { ...call, spendId: account.spendId };
  const { cost = 0n } = made;
  let served = 0;
  const one = async (ledger: Ledger) => {
    for (;;) {
      try {
        await ledger.settle(await ledger.reserve(demandOf(account, cost)), makeEntry(made)).committed;
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
  await Promise.all(Array.from({ length: calls }, (_, index) => one(ledgers[index % ledgers.length] as Ledger)));
  return served;
}

describeGateway("the ledger", (gateway) => {
  /** Holds the locks of processes that live: the gateway takes back what others have leased. Null: nothing is leased. */
  let presence: pg.PoolClient | null = null;
  const open = new Set<Ledger>();
  beforeAll(async () => {
    if (engine === "postgres") presence = await gateway().deps.store.pool.connect();
  });
  const close = async (...ledgers: readonly Ledger[]) => {
    for (const ledger of ledgers) open.delete(ledger);
    await Promise.all(ledgers.map((ledger) => ledger.close()));
  };
  afterEach(async () => await close(...open));
  afterAll(async () => {
    // After those before it.
    await presence?.query("select pg_advisory_unlock_all()");
    presence?.release();
    presence = null;
  });

  const query = async (text: string, ...values: unknown[]) =>
    (await gateway().deps.store.pool.query(text, values)).rows;
  const spendRow = async (id: string) =>
    await gateway().deps.store.db.selectFrom("spends").selectAll().where("id", "=", id).executeTakeFirstOrThrow();

  function ledgerWith(balances: Balances, processId: string, now = gateway().deps.now): Ledger {
    const ledger = createLedger({ store: gateway().deps.store, now, balances, processId, reachable: () => true });
    open.add(ledger);
    return ledger;
  }
  function balancesOf(processId: string, now = gateway().deps.now): Balances {
    const { store } = gateway().deps;
    void presence?.query("select pg_advisory_lock_shared(hashtextextended($1, 0))", [processId]);
    return engine === "postgres" ? createLeasedBalances(store, now, { processId }) : createLocalBalances(store, now);
  }
  const makeLedger = (processId: string = randomUUID(), now = gateway().deps.now) =>
    ledgerWith(balancesOf(processId, now), processId, now);

  /** A ledger, and a count of its own. */
  function begin(now = gateway().deps.now) {
    const [spendId, workspaceId] = [randomUUID(), randomUUID()];
    const ledger = makeLedger(randomUUID(), now);
    return {
      spendId,
      workspaceId,
      ledger,
      limit: (limit: bigint, settings: Partial<LimitSettings> = {}) => accountOf(spendId, limit, settings),
      reserve: (account: Account, cost: bigint) => ledger.reserve(demandOf(account, cost)),
      settle: (reservation: Reservation, cost: bigint) =>
        ledger.settle(reservation, makeEntry({ spendId, workspaceId, cost })),
      /** Calls of 10 each. */
      spend: (account: Account, calls: number) => spendAll([ledger], account, { workspaceId, cost: 10n }, calls),
      row: () => spendRow(spendId),
    };
  }

  it("moves the counters as the pure functions say, for charges at any instants", async () => {
    const instants = fc.oneof(
      ...testDates.map((date) => {
        const [min, max] = [-30, 30].map((days) => new Date(Date.parse(date) + days * dayMs)) as [Date, Date];
        return fc.date({ min, max, noInvalidDate: true });
      }),
    );
    const charge = fc.tuple(instants, fc.bigInt(0n, 10n ** 12n), fc.bigInt(0n, 10n ** 9n));
    await fc.assert(
      fc.asyncProperty(fc.array(charge, { minLength: 1, maxLength: 8 }), async (all) => {
        const [spendId, workspaceId] = [randomUUID(), randomUUID()];
        let expected = noSpend(all[0]?.[0] ?? new Date(0));
        for (const [at, own, byok] of all) {
          const made = makeEntry({ spendId, workspaceId, cost: own, byokCost: byok, byok: byok > 0n });
          const group = { entries: [charged(made)], at, leased: [], processId: randomUUID() };
          await commitGroup(gateway().deps.store.pool, group);
          expected = addSpend(expected, { own, byok, overrun: 0n, byokOverrun: 0n }, at);
        }
        for (const id of [spendId, workspaceId]) expect(spendOfRow(await spendRow(id))).toEqual(expected);
      }),
      { numRuns: 20 },
    );
  });

  it("sets more aside for a call under way, as far as the limit goes", async () => {
    const { ledger, limit, reserve, settle, row } = begin();
    const account = limit(100n);
    const reservation = await reserve(account, 40n);
    await ledger.raise(reservation, [account], 70n);
    expect(reservation.amount).toBe(70n);
    await expect(ledger.raise(reservation, [account], 101n)).rejects.toThrow(InsufficientFunds);
    await expect(reserve(account, 101n)).rejects.toThrow(InsufficientFunds);
    ledger.release(await reserve(account, 30n));
    await settle(reservation, 65n).committed;
    expect((await row()).total).toBe(65n);
    // What was set aside and not charged is there again.
    ledger.release(await reserve(account, 35n));
    // A call that has ended takes nothing more.
    await ledger.raise(reservation, [account], 100n);
    ledger.release(await reserve(account, 35n));
  });

  it("leaves a call under way no room by a limit that was lowered, however much it has set aside", async () => {
    const { ledger, limit, reserve, settle, row } = begin();
    const reservation = await reserve(limit(100n), 80n);
    await expect(ledger.raise(reservation, [limit(50n)], 51n)).rejects.toThrow(InsufficientFunds);
    expect(reservation.amount).toBe(80n);
    await ledger.raise(reservation, [limit(50n)], 50n);
    await settle(reservation, 40n).committed;
    await close(ledger);
    expect(await row()).toMatchObject({ total: 40n, reserved: 0n });
  });

  it("gives back what it set aside where it set it aside, however limits come and go meanwhile", async () => {
    const cost = fc.bigInt(0n, 1_000n);
    const steps = fc.array(
      fc.oneof(
        fc.record({ is: fc.constant("reserve" as const), amount: cost, byok: fc.boolean() }),
        fc.record({ is: fc.constant("raise" as const), call: fc.nat(), amount: cost, ends: fc.boolean() }),
        fc.record({ is: fc.constant("limit" as const), to: fc.tuple(fc.nat(1), fc.boolean(), fc.boolean()) }),
        fc.record({ is: fc.constant("settle" as const), call: fc.nat(), cost, byokCost: cost }),
        fc.record({ is: fc.constant("release" as const), call: fc.nat() }),
      ),
      { minLength: 30, maxLength: 40 },
    );
    const everEnough = 1_000_000n;
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        const [spendId, workspaceId] = [randomUUID(), randomUUID()];
        const accounts = [spendId, workspaceId].map((id) => accountOf(id, everEnough));
        const { ledger, held } = watchedLedger();
        const accountsNow = async () => [...accounts];
        const calls: Reservation[] = [];
        const take = (call: number) => calls.splice(call % Math.max(1, calls.length), 1)[0];
        for (const step of all) {
          if (step.is === "limit") {
            const [which, isLimited, includeByok] = step.to;
            const id = accounts[which]?.spendId ?? "";
            accounts[which] = isLimited ? accountOf(id, everEnough, { includeByok }) : unlimited(id);
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
            else {
              const call = { cost: step.cost, byokCost: step.byokCost, byok: step.byokCost > 0n };
              await ledger.settle(reservation, makeEntry({ spendId, workspaceId, ...call })).committed;
            }
          }
          for (const amount of held.values()) expect(amount).toBeGreaterThanOrEqual(0n);
        }
        for (const reservation of calls) ledger.release(reservation);
        // The journal holds a call longer: until it is in the tables.
        await close(ledger);
        expect([...held.values()].filter((amount) => amount !== 0n)).toEqual([]);
      }),
      { numRuns: 15 },
    );
  });

  /** With what each account holds, as the balances were told. */
  function watchedLedger() {
    const processId = randomUUID();
    const balances = balancesOf(processId);
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
    return { ledger: ledgerWith(watched, processId), held };
  }

  it("changes nothing when a group is written a second time", async () => {
    const [spendId, workspaceId] = [randomUUID(), randomUUID()];
    const entries = [1n, 20n, 300n].map((cost) => charged(makeEntry({ spendId, workspaceId, cost, promptTokens: 3 })));
    const group = { entries, at: new Date(testDates[0]), leased: [], processId: randomUUID() };
    for (let time = 0; time < 2; time += 1) await commitGroup(gateway().deps.store.pool, group);
    expect((await spendRow(spendId)).total).toBe(321n);
    const sums = "select count(*) as rows, sum(cost)::bigint as cost from ledger where spend_id = $1";
    expect(await query(sums, spendId)).toEqual([{ rows: 3n, cost: 321n }]);
    const hourly = "select usage, requests, prompt_tokens from usage_hourly where workspace_id = $1";
    expect(await query(hourly, workspaceId)).toEqual([{ usage: 321n, requests: 3n, prompt_tokens: 9n }]);
  });

  it("spends a limit to the last unit, and not one more, however many ask at once", async () => {
    const { ledger, limit, spend, row } = begin();
    expect(await spend(limit(307n), 150)).toBe(30);
    await close(ledger);
    expect(await row()).toMatchObject({ total: 300n, reserved: 0n });
  });

  it("holds a replaced key and its successor, which share a count, each to the limit of its own", async () => {
    const { ledger, limit, spend, row } = begin();
    const replaced = { ...limit(100_000n), owner: "replaced" };
    const successor = { ...limit(50n), owner: "successor" };
    expect(await spend(replaced, 1)).toBe(1);
    expect(await spend(successor, 40)).toBe(4);
    expect(await spend(replaced, 1)).toBe(1);
    expect(await spend(successor, 1)).toBe(0);
    await close(ledger);
    expect(await row()).toMatchObject({ total: 60n, overrun_total: 0n, reserved: 0n });
  });

  it("charges a call what it reserved, though a key of the same count has reserved beyond its limit since", async () => {
    const { ledger, limit, reserve, settle, row } = begin();
    const first = await reserve({ ...limit(50n), owner: "low" }, 40n);
    const second = await reserve({ ...limit(100_000n), owner: "high" }, 9_000n);
    const settlement = settle(first, 40n);
    await settlement.committed;
    expect(settlement).toMatchObject({ own: 40n, overrun: 0n });
    ledger.release(second);
    await close(ledger);
    expect(await row()).toMatchObject({ total: 40n, overrun_total: 0n, reserved: 0n });
  });

  it("charges what the vendor counted, and beyond the limit nothing", async () => {
    const { ledger, limit, reserve, settle, row } = begin();
    const settlement = settle(await reserve(limit(100n), 10n), 250n);
    await settlement.committed;
    const own = engine === "embedded" ? 100n : settlement.own;
    expect(settlement).toMatchObject({ own, overrun: 250n - own });
    expect(settlement.own).toBeLessThanOrEqual(100n);
    // What was beyond is counted, so nothing fits any more: not even where the limit is raised by less than that.
    await expect(reserve(limit(100n), 1n)).rejects.toBeInstanceOf(InsufficientFunds);
    await expect(reserve(limit(249n), 1n)).rejects.toMatchObject({ shortfall: { spent: 250n } });
    ledger.release(await reserve(limit(251n), 1n));
    await close(ledger);
    expect(await row()).toMatchObject({ total: own, day: own, overrun_total: settlement.overrun, reserved: 0n });
  });

  it("charges a call that cannot be written as it is without what its caller and vendor wrote", async () => {
    const { ledger, spendId, limit, reserve, row } = begin();
    let deep: unknown = null;
    for (let level = 0; level < 20_000; level += 1) deep = [deep];
    const made = makeEntry({ spendId, cost: 4n, trace: { deep }, userAgent: "a program" });
    await ledger.settle(await reserve(limit(10n), 4n), made).committed;
    const written = { cost: 4n, trace: null, user_agent: null, key_hash: made.keyHash };
    expect(await ledgerRow(gateway(), made.id)).toMatchObject(written);
    expect((await row()).total).toBe(4n);
  });

  it("ends a reservation once: what is released after it was settled, or settled after that, changes nothing", async () => {
    const { ledger, limit, reserve, settle } = begin();
    const account = limit(10n);
    const reservation = await reserve(account, 10n);
    await settle(reservation, 3n).committed;
    ledger.release(reservation);
    expect(() => settle(reservation, 3n)).toThrow("settled twice");
    await expect(reserve(account, 8n)).rejects.toThrow(InsufficientFunds);
    const rest = await reserve(account, 7n);
    for (let time = 0; time < 2; time += 1) ledger.release(rest);
    await expect(reserve(account, 8n)).rejects.toThrow(InsufficientFunds);
  });

  it("gives back what a call did not use to those who wait for it", async () => {
    const { ledger, limit, reserve, settle, row } = begin();
    const first = await reserve(limit(100n), 100n);
    const second = reserve(limit(100n), 90n);
    await settle(first, 10n).committed;
    ledger.release(await second);
    await close(ledger);
    expect(await row()).toMatchObject({ total: 10n, reserved: 0n });
  });

  it("counts a clock that went back over midnight in the day that has begun, so that its limit holds", async () => {
    const clock = makeClock("2026-12-01T00:00:20.000Z");
    const { limit, spend, row } = begin(clock.now);
    expect(await spend(limit(100n, daily), 3)).toBe(3);
    clock.set("2026-11-30T23:59:00.000Z");
    expect(await spend(limit(100n, daily), 30)).toBe(7);
    expect(await row()).toMatchObject({ day: 100n, week: 100n, month: 100n, total: 100n });
  });

  it("lets no limit reset once a clock was years ahead, says until when, and does again after a recount", async () => {
    const clock = makeClock("2026-11-18T12:00:00.000Z");
    const { store } = gateway().deps;
    const recounted = async () => await recount({ store, now: clock.now });
    // What other tests left in later days.
    await recounted();
    const { ledger: ahead, spendId, workspaceId, limit, spend, reserve, row } = begin(clock.now);
    const account = limit(100n, daily);
    const idle = accountOf(randomUUID(), 100n, daily);
    expect(await spend(idle, 2)).toBe(2);
    expect(await spend(account, 3)).toBe(3);
    // What stands in the journal is folded into the tables before it is read, and so before the clock moves.
    expect(await row()).toMatchObject({ day: 30n });
    clock.set("2035-11-21T12:00:00.000Z");
    expect(await spend(account, 1)).toBe(1);
    expect(await row()).toMatchObject({ day: 10n });
    clock.set("2026-11-18T13:00:00.000Z");
    expect(await spend(account, 30)).toBe(9);
    await expect(reserve(account, 10n)).rejects.toMatchObject({
      shortfall: { spent: 100n, resetsAt: new Date("2035-11-22T00:00:00.000Z") },
    });
    await close(ahead);

    expect(await recounted()).toEqual({ counters: 3, latest: new Date("2035-11-21T00:00:00.000Z") });
    expect(await recounted()).toBeNull();
    const day_start = new Date("2026-11-18T00:00:00.000Z");
    expect(await row()).toMatchObject({ day: 130n, month: 130n, total: 130n, day_start });
    expect(await spendRow(workspaceId)).toMatchObject({ day: 150n, week: 150n, total: 150n });
    const ledger = makeLedger(randomUUID(), clock.now);
    const spendAgain = async (of: Account) => await spendAll([ledger], of, { workspaceId, cost: 10n }, 30);
    expect(await spendAgain(account)).toBe(0);
    expect(await spendAgain(idle)).toBe(8);
    clock.set("2026-11-19T12:00:00.000Z");
    expect(await spendAgain(account)).toBe(10);
    await close(ledger);
    const { differences } = await verifyLedger({ store, now: clock.now });
    const ours = [spendId, idle.spendId, workspaceId];
    expect(differences.filter(({ row: of }) => ours.some((id) => of.startsWith(id)))).toEqual([]);
  });

  it("warns of limits that a clock moved more than two days ahead", async () => {
    const { store } = gateway().deps;
    const { ledger, limit, spend } = begin(makeClock("2048-02-29T12:00:00.000Z").now);
    expect(await spend(limit(10n, daily), 1)).toBe(1);
    await close(ledger);
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
    const made = makeEntry({ cost: 2n ** 80n, promptTokens: 2 ** 53, saved: 2n ** 70n });
    const ledger = makeLedger();
    await ledger.settle(await ledger.reserve({ accounts: [], least: 0n, most: 0n, byok: false }), made).committed;
    const row = { cost: 10n ** 15n, saved: 10n ** 15n, overrun: 0n, metered_by: "gateway" };
    expect(await ledgerRow(gateway(), made.id)).toMatchObject(row);
  });

  it.each(testDates)("says which figures it decided on when a call does not fit, on %s", async (date) => {
    const now = makeClock(date).now;
    const { limit, reserve } = begin(now);
    const resetsAt = nextReset("monthly", now());
    await expect(reserve(limit(5n, { reset: "monthly" }), 6n)).rejects.toMatchObject({
      shortfall: { kind: "key", limit: 5n, reset: "monthly", spent: 0n, needed: 6n, resetsAt },
    });
  });

  it.each([true, false])(
    "counts the caller's own vendor key apart, and toward the limit if that says so: %s",
    async (includeByok) => {
      const { ledger, spendId, limit, row } = begin();
      const demand = demandOf(limit(50n, { includeByok }), 40n, true);
      const made = makeEntry({ spendId, byok: true, byokCost: 40n });
      await ledger.settle(await ledger.reserve(demand), made).committed;
      const again = ledger.reserve(demand);
      if (includeByok) await expect(again).rejects.toBeInstanceOf(InsufficientFunds);
      else ledger.release(await again);
      expect(await row()).toMatchObject({ total: 0n, byok_total: 40n });
    },
  );

  if (engine === "embedded") return;

  describe("with several processes", () => {
    /** Several ledgers, and a count that they share. */
    const several = (count: number) => {
      const [spendId, workspaceId] = [randomUUID(), randomUUID()];
      const ids = Array.from({ length: count }, () => randomUUID());
      const ledgers = ids.map((id) => makeLedger(id));
      const spend = (cost: bigint, limit: bigint, calls: number, by: readonly Ledger[] = ledgers) =>
        spendAll(by, accountOf(spendId, limit), { workspaceId, cost }, calls);
      return { spendId, workspaceId, ids, ledgers, spend };
    };
    /** Takes a process's leases away, as others do once it has not renewed them for long enough. */
    const reclaimFrom = async (processId: string) =>
      await query(
        `with dead as (select spend_id from leases where process_id = $1 order by spend_id for update skip locked),
         ended as (
           delete from leases l using dead where l.spend_id = dead.spend_id and l.process_id = $1
           returning l.spend_id, l.amount
         )
         ${unreserve("ended")}`,
        processId,
      );
    /** Makes a process's leases those of another one, which nobody renews. */
    const die = async (processId: string, more = "") =>
      await query(`update leases set process_id = gen_random_uuid() ${more} where process_id = $1`, processId);

    it("spends a limit to the last unit between them", async () => {
      const { ledgers, spendId, spend } = several(3);
      expect(await spend(10n, 309n, 90)).toBe(30);
      await close(...ledgers);
      expect(await spendRow(spendId)).toMatchObject({ total: 300n, reserved: 0n });
    });

    it("holds a replaced key and its successor to their own limits, whichever process asks first", async () => {
      const { ledgers, spendId, workspaceId } = several(2);
      const [one, other] = ledgers as [Ledger, Ledger];
      const replaced = { ...accountOf(spendId, 100_000n), owner: "replaced" };
      const successor = { ...accountOf(spendId, 200n), owner: "successor" };
      const call = { workspaceId, cost: 10n };
      expect(await spendAll([one], replaced, call, 2)).toBe(2);
      const [served] = await Promise.all([
        spendAll([one, other], successor, call, 60),
        spendAll([other], replaced, call, 3),
      ]);
      expect(served).toBeLessThanOrEqual(18);
      expect(served).toBeGreaterThanOrEqual(15);
      await close(...ledgers);
      expect(await spendRow(spendId)).toMatchObject({ total: BigInt(served + 5) * 10n, reserved: 0n });
    });

    it("spends a daily limit once, though one of them has not yet seen midnight", async () => {
      const ahead = begin(makeClock("2026-12-01T00:00:20.000Z").now);
      const behind = makeLedger(randomUUID(), makeClock("2026-11-30T23:59:00.000Z").now);
      const account = ahead.limit(100n, daily);
      expect(await ahead.spend(account, 3)).toBe(3);
      await close(ahead.ledger);
      expect(await spendAll([behind], account, { workspaceId: ahead.workspaceId, cost: 10n }, 30)).toBe(7);
    });

    it("never has more settled and reserved than the limit", async () => {
      const { spendId, spend } = several(2);
      let watching = true;
      const seen: bigint[] = [];
      const watch = async () => {
        // oxlint-disable-next-line eslint/no-unmodified-loop-condition -- the test below ends it
        while (watching) {
          const [row] = await query("select total + reserved as committed from spends where id = $1", spendId);
          if (row !== undefined) seen.push(row.committed);
        }
      };
      const watcher = watch();
      await spend(7n, 250n, 60);
      watching = false;
      await watcher;
      expect(seen.length).toBeGreaterThan(0);
      expect(seen.filter((committed) => committed > 250n)).toEqual([]);
    });

    it("charges calls whose lease was taken away as far as the limit has room, and goes on with a new one", async () => {
      const { spendId, ledgers, ids, spend } = several(2);
      const [ledger, heir] = ledgers as [Ledger, Ledger];
      const demand = demandOf(accountOf(spendId, 100n), 30n);
      const held = await Promise.all([ledger.reserve(demand), ledger.reserve(demand)]);
      await reclaimFrom(ids[0] ?? "");
      expect(await spend(55n, 100n, 1, [heir])).toBe(1);
      await close(heir);
      // 45 of 100 are left for the two of 30, which are charged in one group.
      await Promise.all(held.map((each) => ledger.settle(each, makeEntry({ spendId, cost: 30n })).committed));
      expect(await spendRow(spendId)).toMatchObject({ total: 100n, overrun_total: 15n, reserved: 0n });
      await expect(ledger.reserve(demand)).rejects.toBeInstanceOf(InsufficientFunds);
      expect(await spend(30n, 200n, 5, [ledger])).toBe(2);
      await close(ledger);
      expect(await spendRow(spendId)).toMatchObject({ total: 160n, reserved: 0n });
    });

    it("never charges more than the limit while leases are taken from the living at any time", async () => {
      const { spendId, ledgers, ids, spend } = several(2);
      let robbing = true;
      const rob = async () => {
        // oxlint-disable-next-line eslint/no-unmodified-loop-condition -- the test below ends it
        for (let turn = 0; robbing; turn += 1) {
          // Like the round of a real process, it comes again when it was the one to resolve a deadlock.
          await reclaimFrom(ids[turn % 2] ?? "").catch((error: unknown) => {
            if (!isStoreAway(error)) throw error;
          });
        }
      };
      const robber = rob();
      const served = await spend(7n, 210n, 60).finally(() => (robbing = false));
      await robber;
      await close(...ledgers);
      const { total, overrun_total: overrun, reserved } = await spendRow(spendId);
      expect(total + overrun).toBe(BigInt(served) * 7n);
      expect(total).toBeLessThanOrEqual(210n);
      expect(reserved).toBe(0n);
    });

    it("gives back what a lease holds by now, though it grew after the statement began", async () => {
      const { store, now } = gateway().deps;
      const { spendId, ids } = several(1);
      const [processId = ""] = ids;
      await query(
        "insert into spends (id, day_start, week_start, month_start) values ($1, $2, $2, $2)",
        spendId,
        now(),
      );
      const values = [spendId, processId];
      await query("insert into leases (spend_id, process_id, amount, expires_at) values ($1, $2, 0, now())", ...values);
      const other = await store.pool.connect();
      await other.query("begin");
      await other.query("update leases set amount = 7 where spend_id = $1 and process_id = $2", values);
      await other.query("update spends set reserved = 7 where id = $1", [spendId]);
      const settings = { leaseMs: 15_000, steadyMs: () => 0, presence: false, warn: () => {} };
      const holder = { ...settings, store, now, processId, latestDay: createLatestDay() };
      const returned = returnLease(holder, spendId, "all");
      const waits =
        "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query ~ 'leases'";
      await expect.poll(async () => (await query(waits)).length).toBe(1);
      await other.query("commit");
      other.release();
      await returned;
      expect((await spendRow(spendId)).reserved).toBe(0n);
    });

    it("releases what a process held that ended, long before its lease does, and nothing of one that lives", async () => {
      const { store, now } = gateway().deps;
      const { ids, ledgers } = several(2);
      const [first, second] = [accountOf(randomUUID(), 100n), accountOf(randomUUID(), 100n)];
      await ledgers[0]?.reserve(demandOf(first, 100n));
      await die(ids[0] ?? "");
      await ledgers[1]?.reserve(demandOf(second, 100n));
      const processId = randomUUID();
      const settings = { processId, presence: true, steadyMs: () => 0 };
      const heir = ledgerWith(createLeasedBalances(store, now, settings), processId);
      expect(await spendAll([heir], first, { cost: 100n }, 1)).toBe(1);
      expect((await spendRow(second.spendId)).reserved).toBe(100n);
    });

    it("ends only when what it was giving back already is given back", async () => {
      const { store } = gateway().deps;
      const { ledger, spendId, limit, reserve, row } = begin();
      const reservation = await reserve(limit(100n), 10n);
      const others = await store.pool.connect();
      await others.query("begin");
      await others.query("select from leases where spend_id = $1 for update", [spendId]);
      // Not before: what is free for a second is given back.
      ledger.release(reservation);
      await store.notices.send("gatehouse_leases", spendId);
      const waits =
        "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query ~ 'leases'";
      await expect.poll(async () => (await query(waits)).length).toBe(1);
      const order: string[] = [];
      const closed = close(ledger).then(() => order.push("closed"));
      await store.ping();
      order.push("given back");
      await others.query("rollback");
      others.release();
      await closed;
      expect(order).toEqual(["given back", "closed"]);
      expect((await row()).reserved).toBe(0n);
    });

    it("takes back what a process held that died", async () => {
      const { spendId, ids, ledgers, spend } = several(2);
      const [dead, heir] = ledgers as [Ledger, Ledger];
      await dead.reserve(demandOf(accountOf(spendId, 100n), 100n));
      expect((await spendRow(spendId)).reserved).toBe(100n);
      await die(ids[0] ?? "", ", expires_at = now() - interval '1 second'");
      expect(await spend(100n, 100n, 1, [heir])).toBe(1);
      await close(heir);
      expect(await spendRow(spendId)).toMatchObject({ total: 100n, reserved: 0n });
    });
  });
});
