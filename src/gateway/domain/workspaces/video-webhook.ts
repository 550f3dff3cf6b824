import { createHmac, randomBytes } from "node:crypto";
import type { Selectable } from "kysely";
import type { EndpointName } from "#contract/api.ts";
import type { VideoWebhookRecord } from "#contract/video-webhooks.ts";
import type { VideoWebhooksTable } from "../../storage/video-tables.ts";
import { recordChange } from "../audit.ts";
import type { Context, Deps } from "../context.ts";
import { refuseUnlessManagement } from "../permission.ts";
import { videoWebhookAad, videoWebhookUrlAad } from "../secrets/aad.ts";
import { shownChange } from "../secrets/address.ts";
import { maskSecret } from "../secrets/mask.ts";
import { findWorkspace, lockWorkspace } from "./row.ts";

type Row = Selectable<VideoWebhooksTable>;
type Sealing = Pick<Deps, "store" | "secrets">;

/** Where a workspace is told of its videos; null: nowhere. */
export async function callbackOf(deps: Sealing, workspaceId: string): Promise<string | null> {
  return addressOf(deps, await find(deps, workspaceId));
}

/**
 * Seals the addresses that versions before kept in the clear; call it at every start, once the key is known to be the
 * store's.
 */
export async function sealAddresses(deps: Sealing): Promise<void> {
  const rows = await deps.store.db.selectFrom("video_webhooks").selectAll().where("url", "like", `${plain}%`).execute();
  for (const { workspace_id: id, url } of rows) {
    const sealed = url === null ? null : sealAddress(deps, id, url);
    await deps.store.db
      .updateTable("video_webhooks")
      .set({ url: sealed })
      .where("workspace_id", "=", id)
      .where("url", "=", url)
      .execute();
  }
}

/**
 * The signature of a message, in the public API's form: the HMAC of the time, a comma and the body. Null: the workspace
 * has no secret.
 */
export async function signatureOf(
  deps: Sealing,
  workspaceId: string,
  { body, at }: { readonly body: string; readonly at: Date },
): Promise<string | null> {
  const row = await find(deps, workspaceId);
  if (row?.secret == null) return null;
  const secret = deps.secrets.open(row.secret, videoWebhookAad(workspaceId));
  const seconds = Math.floor(at.getTime() / 1_000);
  return `t=${seconds},v1=${createHmac("sha256", secret).update(`${seconds},${body}`).digest("hex")}`;
}

/** @param reference of the workspace: id or slug */
export async function get(ctx: Context, reference: string): Promise<{ data: VideoWebhookRecord }> {
  refuseUnlessManagement(ctx);
  const { id } = await findWorkspace(ctx.store.db, reference);
  return { data: record(ctx, await find(ctx, id)) };
}

export async function update(
  ctx: Context,
  reference: string,
  { url }: { readonly url: string | null },
): Promise<{ data: VideoWebhookRecord }> {
  const row = await write(ctx, reference, "updateVideoWebhook", (workspaceId) => ({
    url: url === null ? null : sealAddress(ctx, workspaceId, url),
  }));
  return { data: record(ctx, row) };
}

/** A new secret, which signs from now on; it is shown this once. */
export async function rotateSecret(
  ctx: Context,
  reference: string,
): Promise<{ data: VideoWebhookRecord; secret: string }> {
  const secret = `whsec_${randomBytes(32).toString("base64url")}`;
  const row = await write(ctx, reference, "rotateVideoWebhookSecret", (workspaceId) => ({
    secret: ctx.secrets.seal(secret, videoWebhookAad(workspaceId)),
    secret_label: maskSecret(secret),
    secret_created_at: ctx.now(),
  }));
  return { data: record(ctx, row), secret };
}

/** The address and the secret: messages to jobs' own addresses are not signed any more. */
export async function remove(ctx: Context, reference: string): Promise<{ data: VideoWebhookRecord }> {
  refuseUnlessManagement(ctx);
  await ctx.store.db.transaction().execute(async (trx) => {
    const { id, name } = await lockWorkspace(trx, reference);
    const before = await trx
      .deleteFrom("video_webhooks")
      .where("workspace_id", "=", id)
      .returningAll()
      .executeTakeFirst();
    if (before === undefined) return;
    await recordChange(trx, ctx, {
      action: "deleteVideoWebhook",
      target: { type: "video_webhook", id, name, workspaceId: id },
      ...audited(record(ctx, before), null),
    });
  });
  return { data: record(ctx, undefined) };
}

type Change = Partial<Pick<Row, "url" | "secret" | "secret_label" | "secret_created_at">>;

async function write(
  ctx: Context,
  reference: string,
  action: EndpointName,
  changeOf: (workspaceId: string) => Change,
): Promise<Row> {
  refuseUnlessManagement(ctx);
  return await ctx.store.db.transaction().execute(async (trx) => {
    const { id, name } = await lockWorkspace(trx, reference);
    const before = await trx.selectFrom("video_webhooks").selectAll().where("workspace_id", "=", id).executeTakeFirst();
    const values = { ...changeOf(id), updated_at: ctx.now() };
    const after = await trx
      .insertInto("video_webhooks")
      .values({ workspace_id: id, ...values })
      .onConflict((conflict) => conflict.column("workspace_id").doUpdateSet(values))
      .returningAll()
      .executeTakeFirstOrThrow();
    await recordChange(trx, ctx, {
      action,
      target: { type: "video_webhook", id, name, workspaceId: id },
      ...audited(before === undefined ? null : record(ctx, before), record(ctx, after)),
    });
    return after;
  });
}

async function find({ store }: Pick<Deps, "store">, workspaceId: string): Promise<Row | undefined> {
  return await store.db
    .selectFrom("video_webhooks")
    .selectAll()
    .where("workspace_id", "=", workspaceId)
    .executeTakeFirst();
}

const plain = "https://";

const sealAddress = ({ secrets }: Pick<Deps, "secrets">, workspaceId: string, url: string) =>
  secrets.seal(url, videoWebhookUrlAad(workspaceId));

function addressOf({ secrets }: Pick<Deps, "secrets">, row: Row | undefined): string | null {
  if (row?.url == null) return null;
  // Another process may be of a version before, which writes it in the clear.
  return row.url.startsWith(plain) ? row.url : secrets.open(row.url, videoWebhookUrlAad(row.workspace_id));
}

/** Both sides of a change, with no more of an address than the audit log may have. */
function audited(before: VideoWebhookRecord | null, after: VideoWebhookRecord | null) {
  const [from, to] = shownChange(before?.url ?? null, after?.url ?? null);
  return { before: before && { ...before, url: from }, after: after && { ...after, url: to } };
}

const record = (deps: Pick<Deps, "secrets">, row: Row | undefined): VideoWebhookRecord => ({
  url: addressOf(deps, row),
  secret_label: row?.secret_label ?? null,
  secret_created_at: row?.secret_created_at?.toISOString() ?? null,
});
