import { createHash, randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { constants, cp, mkdir, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { PGlite } from "@electric-sql/pglite";
import { Kysely, PGliteDialect, PostgresDialect } from "kysely";
import pg from "pg";
import { dayMs } from "#contract/time.ts";
import { extensions } from "../storage/embedded-worker.ts";
import { migrate } from "../storage/migrate.ts";
import { makeClock } from "./clock.ts";
import { createDatabase } from "./postgres.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const folder = join(root, ".cache", "store-templates");
const storage = join(root, "src/gateway/storage");

/**
 * Puts a migrated store that holds nothing into a data folder: making one takes two thirds of a process's CPU time at
 * its first start.
 * @param now when it was migrated; a process has the machine's clock
 */
export async function putStore(dataDir: string, now = new Date()): Promise<void> {
  await cp(await storeFolder(now), join(dataDir, "store"), { recursive: true, mode: constants.COPYFILE_FICLONE });
}

async function storeFolder(now: Date): Promise<string> {
  return madeOnce(`${now.toISOString().slice(0, 10)}.folder`, async (folder) => {
    const pglite = await PGlite.create({ dataDir: folder, extensions });
    const db = new Kysely<never>({ dialect: new PGliteDialect({ pglite }) });
    await migrate(db, () => now);
    await db.destroy();
  });
}

const migratedName = "gatehouse_migrated";

/** Makes a database that was migrated at the tests' clock's time, for `createDatabase` to copy. */
export async function migratedDatabase(serverUrl: string): Promise<string> {
  const database = await createDatabase(serverUrl, { name: migratedName });
  const db = new Kysely<never>({
    dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: database.url }) }),
  });
  await migrate(db, makeClock().now);
  await db.destroy();
  return migratedName;
}

/** Makes a template under a name of its own, where it is not there yet: another run may make the same at this moment. */
async function madeOnce(kind: string, make: (path: string) => Promise<void>): Promise<string> {
  const made = await madeFrom();
  const path = join(folder, `${made}-${kind}`);
  if (existsSync(path)) return path;
  await mkdir(folder, { recursive: true });
  for (const other of await readdir(folder)) {
    // A younger one may be in use. By the machine's own clock, whatever date the tests run under.
    const { mtimeMs } = await stat(join(folder, other)).catch(() => ({ mtimeMs: 0 }));
    if (mtimeMs < performance.timeOrigin - dayMs) await rm(join(folder, other), { recursive: true, force: true });
  }
  const unfinished = `${path}.${randomBytes(4).toString("hex")}`;
  await make(unfinished);
  await rename(unfinished, path).catch((error: unknown) => {
    if (!existsSync(path)) throw error;
    return rm(unfinished, { recursive: true, force: true });
  });
  return path;
}

async function madeFrom(): Promise<string> {
  const hash = createHash("sha256");
  for (const name of await readdir(storage, { recursive: true })) {
    // Its name too: a migration is known by its number.
    if (/migrat.*\.ts$/.test(name)) hash.update(name).update(await readFile(join(storage, name)));
  }
  hash.update(await readFile(join(root, "node_modules/@electric-sql/pglite/package.json")));
  return hash.digest("hex").slice(0, 16);
}
