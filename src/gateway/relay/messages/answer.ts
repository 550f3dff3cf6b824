import { isObject, objectsIn, readText, type JsonObject } from "../../providers/answer.ts";
import type { ChatObject, Usage } from "../../providers/provider.ts";
import { readCall } from "../../providers/tools.ts";
import { isShortJson, readJsonInTurns, UnreadableJson } from "../../read-json.ts";
import type { Turn } from "../../turns.ts";
import { textIn, thoughtIn } from "../chat/conversation.ts";
import type { SettledChat } from "../chat/settled.ts";
import { signedCallId } from "../signed-call-id.ts";
import type { FormedCall } from "../caller-form.ts";
import { unsigned } from "./unsigned.ts";

const stopReasons: Readonly<Record<string, string>> = {
  stop: "end_turn",
  length: "max_tokens",
  tool_calls: "tool_use",
  function_call: "tool_use",
  content_filter: "refusal",
};

export function stopReason(finish: unknown): string | null {
  return typeof finish === "string" ? (stopReasons[finish] ?? "end_turn") : null;
}

/** The call's id in this dialect. */
export const messageId = ({ context }: FormedCall): string => `msg_${context.id.slice("gen-".length)}`;

/** Members of every answer that a chat provider says nothing about. */
export const unsaid = { stop_sequence: null, stop_details: null, container: null } as const;

/** Usage in this dialect: what was cached is no part of `input_tokens`. */
export function messagesUsage({ promptTokens, completionTokens, cachedTokens = 0, ...used }: Usage): JsonObject {
  const { cacheWriteTokens: written = 0, hourCacheWriteTokens: forHour = 0, reasoningTokens } = used;
  return {
    input_tokens: Math.max(0, promptTokens - cachedTokens - written),
    cache_creation_input_tokens: written,
    cache_read_input_tokens: cachedTokens,
    cache_creation: { ephemeral_5m_input_tokens: Math.max(0, written - forHour), ephemeral_1h_input_tokens: forHour },
    output_tokens: completionTokens,
    output_tokens_details: reasoningTokens === undefined ? null : { thinking_tokens: reasoningTokens },
    server_tool_use: null,
    service_tier: null,
    inference_geo: null,
  };
}

/** The same, with what the call cost. */
export function settledUsage({ used, usage }: SettledChat): JsonObject {
  return { ...messagesUsage(used), cost: usage["cost"], is_byok: usage["is_byok"] };
}

/** A chat result's first choice as content blocks. */
export async function contentOf({ choices }: ChatObject, turn: Turn): Promise<JsonObject[]> {
  const message = choices[0]?.["message"];
  if (!isObject(message)) return [];
  const blocks = thinkingIn(message);
  const text = textIn(message) || (readText(message["refusal"]) ?? "");
  if (text !== "") blocks.push({ type: "text", text, citations: null });
  for (const call of objectsIn(message["tool_calls"])) {
    const { kind, name, text: given } = readCall(call);
    const input = kind === "custom" ? { input: given } : await inputOf(given, turn);
    blocks.push({ type: "tool_use", id: signedCallId(call), name, input });
  }
  return blocks;
}

/** Thoughts with their signatures where the provider has any; else what it shows of them. */
export function thinkingIn(message: JsonObject): JsonObject[] {
  const details = objectsIn(message["reasoning_details"]);
  const blocks = details.flatMap(({ type, text, summary, signature, data }): JsonObject[] => {
    if (type === "reasoning.encrypted") return typeof data === "string" ? [{ type: "redacted_thinking", data }] : [];
    const thinking = readText(text) ?? readText(summary);
    return thinking === null ? [] : [{ type: "thinking", thinking, signature: readText(signature) || unsigned }];
  });
  if (blocks.some(({ type }) => type === "thinking")) return blocks;
  const thinking = thoughtIn(message);
  return thinking === "" ? blocks : [{ type: "thinking", thinking, signature: unsigned }, ...blocks];
}

/** Values in a tool call's input. */
const mostValues = 100_000;

/** A tool call's arguments as an object. Text that is none is handed over as it is: an empty input would be a lie. */
async function inputOf(text: string, turn: Turn): Promise<unknown> {
  if (text.trim() === "") return {};
  try {
    const bytes = Buffer.from(text);
    const input: unknown = isShortJson(bytes) ? JSON.parse(text) : await readJsonInTurns(bytes, turn, mostValues);
    if (isObject(input)) return input;
  } catch (error) {
    if (!(error instanceof UnreadableJson || error instanceof SyntaxError)) throw error;
  }
  return { arguments: text };
}
