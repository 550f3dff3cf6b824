import type { Store } from "../../storage/store.ts";

const restoredText = `
select exists (select from forwarding where cursor_xact > pg_snapshot_xmax(pg_current_snapshot())) as restored`;

/** In the order in which they must run: cursors are moved while the ledger still has its old positions. */
const mendTexts = [
  `update forwarding f set cursor_seq = coalesce((
     select min(l.seq) - 1 from ledger l
     where l.workspace_id = f.workspace_id and (l.xact, l.seq) > (f.cursor_xact, f.cursor_seq)
   ), f.cursor_seq), cursor_xact = '0', epoch = f.epoch + 1
   where f.cursor_xact > pg_snapshot_xmax(pg_current_snapshot())`,
  `update ledger set xact = '0' where xact > pg_snapshot_xmax(pg_current_snapshot())`,
  `update forwarding_settings set xact = '0' where xact > pg_snapshot_xmax(pg_current_snapshot())`,
  `delete from forwarding_bodies where xact > pg_snapshot_xmax(pg_current_snapshot())`,
];

/**
 * A dump restored into another PostgreSQL brings transaction ids that this server has not reached, so that every new
 * call would sort before the cursors. The old rows become the oldest, in their order; this is the only time that ledger
 * rows change, and nothing in their content does.
 * @returns whether the store was such a restored one
 */
export async function repairRestoredCursors(store: Store): Promise<boolean> {
  const { rows } = await store.pool.query<{ restored: boolean }>(restoredText);
  if (rows[0]?.restored !== true) return false;
  const client = await store.pool.connect();
  try {
    await client.query("begin");
    // The table may be long.
    await client.query("set local statement_timeout = 0");
    for (const text of mendTexts) await client.query(text);
    await client.query("commit");
    return true;
  } catch (error) {
    await client.query("rollback");
    throw error;
  } finally {
    client.release();
  }
}
