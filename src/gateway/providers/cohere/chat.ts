import { isObject, joinTexts, objectOf, objectsIn, readText, typeName, type JsonObject } from "../answer.ts";
import { cannotCarry } from "../call.ts";
import { chatResult, completion, type ToolCallOut, wholeArguments } from "../chat-object.ts";
import { headers } from "../compatible/request.ts";
import {
  commonParameters,
  contentParts,
  contentText,
  given,
  isImagePart,
  type Message,
  plainThought,
  readMessages,
  refuseOutputs,
  stopSequences,
} from "../messages.ts";
import { budgetOf, readReasoning } from "../reasoning.ts";
import { BadAnswer, type ChatDialect } from "../provider.ts";
import { chosenTools, type ToolChoice } from "../tools.ts";
import { createReader } from "./chat-stream.ts";
import { finishReason, readUsage } from "./finish.ts";

const parameters = new Set([...commonParameters, "seed", "frequency_penalty", "presence_penalty"]);

/** Cohere's `POST /v2/chat`: https://docs.cohere.com/reference/chat */
export const chat: ChatDialect = {
  takes: (_, parameter) => parameters.has(parameter),

  toRequest(upstream, { model, body, stream, maxTokens, maxOutputTokens }) {
    const { tools, choice } = chosenTools(body);
    // Cohere cannot name a function: it is given that one alone.
    const named = choice !== null && "name" in choice ? tools.filter((tool) => isNamed(tool, choice.name)) : tools;
    refuseOutputs(body, ["text"]);
    const members = given({
      model,
      messages: readMessages(body).map(message),
      max_tokens: maxTokens,
      temperature: body["temperature"],
      p: body["top_p"],
      k: body["top_k"],
      stop_sequences: stopSequences(body["stop"]),
      seed: body["seed"],
      frequency_penalty: body["frequency_penalty"],
      presence_penalty: body["presence_penalty"],
      response_format: responseFormat(body["response_format"]),
      tools: named.length > 0 ? named : undefined,
      tool_choice: toolChoice(choice),
      thinking: thinking(body, maxTokens ?? maxOutputTokens ?? plainCeiling),
      stream,
    });
    return {
      method: "POST",
      url: `${upstream.baseUrl}/chat`,
      headers: headers(upstream, stream ? "text/event-stream" : "application/json"),
      body: JSON.stringify(members),
    };
  },

  *readAnswer(body) {
    yield;
    const answer = objectOf(body);
    const said = answer["message"];
    if (!isObject(said)) throw new BadAnswer("the answer has no message");
    const parts = Array.isArray(said["content"]) ? objectsIn(said["content"]) : contentParts(said["content"]);
    const native = readText(answer["finish_reason"]);
    const usage = readUsage(answer["usage"]);
    const choice = chatResult({
      content:
        joinTexts(parts.flatMap((part) => (part["type"] === "text" ? (readText(part["text"]) ?? []) : []))) || null,
      reasoning: joinTexts(
        [...parts.map((part) => part["thinking"]), said["tool_plan"]].filter((text) => typeof text === "string"),
      ),
      toolCalls: toolCalls(said["tool_calls"]),
      finish: finishReason(native),
      nativeFinish: native,
    });
    return { result: completion([choice], usage), usage };
  },

  readUsage: (body) => readUsage(objectOf(body)["usage"]),

  reader: createReader,
};

/** The answer length assumed without a maximum: a thinking budget is a share of it. */
const plainCeiling = 16_384;

/** https://docs.cohere.com/docs/reasoning */
function thinking(body: Readonly<JsonObject>, longest: number): JsonObject | undefined {
  const wanted = readReasoning(body);
  if (wanted === null) return undefined;
  const budget = budgetOf(wanted, longest);
  return budget === 0 ? { type: "disabled" } : { type: "enabled", token_budget: budget };
}

/** https://docs.cohere.com/reference/chat: parts of a message are text, images and thoughts. @throws CallFailed */
function message({ role, content, toolCalls: calls, toolCallId, raw }: Message): JsonObject {
  const parts = contentParts(content);
  const other = parts.find(({ type }) => type !== "text" && type !== "image_url");
  if (other !== undefined)
    throw cannotCarry(`Cohere has no words for a content part of type ${typeName(other["type"])}`);
  if (role === "tool") {
    if (parts.some(isImagePart)) throw cannotCarry("Cohere takes text in a tool's result, not images");
    return { role, tool_call_id: toolCallId, content: contentText(content) };
  }
  const thought = role === "assistant" ? plainThought(raw) : "";
  const thinking = thought === "" ? [] : [{ type: "thinking", thinking: thought }];
  const said = thinking.length > 0 ? [...thinking, ...parts] : (content ?? "");
  if (calls.length === 0) return { role, content: said };
  const made = calls.map((call) => ({
    id: call.id,
    type: "function",
    function: { name: call.name, arguments: wholeArguments(call.arguments) },
  }));
  return { role, tool_calls: made, ...(said === "" || said === null ? {} : { content: said }) };
}

/** Cohere expects the schema itself where OpenAI has a named wrapper around it. */
function responseFormat(format: unknown): unknown {
  if (!isObject(format) || format["type"] === "text") return undefined;
  const wrapper = format["json_schema"];
  return { type: "json_object", ...(isObject(wrapper) && wrapper["schema"] ? { json_schema: wrapper["schema"] } : {}) };
}

const isNamed = ({ function: called }: JsonObject, name: string) => isObject(called) && called["name"] === name;

/** @throws CallFailed for a mode of Google's */
function toolChoice(choice: ToolChoice | null): string | undefined {
  if (choice === null) return undefined;
  if ("name" in choice || choice.mode === "required") return "REQUIRED";
  if (choice.mode === "validated") throw cannotCarry("it has no tool_choice of type validated");
  return choice.mode === "none" ? "NONE" : undefined;
}

function toolCalls(calls: unknown): ToolCallOut[] {
  return objectsIn(calls).map((call) => {
    const called = isObject(call["function"]) ? call["function"] : {};
    return {
      id: readText(call["id"]) ?? "",
      name: readText(called["name"]) ?? "",
      arguments: readText(called["arguments"]) || "{}",
    };
  });
}
