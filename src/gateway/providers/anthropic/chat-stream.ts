import { isObject, objectOf, readCount, readText, type JsonObject } from "../answer.ts";
import { chunk, origin, toolCall } from "../chat-object.ts";
import { failureWithin } from "../failure.ts";
import { given } from "../messages.ts";
import type { ChatEvent, ChatStreamReader } from "../provider.ts";
import { finishReason, readUsage } from "./finish.ts";

const counts = ["input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens", "output_tokens"];

/** Counts grow. Some vendors say 0 at the end, or at the start, of what they say once. */
function largest(known: JsonObject, more: JsonObject): JsonObject {
  const both = counts.filter((name) => readCount(known[name]) !== null && readCount(more[name]) !== null);
  return Object.fromEntries(both.map((name) => [name, Math.max(Number(known[name]), Number(more[name]))]));
}

/** Reads Anthropic's stream: https://docs.anthropic.com/en/docs/build-with-claude/streaming */
export function createReader(): ChatStreamReader {
  /** usage as it was at the start; the end repeats only what changed */
  let usage: JsonObject = {};
  /** the stream's block index → the tool call's, and whether it has arguments */
  const calls = new Map<number, { readonly index: number; hasArguments: boolean }>();

  function startBlock(event: JsonObject): readonly ChatEvent[] {
    const block = isObject(event["content_block"]) ? event["content_block"] : {};
    if (block["type"] === "redacted_thinking") {
      return say({
        reasoning_details: [
          { type: "reasoning.encrypted", data: block["data"], format: "anthropic-claude-v1", index: event["index"] },
        ],
      });
    }
    if (block["type"] !== "tool_use") return readBegun(event, block);
    const index = calls.size;
    const input = isObject(block["input"]) && Object.keys(block["input"]).length > 0 ? block["input"] : null;
    calls.set(readCount(event["index"]) ?? 0, { index, hasArguments: input !== null });
    const text = input === null ? "" : JSON.stringify(input);
    const call = { id: readText(block["id"]) ?? "", name: readText(block["name"]) ?? "", arguments: text };
    return say({ tool_calls: [{ index, ...toolCall(call) }] });
  }

  /** A block begins empty at Anthropic; official clients take what it begins with, as other vendors of the dialect send it. */
  function readBegun(event: JsonObject, { text, thinking, signature }: JsonObject): readonly ChatEvent[] {
    const begun = [
      { type: "text_delta", text },
      { type: "thinking_delta", thinking },
      { type: "signature_delta", signature },
    ].filter((delta) => Object.values(delta).every((value) => typeof value === "string" && value !== ""));
    return begun.flatMap((delta) => readDelta({ ...event, delta }));
  }

  function readDelta(event: JsonObject): readonly ChatEvent[] {
    const delta = isObject(event["delta"]) ? event["delta"] : {};
    const detail = (members: JsonObject) => [
      { type: "reasoning.text", ...members, format: "anthropic-claude-v1", index: event["index"] },
    ];
    switch (delta["type"]) {
      case "text_delta":
        return say({ content: delta["text"] });
      case "thinking_delta":
        return say({ reasoning: delta["thinking"], reasoning_details: detail({ text: delta["thinking"] }) });
      case "signature_delta":
        return say({ reasoning_details: detail({ signature: delta["signature"] }) });
      case "input_json_delta": {
        if (delta["partial_json"] === "") return [];
        return say({ tool_calls: [argumentsOf(event, delta["partial_json"])] });
      }
      default:
        return [];
    }
  }

  function argumentsOf(event: JsonObject, piece: unknown): JsonObject {
    const call = calls.get(readCount(event["index"]) ?? 0);
    if (call !== undefined) call.hasArguments = true;
    return { index: call?.index ?? 0, function: { arguments: piece } };
  }

  /** A call without input has no piece of it, and its arguments are an empty object all the same. */
  function endBlock(event: JsonObject): readonly ChatEvent[] {
    const call = calls.get(readCount(event["index"]) ?? 0);
    return call === undefined || call.hasArguments ? [] : say({ tool_calls: [argumentsOf(event, "{}")] });
  }

  function readUsageSoFar(more: unknown): readonly ChatEvent[] {
    // Some vendors repeat at the end, as null, what they said at the start.
    if (isObject(more)) usage = { ...usage, ...given(more), ...largest(usage, more) };
    const read = readUsage(usage);
    return read ? [{ type: "usage", usage: read }] : [];
  }

  return {
    read({ data }) {
      const event = objectOf(data);
      switch (event["type"]) {
        case "message_start": {
          const message = isObject(event["message"]) ? event["message"] : {};
          return [
            { type: "chunk", chunk: { ...chunk({ role: "assistant", content: "" }), ...origin(message) } },
            ...readUsageSoFar(message["usage"]),
          ];
        }
        case "content_block_start":
          return startBlock(event);
        case "content_block_delta":
          return readDelta(event);
        case "content_block_stop":
          return endBlock(event);
        case "message_delta": {
          const native = isObject(event["delta"]) ? readText(event["delta"]["stop_reason"]) : null;
          return [{ type: "chunk", chunk: chunk({}, finishReason(native), native) }, ...readUsageSoFar(event["usage"])];
        }
        case "message_stop":
          return [{ type: "done" }];
        case "error":
          return [{ type: "error", failure: failureWithin(event["error"]) }];
        default:
          return [];
      }
    },
  };
}

function say(delta: JsonObject): readonly ChatEvent[] {
  return [{ type: "chunk", chunk: chunk(delta) }];
}
