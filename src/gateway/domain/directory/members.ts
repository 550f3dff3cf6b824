import { randomUUID } from "node:crypto";
import { type Kysely, sql, type Transaction } from "kysely";
import type { Output, Parsed } from "#contract/endpoint.ts";
import type { listOrganizationMembers, listWorkspaceMembers } from "#contract/members.ts";
import type { WorkspaceRole } from "#contract/scim.ts";
import type { Tables } from "../../storage/tables.ts";
import type { Context } from "../context.ts";
import { refuseUnlessManagement } from "../permission.ts";
import { invalid, notFound } from "../refusal.ts";
import { findWorkspace } from "../workspaces/row.ts";
import { changeDirectory } from "./lock.ts";
import { recordMembers } from "./memberships.ts";
import { isUuid } from "../uuid.ts";
import { countOf } from "../count-of.ts";

type Trx = Transaction<Tables>;
type Page = Parsed<typeof listOrganizationMembers>["query"];
type Member = Output<typeof listWorkspaceMembers>["data"][number];

/**
 * The people whom an identity provider has made and not deactivated, the oldest first.
 * @throws Refusal 404 where none is connected, as for a personal account
 */
export async function ofOrganization(ctx: Context, page: Page): Promise<Output<typeof listOrganizationMembers>> {
  refuseUnlessManagement(ctx);
  const { db } = ctx.store;
  const active = db.selectFrom("scim_users").where("active", "=", true);
  const total = await countOf(active);
  if (total === 0 && !(await isConnected(db))) {
    throw notFound("This gateway has no organization: its members come from an identity provider, by SCIM");
  }
  const rows = await active
    .selectAll()
    .orderBy("created_at")
    .orderBy("id")
    .limit(page.limit ?? 50)
    .offset(page.offset ?? 0)
    .execute();
  const data = rows.map((row) => ({
    id: row.id,
    email: row.email ?? row.user_name,
    first_name: row.given_name,
    last_name: row.family_name,
    role: "org:member" as const,
  }));
  return { data, total_count: total };
}

async function isConnected(db: Kysely<Tables>): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from scim_tokens) or exists (select from scim_users) as found`.execute(db);
  return rows[0]?.found === true;
}

/** The first to join first. @param reference id or slug @throws Refusal 404: no such workspace */
export async function list(ctx: Context, reference: string, page: Page): Promise<Output<typeof listWorkspaceMembers>> {
  refuseUnlessManagement(ctx);
  const { id } = await findWorkspace(ctx.store.db, reference);
  const members = ctx.store.db.selectFrom("workspace_members").where("workspace_id", "=", id);
  const total = await countOf(members);
  const rows = await members
    .selectAll()
    .orderBy("created_at")
    .orderBy("id")
    .limit(page.limit ?? 50)
    .offset(page.offset ?? 0)
    .execute();
  return { data: rows.map(record), total_count: total };
}

/**
 * Adds members of the organization by hand: they stay whatever their groups.
 * @throws Refusal 400 where one is no member of the organization; none is added then
 */
export async function add(
  ctx: Context,
  reference: string,
  userIds: readonly string[],
): Promise<{ added_count: number; data: Member[] }> {
  refuseUnlessManagement(ctx);
  return await changeDirectory(ctx, async (trx) => {
    const workspace = await findWorkspace(trx, reference);
    const { id: workspaceId } = workspace;
    const users = await requireMembers(trx, userIds);
    const before = new Map((await membersAmong(trx, workspaceId, users)).map((row) => [row.user_id, row]));
    const manual = "member" satisfies WorkspaceRole;
    await trx
      .insertInto("workspace_members")
      .values(
        users.map((user_id) => ({
          workspace_id: workspaceId,
          user_id,
          id: randomUUID(),
          manual_role: manual,
          mapped_role: null,
          created_at: ctx.now(),
        })),
      )
      .onConflict((conflict) =>
        conflict
          .columns(["workspace_id", "user_id"])
          .doUpdateSet({ manual_role: sql<WorkspaceRole>`coalesce(workspace_members.manual_role, ${manual})` }),
      )
      .execute();
    const named = users.filter((id) => !before.has(id));
    // Whoever came by a group stays without it from now on.
    const kept = users.filter((id) => before.get(id)?.manual_role === null);
    const changes = [...changesOf(workspace, "joined", named), ...changesOf(workspace, "kept", kept)];
    await recordMembers(trx, ctx, "addWorkspaceMembers", changes);
    return { added_count: named.length, data: (await membersAmong(trx, workspaceId, users)).map(record) };
  });
}

/**
 * People who are not members are skipped.
 * @throws Refusal 400 for a member of the default workspace, by a group, or with active keys in it; none is removed then
 */
export async function remove(
  ctx: Context,
  reference: string,
  userIds: readonly string[],
): Promise<{ removed_count: number }> {
  refuseUnlessManagement(ctx);
  return await changeDirectory(ctx, async (trx) => {
    const workspace = await findWorkspace(trx, reference);
    const members = await membersAmong(trx, workspace.id, userIds.filter(isUuid));
    const refuse = (userId: string, message: string) => {
      throw invalid(`user_ids.${userIds.findIndex((id) => id.toLowerCase() === userId)}`, message);
    };
    for (const { user_id, mapped_role } of members) {
      if (workspace.is_default) refuse(user_id, "is in the default workspace, as every member of the organization is");
      if (mapped_role !== null)
        refuse(user_id, "is a member through a SCIM group: remove them from it in your directory");
    }
    const ids = members.map(({ user_id }) => user_id);
    if (ids.length === 0) return { removed_count: 0 };
    const working = await trx
      .selectFrom("api_keys")
      .select("creator_user_id")
      .where("workspace_id", "=", workspace.id)
      .where(sql<boolean>`lower(creator_user_id) = any(${ids}::text[])`)
      .where("deleted_at", "is", null)
      .where("disabled", "=", false)
      .where(({ eb, or }) => or([eb("expires_at", "is", null), eb("expires_at", ">", ctx.now())]))
      .limit(1)
      .executeTakeFirst();
    if (working?.creator_user_id != null) {
      refuse(
        working.creator_user_id.toLowerCase(),
        "has active API keys in this workspace: delete or disable them first",
      );
    }
    await trx
      .deleteFrom("workspace_members")
      .where("workspace_id", "=", workspace.id)
      .where("user_id", "in", ids)
      .execute();
    await recordMembers(trx, ctx, "removeWorkspaceMembers", changesOf(workspace, "left", ids));
    return { removed_count: ids.length };
  });
}

function changesOf(
  { id: workspaceId, name }: { id: string; name: string },
  what: "joined" | "left" | "kept",
  named: readonly string[],
) {
  return named.length === 0 ? [] : [{ workspaceId, name, what, count: named.length, named }];
}

/** The distinct ones, in lower case. */
async function requireMembers(trx: Trx, userIds: readonly string[]): Promise<string[]> {
  const rows = await trx
    .selectFrom("scim_users")
    .select("id")
    .where(sql<boolean>`id = any(${userIds.filter(isUuid)}::uuid[])`)
    .where("active", "=", true)
    .execute();
  const known = new Set(rows.map(({ id }) => id));
  const index = userIds.findIndex((id) => !known.has(id.toLowerCase()));
  if (index !== -1) throw invalid(`user_ids.${index}`, "must be the id of a member of the organization");
  return [...known];
}

async function membersAmong(trx: Trx, workspaceId: string, users: readonly string[]) {
  return await trx
    .selectFrom("workspace_members")
    .selectAll()
    .where("workspace_id", "=", workspaceId)
    .where(sql<boolean>`user_id = any(${users}::uuid[])`)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
}

interface Row {
  id: string;
  workspace_id: string;
  user_id: string;
  manual_role: WorkspaceRole | null;
  mapped_role: WorkspaceRole | null;
  created_at: Date;
}

function record({ id, workspace_id, user_id, manual_role, mapped_role, created_at }: Row): Member {
  const role = manual_role === "admin" || mapped_role === "admin" ? "admin" : "member";
  return { id, workspace_id, user_id, role, created_at: created_at.toISOString() };
}
