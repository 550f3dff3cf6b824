import { isObject, type JsonObject } from "../answer.ts";
import { gatewayMembers } from "../gateway-members.ts";

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

export function pick(members: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([name]) => names.includes(name)));
}
