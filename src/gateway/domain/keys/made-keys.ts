import { type Kysely, sql, type Transaction } from "kysely";
import type { EndpointName } from "#contract/api.ts";
import type { Tables } from "../../storage/tables.ts";
import type { Context } from "../context.ts";
import { makerIsSpent } from "../key-status.ts";
import { recordUpdate } from "./changes.ts";
import type { KeyRow } from "./record.ts";

/** The earlier of two expiries; null is never. */
export function earlier(one: Date | null, other: Date | null): Date | null {
  if (one === null || other === null) return one ?? other;
  return one < other ? one : other;
}

/**
 * The keys that each of these had made and that are not deleted, the newest first; those of the keys that it replaced
 * are among them. Keys that made none are not in the map.
 */
export async function madeKeysOf(
  { db }: { readonly db: Kysely<Tables> },
  hashes: readonly string[],
): Promise<ReadonlyMap<string, readonly MadeKey[]>> {
  const { rows } = await sql<MadeKey & { maker: string }>`
    with recursive maker as (
      select hash as of, hash, replaces from api_keys where hash = any(${hashes}::text[])
      union all select m.of, k.hash, k.replaces from maker m join api_keys k on k.hash = m.replaces
    )
    select m.of as maker, k.hash, k.name, k.disabled, k.expires_at from maker m join api_keys k on k.made_by = m.hash
    where k.deleted_at is null order by k.created_at desc, k.hash`.execute(db);
  return Map.groupBy(rows, ({ maker }) => maker);
}

/** Those of these keys that were made with a key whose limit is spent. */
export async function withSpentMaker(
  { db }: { readonly db: Kysely<Tables> },
  rows: readonly Pick<KeyRow, "hash" | "made_by">[],
  now: Date,
): Promise<ReadonlySet<string>> {
  const hashes = rows.flatMap(({ hash, made_by }) => (made_by === null ? [] : hash));
  if (hashes.length === 0) return new Set();
  const { rows: found } = await sql<{ hash: string }>`
    select k.hash from api_keys k where k.hash = any(${hashes}::text[]) and ${makerIsSpent(now)}`.execute(db);
  return new Set(found.map(({ hash }) => hash));
}

/** As the record of the key that had it made names it. */
export type MadeKey = Pick<KeyRow, "hash" | "name" | "disabled" | "expires_at">;

/**
 * Lets no key that this one had made outlive it, in the transaction that changes this one: what a stolen key made ends
 * with the stolen key. They are not enabled with it again.
 *
 * @param maker as it is from now on
 * @returns the hashes of all keys that it had made: what limits it has changed for them too
 */
export async function endMadeKeys(
  trx: Transaction<Tables>,
  ctx: Context,
  action: EndpointName,
  maker: Pick<KeyRow, "hash" | "disabled" | "expires_at">,
): Promise<string[]> {
  const hashes = ((await madeKeysOf({ db: trx }, [maker.hash])).get(maker.hash) ?? []).map(({ hash }) => hash);
  if (hashes.length === 0) return hashes;
  // None is added meanwhile: that would lock this key first.
  const made = await trx
    .selectFrom("api_keys")
    .selectAll()
    .where("hash", "in", hashes)
    .where("deleted_at", "is", null)
    .orderBy("hash")
    .forUpdate()
    .execute();
  for (const before of made) {
    const disabled = before.disabled || maker.disabled;
    const expires_at = earlier(before.expires_at, maker.expires_at);
    if (disabled === before.disabled && expires_at?.getTime() === before.expires_at?.getTime()) continue;
    const after = await trx
      .updateTable("api_keys")
      .set({ disabled, expires_at, updated_at: ctx.now() })
      .where("hash", "=", before.hash)
      .returningAll()
      .executeTakeFirstOrThrow();
    await recordUpdate(trx, ctx, action, { before, after });
  }
  return hashes;
}
