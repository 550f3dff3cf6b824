import { sql } from "kysely";
import type { KeyStatus } from "#contract/keys.ts";
import { toUsd } from "#contract/money.ts";
import type { Store } from "../../storage/store.ts";
import { hasStatus } from "../key-status.ts";
import { countCanaries } from "../providers/canary-runs.ts";
import { capped, countedUpTo, hasLimitState, listed } from "../keys/list.ts";

/** Dashboard values that only the store knows. */
export interface StoreGauges {
  readonly destinations: readonly {
    readonly id: string;
    readonly lagSeconds: number;
    readonly deadLetters: number;
    readonly failing: boolean;
  }[];
  /** active keys over a limit that refuses their paid calls, and over one that is only watched; counted up to 10,000 */
  readonly keysOverLimit: { readonly enforced: number; readonly watchOnly: number };
  /** drift canaries by what they report, and those whose last run failed */
  readonly canaries: Readonly<Record<"new" | "steady" | "drift" | "failing", number>>;
  /** slices of limits that processes hold */
  readonly leases: { readonly count: number; readonly usd: number };
}

/** Each destination adds a time series to the scraper. */
const mostDestinations = 200;

/** One read without a scan of the ledger. @throws what the store throws */
export async function readStoreGauges({ db }: Pick<Store, "db">, now: Date): Promise<StoreGauges> {
  const { rows } = await sql<{ id: string; failing: boolean; dead: bigint; oldest: Date | null }>`
    select d.id, f.failing_since is not null as failing,
      (select count(*) from dead_letters l where l.destination_id = d.id) as dead,
      (select l.settled_at from ledger l
       where l.workspace_id = d.workspace_id and (l.xact, l.seq) > (f.cursor_xact, f.cursor_seq)
       order by l.xact, l.seq limit 1) as oldest
    from destinations d
    join workspaces w on w.id = d.workspace_id
    join forwarding f on f.destination_id = d.id
    where d.deleted_at is null and d.enabled and w.is_observability_broadcast_enabled
    order by d.created_at limit ${mostDestinations}`.execute(db);
  const leases = await db
    .selectFrom("leases")
    .select(({ fn }) => [fn.countAll<bigint>().as("count"), fn.sum<string | null>("amount").as("amount")])
    .executeTakeFirstOrThrow();
  const over = (which: KeyStatus) =>
    countedUpTo(sql`${listed} and ${hasStatus(which, now)} and ${hasLimitState("over", now)}`);
  const keys = await sql<{ enforced: bigint; watched: bigint }>`
    select ${over("over_limit")} as enforced, ${over("active")} as watched`.execute(db);
  return {
    canaries: await countCanaries({ db }),
    keysOverLimit: {
      enforced: capped(keys.rows[0]?.enforced ?? 0n).count,
      watchOnly: capped(keys.rows[0]?.watched ?? 0n).count,
    },
    destinations: rows.map(({ id, failing, dead, oldest }) => ({
      id,
      failing,
      deadLetters: Number(dead),
      lagSeconds: oldest === null ? 0 : Math.max(0, now.getTime() - oldest.getTime()) / 1_000,
    })),
    leases: { count: Number(leases.count), usd: toUsd(BigInt(leases.amount ?? 0)) },
  };
}
