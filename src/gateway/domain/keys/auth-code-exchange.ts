import type { Transaction } from "kysely";
import type { Tables } from "../../storage/tables.ts";
import type { Context } from "../context.ts";
import { pick } from "../patch.ts";
import { Refusal } from "../refusal.ts";
import { type AuthCodeRow, type ExchangeBody, hashSecret, wrongExchange } from "./auth-code-check.ts";
import { recordCreation } from "./changes.ts";
import { actorOf, lockMaker, refuseMaker } from "./code-maker.ts";
import { generateKey } from "./format.ts";
import { earlier } from "./made-keys.ts";
import type { KeyRow } from "./record.ts";
import type { Follow } from "./rotation.ts";
import { insertKey } from "./row.ts";

type Trx = Transaction<Tables>;

/**
 * Exchanges a code for a key. Of two exchanges at once, one gets the key: the other finds the code gone.
 *
 * @param follow the lists that take the calls of the key that made the code, and then those of the new one too
 * @returns the plaintext, which is available only here
 * @throws Refusal 403; 400 where another challenge method is named; 429 after too many failures
 */
export async function exchange(
  ctx: Context,
  body: ExchangeBody,
  follow: readonly Follow[],
): Promise<{ key: string; user_id: string | null }> {
  const now = ctx.now();
  ctx.exchangeAttempts.refuseTooMany(ctx.sourceIp, now);
  const plaintext = generateKey("ordinary");
  const outcome = await ctx.store.db.transaction().execute(async (trx) => {
    const code = await trx
      .selectFrom("auth_codes")
      .selectAll()
      .where("code_hash", "=", hashSecret(body.code))
      .forUpdate()
      .executeTakeFirst();
    if (code === undefined) return refused("This code is not known here, or was used before");
    const wrong = wrongExchange(code, body, now);
    // It stays where only the method is wrong, which says nothing of the verifier.
    if (wrong?.type === "invalid_request") return wrong;
    await trx.deleteFrom("auth_codes").where("code_hash", "=", code.code_hash).execute();
    return wrong ?? (await makeKey(trx, ctx, { code, plaintext, follow }));
  });
  if (outcome instanceof Refusal) {
    ctx.exchangeAttempts.failed(ctx.sourceIp, now);
    throw outcome;
  }
  ctx.exchangeAttempts.succeeded(ctx.sourceIp);
  for (const tell of outcome.committed) await tell?.();
  return { key: plaintext, user_id: outcome.row.creator_user_id };
}

interface CodeToUse {
  readonly code: AuthCodeRow;
  readonly plaintext: string;
  readonly follow: readonly Follow[];
}

/** @returns the key, or why it cannot be made any more */
async function makeKey(trx: Trx, ctx: Context, { code, plaintext, follow }: CodeToUse) {
  const now = ctx.now();
  const agreed = await lockMaker(trx, code.made_by);
  if (agreed === null || agreed.disabled || hasPassed(agreed.expires_at, now))
    return refused("The key with which this code was made no longer works: start again");
  // A management key only stands for the admin who agreed; an API key gives of its own.
  const maker = agreed.kind === "ordinary" ? agreed : null;
  const refusal = maker && (await refuseMaker(trx, maker));
  if (refusal !== null) return refused(refusal.message);
  if (!(await isLiving(trx, code.workspace_id))) return refused("The workspace that the key was for was deleted");
  const expires_at = earlier(code.key_expires_at, maker?.expires_at ?? null);
  if (hasPassed(expires_at, now)) return refused("The key that this code was for would have expired by now");
  const row = await insertKey(
    trx,
    {
      plaintext,
      workspaceId: code.workspace_id,
      creatorUserId: maker?.creator_user_id ?? null,
      externalUser: maker?.external_user ?? null,
      createdBy: agreed.name,
      oauth: { oauth_app: code.app, made_by: maker?.hash ?? null, rate_scope: maker?.spend_id ?? null },
      settings: { ...settingsOf(code, maker), expires_at },
    },
    now,
  );
  await recordCreation(trx, { ...ctx, actor: actorOf(agreed) }, "exchangeAuthCode", row);
  const committed: Awaited<ReturnType<Follow>>[] = [];
  if (maker !== null) {
    const addition = { hash: maker.hash, successor: row.hash, isAddition: true };
    for (const each of follow) committed.push(await each(trx, ctx, addition));
  }
  return { row, committed };
}

const watched = { limit_nano: null, limit_reset: null, include_byok_in_limit: false, limit_watch_only: true };

/** What the code says, and what an API key must not lose by having another one made: rates, and a limit that is watched. */
function settingsOf({ name, limit_nano, limit_reset }: AuthCodeRow, maker: KeyRow | null) {
  const asked = { name, limit_nano, limit_reset };
  if (maker === null) return asked;
  return {
    ...asked,
    ...(limit_nano === null && maker.limit_watch_only ? pick(maker, watched) : {}),
    requests_per_minute: maker.requests_per_minute,
    tokens_per_minute: maker.tokens_per_minute,
  };
}

async function isLiving(trx: Trx, workspaceId: string): Promise<boolean> {
  const found = await trx
    .selectFrom("workspaces")
    .select("id")
    .where("id", "=", workspaceId)
    .where("deleted_at", "is", null)
    .forKeyShare()
    .executeTakeFirst();
  return found !== undefined;
}

const hasPassed = (at: Date | null, now: Date) => at !== null && at <= now;
const refused = (message: string) => new Refusal("permission_denied", message);
