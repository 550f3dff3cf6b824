import type { Store } from "../storage/store.ts";

const restoredText = `
select exists (select from forwarding where cursor_xact > pg_snapshot_xmax(pg_current_snapshot())) as restored`;

/** In the order in which they have to run: cursors are moved while the ledger still has its old places. */
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
 * A dump that is restored into another PostgreSQL brings transaction numbers along that this one has not reached: every
 * new call would be taken for older than the cursors. The old rows become the oldest, in their order; it is the one time
 * that the ledger's rows change, and nothing of what they say does.
 * @returns whether the store was such a one
 */
export async function mendRestoredPlaces(store: Store): Promise<boolean> {
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
