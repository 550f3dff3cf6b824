import { isObject, objectOf, readText, type JsonObject } from "../answer.ts";
import { chunk, toolCall } from "../chat-object.ts";
import { failure } from "../failure.ts";
import type { ChatEvent, ChatStreamReader } from "../provider.ts";
import { finishReason, readUsage } from "./finish.ts";

/** Reads Cohere's stream: https://docs.cohere.com/docs/streaming */
export function createReader(): ChatStreamReader {
  return { read: ({ data }) => (data === "[DONE]" ? [{ type: "done" }] : readEvent(objectOf(data))) };
}

function readEvent(event: JsonObject): readonly ChatEvent[] {
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
      return say({ tool_calls: [toolCallDelta(message["tool_calls"], event)] });
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
