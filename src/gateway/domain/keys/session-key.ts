import { playgroundKeyHeader } from "#contract/embeddings.ts";
import type { Context } from "../context.ts";
import { recordChange } from "../audit.ts";
import { refuseUnlessManagement } from "../permission.ts";
import { invalid, Refusal } from "../refusal.ts";
import { type Credential, whyUnusable } from "./credentials.ts";

/**
 * The key that a signed-in console calls as: it is checked, limited and charged like any call of that key, and its
 * plaintext is neither needed nor known. Keys that the gateway made for itself are not for this.
 *
 * @param known called with the key before it is refused for being disabled or expired
 * @throws Refusal 400 for what is no key of the workspace; 403 where the key cannot be used: a 401 would say that the session has ended
 */
export async function keyForSession(
  ctx: Context,
  workspaceId: string,
  hash: string,
  known: (credential: Credential) => void = () => {},
): Promise<Credential> {
  refuseUnlessManagement(ctx);
  const credential = await ctx.credentials.read(ctx, hash);
  const isOwn =
    credential !== null &&
    credential.kind === "ordinary" &&
    credential.purpose === null &&
    credential.workspaceId === workspaceId &&
    credential.deletedAt === null;
  if (!isOwn) throw invalid(playgroundKeyHeader, "must be the hash of an API key of the playground's workspace");
  known(credential);
  const unusable = whyUnusable(credential, ctx.now());
  if (unusable !== null)
    throw new Refusal("permission_denied", unusable.message, unusable.reason && { reason: unusable.reason });
  return credential;
}

/** Writes to the audit log who calls a model as this key. The call itself is on the ledger under the same request id. */
export async function recordCallAsKey(ctx: Context, { hash, name, workspaceId }: Credential): Promise<void> {
  await ctx.store.db.transaction().execute(async (trx) => {
    const target = { type: "key", id: hash, name, workspaceId };
    await recordChange(trx, ctx, { action: "createChatCompletion", target, before: null, after: null });
  });
}
