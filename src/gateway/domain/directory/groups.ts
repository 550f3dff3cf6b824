import { randomUUID } from "node:crypto";
import { type Expression, type Selectable, sql, type SqlBool, type Transaction } from "kysely";
import type { DirectoryAction } from "#contract/audit.ts";
import type { Output, Parsed } from "#contract/endpoint.ts";
import type { listScimGroups } from "#contract/scim.ts";
import { scimBounds, type ScimOperation } from "#contract/scim-protocol.ts";
import type { ScimGroupsTable, ScimGroupValues } from "../../storage/directory-tables.ts";
import type { Tables } from "../../storage/tables.ts";
import { recordChange } from "../audit.ts";
import type { Context } from "../context.ts";
import { patched, pick } from "../patch.ts";
import { refuseUnlessManagement } from "../permission.ts";
import { type GroupChange, patchGroup, readGroup } from "./group-attributes.ts";
import { inTurns } from "./in-turns.ts";
import { changeDirectory } from "./lock.ts";
import { endMappings } from "./mappings.ts";
import { applyMappings, fewMembers, mostApart, mostNextTo, workspacesOfGroups } from "./memberships.ts";
import type { ScimList, ScimPage } from "./page.ts";
import { noSuchGroup, organizationId, scimInvalid } from "./refusals.ts";
import type { Comparison } from "./scim-path.ts";
import { isUuid } from "../uuid.ts";
import { countOf } from "../count-of.ts";

type Trx = Transaction<Tables>;
type Row = Selectable<ScimGroupsTable>;
type Resource = Readonly<Record<string, unknown>>;

/** A group as its directory reads it. */
export interface ScimGroupRow extends Row {
  /** null where they were not asked for */
  readonly members: readonly { readonly id: string; readonly name: string }[] | null;
}

const defaults: ScimGroupValues = { external_id: null, display_name: "" };

export async function create(ctx: Context, resource: Resource): Promise<ScimGroupRow> {
  const change = await inTurns(ctx, readGroup(resource));
  const { display_name, external_id = null } = change.values;
  if (display_name === undefined) throw scimInvalid("invalidValue", "A group needs a displayName");
  const id = randomUUID();
  await changeDirectory(ctx, async (trx) => {
    const count = await countOf(trx.selectFrom("scim_groups"));
    if (count >= scimBounds.groups) {
      throw scimInvalid("invalidValue", `A directory has at most ${scimBounds.groups} groups`);
    }
    const now = ctx.now();
    const row = await trx
      .insertInto("scim_groups")
      .values({ id, external_id, display_name, created_at: now, updated_at: now })
      .returningAll()
      .executeTakeFirstOrThrow();
    await record(trx, ctx, "createScimGroup", { before: null, after: row });
    await changeMembers(trx, ctx, "createScimGroup", { group: row, change });
  });
  return await get(ctx, id, true);
}

/** @throws Refusal 404 */
export async function get(ctx: Context, id: string, withMembers: boolean): Promise<ScimGroupRow> {
  const row = isUuid(id)
    ? await ctx.store.db.selectFrom("scim_groups").selectAll().where("id", "=", id).executeTakeFirst()
    : undefined;
  if (row === undefined) throw noSuchGroup();
  const [found] = await filled(ctx, [row], withMembers);
  if (found === undefined) throw noSuchGroup();
  return found;
}

/**
 * With their members, a page has as many groups as have a group's most members together, and one at least.
 * @throws Refusal 400 invalidFilter for an attribute that groups are not found by
 */
export async function list(
  ctx: Context,
  { filter, startIndex, count }: ScimPage,
  withMembers: boolean,
): Promise<ScimList<ScimGroupRow>> {
  const found = ctx.store.db.selectFrom("scim_groups as g").where(({ and }) => and(filter.map(condition)));
  const total = await countOf(found);
  if (count === 0) return { total, startIndex, found: [] };
  const size = sql<number>`(select count(*) from scim_group_members m where m.group_id = g.id)::int`;
  const rows = await found
    .selectAll()
    // Of 200 large groups, counting takes longer than everything else.
    .select((withMembers ? size : sql<number>`0`).as("size"))
    .orderBy("g.created_at")
    .orderBy("g.id")
    .offset(startIndex - 1)
    .limit(count)
    .execute();
  let members = 0;
  const fitting = rows.filter(({ size }, at) => {
    members += size;
    return at === 0 || members <= scimBounds.membersOfGroup;
  });
  return {
    total,
    startIndex,
    found: await filled(
      ctx,
      fitting.map(({ size: _, ...row }) => row),
      withMembers,
    ),
  };
}

/** What the resource does not say is cleared, members included. */
export async function replace(ctx: Context, id: string, resource: Resource): Promise<ScimGroupRow> {
  const change = await inTurns(ctx, readGroup(resource));
  if (change.values.display_name === undefined) throw scimInvalid("invalidValue", "A group needs a displayName");
  await update(ctx, id, { ...change, isWhole: true, values: { external_id: null, ...change.values } });
  return await get(ctx, id, true);
}

export async function patch(ctx: Context, id: string, operations: readonly ScimOperation[]): Promise<void> {
  await update(ctx, id, await inTurns(ctx, patchGroup(id, operations)));
}

async function update(ctx: Context, id: string, change: GroupChange): Promise<void> {
  await changeDirectory(ctx, async (trx) => {
    const before = await find(trx, id);
    const next = patched(before, change.values);
    if (next !== before) {
      const after = { ...next, updated_at: ctx.now() };
      await trx
        .updateTable("scim_groups")
        .set({ ...pick(next, defaults), updated_at: ctx.now() })
        .where("id", "=", id)
        .execute();
      await record(trx, ctx, "updateScimGroup", { before, after });
    }
    await changeMembers(trx, ctx, "updateScimGroup", { group: next, change });
  });
}

/** Its mappings end with it, and so do the memberships that came by them. */
export async function remove(ctx: Context, id: string): Promise<void> {
  await changeDirectory(ctx, async (trx) => {
    const row = await find(trx, id);
    const users = await fewMembers(trx, row.id);
    const workspaces = await endMappings(trx, ctx, "deleteScimGroup", row);
    await applyMappings(trx, ctx, "deleteScimGroup", { workspaces, users });
    await trx.deleteFrom("scim_group_members").where("group_id", "=", row.id).execute();
    await trx.deleteFrom("scim_groups").where("id", "=", row.id).execute();
    await record(trx, ctx, "deleteScimGroup", { before: row, after: null });
  });
}

/** The groups as the public API lists them, the oldest first. */
export async function listForAdmin(
  ctx: Context,
  page: Parsed<typeof listScimGroups>["query"],
): Promise<Output<typeof listScimGroups>> {
  refuseUnlessManagement(ctx);
  const groups = ctx.store.db.selectFrom("scim_groups");
  const total = await countOf(groups);
  const rows = await groups
    .selectAll()
    .orderBy("created_at")
    .orderBy("id")
    .limit(page.limit ?? 50)
    .offset(page.offset ?? 0)
    .execute();
  const data = rows.map((row) => ({
    ...row,
    organization_id: organizationId,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }));
  return { data, total_count: total };
}

async function find(trx: Trx, id: string): Promise<Row> {
  const row = isUuid(id)
    ? await trx.selectFrom("scim_groups").selectAll().where("id", "=", id).forUpdate().executeTakeFirst()
    : undefined;
  if (row === undefined) throw noSuchGroup();
  return row;
}

/** @throws Refusal 400 invalidValue where a member is no user, or the group would have too many for its workspaces */
async function changeMembers(
  trx: Trx,
  ctx: Context,
  action: DirectoryAction,
  { group, change }: { group: Row; change: GroupChange },
): Promise<void> {
  if (!change.isWhole && change.added.size + change.removed.size === 0) return;
  const { added, removed, users } = await writeMembers(trx, group.id, change);
  if (added + removed === 0) return;
  const count = await countOf(trx.selectFrom("scim_group_members").where("group_id", "=", group.id));
  if (count > scimBounds.membersOfGroup) {
    throw scimInvalid("invalidValue", `A group has at most ${scimBounds.membersOfGroup} members`);
  }
  const workspaces = await workspacesOfGroups(trx, [group.id]);
  const most = mostNextTo(workspaces.length);
  // Members may always go.
  if (added > 0 && count > most) {
    throw scimInvalid(
      "invalidValue",
      `This group is mapped to ${workspaces.length} workspaces, so it can have at most ${most} members: map smaller groups`,
    );
  }
  await trx.updateTable("scim_groups").set({ updated_at: ctx.now() }).where("id", "=", group.id).execute();
  await recordChange(trx, ctx, {
    action,
    target: target(group),
    before: {},
    after: { members_added: added, members_removed: removed, members: count },
  });
  await applyMappings(trx, ctx, action, { workspaces, users });
}

/**
 * In one statement, however many they are.
 * @returns how many came and went, and who, if they are at most `mostApart`
 */
async function writeMembers(trx: Trx, groupId: string, { added, removed, isWhole }: GroupChange) {
  // The driver takes longer to write a list than to write a text.
  const listed = (ids: ReadonlySet<string>) =>
    sql`select unnest(string_to_array(${[...ids].join(",")}, ','))::uuid as id`;
  const { rows } = await sql<{ known: number; added: number; removed: number; users: string[] | null }>`
    with sent as materialized (
      ${listed(added)}
    ), leaving as materialized (
      ${listed(removed)}
    ), known as (
      select u.id from sent join scim_users u on u.id = sent.id
    ), gone as (
      delete from scim_group_members
      where group_id = ${groupId}
        and ${isWhole ? sql`user_id not in (select id from sent)` : sql`user_id in (select id from leaving)`}
      returning user_id
    ), joined as (
      insert into scim_group_members (group_id, user_id)
      select ${groupId}::uuid, id from known
      on conflict do nothing
      returning user_id
    ), moved as (
      select user_id from gone union all select user_id from joined limit ${sql.lit(mostApart + 1)}
    )
    select (select count(*)::int from known) as known, (select count(*)::int from joined) as added,
      (select count(*)::int from gone) as removed, (select array_agg(user_id) from moved) as users`.execute(trx);
  const [written] = rows;
  if (written?.known !== added.size) {
    throw scimInvalid("invalidValue", "A member is no user of this directory: create the user first");
  }
  return { ...written, users: written.added + written.removed > mostApart ? null : (written.users ?? []) };
}

async function filled(ctx: Context, groups: readonly Row[], withMembers: boolean): Promise<ScimGroupRow[]> {
  if (!withMembers) return groups.map((row) => ({ ...row, members: null }));
  const rows = await ctx.store.db
    .selectFrom("scim_group_members as m")
    .innerJoin("scim_users as u", "u.id", "m.user_id")
    .select(["m.group_id", "m.user_id", "u.user_name"])
    .where(sql<boolean>`m.group_id = any(${groups.map(({ id }) => id)}::uuid[])`)
    .orderBy("m.group_id")
    .orderBy("m.user_id")
    .execute();
  const ofGroup = Map.groupBy(rows, ({ group_id }) => group_id);
  return groups.map((row) => ({
    ...row,
    members: (ofGroup.get(row.id) ?? []).map(({ user_id, user_name }) => ({ id: user_id, name: user_name })),
  }));
}

function condition({ attribute, value }: Comparison): Expression<SqlBool> {
  if (attribute === "displayname") return sql<boolean>`lower(display_name) = lower(${String(value)})`;
  if (attribute === "externalid") {
    return value === null ? sql<boolean>`external_id is null` : sql<boolean>`external_id = ${String(value)}`;
  }
  if (attribute === "id") return isUuid(value) ? sql<boolean>`g.id = ${value}` : sql<boolean>`false`;
  if (attribute === "members" || attribute === "members.value") {
    if (!isUuid(value)) return sql<boolean>`false`;
    return sql<boolean>`exists (
      select from scim_group_members m where m.group_id = g.id and m.user_id = ${value})`;
  }
  throw scimInvalid("invalidFilter", "Groups are found by displayName, externalId, id and members");
}

async function record(
  trx: Trx,
  ctx: Context,
  action: DirectoryAction,
  { before, after }: { before: Row | null; after: Row | null },
): Promise<void> {
  const of = after ?? before;
  if (of === null) return;
  await recordChange(trx, ctx, {
    action,
    target: target(of),
    before: before === null ? null : { ...pick(before, defaults) },
    after: after === null ? null : { ...pick(after, defaults) },
  });
}

const target = ({ id, display_name }: Row) => ({ type: "scim_group", id, name: display_name, workspaceId: null });
