import { randomUUID } from "node:crypto";
import { type Kysely, type Selectable, sql, type Transaction } from "kysely";
import type { EndpointName } from "#contract/api.ts";
import type { DirectoryAction } from "#contract/audit.ts";
import type { Output, Parsed } from "#contract/endpoint.ts";
import {
  type createScimGroupMapping,
  type listScimGroupMappings,
  mostScimMappings,
  type ScimMappingRecord,
  type WorkspaceRole,
} from "#contract/scim.ts";
import type { ScimMappingsTable } from "../../storage/directory-tables.ts";
import type { Tables } from "../../storage/tables.ts";
import { recordChange, recordChanges } from "../audit.ts";
import type { Context } from "../context.ts";
import { refuseUnlessManagement } from "../permission.ts";
import { notFound, Refusal } from "../refusal.ts";
import { findWorkspace } from "../workspaces/row.ts";
import { changeDirectory } from "./lock.ts";
import { applyMappings, fewMembers, mostNextTo } from "./memberships.ts";
import { noSuchGroup, organizationId } from "./refusals.ts";
import { countOf } from "../count-of.ts";

type Trx = Transaction<Tables>;
type Row = Selectable<ScimMappingsTable>;
type One = Promise<{ data: ScimMappingRecord }>;

/** The oldest first. */
export async function list(
  ctx: Context,
  page: Parsed<typeof listScimGroupMappings>["query"],
): Promise<Output<typeof listScimGroupMappings>> {
  refuseUnlessManagement(ctx);
  const found = living(ctx.store.db);
  const total = await countOf(found);
  const rows = await found
    .selectAll("m")
    .orderBy("m.created_at")
    .orderBy("m.id")
    .limit(page.limit ?? 50)
    .offset(page.offset ?? 0)
    .execute();
  return { data: rows.map(record), total_count: total };
}

/** @throws Refusal 404 */
export async function get(ctx: Context, id: string): One {
  refuseUnlessManagement(ctx);
  return { data: record(await find(ctx.store.db, id)) };
}

/** @throws Refusal 404: no such group or workspace; 409: there is one of both, or too many */
export async function create(ctx: Context, body: Parsed<typeof createScimGroupMapping>["body"]): One {
  refuseUnlessManagement(ctx);
  const { scim_group_id: group_id, workspace_id, role } = body;
  const row = await changeDirectory(ctx, async (trx) => {
    const group = await trx.selectFrom("scim_groups").select("id").where("id", "=", group_id).executeTakeFirst();
    if (group === undefined) throw noSuchGroup();
    const workspace = await findWorkspace(trx, workspace_id);
    await refuseTooMany(trx);
    const now = ctx.now();
    const row = await trx
      .insertInto("scim_group_mappings")
      .values({ id: randomUUID(), group_id, workspace_id: workspace.id, role, created_at: now, updated_at: now })
      .onConflict((conflict) => conflict.columns(["group_id", "workspace_id"]).doNothing())
      .returningAll()
      .executeTakeFirst();
    if (row === undefined) {
      throw new Refusal("conflict", "This group is mapped to this workspace already: change that mapping");
    }
    await refuseTooManyOfGroup(trx, row.group_id);
    await recordMapping(trx, ctx, "createScimGroupMapping", { before: null, after: row });
    await applyMappings(trx, ctx, "createScimGroupMapping", {
      workspaces: [row.workspace_id],
      users: await fewMembers(trx, row.group_id),
    });
    return row;
  });
  return { data: record(row) };
}

/** @throws Refusal 404 */
export async function update(ctx: Context, id: string, { role }: { role: WorkspaceRole }): One {
  refuseUnlessManagement(ctx);
  const row = await changeDirectory(ctx, async (trx) => {
    const before = await find(trx, id);
    if (before.role === role) return before;
    const row = await trx
      .updateTable("scim_group_mappings")
      .set({ role, updated_at: ctx.now() })
      .where("id", "=", id)
      .returningAll()
      .executeTakeFirstOrThrow();
    await recordMapping(trx, ctx, "updateScimGroupMapping", { before, after: row });
    await applyMappings(trx, ctx, "updateScimGroupMapping", {
      workspaces: [row.workspace_id],
      users: await fewMembers(trx, row.group_id),
    });
    return row;
  });
  return { data: record(row) };
}

/**
 * @param keepMembers whether those whom no other mapping covers stay, as if they had been added by hand
 * @throws Refusal 404
 */
export async function remove(ctx: Context, id: string, keepMembers: boolean): Promise<{ deleted: true }> {
  refuseUnlessManagement(ctx);
  await changeDirectory(ctx, async (trx) => {
    const row = await find(trx, id);
    const users = await fewMembers(trx, row.group_id);
    await trx.deleteFrom("scim_group_mappings").where("id", "=", id).execute();
    if (keepMembers) await keepUncovered(trx, row);
    await recordMapping(trx, ctx, "deleteScimGroupMapping", { before: row, after: null });
    await applyMappings(trx, ctx, "deleteScimGroupMapping", { workspaces: [row.workspace_id], users });
  });
  return { deleted: true };
}

async function keepUncovered(trx: Trx, { group_id, workspace_id, role }: Row): Promise<void> {
  await sql`
    update workspace_members wm
    set manual_role = case when wm.manual_role = 'admin' then 'admin' else ${role} end
    where wm.workspace_id = ${workspace_id} and wm.mapped_role is not null
      and exists (select from scim_group_members gm where gm.group_id = ${group_id} and gm.user_id = wm.user_id)
      and not exists (
        select from scim_group_mappings m join scim_group_members gm on gm.group_id = m.group_id
        where m.workspace_id = wm.workspace_id and gm.user_id = wm.user_id
      )`.execute(trx);
}

/** Ends all mappings of a group that is about to be deleted. @returns the workspaces whose members are to follow */
export async function endMappings(
  trx: Trx,
  ctx: Context,
  action: DirectoryAction,
  group: { readonly id: string; readonly display_name: string },
): Promise<string[]> {
  const rows = await living(trx).selectAll("m").where("m.group_id", "=", group.id).orderBy("m.workspace_id").execute();
  await trx.deleteFrom("scim_group_mappings").where("group_id", "=", group.id).execute();
  const changes = rows.map((row) => ({
    action,
    target: target(row, group.display_name),
    before: members(row),
    after: null,
  }));
  await recordChanges(trx, ctx, changes);
  return rows.map(({ workspace_id }) => workspace_id);
}

/** Those of deleted workspaces give nothing. */
function living(db: Kysely<Tables>) {
  return db
    .selectFrom("scim_group_mappings as m")
    .innerJoin("workspaces as w", "w.id", "m.workspace_id")
    .where("w.deleted_at", "is", null);
}

async function find(db: Kysely<Tables>, id: string): Promise<Row> {
  const row = await living(db).selectAll("m").where("m.id", "=", id).executeTakeFirst();
  if (row === undefined) throw notFound("There is no mapping with this id");
  return row;
}

async function refuseTooMany(trx: Trx): Promise<void> {
  const count = await countOf(living(trx));
  if (count < mostScimMappings) return;
  throw new Refusal("conflict", `There are ${mostScimMappings} mappings already: delete one first`);
}

/** The mapping that is about to be made is among them. */
async function refuseTooManyOfGroup(trx: Trx, groupId: string): Promise<void> {
  const mappings = await countOf(living(trx).where("m.group_id", "=", groupId));
  const members = await countOf(trx.selectFrom("scim_group_members").where("group_id", "=", groupId));
  const most = mostNextTo(members);
  if (mappings <= most) return;
  const message = `A group of ${members} members can be mapped to at most ${most} workspaces: map smaller groups`;
  throw new Refusal("conflict", message);
}

function record({ group_id, created_at, updated_at, ...row }: Row): ScimMappingRecord {
  return {
    ...row,
    organization_id: organizationId,
    scim_group_id: group_id,
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
  };
}

async function recordMapping(
  trx: Trx,
  ctx: Context,
  action: EndpointName,
  { before, after }: { before: Row | null; after: Row | null },
): Promise<void> {
  const of = after ?? before;
  if (of === null) return;
  const { display_name: name } = await trx
    .selectFrom("scim_groups")
    .select("display_name")
    .where("id", "=", of.group_id)
    .executeTakeFirstOrThrow();
  await recordChange(trx, ctx, {
    action,
    target: target(of, name),
    before: before === null ? null : members(before),
    after: after === null ? null : members(after),
  });
}

const members = ({ group_id, workspace_id, role }: Row) => ({ scim_group_id: group_id, workspace_id, role });
const target = ({ id, workspace_id }: Row, name: string) => ({
  type: "scim_group_mapping",
  id,
  name,
  workspaceId: workspace_id,
});
