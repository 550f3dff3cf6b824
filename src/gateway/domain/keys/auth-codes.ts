import { createHash, randomBytes } from "node:crypto";
import type { Transaction } from "kysely";
import { type AppCallback, callbackWithCode, readAppCallback } from "#contract/app-callback.ts";
import type { Output, Parsed } from "#contract/endpoint.ts";
import { toNanoUsd, toUsd } from "#contract/money.ts";
import { authCodeMs, type authorizeApp, type createAuthCode } from "#contract/oauth.ts";
import type { Tables } from "../../storage/tables.ts";
import { recordChange } from "../audit.ts";
import type { Context } from "../context.ts";
import { refuseUnlessManagement } from "../permission.ts";
import { invalid, Refusal } from "../refusal.ts";
import { requireWorkspace } from "../workspaces/row.ts";
import { type AuthCodeRow, hashSecret } from "./auth-code-check.ts";
import { lockMaker, refuseMaker } from "./code-maker.ts";
import { futureInstant } from "./settings.ts";

/** Expired codes stay this long, so that their exchange says why it fails. */
const keptMs = 60 * 60_000;
const withoutCallback = "OAuth app";

/**
 * Consents to a key for an app, for the signed-in admin.
 * @returns where to send the browser, or the code where the app has no address
 */
export async function authorize(
  ctx: Context,
  { name, limit, limit_reset, expires_at, workspace_id, ...sent }: Parsed<typeof authorizeApp>["body"],
): Promise<Output<typeof authorizeApp>> {
  refuseUnlessManagement(ctx);
  const now = ctx.now();
  const callback = callbackOf(sent.callback_url);
  const expiresAt = futureInstant(expires_at, now);
  const { code, row } = await ctx.store.db.transaction().execute(async (trx) => {
    const workspace = await requireWorkspace(trx, workspace_id);
    const made = await insertCode(trx, ctx, sent, {
      app: callback?.app ?? "",
      workspace_id: workspace.id,
      name,
      limit_nano: limit === null ? null : toNanoUsd(limit),
      limit_reset,
      key_expires_at: expiresAt,
    });
    const app = callback?.app ?? withoutCallback;
    await recordChange(trx, ctx, {
      action: "authorizeApp",
      target: { type: "app", id: app, name: app, workspaceId: workspace.id },
      before: null,
      after: { ...shownCode(made.row), callback: callback?.place ?? null },
    });
    return made;
  });
  return {
    data: {
      redirect_url: callback === null ? null : callbackWithCode(callback, code),
      code: callback === null ? code : null,
      expires_at: row.expires_at.toISOString(),
    },
  };
}

/**
 * Makes a code with an API key.
 * @throws Refusal 403 where the key may not have keys made; 409 where it has too many; 429
 */
export async function create(
  ctx: Context,
  { limit, usage_limit_type, expires_at, key_label, workspace_id, ...sent }: Parsed<typeof createAuthCode>["body"],
): Promise<Output<typeof createAuthCode>> {
  const { actor } = ctx;
  if (actor.kind !== "ordinary") throw new Refusal("permission_denied", "Only an API key makes codes");
  const now = ctx.now();
  ctx.authCodeRates.count(actor.keyHash, now);
  if (workspace_id !== undefined && workspace_id !== actor.workspaceId) {
    throw new Refusal("permission_denied", "An API key can have keys made in its own workspace only");
  }
  const callback = callbackOf(sent.callback_url);
  const expiresAt = expires_at === undefined ? null : futureInstant(expires_at, now);
  const app = callback?.app ?? "";
  const { code, row } = await ctx.store.db.transaction().execute(async (trx) => {
    const maker = await lockMaker(trx, actor.keyHash);
    if (maker === null) throw new Refusal("authentication", "This API key was deleted");
    const refusal = await refuseMaker(trx, maker);
    if (refusal !== null) throw refusal;
    return await insertCode(trx, ctx, sent, {
      app,
      workspace_id: actor.workspaceId,
      name: key_label ?? app,
      limit_nano: limit === undefined ? null : toNanoUsd(limit),
      limit_reset: usage_limit_type ?? null,
      key_expires_at: expiresAt,
    });
  });
  return { data: { id: code, app_id: appId(app), created_at: row.created_at.toISOString() } };
}

interface Challenge {
  readonly code_challenge?: string | undefined;
  readonly code_challenge_method?: "S256" | "plain" | undefined;
}

type KeyToMake = Pick<AuthCodeRow, "app" | "workspace_id" | "name" | "limit_nano" | "limit_reset" | "key_expires_at">;

/** Stores a new code's hash, and drops the codes that expired. */
async function insertCode(
  trx: Transaction<Tables>,
  { actor, now }: Context,
  { code_challenge: challenge, code_challenge_method: method = "plain" }: Challenge,
  key: KeyToMake,
): Promise<{ code: string; row: AuthCodeRow }> {
  if (actor.kind === "system") throw new Error("a code was asked for without a key");
  const code = randomBytes(32).toString("base64url");
  const at = now();
  await trx
    .deleteFrom("auth_codes")
    .where("expires_at", "<=", new Date(at.getTime() - keptMs))
    .execute();
  const row = {
    code_hash: hashSecret(code),
    created_at: at,
    expires_at: new Date(at.getTime() + authCodeMs),
    made_by: actor.keyHash,
    challenge_hash: challenge === undefined ? null : hashSecret(challenge),
    challenge_method: challenge === undefined ? null : method,
    ...key,
  };
  await trx.insertInto("auth_codes").values(row).execute();
  return { code, row };
}

function callbackOf(url: string | undefined): AppCallback | null {
  if (url === undefined) return null;
  const callback = readAppCallback(url);
  if ("problem" in callback) throw invalid("callback_url", callback.problem);
  return callback;
}

/** What a consent allowed, for the audit log. */
function shownCode({ name, limit_nano, limit_reset, key_expires_at, workspace_id }: AuthCodeRow) {
  return {
    name,
    limit: limit_nano === null ? null : toUsd(limit_nano),
    limit_reset,
    expires_at: key_expires_at?.toISOString() ?? null,
    workspace_id,
  };
}

/** A number that stands for an app: clients want one, and nothing refers to it. */
function appId(app: string): number {
  return createHash("sha256").update(app).digest().readUInt32BE() >>> 1;
}
