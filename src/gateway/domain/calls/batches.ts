import { type Selectable, sql } from "kysely";
import type { Parsed } from "#contract/endpoint.ts";
import {
  type BatchEndpoint,
  batchHours,
  type BatchStatus,
  type cancelBatch,
  type listBatches,
} from "#contract/batches.ts";
import { toUsd } from "#contract/money.ts";
import { hourMs } from "#contract/time.ts";
import type { BatchesTable } from "../../storage/batch-tables.ts";
import { recordChange } from "../audit.ts";
import type { Context, Deps } from "../context.ts";
import { type BatchForm, instantOfBatch, newBatchId } from "../generation-id.ts";
import type { Credential } from "../keys/credentials.ts";
import { invalid, notFound, Refusal } from "../refusal.ts";
import { callersWorkspace } from "../workspaces/scope.ts";
import { type BatchSecret, openSecret, sealRequest, sealSecret, type StoredRequest } from "./batch-content.ts";

export type BatchRow = Selectable<BatchesTable>;
/** A batch's primary key. */
export type BatchKey = Pick<BatchRow, "workspace_id" | "created_at" | "id">;

type Place = Parsed<typeof cancelBatch>["query"];

/** Batches of one key that have not ended. */
const mostOpenBatches = 20;
/** Bytes of a workspace's batches, as long as they are kept. */
export const mostWorkspaceBytes = 2 * 1_073_741_824;
export const tooMuchKept = "The batches of this workspace take 2 GB: delete some that have ended";

/** What a key or a session may see: an API key and its replacements see their own, an admin those of the workspace. */
interface Scope {
  readonly workspaceId: string;
  /** the dialect that they were sent in; null: either */
  readonly form: BatchForm | null;
  /** null: all of the workspace */
  readonly spendId: string | null;
}

/** Of all workspaces where there is no id. */
interface ListScope extends Omit<Scope, "workspaceId"> {
  readonly workspaceId: string | null;
}

export const ofKey = ({ workspaceId, spendId }: Credential, form: BatchForm): Scope => ({
  workspaceId: workspaceId ?? "",
  form,
  spendId,
});

/** @param credential null: a session asks */
export async function scopeOf(ctx: Context, credential: Credential | null, { workspace_id }: Place): Promise<Scope> {
  const workspaceId = await callersWorkspace(ctx, workspace_id, "batches");
  if (credential?.kind === "ordinary") return ofKey(credential, "public");
  return { workspaceId, form: null, spendId: null };
}

/** Whose batches are listed: a management key may ask for those of all workspaces. */
export async function listScopeOf(
  ctx: Context,
  credential: Credential | null,
  { workspace_id: id }: Place,
): Promise<ListScope> {
  const isAll = id === "all" && credential?.kind !== "ordinary";
  return isAll
    ? { workspaceId: null, form: null, spendId: null }
    : await scopeOf(ctx, credential, { workspace_id: id });
}

interface NewBatch {
  readonly form: BatchForm;
  readonly endpoint: BatchEndpoint;
  readonly model: string | null;
  readonly credential: Credential;
  readonly secret: BatchSecret;
}

/** What a batch's row and each row of a request take beside what is sealed, with their indexes. */
const batchRowBytes = 1_024;
export const requestRowBytes = 512;

/**
 * Makes a batch whose requests are still to come: nobody sees it until `openBatch`.
 * @throws Refusal rate_limit_exceeded or payload_too_large where its key has too many, or its workspace keeps too much;
 * unavailable where its key has moved to another workspace meanwhile
 */
export async function beginBatch(deps: Pick<Deps, "store" | "secrets" | "now">, given: NewBatch): Promise<BatchKey> {
  const { form, endpoint, model, credential, secret } = given;
  const { workspaceId, spendId } = ofKey(credential, form);
  const createdAt = deps.now();
  const key = { workspace_id: workspaceId, created_at: createdAt, id: newBatchId(form, createdAt) };
  const row = {
    ...key,
    form,
    key_hash: credential.hash,
    spend_id: spendId ?? "",
    endpoint,
    model,
    status: "receiving" as const,
    sealed: sealSecret(deps, key.id, secret),
    ...nothingYet,
    expires_at: new Date(createdAt.getTime() + batchHours * hourMs),
  };
  await deps.store.db.transaction().execute(async (trx) => {
    // Held until the end, so that the key cannot move before its batch is seen.
    const held = trx.selectFrom("api_keys").select("workspace_id").where("hash", "=", credential.hash).forShare();
    if ((await held.executeTakeFirst())?.workspace_id !== workspaceId)
      throw new Refusal("unavailable", "The key was just moved to another workspace: send the batch again", again);
    // Its row is held until the end: of batches that come at once, each finds those before it.
    const { rows } = await sql<{ bytes: bigint }>`
      insert into batch_space as s (workspace_id, bytes) values (${workspaceId}, ${batchRowBytes})
      on conflict (workspace_id) do update set bytes = s.bytes + excluded.bytes
      returning s.bytes`.execute(trx);
    if ((rows[0]?.bytes ?? 0n) >= mostWorkspaceBytes) throw new Refusal("payload_too_large", tooMuchKept);
    await refuseTooMany(trx, row.spend_id);
    await trx.insertInto("batches").values(row).execute();
  });
  return key;
}

const again = { retryAfterSeconds: 1 };

const nothingYet = {
  bytes: BigInt(batchRowBytes),
  total: 0,
  completed: 0,
  failed: 0,
  cancelled: 0,
  expired: 0,
  prompt_tokens: 0n,
  completion_tokens: 0n,
};

async function refuseTooMany(trx: Deps["store"]["db"], spendId: string): Promise<void> {
  const { rows } = await sql<{ open: number }>`
    select count(*)::integer as open from batches where spend_id = ${spendId} and ended_at is null`.execute(trx);
  if ((rows[0]?.open ?? 0) < mostOpenBatches) return;
  const message = `This key has ${mostOpenBatches} batches that have not ended: try again when one has`;
  throw new Refusal("rate_limit_exceeded", message, { retryAfterSeconds: 60 });
}

interface NumberedRequest extends StoredRequest {
  readonly n: number;
}

/**
 * Adds requests to a batch that is not open yet, and counts what they take, in one statement: a batch that is about to go
 * gets none.
 * @throws Refusal payload_too_large where its workspace keeps too much now
 */
export async function addRequests(
  { store }: Pick<Deps, "store">,
  batch: BatchKey,
  secret: BatchSecret,
  requests: readonly NumberedRequest[],
): Promise<void> {
  const { id } = batch;
  const sealed = requests.map(({ n, ...request }) => ({
    n,
    request: sealRequest(secret.key, { batchId: id, n }, request),
  }));
  const more = sealed.reduce((sum, { request }) => sum + request.length + requestRowBytes, 0);
  const values = sealed.map(({ n, request }) => sql`(${n}::integer, ${request}::bytea)`);
  const { rows } = await sql<{ bytes: bigint }>`
    with batch as (
      update batches set bytes = bytes + ${more} where ${isBatch(batch)} and status = 'receiving'
      returning workspace_id, created_at, id
    ), space as (
      update batch_space s set bytes = s.bytes + ${more} from batch where s.workspace_id = batch.workspace_id
      returning s.bytes
    ), added as (
      insert into batch_requests (workspace_id, created_at, batch_id, n, state, request, tries, due_at)
      select batch.workspace_id, batch.created_at, batch.id, given.n, 'queued', given.request, 0, batch.created_at
      from batch, (values ${sql.join(values)}) as given (n, request)
    )
    select bytes from space`.execute(store.db);
  const [space] = rows;
  if (space === undefined) throw tookTooLong();
  if (space.bytes > mostWorkspaceBytes) throw new Refusal("payload_too_large", tooMuchKept);
}

const tookTooLong = () => new Refusal("unavailable", "The batch took too long to come: send it again");

/** All of its requests have come. */
export async function openBatch({ store }: Pick<Deps, "store">, key: BatchKey, total: number): Promise<BatchRow> {
  const row = await store.db
    .updateTable("batches")
    .set({ status: "validating", total })
    .where(isBatch(key))
    .where("status", "=", "receiving")
    .returningAll()
    .executeTakeFirst();
  if (row === undefined) throw tookTooLong();
  return row;
}

/** What did not come whole is deleted by the next purge, and counts for its workspace until then. */
export async function dropBatch({ store, now }: Pick<Deps, "store" | "now">, key: BatchKey): Promise<void> {
  await store.db
    .updateTable("batches")
    .set({ ...aboutToGo, ended_at: now() })
    .where(isBatch(key))
    .where("status", "=", "receiving")
    .execute();
}

/** Without its key, nobody can read its requests and results. */
const aboutToGo = { status: "deleted", sealed: "" } as const;

const shown = sql<boolean>`status not in ('receiving', 'deleted')`;

/** @throws Refusal not_found, also for a batch of another key or dialect */
export async function find({ store }: Pick<Deps, "store">, scope: Scope, id: string): Promise<BatchRow> {
  const at = instantOfBatch(scope.form, id);
  const row =
    at === null
      ? undefined
      : await store.db
          .selectFrom("batches")
          .selectAll()
          .where("workspace_id", "=", scope.workspaceId)
          .where("created_at", "=", at)
          .where("id", "=", id)
          .where(shown)
          .$if(scope.spendId !== null, (query) => query.where("spend_id", "=", scope.spendId ?? ""))
          .executeTakeFirst();
  if (row === undefined) throw noSuchBatch();
  return row;
}

/** USD that the calls of a batch have been charged, and USD on provider keys of the caller's own. */
export async function costOf(
  { store }: Pick<Deps, "store">,
  { workspace_id, id }: BatchKey,
): Promise<{ cost: number; byok_cost: number }> {
  const { rows } = await sql<{ cost: bigint; byok_cost: bigint }>`
    select coalesce(sum(cost), 0)::int8 as cost, coalesce(sum(byok_cost), 0)::int8 as byok_cost
    from ledger where batch_id = ${id} and workspace_id = ${workspace_id}`.execute(store.db);
  const { cost = 0n, byok_cost = 0n } = rows[0] ?? {};
  return { cost: toUsd(cost), byok_cost: toUsd(byok_cost) };
}

const noSuchBatch = () => notFound("There is no batch with this id");

interface ListedFrom {
  readonly status?: BatchStatus | undefined;
  readonly limit: number;
  /** the page goes on behind this one, to older ones */
  readonly after?: string | undefined;
  /** or before this one, to newer ones */
  readonly before?: string | undefined;
}

const inLivingWorkspace = sql<boolean>`workspace_id in (select id from workspaces where deleted_at is null)`;

/** The newest first. */
export async function list(
  { store }: Pick<Deps, "store">,
  scope: ListScope,
  { status, limit, after, before }: ListedFrom,
): Promise<{ rows: BatchRow[]; hasMore: boolean }> {
  const id = after ?? before;
  const { form } = scope;
  const at = id === undefined ? null : instantOfBatch(form, id);
  if (id !== undefined && at === null) {
    throw invalid(
      `${after === undefined ? "before" : "after"}${form === "messages" ? "_id" : ""}`,
      "must be the id of a batch",
    );
  }
  const isNewer = before !== undefined;
  const rows = await store.db
    .selectFrom("batches")
    .selectAll()
    .$if(scope.workspaceId !== null, (query) => query.where("workspace_id", "=", scope.workspaceId ?? ""))
    .$if(scope.workspaceId === null, (query) => query.where(inLivingWorkspace))
    .$if(form !== null, (query) => query.where("form", "=", form ?? "public"))
    .where(shown)
    .$if(status !== undefined, (query) => query.where("status", "=", status ?? "failed"))
    .$if(scope.spendId !== null, (query) => query.where("spend_id", "=", scope.spendId ?? ""))
    .$if(at !== null, (query) =>
      query.where(
        isNewer
          ? sql<boolean>`(created_at, id) > (${at}, ${id ?? ""})`
          : sql<boolean>`(created_at, id) < (${at}, ${id ?? ""})`,
      ),
    )
    .orderBy("created_at", isNewer ? "asc" : "desc")
    .orderBy("id", isNewer ? "asc" : "desc")
    .limit(limit + 1)
    .execute();
  const page = rows.slice(0, limit);
  return { rows: isNewer ? page.toReversed() : page, hasMore: rows.length > limit };
}

export const pageOf = (query: Parsed<typeof listBatches>["query"]): ListedFrom => ({
  status: query.status,
  limit: query.limit ?? 20,
  after: query.after,
});

/** Cancels what has not begun. Null: it has ended. */
export async function cancel(ctx: Context, { workspace_id, created_at, id }: BatchRow): Promise<BatchRow | null> {
  const key = { workspace_id, created_at, id };
  return await ctx.store.db.transaction().execute(async (trx) => {
    const row = await trx
      .updateTable("batches")
      .set({ status: "cancelling", cancelled_at: sql<Date>`coalesce(cancelled_at, ${ctx.now()})` })
      .where(isBatch(key))
      .where("ended_at", "is", null)
      .returningAll()
      .executeTakeFirst();
    if (row === undefined) return null;
    await audit(trx, ctx, "cancelBatch", row);
    return row;
  });
}

/** Deletes a batch; its requests and results go with the next purge. @throws Refusal conflict while it has not ended */
export async function remove(ctx: Context, { workspace_id, created_at, id, ended_at }: BatchRow): Promise<void> {
  const key = { workspace_id, created_at, id };
  if (ended_at === null) throw new Refusal("conflict", "The batch has not ended: cancel it first");
  await ctx.store.db.transaction().execute(async (trx) => {
    const row = await trx
      .updateTable("batches")
      .set(aboutToGo)
      .where(isBatch(key))
      .where("status", "<>", "deleted")
      .returningAll()
      .executeTakeFirst();
    if (row === undefined) throw noSuchBatch();
    await audit(trx, ctx, "deleteBatch", row);
  });
}

/** What an API key does with its own batches is not an admin's change. */
async function audit(
  trx: Parameters<typeof recordChange>[0],
  ctx: Context,
  action: "cancelBatch" | "deleteBatch",
  { id, workspace_id: workspaceId, total }: BatchRow,
): Promise<void> {
  if (ctx.actor.kind === "ordinary") return;
  const target = { type: "batch", id, name: null, workspaceId };
  const [before, after] = action === "deleteBatch" ? [{ requests: total }, null] : [null, { requests: total }];
  await recordChange(trx, ctx, { action, target, before, after });
}

/** A request as it is read for the results of its batch. */
export interface ResultRow {
  readonly n: number;
  readonly state: "completed" | "failed" | "cancelled" | "expired";
  /** of the one that has no result, the request itself */
  readonly sealed: Buffer;
}

/** Rows that are looked at for a page of results, and the bytes after which it ends. */
const mostPageRows = 256;
const pageBytes = 1_048_576;

/**
 * The results of a batch that has ended, in order, page by page.
 * @throws Refusal not_found where the batch was deleted while they were read
 */
export async function* results(
  { store }: Pick<Deps, "store">,
  { workspace_id, created_at, id, total }: BatchRow,
): AsyncGenerator<ResultRow, void, void> {
  let last = -1;
  for (let count = 0; count < total;) {
    const { rows } = await sql<ResultRow>`
      select n, state, sealed from (
        select n, state, coalesce(result, request) as sealed,
          sum(octet_length(coalesce(result, request))) over (order by n) - octet_length(coalesce(result, request)) as before
        from (
          select n, state, result, request from batch_requests
          where workspace_id = ${workspace_id} and created_at = ${created_at} and batch_id = ${id} and n > ${last}
          order by n limit ${mostPageRows}
        ) page
      ) counted where before < ${pageBytes} order by n`.execute(store.db);
    yield* rows;
    const end = rows.at(-1);
    if (end === undefined) throw noSuchBatch();
    count += rows.length;
    last = end.n;
  }
}

/** @throws WrongSecretKey */
export const secretOf = (deps: Pick<Deps, "secrets">, { id, sealed }: BatchRow): BatchSecret =>
  openSecret(deps, id, sealed);

export const isBatch = ({ workspace_id, created_at, id }: BatchKey) =>
  sql<boolean>`workspace_id = ${workspace_id} and created_at = ${created_at} and id = ${id}`;
