import { canaryKeyLimit } from "#contract/canaries.ts";
import type { KeyPurpose } from "#contract/keys.ts";
import { toNanoUsd } from "#contract/money.ts";
import type { UnusableReason } from "#contract/refused-calls.ts";
import type { Context } from "../context.ts";
import type { Credential } from "./credentials.ts";
import { recordCreation } from "./changes.ts";
import { generateKey } from "./format.ts";
import { insertKey } from "./row.ts";
import { refuseUnlessManagement } from "../permission.ts";
import { Refusal } from "../refusal.ts";
import { requireWorkspace } from "../workspaces/row.ts";

interface Purpose {
  readonly name: string;
  readonly whose: string;
  /** until an admin sets another one: what the gateway does by itself should not surprise */
  readonly limitUsd: number;
  readonly reason?: UnusableReason;
}

const purposes: Readonly<Record<KeyPurpose, Purpose>> = {
  playground: { name: "Playground", whose: "The playground's", limitUsd: 10, reason: "playground_key" },
  canary: { name: "Drift canaries", whose: "The drift canaries'", limitUsd: canaryKeyLimit },
};

/**
 * The key that the gateway itself calls with for a workspace, created on first use. Its plaintext is discarded as soon as
 * it is hashed: nobody else can call with it, and it is limited, metered and listed like any other key.
 *
 * @param known called with the key before it is refused
 * @throws Refusal 400 where there is no such workspace; 403 where the key was disabled or has expired: a 401 would say that the session has
 */
export async function purposeCredential(
  ctx: Context,
  workspaceId: string,
  purpose: KeyPurpose,
  known: (credential: Credential) => void = () => {},
): Promise<Credential> {
  refuseUnlessManagement(ctx);
  const hash = (await find(ctx, workspaceId, purpose)) ?? (await make(ctx, workspaceId, purpose));
  const credential = await ctx.credentials.read(ctx, hash);
  const unusable = (why: string) => {
    const { whose, reason } = purposes[purpose];
    return new Refusal("permission_denied", `${whose} key of this workspace ${why}`, reason && { reason });
  };
  if (credential === null || credential.deletedAt !== null) throw unusable("was deleted: try again");
  known(credential);
  const { disabled, expiresAt } = credential;
  if (disabled) throw unusable("is disabled: enable it, or delete it and the next call makes another one");
  if (expiresAt !== null && expiresAt <= ctx.now())
    throw unusable(`expired on ${expiresAt.toISOString()}: delete it and the next call makes another one`);
  return credential;
}

async function find(ctx: Context, workspaceId: string, purpose: KeyPurpose): Promise<string | null> {
  const found = await ctx.store.db
    .selectFrom("api_keys as k")
    .innerJoin("workspaces as w", "w.id", "k.workspace_id")
    .select("k.hash")
    .where("k.workspace_id", "=", workspaceId)
    .where("k.purpose", "=", purpose)
    .where("k.deleted_at", "is", null)
    .where("w.deleted_at", "is", null)
    .executeTakeFirst();
  return found?.hash ?? null;
}

/** Two concurrent first calls create one key: the second waits for the workspace's lock and finds the first's key. */
async function make(ctx: Context, workspaceId: string, purpose: KeyPurpose): Promise<string> {
  const made = await ctx.store.db.transaction().execute(async (trx) => {
    const workspace = await requireWorkspace(trx, workspaceId);
    await trx.selectFrom("workspaces").select("id").where("id", "=", workspace.id).forNoKeyUpdate().executeTakeFirst();
    const there = await trx
      .selectFrom("api_keys")
      .select("hash")
      .where("workspace_id", "=", workspace.id)
      .where("purpose", "=", purpose)
      .where("deleted_at", "is", null)
      .executeTakeFirst();
    if (there !== undefined) return there.hash;
    const { name, limitUsd } = purposes[purpose];
    const row = await insertKey(
      trx,
      {
        plaintext: generateKey("ordinary"),
        workspaceId: workspace.id,
        purpose,
        createdBy: ctx.actor.name,
        settings: { name, limit_nano: toNanoUsd(limitUsd), limit_reset: "monthly" },
      },
      ctx.now(),
    );
    await recordCreation(trx, ctx, "createKey", row);
    return row.hash;
  });
  await ctx.credentials.invalidate(ctx, made);
  return made;
}
