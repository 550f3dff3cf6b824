import type { Deps } from "../context.ts";
import { batchAad, bodyBlobAad, callBodyAad, feedbackAad, fileAad } from "./aad.ts";
import { WrongSecretKey } from "./box.ts";

interface Kept {
  /** the values of the primary key, as text */
  readonly key: string[];
  readonly sealed: string;
}

interface SealedTable {
  readonly name: string;
  readonly key: readonly string[];
  /** what its contents were sealed for, from the key's values */
  readonly aad: (key: readonly string[]) => string;
}

const tables: readonly SealedTable[] = [
  {
    name: "generation_contents",
    key: ["workspace_id", "created_at", "id"],
    aad: ([, , id = ""]) => callBodyAad(id),
  },
  {
    name: "forwarding_bodies",
    key: ["workspace_id", "xact", "n"],
    aad: ([workspaceId = ""]) => bodyBlobAad(workspaceId),
  },
  {
    name: "generation_feedback",
    key: ["workspace_id", "created_at", "id", "key_hash"],
    aad: ([, , id = ""]) => feedbackAad(id),
  },
  // A file's own key, which its bytes stay encrypted with.
  { name: "files", key: ["id"], aad: ([id = ""]) => fileAad(id) },
  // The same of a batch, and its requests and results.
  { name: "batches", key: ["workspace_id", "created_at", "id"], aad: ([, , id = ""]) => batchAad(id) },
  { name: "dead_letters", key: ["destination_id", "id"], aad: ([, id = ""]) => callBodyAad(id) },
];

/** With the largest bodies, a page is about ten megabytes. */
const page = 50;

/**
 * Re-encrypts every stored content of a call, a file or a batch that was encrypted with an older key, page by page, so it
 * can be stopped and repeated at any time. What no known key opens is left as it is; it was unreadable before, too.
 * @returns how many were re-encrypted, and how many could not be
 */
export async function resealContents(
  deps: Pick<Deps, "store" | "secrets">,
): Promise<{ resealed: number; unreadable: number }> {
  const total = { resealed: 0, unreadable: 0 };
  for (const table of tables) {
    let last: readonly string[] | null = null;
    do {
      const kept = await outdatedAfter(deps, table, last);
      for (const each of kept) {
        const became = await reseal(deps, table, each);
        if (became !== "changed") total[became] += 1;
      }
      last = kept.length < page ? null : (kept.at(-1)?.key ?? null);
    } while (last !== null);
  }
  return total;
}

async function outdatedAfter(
  { store, secrets }: Pick<Deps, "store" | "secrets">,
  { name, key }: SealedTable,
  last: readonly string[] | null,
): Promise<Kept[]> {
  const columns = key.join(", ");
  const after = last === null ? "" : `and (${columns}) > (${last.map((_, index) => `$${index + 2}`).join(", ")})`;
  const { rows } = await store.pool.query<Kept>(
    `select array[${key.map((column) => `${column}::text`).join(", ")}] as key, sealed from ${name}
     where not starts_with(sealed, $1) and sealed <> '' ${after} order by ${columns} limit ${page}`,
    [secrets.mark, ...(last ?? [])],
  );
  return rows;
}

/** @returns `changed` where it was written again, or deleted, while it was read: then it is left alone */
async function reseal(
  { store, secrets }: Pick<Deps, "store" | "secrets">,
  table: SealedTable,
  { key, sealed }: Kept,
): Promise<"resealed" | "unreadable" | "changed"> {
  const aad = table.aad(key);
  try {
    const fresh = secrets.seal(secrets.open(sealed, aad), aad);
    const where = table.key.map((column, index) => `${column} = $${index + 3}`).join(" and ");
    const { rowCount } = await store.pool.query(`update ${table.name} set sealed = $1 where sealed = $2 and ${where}`, [
      fresh,
      sealed,
      ...key,
    ]);
    return rowCount === 0 ? "changed" : "resealed";
  } catch (error) {
    if (error instanceof WrongSecretKey) return "unreadable";
    throw error;
  }
}
