import { isObject, objectOf, type JsonObject } from "../answer.ts";
import { failureWithin } from "../failure.ts";
import { chunk, origin, toolCall } from "../chat-object.ts";
import type { ChatEvent, ChatObject, ChatStreamReader } from "../provider.ts";
import { calledIn, finishReason, imageIn, isCall, logprobsOf, nativeFinish } from "./answer.ts";
import { readUsage } from "./usage.ts";

/** Reads a stream of responses: https://platform.openai.com/docs/api-reference/responses-streaming */
export function createReader(): ChatStreamReader {
  /** the item's index in the output → the tool call's */
  const calls = new Map<unknown, number>();

  function addItem({ item, output_index: at }: JsonObject): readonly ChatEvent[] {
    if (!isObject(item) || !isCall(item)) return [];
    const index = calls.size;
    calls.set(at, index);
    return say({ tool_calls: [{ index, ...toolCall(calledIn(item)) }] });
  }

  function readEnd({ response }: JsonObject): readonly ChatEvent[] {
    const ended = isObject(response) ? response : {};
    const end = chunk({}, finishReason(ended, calls.size > 0), nativeFinish(ended));
    return [{ type: "chunk", chunk: withOrigin(end, ended) }, ...usageIn(ended), { type: "done" }];
  }

  return {
    read({ event: name, data }) {
      const event = objectOf(data);
      const { type = name, delta, output_index: at, response } = event;
      switch (type) {
        case "response.created":
          return [{ type: "chunk", chunk: withOrigin({ choices: [] }, response) }];
        case "response.output_item.added":
          return addItem(event);
        case "response.output_item.done":
          return imagesSaid(event["item"]);
        case "response.output_text.delta":
          return said("content", delta, event["logprobs"]);
        case "response.refusal.delta":
          return said("refusal", delta);
        case "response.reasoning_text.delta":
        case "response.reasoning_summary_text.delta":
          return said("reasoning", delta);
        case "response.function_call_arguments.delta":
        case "response.custom_tool_call_input.delta":
          return typeof delta === "string" && delta !== ""
            ? say({ tool_calls: [{ index: calls.get(at) ?? 0, function: { arguments: delta } }] })
            : [];
        case "response.completed":
        case "response.incomplete":
          return readEnd(event);
        case "response.failed":
        case "response.cancelled":
          return [...usageIn(response), { type: "error", failure: failureWithin(errorIn(response)) }];
        case "error":
          return [{ type: "error", failure: failureWithin(isObject(event["error"]) ? event["error"] : event) }];
        default:
          return [];
      }
    },
  };
}

const errorIn = (response: unknown) => (isObject(response) ? response["error"] : null);

function usageIn(response: unknown): readonly ChatEvent[] {
  const usage = isObject(response) ? readUsage(response["usage"], response["service_tier"]) : null;
  return usage === null ? [] : [{ type: "usage", usage }];
}

function withOrigin(object: ChatObject, response: unknown): ChatObject {
  return isObject(response) ? { ...object, ...origin(response) } : object;
}

function said(member: string, delta: unknown, tokens: unknown = null): readonly ChatEvent[] {
  if (typeof delta !== "string") return [];
  const saying = chunk({ [member]: delta });
  const choices = saying.choices.map((choice) => ({ ...choice, logprobs: logprobsOf(tokens as unknown[]) }));
  return [{ type: "chunk", chunk: Array.isArray(tokens) && tokens.length > 0 ? { ...saying, choices } : saying }];
}

function imagesSaid(item: unknown): readonly ChatEvent[] {
  const images = isObject(item) ? imageIn(item) : [];
  return images.length === 0 ? [] : say({ images });
}

function say(delta: JsonObject): readonly ChatEvent[] {
  return [{ type: "chunk", chunk: chunk(delta) }];
}
