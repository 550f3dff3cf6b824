import * as z from "zod/mini";
import { list } from "./list.ts";
import { conversationExcess, mostArguments, mostMessages, mostParts } from "./conversation-bounds.ts";
import { cachedAnswerHeaders, endpoint, megabytes, modelCallHeaders, responseCacheHeaders } from "./endpoint.ts";
import { ProviderPreferences } from "./routing.ts";

/** A message. Members and content parts that are not listed are the provider's own and are passed on. */
export const ChatMessage = z.looseObject({
  role: z.enum(["system", "user", "assistant", "developer", "tool", "function"]),
  content: z.optional(z.nullable(z.union([z.string(), z.array(z.looseObject({ type: z.string() }))]))),
  name: z.optional(z.nullable(z.string())),
  tool_call_id: z.optional(z.nullable(z.string())),
});
export type ChatMessage = z.infer<typeof ChatMessage>;

/** Far beyond any model's longest answer, and small enough to price. */
const mostTokens = 10_000_000;

/** 0 counts as absent. */
const Tokens = z.optional(
  z.nullable(z.int().check(z.minimum(0), z.maximum(mostTokens, `must be at most ${mostTokens}`))),
);

/** How many answers are generated. */
const Choices = z.optional(z.nullable(z.int().check(z.minimum(1), z.maximum(128))));

const Messages = z.array(ChatMessage).check(z.minLength(1), z.maxLength(mostMessages), (payload) => {
  const excess = conversationExcess(payload.value);
  if (excess !== null) payload.issues.push({ code: "custom", input: payload.value, ...excess });
});

/** Members that are not listed are the provider's own and are passed on. */
export const ChatBody = z.looseObject({
  model: z.optional(z.nullable(z.string().check(z.minLength(1)))),
  /** tried after `model`, in this order */
  models: z.optional(z.nullable(list(z.string().check(z.minLength(1)), { most: 20 }))),
  messages: Messages,
  stream: z.optional(z.nullable(z.boolean())),
  max_tokens: Tokens,
  max_completion_tokens: Tokens,
  /** the older form of `tools` and `tool_choice`; callers who use it are answered with `function_call` */
  functions: z.optional(z.nullable(list(z.looseObject({ name: z.string() }), { least: 1, most: 1_024 }))),
  function_call: z.optional(
    z.nullable(
      z.union([z.enum(["none", "auto"]), z.looseObject({ name: z.string() })], "must be none, auto or {name: …}"),
    ),
  ),
  n: Choices,
  /** how many answers to generate and choose `n` from; all of them are billed */
  best_of: Choices,
  user: z.optional(z.nullable(z.string())),
  provider: z.optional(z.nullable(ProviderPreferences)),
  session_id: z.optional(z.nullable(z.string().check(z.maxLength(256)))),
  trace: z.optional(z.nullable(z.looseObject({}))),
});
export type ChatBody = z.infer<typeof ChatBody>;

export const ChatUsage = z.looseObject({
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  total_tokens: z.int(),
  /** USD charged for this call */
  cost: z.optional(z.number()),
  is_byok: z.optional(z.boolean()),
});

export const ChatResult = z.looseObject({
  /** the generation's id, as in the header `X-Generation-Id` */
  id: z.string(),
  object: z.literal("chat.completion"),
  created: z.int(),
  model: z.string(),
  choices: z.array(
    z.looseObject({
      index: z.int(),
      finish_reason: z.nullable(z.string()),
      message: z.looseObject({ role: z.string(), content: z.optional(z.nullable(z.unknown())) }),
    }),
  ),
  system_fingerprint: z.nullable(z.string()),
  usage: z.optional(ChatUsage),
});
export type ChatResult = z.infer<typeof ChatResult>;

/** The data of one event of a stream; the last event's data is `[DONE]`. */
export const ChatChunk = z.looseObject({
  id: z.string(),
  object: z.literal("chat.completion.chunk"),
  created: z.int(),
  model: z.string(),
  choices: z.array(
    z.looseObject({
      index: z.int(),
      finish_reason: z.nullable(z.string()),
      delta: z.looseObject({ content: z.optional(z.nullable(z.string())) }),
    }),
  ),
  usage: z.optional(ChatUsage),
  /** replaces further chunks when the call fails after the first one */
  error: z.optional(z.looseObject({ code: z.int(), message: z.string() })),
});

export const createChatCompletion = endpoint({
  name: "createChatCompletion",
  operationId: "sendChatCompletionRequest",
  method: "POST",
  path: "/chat/completions",
  tag: "Chat",
  summary: "Continue a conversation",
  description:
    `At most ${mostParts} content parts and ${mostArguments} characters of tool arguments in all messages together. ` +
    "With `stream: true` the answer is `text/event-stream`: chunks, comments while nothing comes, a last chunk with `usage`, and `[DONE]`. A failure after the first chunk is a chunk with `error`.",
  auth: "ordinary",
  body: ChatBody,
  bodyLimit: megabytes(32),
  headers: [...modelCallHeaders, ...responseCacheHeaders],
  returns: ChatResult,
  streams: ChatChunk,
  answerHeaders: ["X-Generation-Id", ...cachedAnswerHeaders],
  errors: [400, 401, 402, 403, 404, 408, 413, 422, 429, 500, 502, 503, 524, 529],
});
