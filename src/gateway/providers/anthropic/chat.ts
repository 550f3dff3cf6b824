import { isObject, joinTexts, objectOf, objectsIn, readText, refuseVastArguments, type JsonObject } from "../answer.ts";
import { chatResult, completion, origin } from "../chat-object.ts";
import { readReasoning } from "../reasoning.ts";
import { cannotCarry } from "../call.ts";
import { commonParameters, given, readMessages, refuseOutputs, stopSequences } from "../messages.ts";
import { BadAnswer, type ChatCall, type ChatDialect, type Upstream } from "../provider.ts";
import { chosenTools, type ToolChoice } from "../tools.ts";
import { createReader } from "./chat-stream.ts";
import { finishReason, readUsage } from "./finish.ts";
import { lacksThoughts, toMessages, toSystem } from "./messages.ts";
import { thinkingMembers, thinkingOf } from "./thinking.ts";

const parameters = new Set([...commonParameters, "parallel_tool_calls", "user", "cache_control", "verbosity"]);

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

  *readAnswer(body) {
    yield;
    const answer = objectOf(body);
    const content = answer["content"];
    if (!Array.isArray(content)) throw new BadAnswer("the answer has no content");
    const blocks = objectsIn(content);
    refuseVastArguments(blocks.map((block) => block["input"]));
    const texts = (type: string, member: string) =>
      joinTexts(blocks.flatMap((block) => (block["type"] === type ? (readText(block[member]) ?? []) : [])));
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
    return { result: { ...completion([choice], usage), ...origin(answer) }, usage };
  },

  readUsage: (body) => readUsage(objectOf(body)["usage"]),

  reader: createReader,
};

/** https://docs.anthropic.com/en/api/versioning */
const version = "2023-06-01";

export function headers(
  upstream: Upstream,
  accept: "application/json" | "text/event-stream" | "*/*" = "application/json",
) {
  return {
    accept,
    "content-type": "application/json",
    "anthropic-version": version,
    ...(upstream.apiKey === null ? {} : { "x-api-key": upstream.apiKey }),
  };
}

/** Anthropic requires a maximum in every request; this is the default if neither caller nor model has one. */
const plainCeiling = 4_096;

function members({ model, body, stream, maxTokens, maxOutputTokens, supported }: ChatCall): JsonObject {
  const messages = readMessages(body);
  const { functions, choice } = chosenTools(body);
  refuseOutputs(body, ["text"]);
  const ceiling = maxTokens ?? maxOutputTokens ?? plainCeiling;
  const known = thinkingOf(model);
  const sent = toMessages(messages);
  const isForced = choice !== null && ("name" in choice || choice.mode === "required");
  const { thinking, effort } = thinkingMembers(known, readReasoning(body), {
    ceiling,
    isForced,
    verbosity: readText(body["verbosity"]),
    lacksThoughts: lacksThoughts(sent),
  });
  // With thinking there is no temperature, no top_k and no small top_p: https://docs.anthropic.com/en/docs/build-with-claude/extended-thinking
  const isThinking = thinking !== undefined && thinking["type"] !== "disabled";
  const isTaken = (name: string) => !isThinking && (known.samples || supported?.includes(name));
  const drawn = Object.fromEntries(["temperature", "top_p", "top_k"].filter(isTaken).map((name) => [name, body[name]]));
  return given({
    model,
    max_tokens: ceiling,
    system: toSystem(messages),
    messages: sent,
    ...drawn,
    stop_sequences: stopSequences(body["stop"]),
    tools: functions.length > 0 ? functions.map(tool) : undefined,
    tool_choice: functions.length > 0 ? toolChoice(choice, body["parallel_tool_calls"]) : undefined,
    thinking,
    output_config: outputConfig(body["response_format"], effort),
    cache_control: body["cache_control"],
    metadata: metadata(body["user"] ?? body["safety_identifier"]),
    stream,
  });
}

/** https://docs.anthropic.com/en/docs/build-with-claude/structured-outputs @throws CallFailed where there is no schema */
function outputConfig(format: unknown, effort: string | undefined): JsonObject | undefined {
  const said = effort === undefined ? {} : { effort };
  if (!isObject(format) || format["type"] === "text") return effort === undefined ? undefined : said;
  const wrapper = format["json_schema"];
  const schema = isObject(wrapper) ? wrapper["schema"] : undefined;
  if (!isObject(schema)) {
    throw cannotCarry("Anthropic takes response_format with the type json_schema and its schema, not JSON without one");
  }
  return { format: { type: "json_schema", schema }, ...said };
}

/** https://platform.openai.com/docs/guides/safety-best-practices: `safety_identifier` is the newer name of `user`. */
const metadata = (user: unknown) => (typeof user === "string" ? { user_id: user } : undefined);

function tool(called: JsonObject): JsonObject {
  return given({
    name: called["name"],
    description: called["description"],
    input_schema: called["parameters"] ?? { type: "object" },
    strict: called["strict"] === true ? true : undefined,
    cache_control: called["cache_control"],
  });
}

const modes = { auto: "auto", none: "none", required: "any" } as const;

/** @throws CallFailed for a mode of Google's */
function toolChoice(choice: ToolChoice | null, parallel: unknown): JsonObject | undefined {
  const single = parallel === false ? { disable_parallel_tool_use: true } : {};
  if (choice === null) return parallel === false ? { type: "auto", ...single } : undefined;
  if ("name" in choice) return { type: "tool", name: choice.name, ...single };
  if (choice.mode === "validated") throw cannotCarry("it has no tool_choice of type validated");
  const type = modes[choice.mode];
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
