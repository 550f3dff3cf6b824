import { isObject, parseObject, readText, type JsonObject } from "../answer.ts";
import { chatResult, completion } from "../chat-object.ts";
import { given, readFunctions, readMessages, readToolChoice, stopSequences, wantedTokens } from "../messages.ts";
import { BadAnswer, type ChatCall, type ChatDialect, type Upstream } from "../provider.ts";
import { createReader } from "./chat-stream.ts";
import { finishReason, readUsage } from "./finish.ts";
import { toMessages, toSystem } from "./messages.ts";

const parameters = new Set([
  "max_tokens",
  "max_completion_tokens",
  "temperature",
  "top_p",
  "top_k",
  "stop",
  "tools",
  "tool_choice",
  "parallel_tool_calls",
  "reasoning",
  "user",
]);

/** Anthropic's `POST /v1/messages`: https://docs.anthropic.com/en/api/messages */
export const chat: ChatDialect = {
  takes: (_, parameter) => parameters.has(parameter),

  toRequest(upstream, call) {
    return {
      method: "POST",
      url: `${upstream.baseUrl}/messages`,
      headers: headers(upstream, call.stream ? "text/event-stream" : "application/json"),
      body: JSON.stringify(members(call)),
    };
  },

  readAnswer(text) {
    const answer = parseObject(text);
    const content = answer["content"];
    if (!Array.isArray(content)) throw new BadAnswer("the answer has no content");
    const blocks = content.filter(isObject);
    const texts = (type: string, member: string) =>
      blocks.flatMap((block) => (block["type"] === type ? (readText(block[member]) ?? []) : [])).join("");
    const native = readText(answer["stop_reason"]);
    const usage = readUsage(answer["usage"]);
    const choice = chatResult({
      content: texts("text", "text") || null,
      reasoning: texts("thinking", "thinking"),
      reasoningDetails: reasoningDetails(blocks),
      toolCalls: blocks.flatMap((block) =>
        block["type"] === "tool_use"
          ? [
              {
                id: readText(block["id"]) ?? "",
                name: readText(block["name"]) ?? "",
                arguments: JSON.stringify(block["input"] ?? {}),
              },
            ]
          : [],
      ),
      finish: finishReason(native),
      nativeFinish: native,
    });
    return { result: completion([choice], usage), usage };
  },

  reader: createReader,
};

/** https://docs.anthropic.com/en/api/versioning */
const version = "2023-06-01";

export function headers(upstream: Upstream, accept: "application/json" | "text/event-stream" = "application/json") {
  return {
    accept,
    "content-type": "application/json",
    "anthropic-version": version,
    ...(upstream.apiKey === null ? {} : { "x-api-key": upstream.apiKey }),
  };
}

/** Anthropic wants a ceiling in every request; without the caller's and the model's own it is this. */
const plainCeiling = 4_096;

function members({ model, body, stream, maxOutputTokens }: ChatCall): JsonObject {
  const messages = readMessages(body);
  const functions = readFunctions(body);
  const reasoning = isObject(body["reasoning"]) ? body["reasoning"] : {};
  const budget = reasoning["max_tokens"];
  return given({
    model,
    max_tokens: wantedTokens(body) ?? maxOutputTokens ?? plainCeiling,
    system: toSystem(messages),
    messages: toMessages(messages),
    temperature: body["temperature"],
    top_p: body["top_p"],
    top_k: body["top_k"],
    stop_sequences: stopSequences(body["stop"]),
    tools: functions.length > 0 ? functions.map(tool) : undefined,
    tool_choice: toolChoice(body),
    thinking: typeof budget === "number" ? { type: "enabled", budget_tokens: budget } : undefined,
    metadata: typeof body["user"] === "string" ? { user_id: body["user"] } : undefined,
    stream,
  });
}

function tool(called: JsonObject): JsonObject {
  return given({
    name: called["name"],
    description: called["description"],
    input_schema: called["parameters"] ?? { type: "object" },
  });
}

const modes: Readonly<Record<string, string>> = { auto: "auto", none: "none", required: "any" };

function toolChoice(body: Readonly<JsonObject>): JsonObject | undefined {
  const read = readToolChoice(body["tool_choice"]);
  const single = body["parallel_tool_calls"] === false ? { disable_parallel_tool_use: true } : {};
  if (read === null) return "disable_parallel_tool_use" in single ? { type: "auto", ...single } : undefined;
  if ("name" in read) return { type: "tool", name: read.name, ...single };
  const type = modes[read.mode] ?? "auto";
  return type === "none" ? { type } : { type, ...single };
}

function reasoningDetails(blocks: readonly JsonObject[]): JsonObject[] {
  return blocks.flatMap((block, index): JsonObject[] => {
    const shared = { format: "anthropic-claude-v1", index };
    if (block["type"] === "thinking")
      return [{ type: "reasoning.text", text: block["thinking"], signature: block["signature"] ?? null, ...shared }];
    return block["type"] === "redacted_thinking"
      ? [{ type: "reasoning.encrypted", data: block["data"], ...shared }]
      : [];
  });
}
