import type { Context } from "./context.ts";
import type { Credential } from "./credentials.ts";
import { recordCreation } from "./key-changes.ts";
import { generateKey } from "./key-format.ts";
import { insertKey } from "./key-row.ts";
import { refuseUnlessManagement } from "./permission.ts";
import { Refusal } from "./refusal.ts";
import { requireWorkspace } from "./workspace-row.ts";

/** What a playground may spend in a month until an admin sets another limit: trying things out should not surprise. */
const firstLimit = { limit: 10_000_000_000n, reset: "monthly", includeByok: false } as const;

/**
 * The key that a workspace's playground calls with, made on first use. Its plaintext is thrown away as soon as it is
 * hashed: only a console session can call with it, and it is limited, metered and listed like any other key.
 *
 * @throws Refusal 400 where there is no such workspace; 403 where the key was disabled or has expired: a 401 would say that the session has
 */
export async function playgroundCredential(ctx: Context, workspaceId: string): Promise<Credential> {
  refuseUnlessManagement(ctx);
  const hash = (await find(ctx, workspaceId)) ?? (await make(ctx, workspaceId));
  const credential = await ctx.credentials.read(ctx, hash);
  if (credential === null || credential.deletedAt !== null) throw unusable("was deleted: try again");
  const { disabled, expiresAt } = credential;
  if (disabled) throw unusable("is disabled: enable it, or delete it and the next call makes another one");
  if (expiresAt !== null && expiresAt <= ctx.now())
    throw unusable(`expired on ${expiresAt.toISOString()}: delete it and the next call makes another one`);
  return credential;
}

function unusable(why: string): Refusal {
  return new Refusal("permission_denied", `The playground's key of this workspace ${why}`, {
    reason: "playground_key",
  });
}

async function find(ctx: Context, workspaceId: string): Promise<string | null> {
  const found = await ctx.store.db
    .selectFrom("api_keys as k")
    .innerJoin("workspaces as w", "w.id", "k.workspace_id")
    .select("k.hash")
    .where("k.workspace_id", "=", workspaceId)
    .where("k.purpose", "=", "playground")
    .where("k.deleted_at", "is", null)
    .where("w.deleted_at", "is", null)
    .executeTakeFirst();
  return found?.hash ?? null;
}

/** Two first calls at once make one key: the second finds what the first has made while it held the workspace. */
async function make(ctx: Context, workspaceId: string): Promise<string> {
  const made = await ctx.store.db.transaction().execute(async (trx) => {
    const workspace = await requireWorkspace(trx, workspaceId);
    await trx.selectFrom("workspaces").select("id").where("id", "=", workspace.id).forNoKeyUpdate().executeTakeFirst();
    const there = await trx
      .selectFrom("api_keys")
      .select("hash")
      .where("workspace_id", "=", workspace.id)
      .where("purpose", "=", "playground")
      .where("deleted_at", "is", null)
      .executeTakeFirst();
    if (there !== undefined) return there.hash;
    const row = await insertKey(
      trx,
      {
        plaintext: generateKey("ordinary"),
        name: "Embeddings playground",
        workspaceId: workspace.id,
        purpose: "playground",
        createdBy: ctx.actor.name,
        limit: firstLimit,
      },
      ctx.now(),
    );
    await recordCreation(trx, ctx, "createKeys", row);
    return row.hash;
  });
  await ctx.credentials.invalidate(ctx, made);
  return made;
}
