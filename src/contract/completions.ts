import * as z from "zod/mini";
import { ChatBody, ChatUsage } from "./chat.ts";
import { cachedAnswerHeaders, endpoint, megabytes, modelCallHeaders, responseCacheHeaders } from "./endpoint.ts";
import { list } from "./list.ts";

const Text = z.string().check(z.minLength(1));
const inChat = "must not be sent: POST /chat/completions takes it";
const prompts = "must be a text, or a list of one: send a request for each prompt, and texts instead of token ids";
const unserved = "must not be sent: chat models have nothing like it";

/** Members that are not listed are the provider's own and are passed on. */
export const CompletionBody = z.extend(ChatBody, {
  /** what the model is sent as one message */
  prompt: z.union([Text, list(Text, { least: 1, most: 1, tooFew: prompts, tooMany: prompts })], prompts),
  echo: z.optional(z.nullable(z.literal(false, unserved))),
  suffix: z.optional(z.null(unserved)),
  logprobs: z.optional(z.null(unserved)),
  messages: z.optional(z.null(inChat)),
  tools: z.optional(z.null(inChat)),
  functions: z.optional(z.null(inChat)),
  function_call: z.optional(z.null(inChat)),
});
export type CompletionBody = z.infer<typeof CompletionBody>;

const Completion = z.looseObject({
  /** the generation's id, as in the header `X-Generation-Id` */
  id: z.string(),
  object: z.literal("text_completion"),
  created: z.int(),
  model: z.string(),
  choices: z.array(
    z.object({
      index: z.int(),
      text: z.string(),
      finish_reason: z.nullable(z.string()),
      logprobs: z.null(),
    }),
  ),
  usage: z.optional(ChatUsage),
});

/** The data of one event of a stream; the last event's data is `[DONE]`. */
export const CompletionChunk = z.extend(Completion, {
  /** replaces further chunks when the call fails after the first one */
  error: z.optional(z.looseObject({ code: z.int(), message: z.string() })),
});

export const createCompletion = endpoint({
  name: "createCompletion",
  method: "POST",
  path: "/completions",
  tag: "Chat",
  summary: "Answer a prompt, in the form of older programs",
  description:
    "For programs that know text completions alone. The prompt is sent to a chat model as one message, and its answer comes back as `text`.",
  auth: "ordinary",
  body: CompletionBody,
  bodyLimit: megabytes(32),
  headers: [...modelCallHeaders, ...responseCacheHeaders],
  returns: Completion,
  streams: CompletionChunk,
  answerHeaders: ["X-Generation-Id", ...cachedAnswerHeaders],
  errors: [400, 401, 402, 403, 404, 408, 413, 422, 429, 500, 502, 503, 524, 529],
});
