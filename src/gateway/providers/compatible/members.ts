import { isObject, objectsOf, type JsonObject } from "../answer.ts";
import { gatewayMembers } from "../gateway-members.ts";
import { callIdIn } from "../call-ids.ts";
import { plainThought } from "../messages.ts";

/** Members of the public API's chat and embeddings that are for the gateway. */
const ownMembers: ReadonlySet<string> = new Set([
  ...gatewayMembers,
  "cache_control",
  "image_config",
  "include_reasoning",
  "usage",
]);

/** Whether a member is the gateway's own. vLLM has an object of the name `structured_outputs`; the public API a flag. */
export function isForGateway(name: string, value?: unknown): boolean {
  return ownMembers.has(name) || (name === "structured_outputs" && !isObject(value));
}

const messageMembers = [
  "role",
  "content",
  "name",
  "tool_calls",
  "tool_call_id",
  "refusal",
  "audio",
  "function_call",
  "prefix",
];

/** Messages without members added by earlier answers (`reasoning`, `images` …), for vendors that refuse them. */
export function strictMessages(messages: unknown): unknown {
  if (!Array.isArray(messages)) return messages;
  return messages.filter(isObject).map((message) => {
    const known = pick(message, messageMembers);
    const { content } = known;
    if (!Array.isArray(content)) return known;
    return { ...known, content: content.map((part) => (isObject(part) ? withoutCaching(part) : part)) };
  });
}

function withoutCaching({ cache_control: _, ...part }: JsonObject): JsonObject {
  return part;
}

/**
 * What is sent for the thoughts of a turn that called tools where the caller kept none: these models refuse such a turn,
 * Moonshot's also one whose thoughts are empty. https://api-docs.deepseek.com/guides/thinking_mode#tool-calls and
 * https://platform.kimi.ai/docs/guide/use-kimi-k2-thinking-model
 */
const standIns: readonly [RegExp, string][] = [
  [/deepseek/i, ""],
  [/kimi|moonshot/i, " "],
];

/**
 * Messages whose thoughts are in `reasoning_content` as well, where DeepSeek, Moonshot and others look for those of earlier
 * turns. https://api-docs.deepseek.com/guides/thinking_mode
 */
export function withThoughts(messages: unknown, model: string): unknown {
  if (!Array.isArray(messages)) return messages;
  const standIn = standIns.find(([models]) => models.test(model))?.[1];
  return messages.map((message: unknown) => {
    if (!isObject(message) || message["role"] !== "assistant" || "reasoning_content" in message) return message;
    const thought = plainThought(message);
    if (thought !== "") return { ...message, reasoning_content: thought };
    const isMissed = standIn !== undefined && objectsOf(message["tool_calls"]).length > 0;
    return isMissed ? { ...message, reasoning_content: standIn } : message;
  });
}

/** Messages whose calls have ids in the form that the vendor takes. */
export function withCallIds(messages: unknown, form: RegExp): unknown {
  if (!Array.isArray(messages)) return messages;
  const fitting = (id: unknown) => (typeof id === "string" ? callIdIn(form, id) : id);
  return messages.map((message: unknown) => {
    if (!isObject(message)) return message;
    const { tool_calls: calls, tool_call_id: answered } = message;
    return {
      ...message,
      ...(Array.isArray(calls)
        ? { tool_calls: objectsOf(calls).map((call) => ({ ...call, id: fitting(call["id"]) })) }
        : {}),
      ...(answered === undefined ? {} : { tool_call_id: fitting(answered) }),
    };
  });
}

export function pick(members: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([name]) => names.includes(name)));
}
