import { type Kysely, sql } from "kysely";
import { type Migration, Migrator } from "kysely/migration";
import * as keysAndWorkspaces from "./migrations/001-keys-and-workspaces.ts";
import * as ledger from "./migrations/002-ledger.ts";
import * as providers from "./migrations/003-providers.ts";
import * as keyList from "./migrations/004-key-list.ts";
import * as destinations from "./migrations/005-destinations.ts";
import * as workspaceRates from "./migrations/006-workspace-rates.ts";
import * as forwarding from "./migrations/007-forwarding.ts";
import * as playgroundKeys from "./migrations/008-playground-keys.ts";
import * as visualModel from "./migrations/009-visual-model.ts";
import * as forwardingErrors from "./migrations/010-forwarding-errors.ts";

/** In order; names are never changed once released. */
const migrations: Record<string, Migration> = {
  "001-keys-and-workspaces": keysAndWorkspaces,
  "002-ledger": ledger,
  "003-providers": providers,
  "004-key-list": keyList,
  "005-destinations": destinations,
  "006-workspace-rates": workspaceRates,
  "007-forwarding": forwarding,
  "008-playground-keys": playgroundKeys,
  "009-visual-model": visualModel,
  "010-forwarding-errors": forwardingErrors,
};

/** The store and this program do not fit together; the message says what would. */
export class StoreMismatch extends Error {
  override readonly name = "StoreMismatch";
}

/**
 * Brings the store to this program's version. Two processes may do so at once: the second waits for the first.
 * A store that a newer program has changed is refused, and nothing is written to it.
 */
export async function migrate(db: Kysely<never>): Promise<void> {
  await refuseNewer(db);
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  const { error, results } = await migrator.migrateToLatest();
  if (error === undefined) return;
  await refuseNewer(db);
  const failed = results?.find((result) => result.status === "Error")?.migrationName;
  throw new Error(`The store could not be migrated${failed === undefined ? "" : ` (${failed})`}`, { cause: error });
}

async function refuseNewer(db: Kysely<never>): Promise<void> {
  const { rows } = await sql<{ exists: boolean }>`select to_regclass('kysely_migration') is not null as exists`.execute(
    db,
  );
  if (rows[0]?.exists !== true) return;
  const applied = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  const unknown = applied.rows.map((row) => row.name).filter((name) => !(name in migrations));
  if (unknown.length === 0) return;
  throw new StoreMismatch(
    `The store was changed by a newer Gatehouse (it has ${unknown.join(", ")}, which this one does not know). ` +
      "Start the newer version, or restore a backup made before the upgrade.",
  );
}
