import { sql, type Transaction } from "kysely";
import type { WorkspaceRole } from "#contract/scim.ts";
import { scimBounds } from "#contract/scim-protocol.ts";
import type { Tables } from "../../storage/tables.ts";
import { type AuditedAction, recordChanges } from "../audit.ts";
import type { Context } from "../context.ts";
import { recordUpdates } from "../keys/changes.ts";

type Trx = Transaction<Tables>;

/** Of those who join or leave together, so many are named in the audit log. */
const mostNamed = 100;

/** So many people are looked up one by one; beyond that, it is faster to compare all members. */
export const mostApart = 500;

/** Workspaces whose members are compared by one statement: a few people there, or all. */
const workspacesAtOnce = { few: 50, all: 5 } as const;

/**
 * Gives the members of workspaces the highest role that their groups have there, and takes it from those whom no group
 * covers any more. What was given by hand stays.
 * @param users whose groups changed, at most `mostApart`; null: too many, so all members are looked at
 */
export async function applyMappings(
  trx: Trx,
  ctx: Context,
  action: AuditedAction,
  { workspaces, users }: { workspaces: readonly string[]; users: readonly string[] | null },
): Promise<void> {
  const most = workspacesAtOnce[users === null ? "all" : "few"];
  for (let from = 0; from < workspaces.length; from += most) {
    const some = workspaces.slice(from, from + most);
    await recordMembers(trx, ctx, action, await applyAtOnce(trx, ctx, some, users));
  }
}

async function applyAtOnce(
  trx: Trx,
  ctx: Context,
  workspaces: readonly string[],
  users: readonly string[] | null,
): Promise<readonly MembersChange[]> {
  const among = users === null ? sql`true` : sql`user_id = any(${users}::uuid[])`;
  const { rows } = await sql<MembersChange>`
    with wanted as (
      select m.workspace_id, gm.user_id, case when bool_or(m.role = 'admin') then 'admin' else 'member' end as role
      from scim_group_mappings m
      join scim_group_members gm on gm.group_id = m.group_id
      join scim_users u on u.id = gm.user_id and u.active
      where m.workspace_id = any(${workspaces}::uuid[]) and ${among}
      group by m.workspace_id, gm.user_id
    ), had as (
      select workspace_id, user_id, manual_role, mapped_role from workspace_members
      where workspace_id = any(${workspaces}::uuid[]) and ${among}
    ), differing as (
      select workspace_id, user_id, w.role, h.manual_role, h.workspace_id is null as is_new
      from wanted w full join had h using (workspace_id, user_id)
      where w.role is distinct from h.mapped_role
    ), ended as (
      delete from workspace_members m using differing d
      where m.workspace_id = d.workspace_id and m.user_id = d.user_id and d.role is null and d.manual_role is null
    ), kept as (
      update workspace_members m set mapped_role = d.role from differing d
      where m.workspace_id = d.workspace_id and m.user_id = d.user_id
        and not d.is_new and coalesce(d.role, d.manual_role) is not null
    ), begun as (
      insert into workspace_members (workspace_id, user_id, id, mapped_role, created_at)
      select workspace_id, user_id, gen_random_uuid(), role, ${ctx.now()}::timestamptz from differing where is_new
    ), told as (
      select workspace_id, user_id, case
        when is_new then 'joined'
        when coalesce(role, manual_role) is null then 'left'
        else 'changed' end as what
      from differing
    )
    select t.workspace_id as "workspaceId", w.name, t.what, count(*)::int as count,
      (array_agg(t.user_id order by t.user_id))[1:${sql.lit(mostNamed)}] as named
    from told t join workspaces w on w.id = t.workspace_id
    group by t.workspace_id, w.name, t.what order by t.workspace_id, t.what`.execute(trx);
  return rows;
}

interface MembersChange {
  readonly workspaceId: string;
  /** the workspace's */
  readonly name: string;
  /** `kept`: came by a group, and stays without one from now on */
  readonly what: "joined" | "left" | "changed" | "kept";
  readonly count: number;
  /** the first of them */
  readonly named: readonly string[];
}

/** One audit row for all who joined or left a workspace together. */
export async function recordMembers(
  trx: Trx,
  ctx: Context,
  action: AuditedAction,
  changes: readonly MembersChange[],
): Promise<void> {
  const byWorkspace = Map.groupBy(changes, ({ workspaceId }) => workspaceId);
  const described = [...byWorkspace].map(([workspaceId, own]) => ({
    action,
    target: { type: "workspace", id: workspaceId, name: own[0]?.name ?? null, workspaceId },
    before: {},
    after: Object.fromEntries(
      own.flatMap(({ what, count, named }): [string, unknown][] => [
        [`members_${what}`, count],
        [`user_ids_${what}`, named],
      ]),
    ),
  }));
  await recordChanges(trx, ctx, described);
}

/**
 * How many workspaces a group of so many members can be mapped to, or how many members a group of so many workspaces can
 * have. Each change of a group is one transaction, and what it may do to memberships is bounded by this.
 */
export function mostNextTo(count: number): number {
  return count === 0 ? Infinity : Math.floor(scimBounds.membershipsOfGroup / count);
}

/** The members of a group, if they are at most `mostApart`. */
export async function fewMembers(trx: Trx, groupId: string): Promise<string[] | null> {
  const rows = await trx
    .selectFrom("scim_group_members")
    .select("user_id")
    .where("group_id", "=", groupId)
    .limit(mostApart + 1)
    .execute();
  return rows.length > mostApart ? null : rows.map(({ user_id }) => user_id);
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
  const { id: workspaceId, name } = await trx
    .selectFrom("workspaces")
    .select(["id", "name"])
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
  const joined = { workspaceId, name, what: "joined", count: 1, named: [userId] } as const;
  if (begun.length > 0) await recordMembers(trx, ctx, action, [joined]);
  const groups = await trx.selectFrom("scim_group_members").select("group_id").where("user_id", "=", userId).execute();
  const workspaces = await workspacesOfGroups(
    trx,
    groups.map(({ group_id }) => group_id),
  );
  await applyMappings(trx, ctx, action, { workspaces, users: [userId] });
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
    .returning(["m.workspace_id", "w.name", "w.deleted_at"])
    .execute();
  const changes = left
    .filter(({ deleted_at }) => deleted_at === null)
    .map(({ workspace_id, name }) => ({
      workspaceId: workspace_id,
      name,
      what: "left" as const,
      count: 1,
      named: [userId],
    }));
  await recordMembers(trx, ctx, action, changes);
  return await disableKeysOf(trx, ctx, action, userId);
}

const keysAtOnce = 200;

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
    const hashes = keys.map(({ hash }) => hash);
    const changed = { disabled: true, updated_at: ctx.now() };
    await trx
      .updateTable("api_keys")
      .set(changed)
      .where(sql<boolean>`hash = any(${hashes}::text[])`)
      .execute();
    const changes = keys.map((before) => ({ before, after: { ...before, ...changed } }));
    await recordUpdates(trx, ctx, action, changes);
    ended.push(...hashes);
  }
}

async function lockWorkingKeysOf(trx: Trx, userId: string) {
  return await trx
    .selectFrom("api_keys")
    .selectAll()
    // Programs that make keys may write the id in capitals.
    .where(sql<boolean>`lower(creator_user_id) = ${userId}`)
    .where("kind", "=", "ordinary")
    .where("purpose", "is", null)
    .where("deleted_at", "is", null)
    .where("disabled", "=", false)
    .orderBy("hash")
    .limit(keysAtOnce)
    .forUpdate()
    .execute();
}
