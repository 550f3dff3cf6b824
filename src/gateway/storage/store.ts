import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { Kysely, PostgresDialect } from "kysely";
import type pg from "pg";
import { embeddedPort, startEmbedded } from "./embedded.ts";
import { type Journal, openJournal } from "./journal.ts";
import { migrate, StoreMismatch } from "./migrate.ts";
import { localNotices, type Notices, sharedNotices } from "./notify.ts";
import { afterFold, embeddedPool, sharedPool } from "./pool.ts";
import type { Tables } from "./tables.ts";
import { unreachable } from "./store-errors.ts";
import { scheduleUpkeep } from "./maintenance.ts";

/** The open store: the same SQL over the same driver on both engines. */
export interface Store {
  readonly engine: "embedded" | "postgres";
  /** of this process among those that share the store, a UUID; while it is connected, a lock says that it lives */
  readonly processId: string;
  readonly db: Kysely<Tables>;
  readonly pool: pg.Pool;
  /** where calls are durable before they are in the tables; null: only there */
  readonly journal: Journal | null;
  /** the pool without waiting for what is only in the journal */
  readonly unfolded: pg.Pool;
  readonly notices: Notices;
  /** resolves when the store answers a query */
  ping(): Promise<void>;
  /** ends all connections after their running statements; the embedded engine is shut down cleanly */
  close(): Promise<void>;
}

export type StoreOptions =
  | { engine: "embedded"; folder: string }
  | { engine: "postgres"; url: string; poolSize?: number };

type EmbeddedOptions = Extract<StoreOptions, { engine: "embedded" }>;

const oldestPostgres = 150_000;

/**
 * Opens the store and brings its tables to this program's version.
 *
 * @param now the time of what migrations write
 * @throws DataFolderTaken, StoreMismatch, StoreUnusable: with a message for the person who starts the program
 */
export async function openStore(options: StoreOptions, now: () => Date): Promise<Store> {
  return options.engine === "embedded"
    ? await openEmbedded(options, now)
    : await openShared(options.url, options.poolSize ?? 10, now);
}

async function openEmbedded(options: EmbeddedOptions, now: () => Date): Promise<Store> {
  const embedded = await startEmbedded(options.folder);
  const unfolded = embeddedPool(embedded.socketFolder, embeddedPort);
  const stopUpkeep = scheduleUpkeep(unfolded);
  let journal: Journal | undefined;
  const close = async () => {
    stopUpkeep();
    await journal?.close();
    await unfolded.end();
    await embedded.close();
  };
  try {
    journal = await openJournal(join(options.folder, "journal"));
  } catch (error) {
    await close();
    throw error;
  }
  const pool = afterFold(unfolded, journal);
  return await prepared(
    { engine: "embedded", processId: randomUUID(), pool, unfolded, journal, notices: localNotices(), close },
    unfolded,
    now,
  );
}

async function openShared(url: string, poolSize: number, now: () => Date): Promise<Store> {
  const pool = sharedPool(url, { size: poolSize, statementTimeoutMs: 30_000 });
  const processId = randomUUID();
  const notices = sharedNotices(url, pool, processId);
  const close = async () => {
    await notices.close();
    await pool.end();
  };
  // Two connections: Kysely's migrator reads while a transaction on another one holds its lock.
  const migrations = sharedPool(url, { size: 2, statementTimeoutMs: 0 });
  try {
    await refuseOldServer(migrations, url);
    await refuseTransactionPooling(migrations);
    return await prepared(
      { engine: "postgres", processId, pool, unfolded: pool, journal: null, notices, close },
      migrations,
      now,
    );
  } finally {
    await migrations.end();
  }
}

type Opened = Omit<Store, "db" | "ping">;

async function prepared(opened: Opened, migrations: pg.Pool, now: () => Date): Promise<Store> {
  try {
    await migrate(new Kysely({ dialect: new PostgresDialect({ pool: migrations }) }), now);
  } catch (error) {
    await opened.close();
    throw error;
  }
  const { pool, unfolded } = opened;
  return {
    ...opened,
    db: new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) }),
    async ping() {
      await unfolded.query("select 1");
    },
  };
}

async function refuseOldServer(pool: pg.Pool, url: string): Promise<void> {
  const { rows } = await pool
    .query<{ number: string; version: string }>(
      "select current_setting('server_version_num') as number, current_setting('server_version') as version",
    )
    .catch((error: unknown) => {
      throw unreachable(url, error);
    });
  const [row] = rows;
  if (row === undefined || Number(row.number) >= oldestPostgres) return;
  throw new StoreMismatch(`DATABASE_URL leads to PostgreSQL ${row.version}; Gatehouse needs PostgreSQL 15 or later.`);
}

/**
 * A pooler that hands connections out by transaction gives two clients the same one in turn. Messages between processes,
 * prepared statements and the settings of a session need one that stays.
 */
async function refuseTransactionPooling(pool: pg.Pool): Promise<void> {
  const clients = [await pool.connect(), await pool.connect()];
  try {
    const pids = new Set<number>();
    for (const client of clients) {
      const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
      pids.add(rows[0]?.pid ?? 0);
    }
    if (pids.size === clients.length) return;
  } finally {
    for (const client of clients) client.release();
  }
  throw new StoreMismatch(
    "DATABASE_URL leads to a connection pooler in transaction mode, which Gatehouse cannot use. " +
      "Set pool_mode = session for this database in the pooler, or point DATABASE_URL at PostgreSQL itself.",
  );
}
