import { randomUUID } from "node:crypto";
import { mostScimTokens, type ScimTokenRecord } from "#contract/scim.ts";
import { recordChange } from "../audit.ts";
import type { Actor, Context, Deps } from "../context.ts";
import { generateKey, hashKey, labelKey, readKey } from "../keys/format.ts";
import { refuseUnlessManagement } from "../permission.ts";
import { notFound, Refusal } from "../refusal.ts";
import { changeDirectory } from "./lock.ts";
import { unknownToken } from "./refusals.ts";
import { countOf } from "../count-of.ts";

/** The tokens of identity providers, newest first. */
export async function list(ctx: Context): Promise<{ data: ScimTokenRecord[] }> {
  refuseUnlessManagement(ctx);
  const rows = await ctx.store.db
    .selectFrom("scim_tokens")
    .selectAll()
    .orderBy("created_at", "desc")
    .orderBy("id")
    .execute();
  return { data: rows.map(record) };
}

/** @returns the record, and the plaintext, which is available only here @throws Refusal 409: there are enough */
export async function create(
  ctx: Context,
  { name }: { name: string },
): Promise<{ data: ScimTokenRecord; token: string }> {
  refuseUnlessManagement(ctx);
  const token = generateKey("scim");
  const row = await changeDirectory(ctx, async (trx) => {
    const count = await countOf(trx.selectFrom("scim_tokens"));
    if (count >= mostScimTokens) {
      throw new Refusal("conflict", `There are ${mostScimTokens} SCIM tokens already: delete one first`);
    }
    const row = await trx
      .insertInto("scim_tokens")
      .values({
        hash: hashKey(token),
        id: randomUUID(),
        name,
        label: labelKey(token),
        created_at: ctx.now(),
        created_by: ctx.actor.name,
        last_used_at: null,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    await recordChange(trx, ctx, { action: "createScimToken", target: target(row), before: null, after: members(row) });
    return row;
  });
  return { data: record(row), token };
}

/** @throws Refusal 404 */
export async function remove(ctx: Context, id: string): Promise<{ deleted: true }> {
  refuseUnlessManagement(ctx);
  await ctx.store.db.transaction().execute(async (trx) => {
    const row = await trx.deleteFrom("scim_tokens").where("id", "=", id).returningAll().executeTakeFirst();
    if (row === undefined) throw notFound("There is no SCIM token with this id");
    await recordChange(trx, ctx, { action: "deleteScimToken", target: target(row), before: members(row), after: null });
  });
  return { deleted: true };
}

const useStepMs = 5 * 60_000;

/** Whose token it is. Nothing of it is cached: a deleted one ends at once. @throws Refusal 401 */
export async function findDirectory(deps: Deps, plaintext: string): Promise<Actor> {
  const form = readKey(plaintext);
  if (form !== "scim") {
    throw new Refusal("authentication", "SCIM needs a token of its own, which begins with sk-gh-scim-, whole");
  }
  const hash = hashKey(plaintext);
  const row = await deps.store.db.selectFrom("scim_tokens").selectAll().where("hash", "=", hash).executeTakeFirst();
  if (row === undefined) throw unknownToken();
  const now = deps.now();
  if (row.last_used_at === null || now.getTime() - row.last_used_at.getTime() >= useStepMs) {
    await deps.store.db.updateTable("scim_tokens").set({ last_used_at: now }).where("hash", "=", hash).execute();
  }
  return { kind: "directory", keyHash: hash, name: row.name };
}

interface Row {
  id: string;
  name: string;
  label: string;
  created_at: Date;
  created_by: string | null;
  last_used_at: Date | null;
}

function record({ id, name, label, created_at, created_by, last_used_at }: Row): ScimTokenRecord {
  return {
    id,
    name,
    label,
    created_at: created_at.toISOString(),
    created_by,
    last_used_at: last_used_at?.toISOString() ?? null,
  };
}

const members = ({ name, label }: Row) => ({ name, label });
const target = ({ id, name }: Row) => ({ type: "scim_token", id, name, workspaceId: null });
