import type { JsonObject } from "./answer.ts";
import { given } from "./messages.ts";
import type { ChatObject, Usage } from "./provider.ts";

export type FinishReason = "stop" | "length" | "tool_calls" | "content_filter" | "error";

export interface ToolCallOut {
  id: string;
  name: string;
  arguments: string;
  /** the vendor's own members that have to be sent back with the next request */
  extra?: JsonObject;
}

/** A chat result in the public form. */
export function chatResult(parts: {
  content: string | null;
  reasoning?: string;
  reasoningDetails?: JsonObject[];
  toolCalls?: readonly ToolCallOut[];
  images?: readonly JsonObject[];
  finish: FinishReason | null;
  nativeFinish: string | null;
  index?: number;
}): JsonObject {
  const { content, reasoning, reasoningDetails, toolCalls = [], images = [], finish, nativeFinish, index = 0 } = parts;
  return {
    index,
    message: {
      role: "assistant",
      content,
      refusal: null,
      ...(reasoning ? { reasoning } : {}),
      ...(reasoningDetails?.length ? { reasoning_details: reasoningDetails } : {}),
      ...(images.length > 0 ? { images } : {}),
      ...(toolCalls.length > 0 ? { tool_calls: toolCalls.map(wholeCall) } : {}),
    },
    logprobs: null,
    finish_reason: finish,
    native_finish_reason: nativeFinish,
  };
}

const wholeCall = (call: ToolCallOut) => toolCall({ ...call, arguments: wholeArguments(call.arguments) });

/** The arguments of a whole call. Cohere writes those of a call without any as null, others as nothing at all. */
export function wholeArguments(text: string): string {
  return /^\s*(?:null\s*)?$/.test(text) ? "{}" : text;
}

export function toolCall({ id, name, arguments: text, extra }: ToolCallOut): JsonObject {
  return { id, type: "function", function: { name, arguments: text }, ...(extra ? { extra_content: extra } : {}) };
}

export function completion(choices: JsonObject[], usage: Usage | null): ChatObject {
  return {
    object: "chat.completion",
    choices,
    system_fingerprint: null,
    ...(usage ? { usage: publicUsage(usage) } : {}),
  };
}

/** The vendor's own id of an answer, and its name of the model, for the call's record. */
export function origin({ id, model }: JsonObject): JsonObject {
  return { ...(typeof id === "string" ? { id } : {}), ...(typeof model === "string" ? { model } : {}) };
}

/** One chunk of a stream with one choice. */
export function chunk(
  delta: JsonObject,
  finish: FinishReason | null = null,
  nativeFinish: string | null = null,
  index = 0,
): ChatObject {
  return {
    object: "chat.completion.chunk",
    choices: [{ index, delta, logprobs: null, finish_reason: finish, native_finish_reason: nativeFinish }],
  };
}

export function publicUsage(usage: Usage): JsonObject {
  const { promptTokens, completionTokens } = usage;
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    ...usageDetails(usage),
  };
}

/** Which of the tokens were read from the vendor's cache, written to it, thought, and images: what the vendor says of them. */
export function usageDetails(usage: Usage): JsonObject {
  const { cachedTokens, cacheWriteTokens, reasoningTokens, imageOutputTokens } = usage;
  const prompt = given({ cached_tokens: cachedTokens, cache_write_tokens: cacheWriteTokens });
  const completion = given({ reasoning_tokens: reasoningTokens, image_tokens: imageOutputTokens });
  return {
    ...(Object.keys(prompt).length === 0 ? {} : { prompt_tokens_details: prompt }),
    ...(Object.keys(completion).length === 0 ? {} : { completion_tokens_details: completion }),
  };
}
