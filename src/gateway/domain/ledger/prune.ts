import { startOfUtcMonth, startOfUtcWeek } from "#contract/time.ts";
import type { Deps } from "../context.ts";
import { accountSpendId, countersIn } from "./commit.ts";
import { inTransaction } from "../transaction.ts";

/** Takes deleted rows, each as one line of JSON; resolves when they are safe on the disk. */
export type Export = (lines: readonly string[]) => Promise<void>;

export interface Pruned {
  readonly deleted: number;
  /** destinations for which old calls were kept, because they are undelivered */
  readonly kept: readonly { readonly destination: string; readonly workspace: string }[];
}

export interface PruneOptions {
  /** calls that began and were charged before this instant are deleted */
  readonly before: Date;
  /** called once, before the first call is deleted */
  readonly openExport?: () => Promise<Export>;
  /** rows in one transaction */
  readonly batch?: number;
}

const defaultBatch = 2_000;

/**
 * Deletes old calls from the ledger, in batches, while a gateway may be running. Their sums are added to the closing
 * balance of each of their counters in the same transaction, so `verify` still adds up. Hourly sums stay, as do calls
 * that a destination has not received yet.
 * @throws Error when `before` lies in the current week or month, whose counters are verified against their calls
 */
export async function pruneLedger(
  { store, now }: Pick<Deps, "store" | "now">,
  { before, openExport, batch = defaultBatch }: PruneOptions,
): Promise<Pruned> {
  const latest = latestCut(now());
  if (before > latest) {
    const day = latest.toISOString().slice(0, 10);
    throw new Error(`Calls of the current week and month are not deleted: the latest date for --before is ${day}.`);
  }
  const save = await openExport?.();
  await store.pool.query(
    `insert into ledger_closings as c (id, pruned_before) values ($1, $2)
     on conflict (id) do update set pruned_before = greatest(c.pruned_before, excluded.pruned_before)`,
    [accountSpendId, before],
  );
  const { rows: workspaces } = await store.pool.query<{ id: string }>("select id from workspaces order by id");
  let deleted = 0;
  for (const { id } of workspaces) {
    for (let from = new Date(0); ;) {
      const { looked, rows } = await pruneBatch(store, { workspaceId: id, before, from, batch }, save);
      deleted += rows;
      if (looked === null) break;
      from = looked;
    }
  }
  return { deleted, kept: await keptFor(store, before) };
}

/** The counters of the current day, week and month are verified against their calls, so these calls stay. */
function latestCut(now: Date): Date {
  const [week, month] = [startOfUtcWeek(now), startOfUtcMonth(now)];
  return week < month ? week : month;
}

interface Batch {
  readonly workspaceId: string;
  readonly before: Date;
  readonly from: Date;
  readonly batch: number;
}

/**
 * Deletes what may be deleted of the workspace's next calls.
 * @returns the instant to continue from; null: that was the last batch
 */
async function pruneBatch(
  store: Deps["store"],
  { workspaceId, before, from, batch }: Batch,
  save: Export | undefined,
): Promise<{ looked: Date | null; rows: number }> {
  return await inTransaction(store.pool, async (client) => {
    // One run at a time: a second one finds what this one left.
    await client.query("select from ledger_closings where id = $1 for update", [accountSpendId]);
    // To the end of a millisecond, so that the next batch begins after it.
    const { rows: bounds } = await client.query<{ upto: Date | null; more: boolean }>(
      `select max(created_at) as upto, count(*) = $4 as more from (
         select created_at from ledger where workspace_id = $1 and created_at > $2 and created_at < $3
         order by created_at limit $4
       ) as next`,
      [workspaceId, from, before, batch],
    );
    const upto = bounds[0]?.upto ?? null;
    if (upto === null) return { looked: null, rows: 0 };
    const { rows } = await client.query<{ line: string | null }>(pruneText, [
      workspaceId,
      from,
      upto,
      before,
      save !== undefined,
    ]);
    if (save !== undefined) await save(rows.flatMap(({ line }) => (line === null ? [] : [line])));
    return { looked: bounds[0]?.more === true ? upto : null, rows: rows.length };
  });
}

/** Calls that a destination still has to deliver, or may retry, stay. */
const pruneText = `
with deleted as (
  delete from ledger l
  where l.workspace_id = $1 and l.created_at > $2 and l.created_at <= $3 and l.settled_at < $4
    and not exists (
      select from forwarding f join destinations d on d.id = f.destination_id
      where f.workspace_id = l.workspace_id and d.deleted_at is null and (l.xact, l.seq) > (f.cursor_xact, f.cursor_seq)
    )
    and not exists (
      select from dead_letters x
      where x.workspace_id = l.workspace_id and x.created_at = l.created_at and x.id = l.id
    )
  returning l.*
), contents as (
  delete from generation_contents c using deleted
  where c.workspace_id = deleted.workspace_id and c.created_at = deleted.created_at and c.id = deleted.id
), feedback as (
  delete from generation_feedback f using deleted
  where f.workspace_id = deleted.workspace_id and f.created_at = deleted.created_at and f.id = deleted.id
), closed as (
  insert into ledger_closings as c (id, pruned_before, calls, total, byok_total, overrun_total, byok_overrun_total)
  select counted.id, $4, count(*), sum(cost), sum(byok_cost),
    coalesce(sum(overrun) filter (where not byok), 0), coalesce(sum(overrun) filter (where byok), 0)
  from deleted, lateral ${countersIn("deleted")}
  group by counted.id
  on conflict (id) do update set
    pruned_before = greatest(c.pruned_before, excluded.pruned_before),
    calls = c.calls + excluded.calls,
    total = c.total + excluded.total,
    byok_total = c.byok_total + excluded.byok_total,
    overrun_total = c.overrun_total + excluded.overrun_total,
    byok_overrun_total = c.byok_overrun_total + excluded.byok_overrun_total
)
select case when $5 then to_jsonb(deleted)::text end as line from deleted order by created_at, id`;

async function keptFor(store: Deps["store"], before: Date): Promise<Pruned["kept"]> {
  const { rows } = await store.pool.query<Pruned["kept"][number]>(
    `select d.name as destination, w.name as workspace
     from destinations d join workspaces w on w.id = d.workspace_id join forwarding f on f.destination_id = d.id
     where d.deleted_at is null and (
       exists (
         select from ledger l where l.workspace_id = f.workspace_id and l.created_at < $1 and l.settled_at < $1
           and (l.xact, l.seq) > (f.cursor_xact, f.cursor_seq)
       ) or exists (
         select from dead_letters x join ledger l using (workspace_id, created_at, id)
         where x.destination_id = d.id and x.created_at < $1
       )
     ) order by 2, 1`,
    [before],
  );
  return rows;
}
