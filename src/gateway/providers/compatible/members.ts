import { isObject, type JsonObject } from "../answer.ts";

/** Members of the public API that are for the gateway. Vendors do not know them, and strict ones answer 400. */
const gatewayMembers: ReadonlySet<string> = new Set([
  "cache_control",
  "debug",
  "image_config",
  "include_reasoning",
  "models",
  "plugins",
  "preset",
  "provider",
  "route",
  "session_id",
  "stop_server_tools_when",
  "trace",
  "transforms",
  "usage",
]);

/** Whether a member is the gateway's own. vLLM has an object of the name `structured_outputs`; the public API a flag. */
export function isForGateway(name: string, value?: unknown): boolean {
  return gatewayMembers.has(name) || (name === "structured_outputs" && !isObject(value));
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
