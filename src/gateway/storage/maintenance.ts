import type pg from "pg";

/**
 * The work of a server's background processes, which PGlite lacks: without it the write-ahead log would grow, and after
 * a crash be replayed from the last clean stop on; constantly updated counters would leave their old versions behind;
 * and the planner would know the tables only as they were when empty.
 */
const checkpointEveryMs = 5_000;
const vacuumEveryMs = 5 * 60_000;
/** At about 100 MB a second, replaying this much after a crash takes less than a second. */
const mostLogBytes = 64 * 1_024 * 1_024;

/**
 * Writes the changed pages and drops the log before them, once there is enough of it.
 *
 * @returns whether it did
 */
export async function checkpoint(pool: pg.Pool): Promise<boolean> {
  const { rows } = await pool.query<{ due: boolean }>(
    "select pg_current_wal_insert_lsn() - redo_lsn > $1 as due from pg_control_checkpoint()",
    [mostLogBytes],
  );
  if (rows[0]?.due !== true) return false;
  await pool.query("checkpoint");
  return true;
}

/**
 * Vacuums and analyzes the tables, with autovacuum's own thresholds.
 *
 * @returns the tables that needed it
 */
export async function vacuum(pool: pg.Pool): Promise<string[]> {
  // The last second's counts are still on their way.
  await pool.query("select pg_stat_force_next_flush()");
  const { rows } = await pool.query<{ name: string }>(
    `select quote_ident(relname) as name from pg_stat_user_tables
     where schemaname = current_schema()
       and (n_dead_tup > 50 + n_live_tup * 0.2 or n_mod_since_analyze > 50 + n_live_tup * 0.1
         or n_ins_since_vacuum > 1000 + n_live_tup * 0.2)`,
  );
  // One statement per table, so that others can use the only connection in between.
  for (const { name } of rows) await pool.query(`vacuum (analyze, truncate false) ${name}`);
  return rows.map((row) => row.name);
}

/** Does both periodically, until the returned function is called. */
export function scheduleUpkeep(pool: pg.Pool): () => void {
  const timers = [
    setInterval(() => void checkpoint(pool).catch(madeUpLater), checkpointEveryMs),
    setInterval(() => void vacuum(pool).catch(madeUpLater), vacuumEveryMs),
  ];
  for (const timer of timers) timer.unref();
  return () => timers.forEach((timer) => clearInterval(timer));
}

/** A round that fails, for example while the store is being closed, is made up for by the next. */
function madeUpLater(): void {}
