import { randomUUID } from "node:crypto";
import { sql, type Transaction } from "kysely";
import type { EndpointName } from "#contract/api.ts";
import type { Output, Parsed } from "#contract/endpoint.ts";
import type { listKeyAssignments, listMemberAssignments } from "#contract/guardrails.ts";
import type { Tables } from "../../storage/tables.ts";
import { recordChange } from "../audit.ts";
import type { Context } from "../context.ts";
import { refuseUnlessManagement } from "../permission.ts";
import { invalid } from "../refusal.ts";
import { memberSpendId, recallBudget } from "./budgets.ts";
import { target } from "./guardrails.ts";
import { findGuardrail, type GuardrailRow, lockGuardrail } from "./row.ts";
import { countOf } from "../count-of.ts";
import { keepUserIds, knownUserIds } from "../user-id.ts";

type Trx = Transaction<Tables>;
type KeysPage = Parsed<typeof listKeyAssignments>["query"];
type MembersPage = Parsed<typeof listMemberAssignments>["query"];

const pageSize = 50;
/** The public API's members belong to an organization; here all of them belong to this gateway. */
const organizationId = "gatehouse";

/** The oldest first. @param id a guardrail's; null: of all guardrails */
export async function keysOf(
  ctx: Context,
  id: string | null,
  page: KeysPage,
): Promise<Output<typeof listKeyAssignments>> {
  refuseUnlessManagement(ctx);
  const { db } = ctx.store;
  if (id !== null) await findGuardrail(db, id);
  let own = db.selectFrom("guardrail_keys as a");
  if (id !== null) own = own.where("guardrail_id", "=", id);
  if (page.key_hash !== undefined) own = own.where("key_hash", "in", page.key_hash.split(","));
  const total = await countOf(own);
  const rows = await own
    .innerJoin("api_keys as k", "k.hash", "a.key_hash")
    .selectAll("a")
    .select(["k.name as key_name", "k.label as key_label"])
    .orderBy("a.created_at")
    .orderBy("a.id")
    .limit(page.limit ?? pageSize)
    .offset(page.offset ?? 0)
    .execute();
  return {
    data: rows.map((row) => ({ ...row, created_at: row.created_at.toISOString() })),
    total_count: total,
  };
}

/** The oldest first. @param id a guardrail's; null: of all guardrails */
export async function membersOf(
  ctx: Context,
  id: string | null,
  page: MembersPage,
): Promise<Output<typeof listMemberAssignments>> {
  refuseUnlessManagement(ctx);
  const { db } = ctx.store;
  if (id !== null) await findGuardrail(db, id);
  let own = db.selectFrom("guardrail_members");
  if (id !== null) own = own.where("guardrail_id", "=", id);
  if (page.user_id !== undefined) own = own.where("user_id", "in", await knownUserIds(db, [page.user_id]));
  const total = await countOf(own);
  const rows = await own
    .selectAll()
    .orderBy("created_at")
    .orderBy("id")
    .limit(page.limit ?? pageSize)
    .offset(page.offset ?? 0)
    .execute();
  const data = rows.map(({ spend_id: _, ...row }) => ({
    ...row,
    created_at: row.created_at.toISOString(),
    organization_id: organizationId,
  }));
  return { data, total_count: total };
}

/** Rows in one statement, each with five parameters of at most 65,535. */
const mostRows = 5_000;

/**
 * Gives keys of the guardrail's workspace this guardrail, in place of the one that they have. Keys that they had made for
 * apps get it as well, which would be a way around it otherwise.
 * @returns how many keys have it now that are in the list
 * @throws Refusal 400 where one is no key of this workspace; none is assigned then
 */
export async function assignKeys(
  ctx: Context,
  id: string,
  hashes: readonly string[],
): Promise<{ assigned_count: number }> {
  refuseUnlessManagement(ctx);
  await change(ctx, { action: "bulkAssignKeysToGuardrail", after: "key_hashes" }, async (trx) => {
    // Keys before guardrails, as when a key is replaced or has another one made: neither waits for the other.
    const covered = await lockKeys(trx, await findGuardrail(trx, id), hashes);
    const guardrail = await lockAssignable(trx, id);
    const added: string[] = [];
    for (let from = 0; from < covered.length; from += mostRows) {
      const assigned = await trx
        .insertInto("guardrail_keys")
        .values(covered.slice(from, from + mostRows).map((key_hash) => ({ key_hash, ...newAssignment(ctx, id) })))
        .onConflict((conflict) =>
          conflict
            .column("key_hash")
            .doUpdateSet(replaced)
            .whereRef("guardrail_keys.guardrail_id", "!=", "excluded.guardrail_id"),
        )
        .returning("key_hash")
        .execute();
      for (const { key_hash } of assigned) added.push(key_hash);
    }
    return { guardrail, ids: added };
  });
  return { assigned_count: new Set(hashes).size };
}

/** @returns how many keys had it */
export async function unassignKeys(
  ctx: Context,
  id: string,
  hashes: readonly string[],
): Promise<{ unassigned_count: number }> {
  refuseUnlessManagement(ctx);
  const removed = await change(ctx, { action: "bulkUnassignKeysFromGuardrail", before: "key_hashes" }, async (trx) => {
    const guardrail = await lockGuardrail(trx, id);
    const rows = await trx
      .deleteFrom("guardrail_keys")
      .where("guardrail_id", "=", id)
      .where("key_hash", "in", hashes)
      .returning("key_hash")
      .execute();
    return { guardrail, ids: rows.map(({ key_hash }) => key_hash) };
  });
  return { unassigned_count: removed };
}

/** Gives users this guardrail for all keys that they created, in place of the one that they have. */
export async function assignMembers(
  ctx: Context,
  id: string,
  userIds: readonly string[],
): Promise<{ assigned_count: number }> {
  refuseUnlessManagement(ctx);
  let users: readonly string[] = [];
  await change(ctx, { action: "bulkAssignMembersToGuardrail", after: "member_user_ids" }, async (trx) => {
    users = [...new Set(await keepUserIds(trx, userIds))];
    const guardrail = await lockAssignable(trx, id);
    const assigned = await trx
      .insertInto("guardrail_members")
      .values(
        users.toSorted().map((user_id) => ({ user_id, spend_id: memberSpendId(user_id), ...newAssignment(ctx, id) })),
      )
      .onConflict((conflict) =>
        conflict
          .column("user_id")
          .doUpdateSet(replaced)
          .whereRef("guardrail_members.guardrail_id", "!=", "excluded.guardrail_id"),
      )
      .returning("user_id")
      .execute();
    return { guardrail, ids: assigned.map(({ user_id }) => user_id) };
  });
  return { assigned_count: users.length };
}

/** @returns how many users had it */
export async function unassignMembers(
  ctx: Context,
  id: string,
  userIds: readonly string[],
): Promise<{ unassigned_count: number }> {
  refuseUnlessManagement(ctx);
  const removed = await change(
    ctx,
    { action: "bulkUnassignMembersFromGuardrail", before: "member_user_ids" },
    async (trx) => {
      const guardrail = await lockGuardrail(trx, id);
      const rows = await trx
        .deleteFrom("guardrail_members")
        .where("guardrail_id", "=", id)
        .where("user_id", "in", await knownUserIds(trx, userIds))
        .returning("user_id")
        .execute();
      return { guardrail, ids: rows.map(({ user_id }) => user_id) };
    },
  );
  return { unassigned_count: removed };
}

type Member = "key_hashes" | "member_user_ids";

/** How the audit log shows assignments that came (`after`) or went (`before`). */
interface Audited {
  readonly action: EndpointName;
  readonly before?: Member;
  readonly after?: Member;
}

/** The keys or members that a guardrail was given to or taken from, by their ids. */
interface Changed {
  readonly guardrail: GuardrailRow;
  readonly ids: readonly string[];
}

/** One transaction with its audit row, which every process then knows of. @returns how many assignments it changed */
async function change(ctx: Context, audited: Audited, work: (trx: Trx) => Promise<Changed>): Promise<number> {
  const { guardrail, ids } = await ctx.store.db.transaction().execute(async (trx) => {
    const changed = await work(trx);
    await record(trx, ctx, audited, changed);
    return changed;
  });
  if (ids.length > 0) {
    await ctx.guardrails.changed(ctx);
    if (audited.after !== undefined) await recallBudget(ctx, guardrail);
  }
  return ids.length;
}

/** What an assignment in place of another one sets. */
const replaced = {
  id: sql<string>`excluded.id`,
  guardrail_id: sql<string>`excluded.guardrail_id`,
  assigned_by: sql<string | null>`excluded.assigned_by`,
  created_at: sql<Date>`excluded.created_at`,
};

interface Assignment {
  readonly id: string;
  readonly guardrail_id: string;
  readonly assigned_by: string | null;
  readonly created_at: Date;
}

function newAssignment(ctx: Context, guardrailId: string): Assignment {
  return { id: randomUUID(), guardrail_id: guardrailId, assigned_by: ctx.actor.name, created_at: ctx.now() };
}

async function lockAssignable(trx: Trx, id: string): Promise<GuardrailRow> {
  const guardrail = await lockGuardrail(trx, id);
  if (!guardrail.is_default) return guardrail;
  throw invalid("", "A workspace's default guardrail covers all of its keys and cannot be assigned");
}

/**
 * Locks keys of the guardrail's workspace, so that none is deleted meanwhile or has another one made.
 * @returns them and those that they had made, each once and in the order in which rows are locked
 */
async function lockKeys(
  trx: Trx,
  { workspace_id }: GuardrailRow,
  hashes: readonly string[],
): Promise<readonly string[]> {
  const lock = async (column: "hash" | "made_by", values: readonly string[]) => {
    const rows = await trx
      .selectFrom("api_keys")
      .select("hash")
      .where(sql<boolean>`${sql.ref(column)} = any(${values}::text[])`)
      .where("kind", "=", "ordinary")
      .where("workspace_id", "=", workspace_id)
      .where("deleted_at", "is", null)
      .orderBy("hash")
      .forKeyShare()
      .execute();
    return rows.map(({ hash }) => hash);
  };
  const known = new Set(await lock("hash", hashes));
  const index = hashes.findIndex((hash) => !known.has(hash));
  if (index !== -1) throw invalid(`key_hashes.${index}`, "must be the hash of a key of the guardrail's workspace");
  // What a replaced key had made lives until that one ends, and belongs to its successor too.
  const { rows: makers } = await sql<{ hash: string }>`
    with recursive maker as (
      select hash, replaces from api_keys where hash = any(${[...known]}::text[])
      union select k.hash, k.replaces from maker m join api_keys k on k.hash = m.replaces
    ) select hash from maker`.execute(trx);
  const made = await lock(
    "made_by",
    makers.map(({ hash }) => hash),
  );
  return [...new Set([...known, ...made])].toSorted();
}

/** Nothing changed means no row. */
async function record(trx: Trx, ctx: Context, { action, before, after }: Audited, { guardrail, ids }: Changed) {
  if (ids.length === 0) return;
  const members = (member: Member | undefined) => (member === undefined ? {} : { [member]: ids });
  await recordChange(trx, ctx, { action, target: target(guardrail), before: members(before), after: members(after) });
}

/** A deleted key has no guardrail. */
export async function forgetKey(trx: Trx, hash: string): Promise<void> {
  await trx.deleteFrom("guardrail_keys").where("key_hash", "=", hash).execute();
}

/**
 * Keys that move to another workspace leave the guardrails that they were given in this one.
 * @returns whether one had any, which every process is to know after the commit
 */
export async function releaseKeys(trx: Trx, ctx: Context, hashes: readonly string[]): Promise<boolean> {
  const released = await trx
    .deleteFrom("guardrail_keys")
    .where(sql<boolean>`key_hash = any(${hashes}::text[])`)
    .returning(["guardrail_id", "key_hash"])
    .execute();
  for (const [id, rows] of Map.groupBy(released, ({ guardrail_id }) => guardrail_id)) {
    const changed = { guardrail: await findGuardrail(trx, id), ids: rows.map(({ key_hash }) => key_hash).toSorted() };
    await record(trx, ctx, { action: "updateKey", before: "key_hashes" }, changed);
  }
  return released.length > 0;
}

/** The guardrail of a key that is replaced, or that has another one made, covers that one as well. */
export async function coverSuccessor(
  trx: Trx,
  ctx: Context,
  { hash, successor, isAddition }: { readonly hash: string; readonly successor: string; readonly isAddition?: boolean },
): Promise<null> {
  const found = await trx
    .selectFrom("guardrail_keys")
    .select("guardrail_id")
    .where("key_hash", "=", hash)
    .executeTakeFirst();
  if (found === undefined) return null;
  const guardrail = await lockGuardrail(trx, found.guardrail_id);
  await trx
    .insertInto("guardrail_keys")
    .values({ key_hash: successor, ...newAssignment(ctx, guardrail.id) })
    .execute();
  const action = isAddition === true ? "exchangeAuthCode" : "rotateKey";
  await record(trx, ctx, { action, after: "key_hashes" }, { guardrail, ids: [successor] });
  // Nothing is left to do after the commit: no process has asked for the guardrails of a key that was just made.
  return null;
}
