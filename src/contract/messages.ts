import * as z from "zod/mini";
import { mostMessages, mostParts, partsExcess } from "./conversation-bounds.ts";
import { cachedAnswerHeaders, endpoint, megabytes, modelCallHeaders, responseCacheHeaders } from "./endpoint.ts";
import { errorStatus, type ErrorType } from "./errors.ts";
import { list } from "./list.ts";
import { ProviderPreferences } from "./routing.ts";

/** A block of a message's content. What it holds is the provider's own: a provider of this dialect gets it as it came. */
const Block = z.looseObject({ type: z.string() });
const Content = z.union([z.string(), z.array(Block)], "must be a text or a list of blocks with a type");

export const MessageParam = z.looseObject({
  role: z.enum(["user", "assistant", "system"]),
  content: Content,
});

const Messages = z.array(MessageParam).check(z.minLength(1), z.maxLength(mostMessages), (payload) => {
  const excess = partsExcess(payload.value);
  if (excess !== null) payload.issues.push({ code: "custom", input: payload.value, ...excess });
});

const mostTokens = 10_000_000;
const ModelName = z.string().check(z.minLength(1));

const asked = {
  model: z.optional(z.nullable(ModelName)),
  messages: Messages,
  system: z.optional(
    z.nullable(z.union([z.string(), list(Block, { most: mostParts })], "must be a text or a list of blocks")),
  ),
  tools: z.optional(z.nullable(list(z.looseObject({}), { most: 2_048 }))),
  thinking: z.optional(z.nullable(z.looseObject({ type: z.string() }))),
};

/** Members that are not listed are the provider's own and are passed on to providers that speak this dialect. */
export const MessagesBody = z
  .looseObject({
    ...asked,
    /** tried after `model`, in this order; `models` is the same in the form of chat */
    fallbacks: z.optional(z.nullable(list(z.strictObject({ model: ModelName }), { most: 3 }))),
    models: z.optional(z.nullable(list(ModelName, { most: 20 }))),
    /** absent or 0: the model's maximum, or else a default */
    max_tokens: z.optional(
      z.nullable(z.int().check(z.minimum(0), z.maximum(mostTokens, `must be at most ${mostTokens}`))),
    ),
    stream: z.optional(z.nullable(z.boolean())),
    metadata: z.optional(z.nullable(z.looseObject({ user_id: z.optional(z.nullable(z.string())) }))),
    user: z.optional(z.nullable(z.string().check(z.maxLength(256)))),
    provider: z.optional(z.nullable(ProviderPreferences)),
    session_id: z.optional(z.nullable(z.string().check(z.maxLength(256)))),
    trace: z.optional(z.nullable(z.looseObject({}))),
  })
  .check((payload) => {
    const { fallbacks, models } = payload.value;
    if ((fallbacks ?? []).length === 0 || (models ?? []).length === 0) return;
    const message = "cannot be combined with models: name the models to try in one of them";
    payload.issues.push({ code: "custom", input: fallbacks, path: ["fallbacks"], message });
  });
export type MessagesBody = z.infer<typeof MessagesBody>;

/** The body of a count: the same request without `max_tokens` and `stream`. */
export const CountBody = z.looseObject(asked);

const Count = z.nullable(z.int());

/** Providers of this dialect add members of their own, which are passed on. */
export const MessagesUsage = z.looseObject({
  /** without what was written to, and read from, the provider's cache */
  input_tokens: z.int(),
  output_tokens: z.int(),
  cache_creation_input_tokens: z.optional(Count),
  cache_read_input_tokens: z.optional(Count),
  /** USD charged for this call; absent where the provider's answer is passed on */
  cost: z.optional(z.number()),
  is_byok: z.optional(z.boolean()),
});

export const MessageResult = z.looseObject({
  id: z.string(),
  type: z.literal("message"),
  role: z.literal("assistant"),
  model: z.string(),
  content: z.array(Block),
  stop_reason: z.nullable(z.string()),
  stop_sequence: z.nullable(z.string()),
  usage: MessagesUsage,
});

/** The body of every error answer at these paths, and the data of a stream's `error` event. */
export const MessagesErrorEnvelope = z.looseObject({
  type: z.literal("error"),
  error: z.looseObject({
    type: z.string(),
    message: z.string(),
    /** the gateway's own name of the error, as in `error.metadata.error_type` of the other operations */
    error_type: z.optional(z.string()),
  }),
  /** the call's id where it has one, as in `X-Generation-Id`; else the request's */
  request_id: z.nullable(z.string()),
});
export type MessagesErrorEnvelope = z.infer<typeof MessagesErrorEnvelope>;

/** The data of one event of a stream; the event's name repeats `type`. */
export const MessageEvent = z.looseObject({ type: z.string() });

/** https://docs.anthropic.com/en/api/errors */
const errorTypes: Readonly<Record<ErrorType, string>> = {
  invalid_request: "invalid_request_error",
  context_length_exceeded: "invalid_request_error",
  content_policy_violation: "invalid_request_error",
  authentication: "authentication_error",
  payment_required: "billing_error",
  permission_denied: "permission_error",
  not_found: "not_found_error",
  method_not_allowed: "invalid_request_error",
  request_timeout: "timeout_error",
  conflict: "conflict_error",
  gone: "not_found_error",
  payload_too_large: "request_too_large",
  unprocessable: "invalid_request_error",
  rate_limit_exceeded: "rate_limit_error",
  server: "api_error",
  provider_unavailable: "api_error",
  provider_busy: "overloaded_error",
  unavailable: "overloaded_error",
  timeout: "timeout_error",
  provider_overloaded: "overloaded_error",
};

/** `error.type` of an error in this dialect. */
export const messagesErrorType = (type: ErrorType): string => errorTypes[type];

/** The status of an error in this dialect: that of the other operations, except for a provider that takes too long. */
export function messagesErrorStatus(type: ErrorType) {
  return type === "timeout" ? 504 : errorStatus[type];
}

const tag = "Messages";
const headers = [...modelCallHeaders, "anthropic-version", "anthropic-beta"] as const;
const bounds = `At most ${mostMessages} messages and ${mostParts} blocks in all of them together. `;

export const createMessage = endpoint({
  name: "createMessage",
  operationId: "createMessages",
  method: "POST",
  path: "/messages",
  tag,
  summary: "Continue a conversation in Anthropic's form",
  description:
    `${bounds}A provider that speaks this dialect gets the request as it came, with its own name of the model and without the gateway's own members, ` +
    "and its answer is passed on with nothing but the model's name changed. Other chat models are asked and answered by translation. " +
    "With `stream: true` the answer is `text/event-stream`, each event with its name; a failure after the first one is an `error` event.",
  auth: "ordinary",
  body: MessagesBody,
  bodyLimit: megabytes(32),
  headers: [...headers, ...responseCacheHeaders],
  returns: MessageResult,
  streams: MessageEvent,
  answerHeaders: ["X-Generation-Id", "request-id", ...cachedAnswerHeaders],
  errorForm: "messages",
  errors: [400, 401, 402, 403, 404, 408, 413, 422, 429, 500, 502, 503, 504, 529],
});

export const countMessageTokens = endpoint({
  name: "countMessageTokens",
  method: "POST",
  path: "/messages/count_tokens",
  tag,
  summary: "Estimate the tokens of a message request",
  description:
    "The gateway's own count, without a call to a provider: an estimate, as the header `X-Token-Count: estimate` says. " +
    "Text and tools are counted with the gateway's tokenizer, an image as 1,568 tokens; documents other than text are left out.",
  auth: "ordinary",
  body: CountBody,
  bodyLimit: megabytes(32),
  headers: [...headers],
  returns: z.object({ input_tokens: z.int() }),
  answerHeaders: ["X-Token-Count"],
  errorForm: "messages",
  errors: [400, 401, 403, 404, 413, 429, 500, 503],
});
