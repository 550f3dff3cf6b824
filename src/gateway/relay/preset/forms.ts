import { isObject, readText, type JsonObject } from "../../providers/answer.ts";
import { given, stopSequences } from "../../providers/messages.ts";
import { readFunctions, readToolChoice } from "../../providers/tools.ts";

/** The forms of requests that a preset can complete. */
export type RequestForm =
  | "chat"
  | "messages"
  | "responses"
  | "embeddings"
  | "rerank"
  | "speech"
  | "transcriptions"
  | "images"
  | "videos"
  | "completions";

/** What a preset sets, in the form of chat. */
export interface PresetContent {
  readonly config: Readonly<JsonObject>;
  readonly systemPrompt: string | null;
}

/** A preset's members in the form of a request, apart from the system prompt of chat, which is a message there. */
export const membersIn: Readonly<Record<RequestForm, (content: PresetContent) => JsonObject>> = {
  chat: ({ config }) => without(config, notInChat),
  completions: ({ config }) => without(config, [...notInText, ...notInChat]),
  messages: inMessages,
  responses: inResponses,
  embeddings: ({ config }) => only(config, ["model", "provider", "dimensions", "input_type"]),
  rerank: ({ config }) => only(config, ["model", "provider", "top_n"]),
  speech: ({ config }) => only(config, ["model", "provider"]),
  images: ({ config }) => only(config, ["model", "provider", "seed"]),
  videos: ({ config }) => only(config, ["model", "provider", "seed"]),
  transcriptions: ({ config }) => only(config, ["model", "provider", "temperature"]),
};

/** Settings of other calls, and the gateway's own. */
const notInChat = ["dimensions", "input_type", "top_n", "cache_enabled", "cache_ttl_seconds"];

/** Settings of a conversation that a text completion has no place for. */
const notInText = ["tools", "tool_choice", "parallel_tool_calls", "functions", "function_call", "logprobs"];

/** Members that every form of conversation has by these names. */
const shared = ["model", "models", "provider", "temperature", "top_p"] as const;

function inMessages({ config, systemPrompt }: PresetContent): JsonObject {
  const { stop, tool_choice: choice, reasoning, response_format: format } = config;
  const budget = isObject(reasoning) ? reasoning["max_tokens"] : undefined;
  const effort = config["reasoning_effort"] ?? (isObject(reasoning) ? reasoning["effort"] : undefined);
  const schema = schemaOf(format);
  const allowed = readToolChoice(choice)?.only ?? null;
  const functions = readFunctions(config).filter(({ name }) => allowed === null || allowed.has(readText(name) ?? ""));
  return given({
    ...only(config, [...shared, "top_k"]),
    system: systemPrompt ?? undefined,
    max_tokens: maximumOf(config),
    stop_sequences: stopSequences(stop),
    tools: nonEmpty(
      functions.map(({ name, description, parameters, strict }) =>
        given({ name, description, input_schema: parameters ?? { type: "object" }, strict }),
      ),
    ),
    tool_choice: messagesChoice(choice, config["parallel_tool_calls"]),
    thinking: typeof budget === "number" ? { type: "enabled", budget_tokens: budget } : undefined,
    output_config:
      effort === undefined && schema === undefined
        ? undefined
        : given({ effort, format: schema && { type: "json_schema", schema: schema["schema"] } }),
  });
}

const messagesModes = { auto: "auto", validated: "auto", none: "none", required: "any" } as const;

function messagesChoice(given: unknown, parallel: unknown): JsonObject | undefined {
  const choice = readToolChoice(given)?.choice ?? null;
  const single = parallel === false ? { disable_parallel_tool_use: true } : {};
  if (choice === null) return parallel === false ? { type: "auto", ...single } : undefined;
  if ("name" in choice) return { type: "tool", name: choice.name, ...single };
  const type = messagesModes[choice.mode];
  return type === "none" ? { type } : { type, ...single };
}

/** Members of Responses that chat has by the same name and in the same form. */
export const sameInResponses = [
  ...shared,
  "top_k",
  "frequency_penalty",
  "presence_penalty",
  "top_logprobs",
  "parallel_tool_calls",
  "plugins",
  "route",
  "service_tier",
] as const;

function inResponses({ config, systemPrompt }: PresetContent): JsonObject {
  const { tools, tool_choice: choice, response_format: format, verbosity } = config;
  const effort = config["reasoning_effort"];
  const schema = schemaOf(format);
  return given({
    ...only(config, sameInResponses),
    instructions: systemPrompt ?? undefined,
    max_output_tokens: maximumOf(config),
    reasoning: config["reasoning"] ?? (effort === undefined ? undefined : { effort }),
    tools: Array.isArray(tools) ? tools.map(flatTool) : undefined,
    tool_choice: flatChoice(choice),
    text:
      format === undefined && verbosity === undefined
        ? undefined
        : given({ format: schema === undefined ? format : { type: "json_schema", ...schema }, verbosity }),
  });
}

/** Chat puts a tool's name and schema one level deeper. */
function flatTool(tool: unknown): unknown {
  if (!isObject(tool)) return tool;
  const { type } = tool;
  const held = type === "function" || type === "custom" ? tool[type] : null;
  return isObject(held) ? { type, ...held } : tool;
}

function flatChoice(choice: unknown): unknown {
  if (!isObject(choice) || choice["type"] !== "allowed_tools" || !isObject(choice["allowed_tools"]))
    return flatTool(choice);
  const { mode, tools } = choice["allowed_tools"];
  return { type: "allowed_tools", mode, tools: Array.isArray(tools) ? tools.map(flatTool) : tools };
}

function maximumOf({ max_tokens: older, max_completion_tokens: newer }: Readonly<JsonObject>): unknown {
  return older ?? newer;
}

function schemaOf(format: unknown): JsonObject | undefined {
  if (!isObject(format) || format["type"] !== "json_schema") return undefined;
  return isObject(format["json_schema"]) ? format["json_schema"] : undefined;
}

const nonEmpty = <T>(list: readonly T[]) => (list.length === 0 ? undefined : list);

export function only(members: Readonly<JsonObject>, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([name]) => names.includes(name)));
}

function without(members: Readonly<JsonObject>, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([name]) => !names.includes(name)));
}

/**
 * What tells one tool from another: a function's name, else the tool's type, which some are of several by name. Null:
 * it is no tool that could be told.
 */
export function identityOf(tool: unknown): string | null {
  if (!isObject(tool)) return null;
  const { function: called = tool["custom"], parameters } = tool;
  const type = tool["type"] ?? "function";
  if (typeof type !== "string") return null;
  const name = readText(isObject(called) ? called["name"] : tool["name"]);
  if (type === "function" || type === "custom") return `function ${name ?? ""}`;
  const own = isObject(parameters) ? readText(parameters["name"]) : null;
  return namedTypes.has(type) ? `${type} ${own ?? ""}` : type;
}

const namedTypes = new Set(["openrouter:advisor", "openrouter:subagent"]);
