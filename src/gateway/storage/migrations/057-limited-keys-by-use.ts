import { type Kysely, sql } from "kysely";

/** The keys with a limit that refuses, by their last use: Needs attention looks at those that were used last. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create index api_keys_limited_by_use on api_keys ((coalesce(last_used_at, '-infinity')), hash)
    where kind = 'ordinary' and deleted_at is null and limit_nano is not null and not limit_watch_only`.execute(db);
}
