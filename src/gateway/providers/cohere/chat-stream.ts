import { isObject, objectOf, readText, type JsonObject } from "../answer.ts";
import { chunk, toolCall } from "../chat-object.ts";
import { failure } from "../failure.ts";
import type { ChatEvent, ChatStreamReader } from "../provider.ts";
import { finishReason, readUsage } from "./finish.ts";

/** Reads Cohere's stream: https://docs.cohere.com/docs/streaming */
export function createReader(): ChatStreamReader {
  /** the calls that have no arguments yet */
  const empty = new Set<unknown>();

  function readCall(event: JsonObject, message: JsonObject): readonly ChatEvent[] {
    const { index } = event;
    if (event["type"] === "tool-call-end") {
      return empty.delete(index) ? say({ tool_calls: [{ index, function: { arguments: "{}" } }] }) : [];
    }
    const call = toolCallDelta(message["tool_calls"], event);
    const { arguments: text } = call["function"] as JsonObject;
    if (text !== "") empty.delete(index);
    else if (event["type"] === "tool-call-start") empty.add(index);
    return say({ tool_calls: [call] });
  }

  return { read: ({ data }) => (data === "[DONE]" ? [{ type: "done" }] : readEvent(objectOf(data), readCall)) };
}

type CallReader = (event: JsonObject, message: JsonObject) => readonly ChatEvent[];

function readEvent(event: JsonObject, readCall: CallReader): readonly ChatEvent[] {
  const delta = isObject(event["delta"]) ? event["delta"] : {};
  const message = isObject(delta["message"]) ? delta["message"] : {};
  switch (event["type"]) {
    case "message-start":
      return say({ role: "assistant", content: "" });
    case "content-delta": {
      const content = isObject(message["content"]) ? message["content"] : {};
      const thinking = readText(content["thinking"]);
      return thinking === null ? say({ content: readText(content["text"]) ?? "" }) : say({ reasoning: thinking });
    }
    case "tool-plan-delta":
      return say({ reasoning: readText(message["tool_plan"]) ?? "" });
    case "tool-call-start":
    case "tool-call-delta":
    case "tool-call-end":
      return readCall(event, message);
    case "message-end":
      return readEnd(delta);
    default:
      return [];
  }
}

function say(delta: JsonObject): readonly ChatEvent[] {
  return [{ type: "chunk", chunk: chunk(delta) }];
}

function toolCallDelta(call: unknown, event: JsonObject): JsonObject {
  const called = isObject(call) && isObject(call["function"]) ? call["function"] : {};
  const text = readText(called["arguments"]) ?? "";
  if (event["type"] === "tool-call-delta") return { index: event["index"], function: { arguments: text } };
  const id = isObject(call) ? (readText(call["id"]) ?? "") : "";
  return { index: event["index"], ...toolCall({ id, name: readText(called["name"]) ?? "", arguments: text }) };
}

function readEnd(delta: JsonObject): readonly ChatEvent[] {
  const native = readText(delta["finish_reason"]);
  const usage = readUsage(delta["usage"]);
  const end: ChatEvent =
    native === "ERROR" || native === "TIMEOUT"
      ? {
          type: "error",
          failure: failure("server", {
            message: readText(delta["error"]) ?? `the provider broke off: ${native}`,
            code: native,
          }),
        }
      : { type: "chunk", chunk: chunk({}, finishReason(native), native) };
  return [end, ...(usage ? [{ type: "usage" as const, usage }] : []), { type: "done" }];
}
