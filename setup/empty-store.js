import { chmodSync, existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { ownNode, root, run } from "./run.js";

const pglite = JSON.parse(readFileSync(join(root, "node_modules/@electric-sql/pglite/package.json"), "utf8"));

/** Where a store that holds nothing lies for first starts to copy: making one is most of the time that they would take. */
const emptyStore = join(root, ".cache", "empty-store", pglite.version);

/** Makes the empty store if it is not there. A first start makes its own where this fails. */
export async function ensureEmptyStore() {
  if (existsSync(emptyStore)) return;
  const folder = dirname(emptyStore);
  const unfinished = join(folder, `unfinished-${process.pid}`);
  try {
    mkdirSync(folder, { recursive: true });
    for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true, force: true });
    const program = join(root, "src", "gateway", "storage", "create-store.ts");
    await run("Preparing an empty store", ownNode(), ["--liftoff-only", program, unfinished], { quiet: true });
    // A container sets up as one user, and runs as another one.
    for (const name of readdirSync(unfinished, { recursive: true })) {
      const path = join(unfinished, String(name));
      chmodSync(path, statSync(path).isDirectory() ? 0o755 : 0o644);
    }
    renameSync(unfinished, emptyStore);
  } catch {
    rmSync(unfinished, { recursive: true, force: true });
  }
}
