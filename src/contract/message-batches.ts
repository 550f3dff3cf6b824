import * as z from "zod/mini";
import { batchDays, batchHours, mostBatchMegabytes, mostBatchRequestMegabytes, mostBatchRequests } from "./batches.ts";
import { endpoint, megabytes, modelCallHeaders } from "./endpoint.ts";
import { list } from "./list.ts";
import { queryInteger } from "./page.ts";
import { Instant } from "./time.ts";

/** https://platform.claude.com/docs/en/api/creating-message-batches */
export const MessageCustomId = z.string().check(z.regex(/^[\w-]{1,64}$/, "must be 1 to 64 letters, digits, _ or -"));

const MessageBatchBody = z.strictObject({
  requests: list(
    z.strictObject({
      /** yours, and different for each request */
      custom_id: MessageCustomId,
      /** as for POST /messages; `stream` must not be true */
      params: z.looseObject({}),
    }),
    { least: 1, most: mostBatchRequests },
  ),
});

export const MessageBatch = z.object({
  id: z.string(),
  type: z.literal("message_batch"),
  processing_status: z.enum(["in_progress", "canceling", "ended"]),
  request_counts: z.object({
    /** until the batch has ended, all of them */
    processing: z.int(),
    succeeded: z.int(),
    errored: z.int(),
    canceled: z.int(),
    expired: z.int(),
  }),
  created_at: Instant,
  expires_at: Instant,
  ended_at: z.nullable(Instant),
  cancel_initiated_at: z.nullable(Instant),
  archived_at: z.null(),
  /** where the results are, once it has ended */
  results_url: z.nullable(z.string()),
});
export type MessageBatch = z.infer<typeof MessageBatch>;

const Id = z.string().check(z.minLength(1), z.maxLength(200));
const One = z.strictObject({ message_batch_id: Id });
/** Anthropic's clients mark calls of their beta resources. */
const query = z.strictObject({ beta: z.optional(z.string()) });
const tag = "Batches";
const headers = [...modelCallHeaders, "anthropic-version", "anthropic-beta"] as const;
const common = {
  tag,
  auth: "ordinary",
  errorForm: "messages",
} as const;

export const createMessageBatch = endpoint({
  ...common,
  name: "createMessageBatch",
  method: "POST",
  path: "/messages/batches",
  summary: "Have many messages answered",
  description:
    `In Anthropic's form. At most ${mostBatchRequests} requests, ${mostBatchRequestMegabytes} MB each and ${mostBatchMegabytes} MB together, of text only. ` +
    `Each one is a call of its own, at the price of any other call. What has not begun after ${batchHours} hours expires.`,
  query,
  body: MessageBatchBody,
  bodyLimit: megabytes(mostBatchMegabytes),
  headers,
  returns: MessageBatch,
  errors: [400, 401, 403, 408, 413, 429, 500, 503],
});

export const listMessageBatches = endpoint({
  ...common,
  name: "listMessageBatches",
  method: "GET",
  path: "/messages/batches",
  summary: "List batches of messages",
  description: "The newest first.",
  query: z.strictObject({
    beta: z.optional(z.string()),
    limit: z.optional(queryInteger(1, 1_000)),
    after_id: z.optional(Id),
    before_id: z.optional(Id),
  }),
  returns: z.object({
    data: z.array(MessageBatch),
    has_more: z.boolean(),
    first_id: z.nullable(z.string()),
    last_id: z.nullable(z.string()),
  }),
  errors: [400, 401, 403, 404, 429, 500, 503],
});

export const getMessageBatch = endpoint({
  ...common,
  name: "getMessageBatch",
  method: "GET",
  path: "/messages/batches/{message_batch_id}",
  summary: "Get the status of a batch of messages",
  params: One,
  query,
  returns: MessageBatch,
  errors: [400, 401, 403, 404, 429, 500, 503],
});

export const cancelMessageBatch = endpoint({
  ...common,
  name: "cancelMessageBatch",
  method: "POST",
  path: "/messages/batches/{message_batch_id}/cancel",
  summary: "Cancel a batch of messages",
  description: "Calls in flight are finished and charged. A batch that has ended stays as it is.",
  params: One,
  query,
  returns: MessageBatch,
  errors: [400, 401, 403, 404, 429, 500, 503],
});

export const deleteMessageBatch = endpoint({
  ...common,
  name: "deleteMessageBatch",
  method: "DELETE",
  path: "/messages/batches/{message_batch_id}",
  summary: "Delete a batch of messages",
  description: "With its requests and results; its calls stay on the ledger. 409 while it has not ended.",
  params: One,
  query,
  returns: z.object({ id: z.string(), type: z.literal("message_batch_deleted") }),
  errors: [400, 401, 403, 404, 409, 429, 500, 503],
});

export const getMessageBatchResults = endpoint({
  ...common,
  name: "getMessageBatchResults",
  method: "GET",
  path: "/messages/batches/{message_batch_id}/results",
  summary: "Fetch the results of a batch of messages",
  description: `One JSON object a line, in the order of the requests. They are kept for ${batchDays} days. 409 while the batch has not ended.`,
  params: One,
  query,
  returns: z.string(),
  binary: ["application/x-jsonl"],
  errors: [400, 401, 403, 404, 409, 429, 500, 503],
});
