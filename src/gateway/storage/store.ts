import { Kysely, PostgresDialect } from "kysely";
import type pg from "pg";
import { embeddedPort, startEmbedded } from "./embedded.ts";
import { migrate, StoreMismatch } from "./migrate.ts";
import { localNotices, type Notices, sharedNotices } from "./notices.ts";
import { embeddedPool, sharedPool } from "./pool.ts";
import type { Tables } from "./tables.ts";
import { unreachable } from "./unusable.ts";
import { scheduleUpkeep } from "./upkeep.ts";

/** The open store: the same SQL over the same driver on both engines. */
export interface Store {
  readonly engine: "embedded" | "postgres";
  readonly db: Kysely<Tables>;
  readonly pool: pg.Pool;
  readonly notices: Notices;
  /** resolves when the store answers a query */
  ping(): Promise<void>;
  /** ends all connections after their running statements; the embedded engine is shut down cleanly */
  close(): Promise<void>;
}

export type StoreOptions =
  | { engine: "embedded"; folder: string }
  | { engine: "embedded"; memory: true }
  | { engine: "postgres"; url: string; poolSize?: number };

const oldestPostgres = 150_000;

/**
 * Opens the store and brings its tables to this program's version.
 *
 * @throws DataFolderTaken, StoreMismatch, StoreUnusable: with a message for the person who starts the program
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  return options.engine === "embedded"
    ? await openEmbedded("folder" in options ? options.folder : null)
    : await openShared(options.url, options.poolSize ?? 10);
}

async function openEmbedded(folder: string | null): Promise<Store> {
  const embedded = await startEmbedded(folder);
  const pool = embeddedPool(embedded.socketFolder, embeddedPort);
  const stopUpkeep = scheduleUpkeep(pool);
  const close = async () => {
    stopUpkeep();
    await pool.end();
    await embedded.close();
  };
  return await prepared({ engine: "embedded", pool, notices: localNotices(), close }, pool);
}

async function openShared(url: string, poolSize: number): Promise<Store> {
  const pool = sharedPool(url, { size: poolSize, statementTimeoutMs: 30_000 });
  const notices = sharedNotices(url, pool);
  const close = async () => {
    await notices.close();
    await pool.end();
  };
  // Two connections: Kysely's migrator reads beside the transaction that holds its lock.
  const migrations = sharedPool(url, { size: 2, statementTimeoutMs: 0 });
  try {
    await refuseOldServer(migrations, url);
    return await prepared({ engine: "postgres", pool, notices, close }, migrations);
  } finally {
    await migrations.end();
  }
}

type Opened = Pick<Store, "engine" | "pool" | "notices" | "close">;

async function prepared(opened: Opened, migrations: pg.Pool): Promise<Store> {
  try {
    await migrate(new Kysely({ dialect: new PostgresDialect({ pool: migrations }) }));
  } catch (error) {
    await opened.close();
    throw error;
  }
  const { pool } = opened;
  return {
    ...opened,
    db: new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) }),
    async ping() {
      await pool.query("select 1");
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
