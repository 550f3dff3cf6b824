import pg from "pg";
import type { Journal } from "./journal.ts";
import { giveUpWhenSilent } from "./silent-connection.ts";

// Money is kept in 64-bit integers; the driver's default would hand them over as strings.
const types = new pg.TypeOverrides();
types.setTypeParser(pg.types.builtins.INT8, BigInt);

/** How long a statement waits for those before it: as long as one may run on a shared PostgreSQL. */
const mostWaitMs = 30_000;

/** The pool of the embedded store: PGlite is one session, so one connection, and waiting happens here. */
export function embeddedPool(socketFolder: string, port: number): pg.Pool {
  const pool = guard(
    new pg.Pool({
      host: socketFolder,
      port,
      user: "postgres",
      database: "postgres",
      max: 1,
      // An idle connection is never given up: another could only be had after it.
      idleTimeoutMillis: 0,
      connectionTimeoutMillis: mostWaitMs,
      // Should it break all the same, the next one meets the same session.
      onConnect: (client) => void client.query("rollback; deallocate all").catch(() => {}),
      types,
    }),
  );
  // The driver's own `query` gives the connection up with any statement that fails. Another one can only be had once this
  // one is gone, and would meet the statements that were prepared before: so it is kept, as long as it works.
  const kept = async (statement: pg.QueryConfig, values?: unknown[]): Promise<pg.QueryResult> => {
    const client = await pool.connect();
    try {
      return await client.query(statement, values);
    } finally {
      client.release();
    }
  };
  return Object.assign(pool, { query: kept as unknown as pg.Pool["query"] });
}

/** The pool for everybody who must see what was answered: a statement waits until that is in the tables. */
export function afterFold(pool: pg.Pool, journal: Journal): pg.Pool {
  const connect = async () => {
    await journal.folded();
    return await pool.connect();
  };
  const query = async (statement: pg.QueryConfig, values?: unknown[]) => {
    await journal.folded();
    return await pool.query(statement, values);
  };
  return Object.assign(Object.create(pool) as pg.Pool, { connect, query, end: () => pool.end() });
}

/** Limits for the server's side of a shared PostgreSQL, in milliseconds. */
export interface PoolSettings {
  size: number;
  /** no single statement of the gateway is meant to take long; 0: no limit (migrations) */
  statementTimeoutMs: number;
  /** beyond that, a connection without a word is given up; default: ten seconds */
  silenceMs?: number;
  /** how long statements that still run are waited for when the pool ends; default: five seconds */
  endMs?: number;
}

/** After so long without a word, the operating system asks whether the other side is still there: by default after hours. */
export const keepAliveInitialDelayMillis = 10_000;

/** A pool on a shared PostgreSQL. Connections that break are replaced by the next query that needs one. */
export function sharedPool(
  url: string,
  { size, statementTimeoutMs, silenceMs = 10_000, endMs = 5_000 }: PoolSettings,
): pg.Pool {
  const session = `set statement_timeout = ${statementTimeoutMs}; set idle_in_transaction_session_timeout = 15000; set time zone 'UTC'`;
  const pool = guard(
    new pg.Pool({
      connectionString: url,
      max: size,
      connectionTimeoutMillis: 5_000,
      idleTimeoutMillis: 60_000,
      keepAlive: true,
      keepAliveInitialDelayMillis,
      application_name: "gatehouse",
      // By a statement and not at start-up, where connection poolers refuse them.
      // A connection takes its statements in order, so these are set before the first of the gateway's own runs.
      onConnect: (client) => void client.query(session).catch(() => {}),
      types,
    }),
  );
  const connections = new Map<pg.PoolClient, () => void>();
  pool.on("connect", (client) => {
    const mostMs = statementTimeoutMs === 0 ? null : statementTimeoutMs + silenceMs;
    if (mostMs !== null) connections.set(client, giveUpWhenSilent(client, mostMs));
  });
  pool.on("remove", (client) => void connections.delete(client));
  const end = pool.end.bind(pool);
  const endInTime = async () => {
    const late = setTimeout(() => connections.forEach((giveUp) => giveUp()), endMs);
    await end();
    clearTimeout(late);
  };
  return Object.assign(pool, { end: endInTime });
}

/**
 * A broken connection is an event, which would end the process without a listener: on the pool while the connection is
 * idle, on the connection itself while it is checked out. A pending query reports the error by itself.
 */
function guard(pool: pg.Pool): pg.Pool {
  pool.on("error", () => {});
  pool.on("connect", (client) => void client.on("error", () => {}));
  return pool;
}
