import * as z from "zod/mini";
import { endpoint } from "./endpoint.ts";
import { ProviderPreferences } from "./routing.ts";

/** A message. Members and content parts that are not listed are the vendor's and are passed on. */
export const ChatMessage = z.looseObject({
  role: z.enum(["system", "user", "assistant", "developer", "tool"]),
  content: z.optional(z.nullable(z.union([z.string(), z.array(z.looseObject({ type: z.string() }))]))),
  name: z.optional(z.string()),
  tool_call_id: z.optional(z.string()),
});
export type ChatMessage = z.infer<typeof ChatMessage>;

const Tokens = z.optional(z.nullable(z.int().check(z.minimum(1))));

/** Members that are not listed are the vendor's and are passed on. */
export const ChatBody = z.looseObject({
  model: z.optional(z.string().check(z.minLength(1))),
  /** tried after `model`, in this order */
  models: z.optional(z.nullable(z.array(z.string().check(z.minLength(1))).check(z.maxLength(20)))),
  messages: z.array(ChatMessage).check(z.minLength(1)),
  stream: z.optional(z.nullable(z.boolean())),
  max_tokens: Tokens,
  max_completion_tokens: Tokens,
  n: z.optional(z.nullable(z.int().check(z.minimum(1), z.maximum(128)))),
  user: z.optional(z.nullable(z.string().check(z.maxLength(256)))),
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

export const createChatCompletion = endpoint({
  name: "sendChatCompletionRequest",
  method: "POST",
  path: "/chat/completions",
  tag: "Chat",
  summary: "Continue a conversation",
  description:
    "With `stream: true` the answer is `text/event-stream`: chunks, comments while nothing comes, a last chunk with `usage`, and `[DONE]`. A failure after the first chunk is a chunk with `error`.",
  auth: "ordinary",
  body: ChatBody,
  returns: ChatResult,
  errors: [400, 401, 402, 403, 404, 408, 413, 422, 429, 500, 502, 503, 524, 529],
});
