import { setTimeout as sleep } from "node:timers/promises";
import type { Transaction } from "kysely";
import type { Store } from "../../storage/store.ts";
import type { Tables } from "../../storage/tables.ts";
import { lockNamed } from "../named-lock.ts";
import { type Account, countedInRow, tightest } from "./balance.ts";

/** Notifies processes whose limit was lowered: a spend's id. */
export const recallChannel = "gatehouse_recalls";

/** How long a process has to respond before its slices are reclaimed: it may have ended, or be frozen. */
const patienceMs = 2_000;
const lookAgainMs = 10;

/** Serializes a change of limits with leasing under them: whichever comes second sees what the first did. */
export const lockLimits = "select pg_advisory_xact_lock(hashtextextended('limits ' || $1::text, 0))";

/**
 * What a common table expression with `spend_id` and `amount` says is no longer reserved. Not an update: that would
 * compute with the row as it was when the statement began, and fail the check that it is not negative where the lease
 * grew since. On a conflict, the row is locked first and read again.
 */
export const unreserve = (taken: string) => `
  insert into spends as s (id, day_start, week_start, month_start, reserved)
  select spend_id, 'epoch', 'epoch', 'epoch', sum(amount)::bigint from ${taken}
  where spend_id in (select id from spends) group by spend_id order by spend_id
  on conflict (id) do update set reserved = s.reserved - excluded.reserved`;

/**
 * Call it in the transaction that changes a limit, after the change. Where what is spent and leased no longer fits, it
 * marks the leases; `afterRecall` then waits until the processes that hold them have given back the free part.
 * @param account the spend, and what it is limited by from now on
 */
export async function recallLeases(
  trx: Transaction<Tables>,
  { engine }: Store,
  account: Pick<Account, "spendId" | "limits">,
  now: Date,
): Promise<void> {
  // The embedded store has no leases.
  if (engine === "embedded") return;
  const { spendId } = account;
  await lockNamed(trx, `limits ${spendId}`);
  const row = await trx.selectFrom("spends").selectAll().where("id", "=", spendId).executeTakeFirst();
  if (row === undefined) return;
  const tight = tightest(account, false, countedInRow(row), now);
  if (tight === null || tight.room >= 0n) return;
  await trx.updateTable("leases").set({ recalled: true }).where("spend_id", "=", spendId).execute();
}

/** Call it when the change is committed and announced. Once it resolves, nothing is spent under the old limit. */
export async function afterRecall({ engine, db, pool, notices }: Store, spendId: string): Promise<void> {
  if (engine === "embedded") return;
  const recalled = async () => {
    const row = await db
      .selectFrom("leases")
      .select("spend_id")
      .where("spend_id", "=", spendId)
      .where("recalled", "=", true)
      .executeTakeFirst();
    return row !== undefined;
  };
  if (!(await recalled())) return;
  await notices.send(recallChannel, spendId);
  const deadline = performance.now() + patienceMs;
  while (performance.now() < deadline) {
    if (!(await recalled())) return;
    await sleep(lookAgainMs);
  }
  await pool.query(
    `with silent as (
       select process_id from leases where spend_id = $1 and recalled order by process_id for update
     ), taken as (
       delete from leases where spend_id = $1 and process_id in (select process_id from silent)
       returning spend_id, amount
     )
     ${unreserve("taken")}`,
    [spendId],
  );
}
