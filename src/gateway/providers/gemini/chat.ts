import { isObject, parseObject, readText, type JsonObject } from "../answer.ts";
import { completion } from "../chat-object.ts";
import { given, readFunctions, readMessages, readToolChoice, stopSequences, wantedTokens } from "../messages.ts";
import type { ChatDialect } from "../provider.ts";
import { readCandidates, readUsage } from "./answer.ts";
import { createReader } from "./chat-stream.ts";
import { toContents } from "./contents.ts";
import { headers, modelUrl } from "./request.ts";

const parameters = new Set([
  "max_tokens",
  "max_completion_tokens",
  "temperature",
  "top_p",
  "top_k",
  "stop",
  "seed",
  "n",
  "frequency_penalty",
  "presence_penalty",
  "response_format",
  "tools",
  "tool_choice",
  "reasoning",
  "reasoning_effort",
]);

/** Google's `generateContent` and `streamGenerateContent`: https://ai.google.dev/api/generate-content */
export const chat: ChatDialect = {
  takes: (_, parameter) => parameters.has(parameter),

  toRequest(upstream, { model, body, stream }) {
    const { systemInstruction, contents } = toContents(readMessages(body));
    const functions = readFunctions(body);
    const members = given({
      systemInstruction,
      contents,
      tools: functions.length > 0 ? [{ functionDeclarations: functions.map(declaration) }] : undefined,
      toolConfig: toolConfig(body["tool_choice"]),
      generationConfig: generationConfig(body),
    });
    return {
      method: "POST",
      url: modelUrl(upstream, model, stream ? "streamGenerateContent?alt=sse" : "generateContent"),
      headers: headers(upstream, stream ? "text/event-stream" : "application/json"),
      body: JSON.stringify(members),
    };
  },

  readAnswer(text) {
    const answer = parseObject(text);
    const usage = readUsage(answer["usageMetadata"]);
    return { result: completion(readCandidates(answer), usage), usage };
  },

  reader: createReader,
};

function declaration(called: JsonObject): JsonObject {
  return given({
    name: called["name"],
    description: called["description"],
    parametersJsonSchema: called["parameters"],
  });
}

const modes: Readonly<Record<string, string>> = { auto: "AUTO", none: "NONE", required: "ANY" };

function toolConfig(choice: unknown): JsonObject | undefined {
  const read = readToolChoice(choice);
  if (read === null) return undefined;
  if ("name" in read) return { functionCallingConfig: { mode: "ANY", allowedFunctionNames: [read.name] } };
  return { functionCallingConfig: { mode: modes[read.mode] ?? "AUTO" } };
}

function generationConfig(body: Readonly<JsonObject>): JsonObject | undefined {
  const config = given({
    maxOutputTokens: wantedTokens(body),
    temperature: body["temperature"],
    topP: body["top_p"],
    topK: body["top_k"],
    stopSequences: stopSequences(body["stop"]),
    seed: body["seed"],
    candidateCount: body["n"],
    frequencyPenalty: body["frequency_penalty"],
    presencePenalty: body["presence_penalty"],
    ...responseFormat(body["response_format"]),
    thinkingConfig: thinkingConfig(body),
  });
  return Object.keys(config).length > 0 ? config : undefined;
}

function responseFormat(format: unknown): JsonObject {
  if (!isObject(format) || format["type"] === "text") return {};
  const wrapper = format["json_schema"];
  return {
    responseMimeType: "application/json",
    responseJsonSchema: isObject(wrapper) ? wrapper["schema"] : undefined,
  };
}

/** `reasoning.max_tokens` is Google's budget; of the efforts only "none" has a number that every model takes. */
function thinkingConfig(body: Readonly<JsonObject>): JsonObject | undefined {
  const reasoning = isObject(body["reasoning"]) ? body["reasoning"] : {};
  const effort = readText(reasoning["effort"]) ?? readText(body["reasoning_effort"]);
  const budget = reasoning["max_tokens"] ?? (effort === "none" ? 0 : undefined);
  return typeof budget === "number"
    ? { thinkingBudget: budget, ...(budget > 0 ? { includeThoughts: true } : {}) }
    : undefined;
}
