import type { Lease } from "./lease.ts";
import {
  endedProcesses,
  type LeaseHolder,
  leasedSpends,
  mayReclaim,
  reclaimLeases,
  renewLeases,
} from "./lease-store.ts";

/** How often a lease is renewed while it lasts. */
const renewals = 4;
/** The second check for processes that ended comes after this fraction of a lease's time: 3 s. */
const startCheck = 5;
/** A slice that is idle for this long is given back. */
const idleMs = 1_000;
const sweepMs = 500;

/**
 * Keeps this process's leases alive, gives back the idle ones, and reclaims those of processes that ended.
 * @param leases by spend
 * @returns stops it
 */
export function startLeaseUpkeep(holder: LeaseHolder, leases: Map<string, Lease>): () => void {
  // While the store is unavailable these fail; the next round makes up for it.
  const sweeper = setInterval(() => void sweep(leases).catch(() => {}), sweepMs);
  const renewer = setInterval(
    () =>
      void renew(holder, leases)
        .then(() => reclaim(holder))
        .catch(() => {}),
    holder.leaseMs / renewals,
  );
  // The leases of processes that ended are released at startup, not only in the first round.
  const atStart = () => void reclaim(holder).catch(() => {});
  if (holder.presence) atStart();
  const starter = setTimeout(atStart, holder.leaseMs / startCheck);
  for (const timer of [sweeper, renewer, starter]) timer.unref();
  return () => {
    for (const timer of [sweeper, renewer, starter]) clearTimeout(timer);
  };
}

async function sweep(leases: Map<string, Lease>): Promise<void> {
  const idleSince = performance.now() - idleMs;
  for (const [spendId, lease] of leases) {
    if (lease.usedAt > idleSince) continue;
    await lease.giveBack();
    if (lease.empty && !lease.busy) leases.delete(spendId);
  }
}

/** Reports that this process is alive, and learns which leases it lost while it could not. */
async function renew(holder: LeaseHolder, leases: ReadonlyMap<string, Lease>): Promise<void> {
  const renewed = await renewLeases(holder);
  for (const row of renewed) if (row.recalled) leases.get(row.spend_id)?.recall();
  if (renewed.length === leases.size) return;
  const idle = [...leases].filter(([, lease]) => !lease.busy);
  const kept = await leasedSpends(holder);
  const gone = idle.filter(([spendId, lease]) => !kept.has(spendId) && !lease.busy && !lease.empty);
  loseLeases(
    holder,
    gone.map(([, lease]) => lease),
  );
}

/** The store has given these leases to others. */
export function loseLeases({ warn }: LeaseHolder, gone: Iterable<Lease>): void {
  let limits = 0;
  for (const lease of gone) {
    if (lease.lost) continue;
    lease.lose();
    limits += 1;
  }
  if (limits === 0) return;
  warn("leases were lost: this process did not renew them in time, and what they held was given to others", { limits });
}

async function reclaim(holder: LeaseHolder): Promise<void> {
  const ended = holder.presence ? await endedProcesses(holder) : [];
  if (ended.length === 0 && !mayReclaim(holder)) return;
  const limits = await reclaimLeases(holder, ended);
  if (limits > 0) holder.warn("took back the leases of processes that ended without giving them back", { limits });
}
