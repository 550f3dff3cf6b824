import type { Context } from "../context.ts";
import { notFound, Refusal } from "../refusal.ts";

/**
 * The workspaces that a ledger query covers: the given one, or all of them. Deleted ones are included:
 * what was spent in them stays spent.
 */
export async function workspaceScope(ctx: Context, id: string | undefined): Promise<string[]> {
  const query = ctx.store.db.selectFrom("workspaces").select("id");
  if (id === undefined || id === "all") return (await query.execute()).map((row) => row.id);
  const found = await query.where("id", "=", id).executeTakeFirst();
  if (found === undefined) throw notFound("There is no workspace with this id");
  return [found.id];
}

/**
 * The workspace whose records the caller means: an API key's own, else the given one, or the default one.
 * @param what the records, for the refusal
 * @throws Refusal permission_denied or not_found
 */
export async function callersWorkspace(
  { store, actor }: Context,
  id: string | undefined,
  what: string,
): Promise<string> {
  if (actor.kind === "ordinary") {
    if (id === undefined || id === actor.workspaceId) return actor.workspaceId;
    throw new Refusal("permission_denied", `An API key has the ${what} of its own workspace only`);
  }
  const living = store.db.selectFrom("workspaces").select("id").where("deleted_at", "is", null);
  const found = await (
    id === undefined ? living.where("is_default", "=", true) : living.where("id", "=", id)
  ).executeTakeFirst();
  if (found === undefined) throw notFound("There is no workspace with this id");
  return found.id;
}
