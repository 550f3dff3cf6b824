import { type Kysely, sql } from "kysely";

/** Playground keys are listed among the others, so the list's indexes hold them too; a workspace has one at a time. */
export async function up(db: Kysely<never>): Promise<void> {
  const names = [
    "newest",
    "of_workspace",
    "by_name",
    "by_expiry",
    "by_use",
    "disabled",
    "expiring",
    "spent_out",
    "search",
  ];
  for (const name of names) await sql`drop index ${sql.id(`api_keys_${name}`)}`.execute(db);

  const listed = sql`where kind = 'ordinary' and deleted_at is null`;
  const indexes = [
    sql`create index api_keys_newest on api_keys (created_at, hash) ${listed}`,
    sql`create index api_keys_of_workspace on api_keys (workspace_id, created_at, hash) ${listed}`,
    sql`create index api_keys_by_name on api_keys (lower(name) collate "C", hash collate "C") ${listed}`,
    sql`create index api_keys_by_expiry on api_keys ((coalesce(expires_at, 'infinity')), hash) ${listed}`,
    sql`create index api_keys_by_use on api_keys ((coalesce(last_used_at, '-infinity')), hash) ${listed}`,
    sql`create index api_keys_disabled on api_keys (created_at, hash) ${listed} and disabled`,
    sql`create index api_keys_expiring on api_keys (expires_at) ${listed} and expires_at is not null`,
    sql`create index api_keys_spent_out on api_keys (spent_out_until) ${listed} and spent_out_until is not null`,
    sql`create index api_keys_search on api_keys using gin (workspace_id, search_text gin_trgm_ops) ${listed}`,
    sql`create unique index api_keys_playground on api_keys (workspace_id)
      where purpose = 'playground' and deleted_at is null`,
  ];
  for (const index of indexes) await index.execute(db);
}
