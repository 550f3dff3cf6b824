import type { Store } from "../../storage/store.ts";
import {
  type Account,
  type Balances,
  countedInRow,
  createLatestDay,
  limitsFor,
  ownerOf,
  shortfallOf,
  tightest,
} from "./balance.ts";
import { recallChannel } from "./lease-recall.ts";
import type { LeaseHolder } from "./lease-store.ts";
import { loseLeases, startLeaseUpkeep } from "./lease-upkeep.ts";
import { Lease } from "./lease.ts";

const byDefault = {
  leaseMs: 15_000,
  steadyMs: () => Number.POSITIVE_INFINITY,
  presence: false,
  warn: () => {},
} satisfies Partial<LeaseHolder>;
/** How long to wait before asking again for money that other processes hold. */
const askAgainMs = 50;
/** How long a stop waits for exchanges that are under way. */
const closeMs = 2_000;
/** Asks the other processes for what they do not use of a spend. */
const channel = "gatehouse_leases";

/** This process, and what is known of the others that share the store. */
export type LeaseSettings = Pick<LeaseHolder, "processId"> &
  Partial<Pick<LeaseHolder, "leaseMs" | "steadyMs" | "presence" | "warn">>;

/**
 * The balances of one of several processes: each spends from slices that it has leased, so no call waits for the store
 * while a slice lasts, and the slices never add up to more than what is left.
 */
export function createLeasedBalances(store: Store, now: () => Date, settings: LeaseSettings): Balances {
  const holder: LeaseHolder = { ...byDefault, ...settings, store, now, latestDay: createLatestDay() };
  const leases = new Map<string, Lease>();
  const stopUpkeep = startLeaseUpkeep(holder, leases);
  store.notices.listen(channel, (spendId) => {
    const lease = leases.get(spendId ?? "");
    void lease?.giveBack().catch(() => {});
  });
  store.notices.listen(recallChannel, (spendId) => leases.get(spendId ?? "")?.recall());

  function leaseOf({ spendId }: Account): Lease {
    const lease = leases.get(spendId) ?? new Lease(holder, spendId);
    leases.set(spendId, lease);
    return lease;
  }

  return {
    open: () => null,
    room: (account) => leaseOf(account).reservable(ownerOf(account)),
    chargeable: (account, _byok, reserved) => leaseOf(account).chargeable(ownerOf(account), reserved),
    hold: (account, amount) => leaseOf(account).hold(amount),
    release: (account, amount) => leaseOf(account).release(amount),
    async more(account, needed, byok, deadline) {
      const lease = leaseOf(account);
      if (lease.busy) {
        await lease.room.wait(deadline);
        return null;
      }
      const shortfall = await lease.request({ account, needed, byok });
      if (shortfall === null) return null;
      const { spent, kept = 0n, reserved, limit } = shortfall;
      const mayFitLater = spent + kept + needed <= limit && (reserved > kept || lease.held > 0n);
      if (!mayFitLater || performance.now() >= deadline) return { ...shortfall, needed };
      await store.notices.send(channel, account.spendId);
      await lease.room.wait(Math.min(deadline, performance.now() + askAgainMs));
      return null;
    },
    async exceeded(account, spare, byok) {
      const row = await store.db.selectFrom("spends").selectAll().where("id", "=", account.spendId).executeTakeFirst();
      if (row === undefined) return null;
      const limits = (await account.readLimits?.(store.pool)) ?? account.limits;
      // What was leased here under the limits of another owner does not stand in this one's way.
      const reserved = row.reserved - leaseOf(account).beyond(ownerOf(account));
      const found = tightest({ limits }, byok, countedInRow({ ...row, reserved }), now());
      return found === null || found.room >= -spare ? null : shortfallOf(account, found, -spare, now());
    },
    committed() {},
    leased: (account, charge) => (limitsFor(account, false).length > 0 ? charge : 0n),
    spent: (account, charge) => leaseOf(account).spend(charge),
    keep: (account, amount) => leaseOf(account).spend(amount),
    unkeep() {},
    lost(spendIds) {
      loseLeases(
        holder,
        spendIds.flatMap((spendId) => leases.get(spendId) ?? []),
      );
    },
    latestDay: holder.latestDay.get,
    async close() {
      stopUpkeep();
      // What cannot be given back now will expire.
      const deadline = performance.now() + closeMs;
      for (const lease of leases.values()) await lease.close(deadline).catch(() => {});
    },
  };
}
