import { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { batchStatuses, type BatchRecord, createBatch, getBatch } from "#contract/batches.ts";
import { createMessageBatch, getMessageBatchResults, type MessageBatch } from "#contract/message-batches.ts";
import type { Endpoint, Parsed } from "#contract/endpoint.ts";
import * as batches from "../domain/calls/batches.ts";
import { AlteredContent } from "../domain/calls/batch-content.ts";
import type { BatchRow } from "../domain/calls/batches.ts";
import type { Deps } from "../domain/context.ts";
import type { BatchForm } from "../domain/generation-id.ts";
import { invalid, Refusal } from "../domain/refusal.ts";
import { WrongSecretKey } from "../domain/secrets/box.ts";
import { resultLines } from "../relay/batches/results.ts";
import type { Batches } from "../relay/batches/runner.ts";
import { attribution } from "./attribution.ts";
import { type Authenticate, callerHooks } from "./auth.ts";
import type { Handlers } from "./bind.ts";
import { routePath } from "./route-path.ts";
import { parseRequest, shapeAnswer } from "./parse.ts";

/** The others. */
export type BatchHandlerName =
  | "listBatches"
  | "cancelBatch"
  | "deleteBatch"
  | "listMessageBatches"
  | "getMessageBatch"
  | "cancelMessageBatch"
  | "deleteMessageBatch";

type ApiUrl = (request: FastifyRequest) => string;

export function batchHandlers(runner: Batches, apiUrl: ApiUrl) {
  const ofMessages = async (ctx: Deps, request: FastifyRequest, id: string) =>
    await batches.find(ctx, batches.ofKey(credentialOf(request), "messages"), id);
  return {
    listBatches: async (ctx, { query }, { request }) => {
      const scope = await batches.listScopeOf(ctx, request.caller.credential, query);
      const { rows, hasMore } = await batches.list(ctx, scope, batches.pageOf(query));
      return { object: "list", data: rows.map((row) => record(row)), ...ends(rows), has_more: hasMore };
    },
    cancelBatch: async (ctx, { params, query }, { request }) => {
      const scope = await batches.scopeOf(ctx, request.caller.credential, query);
      const row = await batches.cancel(ctx, await batches.find(ctx, scope, params.id));
      if (row === null) throw new Refusal("conflict", "The batch has ended: there is nothing to cancel");
      void runner.look();
      return record(row);
    },
    deleteBatch: async (ctx, { params, query }, { request }) => {
      const scope = await batches.scopeOf(ctx, request.caller.credential, query);
      await batches.remove(ctx, await batches.find(ctx, scope, params.id));
      runner.deleted();
      return { id: params.id, object: "batch", deleted: true };
    },
    listMessageBatches: async (ctx, { query }, { request }) => {
      const { after_id: after, before_id: before, limit = 20 } = query;
      if (after !== undefined && before !== undefined) throw invalid("before_id", "cannot be given with after_id");
      const scope = batches.ofKey(credentialOf(request), "messages");
      const { rows, hasMore } = await batches.list(ctx, scope, { limit, after, before });
      return { data: rows.map((row) => messageBatch(row, apiUrl(request))), ...ends(rows), has_more: hasMore };
    },
    getMessageBatch: async (ctx, { params }, { request }) =>
      messageBatch(await ofMessages(ctx, request, params.message_batch_id), apiUrl(request)),
    cancelMessageBatch: async (ctx, { params }, { request }) => {
      const found = await ofMessages(ctx, request, params.message_batch_id);
      const row = await batches.cancel(ctx, found);
      void runner.look();
      return messageBatch(row ?? found, apiUrl(request));
    },
    deleteMessageBatch: async (ctx, { params }, { request }) => {
      const { message_batch_id: id } = params;
      await batches.remove(ctx, await ofMessages(ctx, request, id));
      runner.deleted();
      return { id, type: "message_batch_deleted" };
    },
  } satisfies Pick<Handlers, BatchHandlerName>;
}

const ends = (rows: readonly BatchRow[]) => ({ first_id: rows[0]?.id ?? null, last_id: rows.at(-1)?.id ?? null });

function credentialOf({ caller }: FastifyRequest) {
  if (caller.credential === null) throw new Refusal("authentication", "Model calls need an API key");
  return caller.credential;
}

interface RouteDeps {
  readonly batches: Batches;
  readonly authenticate: Authenticate;
  readonly apiUrl: ApiUrl;
}

export function bindBatches(
  app: FastifyInstance,
  deps: Deps,
  { batches: runner, authenticate, apiUrl }: RouteDeps,
): void {
  const bindCreate = (
    endpoint: Endpoint,
    form: BatchForm,
    shown: (row: BatchRow, request: FastifyRequest) => unknown,
  ) => {
    const hooks = callerHooks(authenticate, endpoint);
    app.route({
      method: endpoint.method,
      url: routePath(endpoint.path),
      bodyLimit: endpoint.bodyLimit,
      config: { operation: endpoint.operationId, streamsJson: true },
      ...hooks,
      handler: async (request, reply) => {
        await partsOf(endpoint, request);
        const { body, headers } = request;
        if (!isStream(body)) throw invalid("", "The request body is missing: send a JSON object");
        const row = await runner.submit({
          form,
          credential: credentialOf(request),
          content: body,
          headers,
          attribution: attribution(headers),
          apiUrl: apiUrl(request),
          stillAllowed: async () => await hooks.onRequest(request),
        });
        return reply.code(endpoint.status).send(shapeAnswer(endpoint, shown(row, request)));
      },
    });
  };
  bindCreate(createBatch, "public", (row) => record(row));
  bindCreate(createMessageBatch, "messages", (row, request) => messageBatch(row, apiUrl(request)));
  app.route({
    method: getBatch.method,
    url: routePath(getBatch.path),
    config: { operation: getBatch.operationId },
    ...callerHooks(authenticate, getBatch),
    handler: async (request, reply) => {
      const { params, query } = (await partsOf(getBatch, request)) as Parsed<typeof getBatch>;
      const scope = await batches.scopeOf(request.caller.context, request.caller.credential, query);
      const row = await batches.find(deps, scope, params.id);
      const shown = shapeAnswer(getBatch, record(row, await batches.costOf(deps, row)));
      if (query.include_results === false || row.ended_at === null || row.status === "failed") return reply.send(shown);
      return sendLines(
        reply,
        "application/json; charset=utf-8",
        withResults(JSON.stringify(shown), resultLines(deps, row, "public")),
      );
    },
  });
  app.route({
    method: getMessageBatchResults.method,
    url: routePath(getMessageBatchResults.path),
    config: { operation: getMessageBatchResults.operationId },
    ...callerHooks(authenticate, getMessageBatchResults),
    handler: async (request, reply) => {
      const { params } = (await partsOf(getMessageBatchResults, request)) as Parsed<typeof getMessageBatchResults>;
      const row = await batches.find(deps, batches.ofKey(credentialOf(request), "messages"), params.message_batch_id);
      if (row.ended_at === null)
        throw new Refusal("conflict", "The batch has not ended: its results are not there yet");
      if (row.status === "failed") throw new Refusal("gone", row.error ?? "The results cannot be read any more");
      return sendLines(reply, "application/x-jsonl; charset=utf-8", onLines(resultLines(deps, row, "messages")));
    },
  });
}

/** Parameters alone: the body is read as it comes. */
async function partsOf(endpoint: Endpoint, { params, query, ip }: FastifyRequest): Promise<Parsed<Endpoint>> {
  return await parseRequest({ ...endpoint, body: null }, { params, query, body: null }, ip);
}

/** The first line before anything is sent: what cannot be read is refused. */
async function sendLines(
  reply: FastifyReply,
  contentType: string,
  lines: AsyncGenerator<Buffer | string, void, void>,
): Promise<FastifyReply> {
  try {
    const first = await lines.next();
    const content = async function* () {
      if (first.done !== true) yield first.value;
      yield* lines;
    };
    return reply.header("content-type", contentType).send(Readable.from(content(), { objectMode: false }));
  } catch (error) {
    if (error instanceof AlteredContent) throw new Refusal("gone", "The results in the store cannot be read any more");
    if (!(error instanceof WrongSecretKey)) throw error;
    throw new Refusal(
      "gone",
      "The secret key that the results were encrypted with is not known to the gateway any more",
    );
  }
}

/** @param shown the batch with `"results":null` */
async function* withResults(shown: string, lines: AsyncGenerator<Buffer, void, void>) {
  const mark = '"results":null';
  const at = shown.lastIndexOf(mark);
  let before = `${shown.slice(0, at)}"results":[`;
  for await (const line of lines) {
    yield before;
    yield line;
    before = ",";
  }
  yield before === "," ? "" : before;
  yield `]${shown.slice(at + mark.length)}`;
}

async function* onLines(lines: AsyncGenerator<Buffer, void, void>) {
  for await (const line of lines) {
    yield line;
    yield "\n";
  }
}

function isStream(body: unknown): body is AsyncIterable<Buffer> {
  return typeof body === "object" && body !== null && Symbol.asyncIterator in body;
}

const seconds = (at: Date) => Math.floor(at.getTime() / 1_000);

const notCounted = { cost: null, byok_cost: null };

/** @param costs of its calls, where one batch is read by its id */
function record(row: BatchRow, costs: Pick<BatchRecord, "cost" | "byok_cost"> = notCounted): BatchRecord {
  const [prompt, completion] = [Number(row.prompt_tokens), Number(row.completion_tokens)];
  const usage = { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
  return {
    id: row.id,
    object: "batch",
    endpoint: row.endpoint,
    model: row.model,
    completion_window: "24h",
    status: batchStatuses.find((status) => status === row.status) ?? "validating",
    created_at: seconds(row.created_at),
    expires_at: seconds(row.expires_at),
    finalized_at: row.ended_at === null ? null : seconds(row.ended_at),
    request_counts: { total: row.total, completed: row.completed, failed: row.failed },
    usage: row.ended_at === null ? null : usage,
    error: row.error === null ? null : { message: row.error },
    api_key_hash: row.key_hash,
    workspace_id: row.workspace_id,
    ...costs,
    results: null,
  };
}

function messageBatch(row: BatchRow, apiUrl: string): MessageBatch {
  const hasEnded = row.ended_at !== null;
  const counted = (count: number) => (hasEnded ? count : 0);
  return {
    id: row.id,
    type: "message_batch",
    processing_status: hasEnded ? "ended" : row.status === "cancelling" ? "canceling" : "in_progress",
    request_counts: {
      processing: hasEnded ? 0 : row.total,
      succeeded: counted(row.completed),
      errored: counted(row.failed),
      canceled: counted(row.cancelled),
      expired: counted(row.expired),
    },
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
    ended_at: row.ended_at?.toISOString() ?? null,
    cancel_initiated_at: row.cancelled_at?.toISOString() ?? null,
    archived_at: null,
    results_url: hasEnded ? `${apiUrl}/messages/batches/${row.id}/results` : null,
  };
}
