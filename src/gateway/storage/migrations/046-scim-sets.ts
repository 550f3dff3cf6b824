import { type Kysely, sql } from "kysely";

/**
 * The kind of a person's kept address, the keys of a person in whichever case their id was written, and members without
 * foreign keys: each row was looked up twice more, which took most of the time of a large group. Changes of the directory
 * have one lock, and take members from the users that are there.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table scim_users add column email_type text`.execute(db);
  await sql`update scim_users set email_type = 'work' where email is not null`.execute(db);
  await sql`
    create index api_keys_of_person on api_keys (lower(creator_user_id))
    where kind = 'ordinary' and deleted_at is null and creator_user_id is not null`.execute(db);
  await sql`
    alter table scim_group_members drop constraint scim_group_members_group_id_fkey,
      drop constraint scim_group_members_user_id_fkey`.execute(db);
  await sql`alter table workspace_members drop constraint workspace_members_user_id_fkey`.execute(db);
}
