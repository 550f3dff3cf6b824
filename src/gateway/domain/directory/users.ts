import { randomUUID } from "node:crypto";
import { type Expression, type Selectable, sql, type SqlBool, type Transaction } from "kysely";
import type { DirectoryAction } from "#contract/audit.ts";
import { scimBounds, type ScimOperation } from "#contract/scim-protocol.ts";
import type { ScimUsersTable, ScimUserValues } from "../../storage/directory-tables.ts";
import type { Tables } from "../../storage/tables.ts";
import { recordChange } from "../audit.ts";
import type { Context } from "../context.ts";
import { patched, pick } from "../patch.ts";
import { inTurns } from "./in-turns.ts";
import { emailAfter } from "./kept-email.ts";
import { changeDirectory } from "./lock.ts";
import { beginMemberships, endMemberships } from "./memberships.ts";
import type { ScimList, ScimPage } from "./page.ts";
import { noSuchUser, notUnique, scimInvalid } from "./refusals.ts";
import type { Comparison } from "./scim-path.ts";
import { patchUser, readUser, type UserChange } from "./user-attributes.ts";
import { isUuid } from "../uuid.ts";
import { countOf } from "../count-of.ts";

type Trx = Transaction<Tables>;
export type ScimUserRow = Selectable<ScimUsersTable>;
type Resource = Readonly<Record<string, unknown>>;

const defaults: ScimUserValues = {
  user_name: "",
  external_id: null,
  display_name: null,
  formatted_name: null,
  given_name: null,
  family_name: null,
  email: null,
  email_type: null,
  active: true,
};

/** @throws Refusal 409 uniqueness where somebody has this userName */
export async function create(ctx: Context, resource: Resource): Promise<ScimUserRow> {
  const { values: read, emails } = await inTurns(ctx, readUser(resource));
  const { user_name, ...values } = { ...read, ...emailAfter(null, emails) };
  if (user_name === undefined) throw scimInvalid("invalidValue", "A user needs a userName");
  return await change(ctx, async (trx) => {
    const count = await countOf(trx.selectFrom("scim_users"));
    if (count >= scimBounds.users) {
      throw scimInvalid("invalidValue", `A directory has at most ${scimBounds.users} users`);
    }
    await refuseTaken(trx, user_name, null);
    const now = ctx.now();
    const row = await trx
      .insertInto("scim_users")
      .values({ ...defaults, ...values, user_name, id: randomUUID(), created_at: now, updated_at: now })
      .returningAll()
      .executeTakeFirstOrThrow();
    await record(trx, ctx, "createScimUser", { before: null, after: row });
    if (row.active) await beginMemberships(trx, ctx, "createScimUser", row.id);
    return { row, ended: [] };
  });
}

/** @throws Refusal 404 */
export async function get(ctx: Context, id: string): Promise<ScimUserRow> {
  const row = isUuid(id)
    ? await ctx.store.db.selectFrom("scim_users").selectAll().where("id", "=", id).executeTakeFirst()
    : undefined;
  if (row === undefined) throw noSuchUser();
  return row;
}

/** @throws Refusal 400 invalidFilter for an attribute that users are not found by */
export async function list(ctx: Context, { filter, startIndex, count }: ScimPage): Promise<ScimList<ScimUserRow>> {
  const found = ctx.store.db.selectFrom("scim_users").where(({ and }) => and(filter.map(condition)));
  const total = await countOf(found);
  const rows =
    count === 0
      ? []
      : await found
          .selectAll()
          .orderBy("created_at")
          .orderBy("id")
          .offset(startIndex - 1)
          .limit(count)
          .execute();
  return { total, startIndex, found: rows };
}

/** What the resource does not say is cleared; but somebody is active or not until the directory says otherwise. */
export async function replace(ctx: Context, id: string, resource: Resource): Promise<ScimUserRow> {
  const { active: _, user_name: __, email: ___, email_type: ____, ...cleared } = defaults;
  const { values, emails } = await inTurns(ctx, readUser(resource));
  return await update(ctx, id, { values: { ...cleared, ...values }, emails: [() => null, ...emails] });
}

export async function patch(ctx: Context, id: string, operations: readonly ScimOperation[]): Promise<ScimUserRow> {
  return await update(ctx, id, await inTurns(ctx, patchUser(id, operations)));
}

async function update(ctx: Context, id: string, { values, emails }: UserChange): Promise<ScimUserRow> {
  return await change(ctx, async (trx) => {
    const before = await lockUser(trx, id);
    const next = patched(before, { ...values, ...emailAfter(before, emails) });
    if (next === before) return { row: before, ended: [] };
    // The id in the address may be in capitals; keys and memberships have it as it was made.
    const { id: own } = before;
    if (values.user_name !== undefined) await refuseTaken(trx, values.user_name, own);
    const row = await trx
      .updateTable("scim_users")
      .set({ ...pick(next, defaults), updated_at: ctx.now() })
      .where("id", "=", id)
      .returningAll()
      .executeTakeFirstOrThrow();
    await record(trx, ctx, "updateScimUser", { before, after: row });
    if (row.active && !before.active) await beginMemberships(trx, ctx, "updateScimUser", own);
    const ended = !row.active && before.active ? await endMemberships(trx, ctx, "updateScimUser", own) : [];
    return { row, ended };
  });
}

/** Whoever leaves the directory leaves every workspace and group, and the keys that they made are disabled. */
export async function remove(ctx: Context, id: string): Promise<void> {
  await change(ctx, async (trx) => {
    const row = await lockUser(trx, id);
    const ended = await endMemberships(trx, ctx, "deleteScimUser", row.id);
    await leaveGroups(trx, ctx, row.id);
    await trx.deleteFrom("scim_users").where("id", "=", row.id).execute();
    await record(trx, ctx, "deleteScimUser", { before: row, after: null });
    return { row, ended };
  });
}

/** A group without one of its members is a changed group to whoever compares `meta.lastModified`. */
async function leaveGroups(trx: Trx, ctx: Context, userId: string): Promise<void> {
  const left = await trx.deleteFrom("scim_group_members").where("user_id", "=", userId).returning("group_id").execute();
  const ids = left.map(({ group_id }) => group_id);
  await trx
    .updateTable("scim_groups")
    .set({ updated_at: ctx.now() })
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .execute();
}

interface Changed {
  readonly row: ScimUserRow;
  /** the hashes of keys that were disabled */
  readonly ended: readonly string[];
}

async function change(ctx: Context, work: (trx: Trx) => Promise<Changed>): Promise<ScimUserRow> {
  const { row, ended } = await changeDirectory(ctx, work);
  await ctx.credentials.invalidate(ctx, ...ended);
  return row;
}

async function lockUser(trx: Trx, id: string): Promise<ScimUserRow> {
  const row = isUuid(id)
    ? await trx.selectFrom("scim_users").selectAll().where("id", "=", id).forUpdate().executeTakeFirst()
    : undefined;
  if (row === undefined) throw noSuchUser();
  return row;
}

async function refuseTaken(trx: Trx, userName: string, id: string | null): Promise<void> {
  const row = await trx
    .selectFrom("scim_users")
    .select("id")
    .where(sql<boolean>`lower(user_name) = lower(${userName})`)
    .executeTakeFirst();
  if (row !== undefined && row.id !== id) throw notUnique("Another user has this userName");
}

function condition({ attribute, value }: Comparison): Expression<SqlBool> {
  const absent = (column: string) => sql<boolean>`${sql.ref(column)} is null`;
  const exactly = (column: string) =>
    value === null ? absent(column) : sql<boolean>`${sql.ref(column)} = ${String(value)}`;
  const whateverCase = (column: string) =>
    value === null ? absent(column) : sql<boolean>`lower(${sql.ref(column)}) = lower(${String(value)})`;
  if (attribute === "username") return whateverCase("user_name");
  if (attribute === "displayname") return whateverCase("display_name");
  if (attribute === "externalid") return exactly("external_id");
  if (attribute === "id") return isUuid(value) ? exactly("id") : sql<boolean>`false`;
  if (attribute === "active") return sql<boolean>`active = ${String(value).toLowerCase() === "true"}`;
  // Entra asks whether somebody has this manager before it says so. Managers are not kept.
  if (/^(?:urn:ietf:params:scim:schemas:extension:enterprise:2\.0:user:)?manager(?:\.value)?$/.test(attribute)) {
    return sql<boolean>`${value === null}`;
  }
  const [email, type] = /^emails(?:\[type eq "(\w+)"\])?(?:\.value)?$/.exec(attribute) ?? [];
  if (email !== undefined) {
    return type === undefined ? whateverCase("email") : sql<boolean>`${whateverCase("email")} and email_type = ${type}`;
  }
  throw scimInvalid("invalidFilter", "Users are found by userName, externalId, displayName, id, active and emails");
}

async function record(
  trx: Trx,
  ctx: Context,
  action: DirectoryAction,
  { before, after }: { before: ScimUserRow | null; after: ScimUserRow | null },
): Promise<void> {
  const of = after ?? before;
  if (of === null) return;
  await recordChange(trx, ctx, {
    action,
    target: { type: "scim_user", id: of.id, name: of.user_name, workspaceId: null },
    before: before === null ? null : { ...pick(before, defaults) },
    after: after === null ? null : { ...pick(after, defaults) },
  });
}
