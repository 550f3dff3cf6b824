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
 * Of each table, this many hundreds of pages are read to know what is in it. The server's default, 100, reads a quarter
 * of a gigabyte of the ledger, for which every call would wait.
 */
const statisticsTarget = 4;
/** Long before transaction numbers run out, at two thousand million, a table is read through once. */
const mostTransactions = 500_000_000;

/**
 * Vacuums the tables that hold old versions of rows, and analyzes those that have changed, with autovacuum's own
 * thresholds. A table that rows were only added to, such as the ledger, is not vacuumed for them: that would read and
 * write all the new ones while every call waits for the only connection.
 *
 * @returns the tables that needed either
 */
export async function vacuum(pool: pg.Pool): Promise<string[]> {
  // The last second's counts are still on their way.
  await pool.query("select pg_stat_force_next_flush()");
  const { rows } = await pool.query<{ name: string; old: boolean }>(
    `select quote_ident(s.relname) as name,
       s.n_dead_tup > 50 + s.n_live_tup * 0.2 or age(c.relfrozenxid) > ${mostTransactions} as old
     from pg_stat_user_tables s join pg_class c on c.oid = s.relid
     where s.schemaname = current_schema()
       and (s.n_dead_tup > 50 + s.n_live_tup * 0.2 or s.n_mod_since_analyze > 50 + s.n_live_tup * 0.1
         or age(c.relfrozenxid) > ${mostTransactions})`,
  );
  // Of the session: a transaction that fails would have to be ended before anybody can use the only connection again.
  await pool.query(`set default_statistics_target = ${statisticsTarget}`);
  // One statement per table, so that others can use the only connection in between.
  for (const { name, old } of rows) {
    if (old) await pool.query(`vacuum (truncate false) ${name}`);
    await pool.query(`analyze ${name}`);
  }
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
