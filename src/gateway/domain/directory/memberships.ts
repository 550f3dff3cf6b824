import { sql, type Transaction } from "kysely";
import type { WorkspaceRole } from "#contract/scim.ts";
import type { Tables } from "../../storage/tables.ts";
import { type AuditedAction, recordChange } from "../audit.ts";
import type { Context } from "../context.ts";
import { recordUpdate } from "../keys/changes.ts";

type Trx = Transaction<Tables>;

/** Of those who join or leave together, so many are named in the audit log. */
const mostNamed = 100;

/**
 * Gives the members of one workspace the highest role that their groups have there, and takes it from those whom no group
 * covers any more. What was given by hand stays.
 * @param users whose groups changed; null: all of them
 */
export async function applyMappings(
  trx: Trx,
  ctx: Context,
  action: AuditedAction,
  { workspaceId, users }: { workspaceId: string; users: readonly string[] | null },
): Promise<void> {
  const among = users === null ? sql`true` : sql`user_id in (select id from concerned)`;
  const { rows } = await sql<{ what: "joined" | "left" | "changed"; count: number; named: string[] }>`
    with concerned as (
      select id from unnest(${users ?? []}::uuid[]) as t (id)
    ), wanted as (
      select gm.user_id, case when bool_or(m.role = 'admin') then 'admin' else 'member' end as role
      from scim_group_mappings m
      join scim_group_members gm on gm.group_id = m.group_id
      join scim_users u on u.id = gm.user_id and u.active
      where m.workspace_id = ${workspaceId} and ${among}
      group by gm.user_id
    ), had as (
      select user_id, manual_role, mapped_role from workspace_members
      where workspace_id = ${workspaceId} and ${among}
    ), differing as (
      select coalesce(w.user_id, h.user_id) as user_id, w.role, h.manual_role, h.user_id is null as is_new
      from wanted w full join had h on h.user_id = w.user_id
      where w.role is distinct from h.mapped_role
    ), ended as (
      delete from workspace_members m using differing d
      where m.workspace_id = ${workspaceId} and m.user_id = d.user_id and d.role is null and d.manual_role is null
    ), kept as (
      update workspace_members m set mapped_role = d.role from differing d
      where m.workspace_id = ${workspaceId} and m.user_id = d.user_id and coalesce(d.role, d.manual_role) is not null
    ), begun as (
      insert into workspace_members (workspace_id, user_id, id, mapped_role, created_at)
      select ${workspaceId}::uuid, user_id, gen_random_uuid(), role, ${ctx.now()}::timestamptz from differing where is_new
    ), told as (
      select user_id, case
        when is_new then 'joined'
        when coalesce(role, manual_role) is null then 'left'
        else 'changed' end as what
      from differing
    )
    select what, count(*)::int as count, (array_agg(user_id order by user_id))[1:${sql.lit(mostNamed)}] as named
    from told group by what order by what`.execute(trx);
  await recordMembers(trx, ctx, action, { workspaceId, changes: rows });
}

interface MembersChange {
  readonly what: "joined" | "left" | "changed";
  readonly count: number;
  readonly named: readonly string[];
}

/** One audit row for all who joined or left a workspace together. */
export async function recordMembers(
  trx: Trx,
  ctx: Context,
  action: AuditedAction,
  { workspaceId, changes }: { workspaceId: string; changes: readonly MembersChange[] },
): Promise<void> {
  if (changes.length === 0) return;
  const { name } = await trx
    .selectFrom("workspaces")
    .select("name")
    .where("id", "=", workspaceId)
    .executeTakeFirstOrThrow();
  const after = changes.flatMap(({ what, count, named }) => [
    [`members_${what}`, count],
    [`user_ids_${what}`, named],
  ]);
  await recordChange(trx, ctx, {
    action,
    target: { type: "workspace", id: workspaceId, name, workspaceId },
    before: {},
    after: Object.fromEntries(after) as Record<string, unknown>,
  });
}

/** The workspaces that a group's members are in by it. */
export async function workspacesOfGroups(trx: Trx, groups: readonly string[]): Promise<string[]> {
  const rows = await trx
    .selectFrom("scim_group_mappings as m")
    .innerJoin("workspaces as w", "w.id", "m.workspace_id")
    .select("m.workspace_id")
    .distinct()
    .where(sql<boolean>`m.group_id = any(${groups}::uuid[])`)
    .where("w.deleted_at", "is", null)
    .orderBy("m.workspace_id")
    .execute();
  return rows.map(({ workspace_id }) => workspace_id);
}

/** What a person who is active in the directory belongs to: the default workspace, and those of their groups. */
export async function beginMemberships(trx: Trx, ctx: Context, action: AuditedAction, userId: string): Promise<void> {
  const { id: workspaceId } = await trx
    .selectFrom("workspaces")
    .select("id")
    .where("is_default", "=", true)
    .executeTakeFirstOrThrow();
  const begun = await trx
    .insertInto("workspace_members")
    .values({
      workspace_id: workspaceId,
      user_id: userId,
      id: sql<string>`gen_random_uuid()`,
      manual_role: "member" satisfies WorkspaceRole,
      mapped_role: null,
      created_at: ctx.now(),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning("user_id")
    .execute();
  const changes = begun.map(() => ({ what: "joined" as const, count: 1, named: [userId] }));
  await recordMembers(trx, ctx, action, { workspaceId, changes });
  const groups = await trx.selectFrom("scim_group_members").select("group_id").where("user_id", "=", userId).execute();
  const workspaces = await workspacesOfGroups(
    trx,
    groups.map(({ group_id }) => group_id),
  );
  for (const each of workspaces) await applyMappings(trx, ctx, action, { workspaceId: each, users: [userId] });
}

/**
 * Ends what a person who is not active in the directory has: every membership, and the keys that they made. The keys are
 * not enabled again when the person comes back.
 * @returns the hashes of these keys, for the caches of keys once this is committed
 */
export async function endMemberships(
  trx: Trx,
  ctx: Context,
  action: AuditedAction,
  userId: string,
): Promise<readonly string[]> {
  const left = await trx
    .deleteFrom("workspace_members as m")
    .using("workspaces as w")
    .whereRef("w.id", "=", "m.workspace_id")
    .where("m.user_id", "=", userId)
    .returning(["m.workspace_id", "w.deleted_at"])
    .execute();
  for (const { workspace_id: workspaceId, deleted_at } of left) {
    if (deleted_at !== null) continue;
    const changes = [{ what: "left" as const, count: 1, named: [userId] }];
    await recordMembers(trx, ctx, action, { workspaceId, changes });
  }
  return await disableKeysOf(trx, ctx, action, userId);
}

/** Looks again until it finds none: while it waits for a key that is replaced, it gets a successor. */
async function disableKeysOf(
  trx: Trx,
  ctx: Context,
  action: AuditedAction,
  userId: string,
): Promise<readonly string[]> {
  const ended: string[] = [];
  for (;;) {
    const keys = await lockWorkingKeysOf(trx, userId);
    if (keys.length === 0) return ended;
    for (const before of keys) {
      const after = await trx
        .updateTable("api_keys")
        .set({ disabled: true, updated_at: ctx.now() })
        .where("hash", "=", before.hash)
        .returningAll()
        .executeTakeFirstOrThrow();
      await recordUpdate(trx, ctx, action, { before, after });
      ended.push(before.hash);
    }
  }
}

async function lockWorkingKeysOf(trx: Trx, userId: string) {
  return await trx
    .selectFrom("api_keys")
    .selectAll()
    // Programs that make keys may write the id in capitals.
    .where("creator_user_id", "in", [userId, userId.toUpperCase()])
    .where("kind", "=", "ordinary")
    .where("purpose", "is", null)
    .where("deleted_at", "is", null)
    .where("disabled", "=", false)
    .orderBy("hash")
    .forUpdate()
    .execute();
}
