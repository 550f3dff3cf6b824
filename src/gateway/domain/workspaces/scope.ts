import type { Context } from "../context.ts";
import { notFound } from "../refusal.ts";

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
