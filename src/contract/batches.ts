import * as z from "zod/mini";
import { endpoint, megabytes, modelCallHeaders } from "./endpoint.ts";
import { list } from "./list.ts";
import { Usd } from "./money.ts";
import { queryFlag, queryInteger, queryWorkspace } from "./page.ts";

/** What the requests of a batch may be. */
export const batchEndpoints = ["/v1/chat/completions", "/v1/responses", "/v1/messages", "/v1/embeddings"] as const;
export type BatchEndpoint = (typeof batchEndpoints)[number];

export const mostBatchRequests = 50_000;
export const mostBatchMegabytes = 100;
/** Bytes of one request. */
export const mostBatchRequestMegabytes = 4;
export const batchHours = 24;
export const batchDays = 30;

export const batchStatuses = [
  "validating",
  "in_progress",
  "finalizing",
  "completed",
  "failed",
  "expired",
  "cancelling",
  "cancelled",
] as const;
export type BatchStatus = (typeof batchStatuses)[number];

export const BatchCustomId = z.string().check(z.minLength(1), z.maxLength(256));

/** Read as it comes, one request at a time: `endpoint` and `model` have to be sent before `requests`. */
export const BatchBody = z.strictObject({
  /** what each request is */
  endpoint: z.enum(batchEndpoints),
  /** of every request */
  model: z.string().check(z.minLength(1), z.maxLength(500)),
  completion_window: z.optional(z.literal("24h", "must be 24h")),
  requests: list(
    z.strictObject({
      /** yours, and different for each request */
      custom_id: BatchCustomId,
      /** as for the endpoint; `model` may be left out, and `stream` must not be true */
      body: z.looseObject({}),
    }),
    { least: 1, most: mostBatchRequests },
  ),
});

const Line = z.object({
  custom_id: z.string(),
  /** of the call on the ledger; without one, of the request */
  id: z.string(),
  /** null: there is an `error` */
  response: z.nullable(z.object({ status_code: z.int(), request_id: z.string(), body: z.looseObject({}) })),
  error: z.nullable(
    z.object({
      /** the status that the call itself would have been answered with; null: it was not made */
      code: z.nullable(z.int()),
      type: z.string(),
      message: z.string(),
      param: z.nullable(z.string()),
    }),
  ),
});

const members = {
  id: z.string(),
  object: z.literal("batch"),
  endpoint: z.string(),
  model: z.nullable(z.string()),
  completion_window: z.literal("24h"),
  status: z.enum(batchStatuses),
  /** unix seconds, as is each time */
  created_at: z.int(),
  expires_at: z.int(),
  finalized_at: z.nullable(z.int()),
  request_counts: z.object({ total: z.int(), completed: z.int(), failed: z.int() }),
  /** of the answered requests, once the batch has ended */
  usage: z.nullable(z.object({ prompt_tokens: z.int(), completion_tokens: z.int(), total_tokens: z.int() })),
  error: z.nullable(z.object({ message: z.string() })),
  /** of the key that it was sent with */
  api_key_hash: z.string(),
  workspace_id: z.uuid(),
  /** USD charged for its calls so far, and USD charged to provider keys of your own; null in lists */
  cost: z.nullable(Usd),
  byok_cost: z.nullable(Usd),
};

/** A batch without its results. */
export const BatchRecord = z.object({
  ...members,
  /** of a batch that has ended, where it is read by its id; else null */
  results: z.nullable(z.array(Line)),
});
export type BatchRecord = z.infer<typeof BatchRecord>;

const Id = z.string().check(z.minLength(1), z.maxLength(200));
const One = z.strictObject({ id: Id });
const tag = "Batches";
/** Whose batches are meant. */
const place = {
  /** of a management key; absent: the default workspace. An API key has its own batches alone */
  workspace_id: z.optional(z.uuid()),
};
const errors = [400, 401, 403, 404, 429, 500, 503] as const;

export const createBatch = endpoint({
  name: "createBatch",
  operationId: "createBatches",
  method: "POST",
  path: "/batches",
  tag,
  summary: "Have many calls made",
  description:
    `At most ${mostBatchRequests} requests, ${mostBatchRequestMegabytes} MB each and ${mostBatchMegabytes} MB together, of text only. ` +
    "Each one is a call of its own, with the limits, the guardrails and the price of any other call, made when the gateway has room for it. " +
    `What has not begun after ${batchHours} hours expires. \`/api/beta/batches\` is the same path.`,
  auth: "ordinary",
  body: BatchBody,
  bodyLimit: megabytes(mostBatchMegabytes),
  headers: modelCallHeaders,
  status: 202,
  returns: BatchRecord,
  errors: [400, 401, 403, 408, 413, 429, 500, 503],
});

export const listBatches = endpoint({
  name: "listBatches",
  method: "GET",
  path: "/batches",
  tag,
  summary: "List batches",
  description:
    "The newest first, without their results. An API key sees its own; a management key names a workspace, or `all`.",
  auth: "any",
  query: z.strictObject({
    /** of a management key; absent: the default workspace */
    workspace_id: queryWorkspace,
    status: z.optional(z.enum(batchStatuses)),
    limit: z.optional(queryInteger(1, 100)),
    /** the `last_id` of the page before */
    after: z.optional(Id),
  }),
  returns: z.object({
    object: z.literal("list"),
    data: z.array(BatchRecord),
    first_id: z.nullable(z.string()),
    last_id: z.nullable(z.string()),
    has_more: z.boolean(),
  }),
  errors,
});

export const getBatch = endpoint({
  name: "getBatch",
  operationId: "getBatches",
  method: "GET",
  path: "/batches/{id}",
  tag,
  summary: "Get the status of a batch",
  description: `Once it has ended, with its results in the order of its requests. They are kept for ${batchDays} days.`,
  auth: "any",
  params: One,
  query: z.strictObject({
    ...place,
    /** `false`: without results, also once it has ended */
    include_results: z.optional(queryFlag),
  }),
  returns: BatchRecord,
  errors,
});

export const cancelBatch = endpoint({
  name: "cancelBatch",
  operationId: "cancelBatches",
  method: "POST",
  path: "/batches/{id}/cancel",
  tag,
  summary: "Cancel a batch",
  description: "Calls in flight are finished and charged, and the results there are stay. 409 once it has ended.",
  auth: "any",
  params: One,
  query: z.strictObject(place),
  returns: BatchRecord,
  errors: [...errors, 409],
});

export const deleteBatch = endpoint({
  name: "deleteBatch",
  operationId: "deleteBatches",
  method: "DELETE",
  path: "/batches/{id}",
  tag,
  summary: "Delete a batch",
  description:
    "With its requests and results; its calls stay on the ledger. 409 while it has not ended: cancel it first.",
  auth: "any",
  params: One,
  query: z.strictObject(place),
  returns: z.object({ id: z.string(), object: z.literal("batch"), deleted: z.literal(true) }),
  errors: [...errors, 409],
});
