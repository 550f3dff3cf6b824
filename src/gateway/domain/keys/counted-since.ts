import { type Kysely, sql } from "kysely";
import type { Tables } from "../../storage/tables.ts";
import type { KeyRow } from "./record.ts";

/** Since when calls are counted on the spends of these keys: a successor goes on where the first one began. */
export async function countedSince(
  db: Kysely<Tables>,
  rows: readonly Pick<KeyRow, "spend_id" | "replaces">[],
): Promise<ReadonlyMap<string, Date>> {
  const shared = rows.filter(({ replaces }) => replaces !== null).map(({ spend_id }) => spend_id);
  if (shared.length === 0) return new Map();
  const { rows: found } = await sql<{ spend_id: string; since: Date }>`
    select spend_id, min(created_at) as since from api_keys where spend_id = any(${shared}::uuid[])
    group by spend_id`.execute(db);
  return new Map(found.map(({ spend_id, since }) => [spend_id, since]));
}

/** The same as an expression over `api_keys k`. */
export const countedSinceSql = sql`
  case when k.replaces is null then k.created_at
    else (select min(o.created_at) from api_keys as o where o.spend_id = k.spend_id) end`;
