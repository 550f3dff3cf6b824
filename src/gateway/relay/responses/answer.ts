import { isObject, objectsIn, readText, type JsonObject } from "../../providers/answer.ts";
import { readDataUrl } from "../../providers/messages.ts";
import type { ChatObject, Usage } from "../../providers/provider.ts";
import { gapIn } from "../../providers/reasoning.ts";
import { readCall } from "../../providers/tools.ts";
import { textIn, thoughtIn } from "../chat/conversation.ts";
import type { SettledChat } from "../chat/settled.ts";
import { callMembers, callTypes, toolCalled } from "./calls.ts";
import { carriedThought } from "../../carried-thought.ts";
import { signedCallId } from "../signed-call-id.ts";
import type { FormedCall } from "../caller-form.ts";

const suffix = ({ context }: FormedCall): string => context.id.slice("gen-".length);

/** The call's id in this dialect. */
export const responseId = (run: FormedCall): string => `resp_${suffix(run)}`;

const prefixes = {
  message: "msg",
  reasoning: "rs",
  function_call: "fc",
  custom_tool_call: "ctc",
  tool_search_call: "tsc",
  image_generation_call: "ig",
} as const;

/** The id of an item of an answer. @param index in its output */
export const itemId = (run: FormedCall, type: keyof typeof prefixes, index: number): string =>
  `${prefixes[type]}_${suffix(run)}_${index}`;

/** How an answer ended. */
export interface Ending {
  readonly status: "completed" | "incomplete" | "failed";
  readonly incomplete_details: { readonly reason: string } | null;
}

const incompleteReasons: Readonly<Record<string, string>> = {
  length: "max_output_tokens",
  content_filter: "content_filter",
};

export function endingOf(finish: unknown): Ending {
  if (finish === "error") return { status: "failed", incomplete_details: null };
  const reason = typeof finish === "string" ? incompleteReasons[finish] : undefined;
  return reason === undefined
    ? { status: "completed", incomplete_details: null }
    : { status: "incomplete", incomplete_details: { reason } };
}

/** Members that an answer repeats of its request, and what they are without one. */
const repeated: Readonly<JsonObject> = {
  instructions: null,
  max_output_tokens: null,
  max_tool_calls: null,
  metadata: {},
  parallel_tool_calls: true,
  temperature: null,
  text: { format: { type: "text" } },
  tool_choice: "auto",
  top_logprobs: 0,
  top_p: null,
  presence_penalty: null,
  frequency_penalty: null,
  prompt_cache_key: null,
  safety_identifier: null,
  user: null,
};

/** An answer as it is before its first word. */
export function begunResponse(run: FormedCall, model: string): JsonObject {
  const asked = run.request.passed?.json ?? {};
  const tools = Array.isArray(asked["tools"]) ? asked["tools"].filter(isObject) : [];
  const given = Object.entries(repeated).map(([name, otherwise]) => [name, asked[name] ?? otherwise]);
  return {
    id: responseId(run),
    object: "response",
    created_at: Math.floor(run.context.createdAt.getTime() / 1_000),
    completed_at: null,
    status: "in_progress",
    background: false,
    error: null,
    incomplete_details: null,
    model,
    output: [],
    previous_response_id: null,
    reasoning: { effort: null, summary: null, ...(isObject(asked["reasoning"]) ? asked["reasoning"] : {}) },
    store: false,
    tools: tools.map((tool) => ({ parameters: null, strict: null, ...tool })),
    truncation: "disabled",
    usage: null,
    ...Object.fromEntries(given.filter(([name, value]) => name !== "user" || value !== null)),
  };
}

/** When an answer was complete, seconds. */
export function completedAt({ context }: FormedCall): number {
  return Math.floor((context.createdAt.getTime() + performance.now() - context.startedMs) / 1_000);
}

/** Usage in this dialect: what was cached and what was thought are parts of their sums. */
export function responsesUsage({ used, usage }: SettledChat): JsonObject {
  const { promptTokens, completionTokens, cachedTokens = 0, cacheWriteTokens = 0, reasoningTokens = 0 }: Usage = used;
  return {
    input_tokens: promptTokens,
    input_tokens_details: { cached_tokens: cachedTokens, cache_write_tokens: cacheWriteTokens },
    output_tokens: completionTokens,
    output_tokens_details: { reasoning_tokens: reasoningTokens },
    total_tokens: promptTokens + completionTokens,
    cost: usage["cost"],
    is_byok: usage["is_byok"],
  };
}

/** A chat result's first choice as items, and the text in them. */
export function outputOf(run: FormedCall, { choices }: ChatObject): { output: JsonObject[]; text: string } {
  const choice = choices[0] ?? {};
  const message = isObject(choice["message"]) ? choice["message"] : {};
  const status = endingOf(choice["finish_reason"]).status === "completed" ? "completed" : "incomplete";
  const output: JsonObject[] = [];
  const text = textIn(message);
  const content = partsOf(message, text, logprobsOf(choice["logprobs"]));
  const add = (type: keyof typeof prefixes, members: JsonObject) =>
    output.push({ id: itemId(run, type, output.length), type, ...members });
  const { before, after } = thoughtsAround(message);
  for (const thought of before) add("reasoning", { status: "completed", ...thought });
  if (content.length > 0) add("message", { status, role: "assistant", content });
  for (const thought of after) add("reasoning", { status: "completed", ...thought });
  for (const image of imagesIn(message)) add("image_generation_call", { status: "completed", result: image });
  for (const call of objectsIn(message["tool_calls"])) {
    const read = readCall(call);
    const tool = toolCalled(run, read);
    add(callTypes[tool.kind], callMembers(tool, { status, callId: signedCallId(call), text: read.text }));
  }
  return { output, text };
}

function partsOf(message: JsonObject, text: string, logprobs: JsonObject[]): JsonObject[] {
  const refusal = readText(message["refusal"]) ?? "";
  const annotations = objectsIn(message["annotations"]).flatMap(annotationOf);
  return [
    ...(text === "" ? [] : [{ type: "output_text", text, annotations, logprobs }]),
    ...(refusal === "" ? [] : [{ type: "refusal", refusal }]),
  ];
}

/** https://platform.openai.com/docs/api-reference/chat/object: a citation's members are in an object of its type. */
export function annotationOf({ url_citation: cited }: JsonObject): JsonObject[] {
  if (!isObject(cited)) return [];
  const { url, title, start_index: start = 0, end_index: end = 0 } = cited;
  return typeof url === "string"
    ? [{ type: "url_citation", url, title: readText(title) ?? "", start_index: start, end_index: end }]
    : [];
}

/** The bytes of generated images, in base64. */
export function imagesIn({ images }: JsonObject): string[] {
  return objectsIn(images).flatMap(({ image_url: image }) => {
    const inline = readDataUrl((isObject(image) ? readText(image["url"]) : null) ?? "");
    return inline === null ? [] : [inline.base64];
  });
}

/** Tokens' probabilities in this dialect: the members of each that it has. */
export function logprobsOf(logprobs: unknown): JsonObject[] {
  const tokens = isObject(logprobs) ? logprobs["content"] : null;
  return Array.isArray(tokens) ? (tokens as JsonObject[]) : [];
}

/**
 * Thoughts with what makes them valid for their provider, in one item each; else what it shows of them. Those that came
 * after the text come back after it: Anthropic refuses a turn whose blocks are in another order.
 */
function thoughtsAround(message: JsonObject): { before: JsonObject[]; after: JsonObject[] } {
  const details = objectsIn(message["reasoning_details"]);
  const gap = gapIn(details);
  const before = details.slice(0, gap).flatMap(thoughtOf);
  const after = details.slice(gap).flatMap(thoughtOf);
  const shown = [...before, ...after].some(({ content }) => Array.isArray(content) && content.length > 0);
  const text = thoughtIn(message);
  if (shown || text === "") return { before, after };
  return { before: [{ summary: [], content: [{ type: "reasoning_text", text }] }, ...before], after };
}

/** The members of a thought's item. */
export function thoughtOf(detail: JsonObject): JsonObject[] {
  const { type, text, summary, signature, data, format } = detail;
  const carried = carriedThought(detail);
  const given = {
    ...(carried === null ? {} : { encrypted_content: carried }),
    ...(typeof signature === "string" && signature !== "" ? { signature } : {}),
    ...(typeof format === "string" ? { format } : {}),
  };
  if (type === "reasoning.encrypted") {
    return typeof data === "string" ? [{ summary: [], encrypted_content: data, ...given }] : [];
  }
  const thought = readText(text) ?? readText(summary);
  return thought === null ? [] : [{ summary: [], content: [{ type: "reasoning_text", text: thought }], ...given }];
}
