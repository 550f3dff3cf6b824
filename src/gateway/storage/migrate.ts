import fs from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { type Kysely, sql } from "kysely";
import { FileMigrationProvider, Migrator } from "kysely/migration";

/** Each file migrates the store to a newer version, in the order of their names, which never change once released. */
const migrationFolder = fileURLToPath(new URL("./migrations/", import.meta.url));

/** A migration; its timestamps use the given time. */
interface Migration {
  up(db: Kysely<never>, now: Date): Promise<void>;
}

async function readMigrations(): Promise<Record<string, Migration>> {
  return await new FileMigrationProvider({ fs, path, migrationFolder }).getMigrations();
}

/** The store and this program do not match; the message says what would. */
export class StoreMismatch extends Error {
  override readonly name = "StoreMismatch";
}

/**
 * Migrates the store to this program's version. Two processes may do so at once: the second waits for the first.
 * A store that was migrated by a newer program is refused, and nothing is written to it.
 */
export async function migrate(db: Kysely<never>, now: () => Date): Promise<void> {
  // Nearly every start finds nothing to do. Migrations need not be loaded for that, nor does Kysely have to look at all
  // tables.
  if (await isCurrent(db)) return;
  const migrations = await readMigrations();
  const steps = Object.entries(migrations).map(([name, { up }]) => [
    name,
    { up: async (trx: Kysely<never>) => await up(trx, now()) },
  ]);
  const migrator = new Migrator({ db, provider: { getMigrations: async () => Object.fromEntries(steps) } });
  const { error, results } = await migrator.migrateToLatest();
  if (error === undefined) return;
  await isCurrent(db);
  const failed = results?.find((result) => result.status === "Error")?.migrationName;
  throw new Error(`The store could not be migrated${failed === undefined ? "" : ` (${failed})`}`, { cause: error });
}

/**
 * Whether the store has every migration of this program.
 * @throws StoreMismatch when it has others as well
 */
async function isCurrent(db: Kysely<never>): Promise<boolean> {
  const { rows } = await sql<{ exists: boolean }>`select to_regclass('kysely_migration') is not null as exists`.execute(
    db,
  );
  if (rows[0]?.exists !== true) return false;
  const applied = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  const known = new Set((await fs.readdir(migrationFolder)).map((file) => path.parse(file).name));
  const unknown = applied.rows.map((row) => row.name).filter((name) => !known.has(name));
  if (unknown.length === 0) return applied.rows.length === known.size;
  throw new StoreMismatch(
    `The store was changed by a newer Gatehouse (it has ${unknown.join(", ")}, which this one does not know). ` +
      "Start the newer version, or restore a backup made before the upgrade.",
  );
}
