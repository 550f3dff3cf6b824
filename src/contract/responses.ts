import * as z from "zod/mini";
import { inputExcess, membersOf, mostItems, mostParts } from "./conversation-bounds.ts";
import { cachedAnswerHeaders, endpoint, megabytes, modelCallHeaders, responseCacheHeaders } from "./endpoint.ts";
import { list } from "./list.ts";
import { ProviderPreferences } from "./routing.ts";

/** A part of a message. What it holds is the provider's own: a provider of this dialect gets it as it came. */
const Part = z.looseObject({ type: z.string() });
const Content = z.union([z.string(), z.array(Part)], "must be a text or a list of parts with a type");

/** A message, a call of a tool, its output, or what a model thought. A message may leave out its type. */
export const InputItem = z.looseObject({
  type: z.optional(z.nullable(z.string())),
  role: z.optional(z.nullable(z.string())),
  content: z.optional(z.nullable(Content)),
});

/** What is wrong with an input, and where; null: nothing. */
export function inputProblem(input: unknown): { path: (string | number)[]; message: string } | null {
  if (!Array.isArray(input)) return null;
  if (input.length === 0) return { path: [], message: "must have at least 1 element" };
  const excess = inputExcess(input);
  if (excess !== null) return excess;
  const items = input as readonly unknown[];
  for (const [index, item] of items.entries()) {
    const message = itemProblem(item);
    if (message !== null) return { path: [index], message };
  }
  return null;
}

function itemProblem(item: unknown): string | null {
  const { type, role, content } = membersOf(item);
  if (typeof type === "string" && type !== "message") return null;
  const isMessage = typeof role === "string" && (type === undefined || type === null || type === "message");
  if (!isMessage) return "must be an item with a type, or a message with a role and content";
  if (typeof content === "string") return null;
  const isList = Array.isArray(content) && content.every((part) => typeof membersOf(part)["type"] === "string");
  return isList ? null : "must have content: a text, or a list of parts with a type";
}

const Input = z.union([z.string(), z.array(InputItem)], "must be a text or a list of items").check((payload) => {
  const problem = inputProblem(payload.value);
  if (problem !== null) payload.issues.push({ code: "custom", input: payload.value, ...problem });
});

const mostTokens = 10_000_000;
const ModelName = z.string().check(z.minLength(1));
const Name = z.string().check(z.maxLength(256));
const optional = <T extends z.core.SomeType>(schema: T) => z.optional(z.nullable(schema));

/** Members that are not listed are the provider's own and are passed on to providers that speak this dialect. */
export const ResponsesBody = z.looseObject({
  model: optional(ModelName),
  /** tried after `model`, in this order */
  models: optional(list(ModelName, { most: 20 })),
  input: Input,
  instructions: optional(z.string()),
  stream: optional(z.boolean()),
  max_output_tokens: optional(z.int().check(z.minimum(1), z.maximum(mostTokens, `must be at most ${mostTokens}`))),
  tools: optional(list(z.looseObject({ type: z.string() }), { most: 2_048 })),
  tool_choice: optional(z.union([z.string(), z.looseObject({ type: z.string() })])),
  reasoning: optional(z.looseObject({})),
  text: optional(z.looseObject({})),
  metadata: optional(z.looseObject({})),
  /** true: the provider keeps the answer, so that a later call can continue it; default false, whatever its own is */
  store: optional(z.boolean()),
  /** the id of an answer that this key was given, and that its provider keeps */
  previous_response_id: optional(Name),
  /** only with `stream` and `store` */
  background: optional(z.boolean()),
  user: optional(Name),
  provider: optional(ProviderPreferences),
  session_id: optional(Name),
  trace: optional(z.looseObject({})),
});
export type ResponsesBody = z.infer<typeof ResponsesBody>;

/** Providers of this dialect add members of their own, which are passed on. */
export const ResponsesUsage = z.looseObject({
  input_tokens: z.int(),
  input_tokens_details: z.optional(z.looseObject({ cached_tokens: z.optional(z.int()) })),
  output_tokens: z.int(),
  output_tokens_details: z.optional(z.looseObject({ reasoning_tokens: z.optional(z.int()) })),
  total_tokens: z.int(),
  /** USD charged for this call; absent where the provider's answer is passed on */
  cost: z.optional(z.number()),
  is_byok: z.optional(z.boolean()),
});

export const ResponseResult = z.looseObject({
  id: z.string(),
  object: z.literal("response"),
  created_at: z.number(),
  status: z.enum(["completed", "incomplete", "failed", "in_progress", "cancelled", "queued"]),
  model: z.string(),
  output: z.array(z.looseObject({ type: z.string() })),
  /** the text of all messages in `output`; absent where the provider's answer is passed on without it */
  output_text: z.optional(z.string()),
  error: z.nullable(z.looseObject({ code: z.string(), message: z.string() })),
  incomplete_details: z.nullable(z.looseObject({ reason: z.optional(z.string()) })),
  usage: z.optional(z.nullable(ResponsesUsage)),
});

/** The data of one event of a stream; the event's name repeats `type`. */
export const ResponseEvent = z.looseObject({
  type: z.string(),
  sequence_number: z.int(),
  /** of `response.created`, `.in_progress`, `.completed`, `.incomplete` and `.failed` */
  response: z.optional(ResponseResult),
  output_index: z.optional(z.int()),
  /** of `response.output_item.added` and `.done` */
  item: z.optional(z.looseObject({ type: z.string() })),
  item_id: z.optional(z.string()),
  content_index: z.optional(z.int()),
  delta: z.optional(z.string()),
});

const bounds = `At most ${mostItems} items and ${mostParts} parts in all of them together. `;

export const createResponse = endpoint({
  name: "createResponse",
  operationId: "createResponses",
  method: "POST",
  path: "/responses",
  tag: "Responses",
  summary: "Continue a conversation in the form of responses",
  description:
    `${bounds}A provider that speaks this dialect gets the request as it came, with its own name of the model and without the gateway's own members, ` +
    "and its answer is passed on with nothing but the model's name changed. Other chat models are asked and answered by translation. " +
    "With `stream: true` the answer is `text/event-stream`: each event with its name, and `data: [DONE]` at the end; a failure after the first one is a `response.failed` event.",
  auth: "ordinary",
  body: ResponsesBody,
  bodyLimit: megabytes(32),
  headers: [...modelCallHeaders, ...responseCacheHeaders],
  returns: ResponseResult,
  streams: ResponseEvent,
  answerHeaders: ["X-Generation-Id", ...cachedAnswerHeaders],
  errors: [400, 401, 402, 403, 404, 408, 413, 422, 429, 500, 502, 503, 524, 529],
});
