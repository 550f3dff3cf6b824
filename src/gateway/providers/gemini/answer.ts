import {
  isObject,
  joinTexts,
  objectsIn,
  readCount,
  readText,
  refuseVastArguments,
  type JsonObject,
} from "../answer.ts";
import { chatResult, type FinishReason, origin, type ToolCallOut } from "../chat-object.ts";
import { BadAnswer, type Usage } from "../provider.ts";

/** One candidate's parts, by kind. */
export interface Said {
  text: string;
  reasoning: string;
  toolCalls: ToolCallOut[];
  images: JsonObject[];
}

/** The choices of a whole answer. @throws BadAnswer */
export function readCandidates(answer: JsonObject): JsonObject[] {
  const candidates = answer["candidates"];
  if (!Array.isArray(candidates) || candidates.length === 0) {
    const blocked = blockReason(answer);
    if (blocked === null) throw new BadAnswer("the answer has no candidates");
    return [chatResult({ content: null, finish: "content_filter", nativeFinish: blocked })];
  }
  return objectsIn(candidates).map((candidate, index) => {
    const { text, reasoning, toolCalls, images } = readParts(candidate, readText(answer["responseId"]) ?? "");
    const native = readText(candidate["finishReason"]);
    return chatResult({
      content: text === "" ? null : text,
      reasoning,
      toolCalls,
      images,
      finish: finishReason(native, toolCalls.length > 0),
      nativeFinish: native,
      index: readCount(candidate["index"]) ?? index,
    });
  });
}

/** The answer's id and its model, by the public form's names. */
export const originOf = ({ responseId: id, modelVersion: model }: JsonObject): JsonObject => origin({ id, model });

/** Why the prompt was not answered at all; null: it was. */
export function blockReason(answer: JsonObject): string | null {
  const feedback = answer["promptFeedback"];
  return isObject(feedback) ? readText(feedback["blockReason"]) : null;
}

/** @param callsBefore tool calls of this candidate in earlier chunks */
export function readParts(candidate: JsonObject, responseId: string, callsBefore = 0): Said {
  const content = isObject(candidate["content"]) ? candidate["content"] : {};
  const parts = objectsIn(content["parts"]);
  refuseVastArguments(parts.map((part) => (isObject(part["functionCall"]) ? part["functionCall"]["args"] : null)));
  const texts = (thought: boolean) =>
    joinTexts(parts.flatMap((part) => ((part["thought"] === true) === thought ? (readText(part["text"]) ?? []) : [])));
  const images = parts.flatMap(imageOf);
  const said: Said = { text: texts(false), reasoning: texts(true), toolCalls: [], images };
  for (const part of parts) {
    if (isObject(part["functionCall"]))
      said.toolCalls.push(toolCallOf(part, part["functionCall"], responseId, callsBefore + said.toolCalls.length));
  }
  return said;
}

/** An image as the public API has it, with a signature that has to be sent back. Drafts of a model that thinks are no answer. */
function imageOf({ inlineData: inline, thought, thoughtSignature: signature }: JsonObject): JsonObject[] {
  const type = isObject(inline) ? readText(inline["mimeType"]) : null;
  if (!isObject(inline) || type === null || !type.startsWith("image/") || thought === true) return [];
  const url = `data:${type};base64,${readText(inline["data"]) ?? ""}`;
  const extra = typeof signature === "string" ? { extra_content: { google: { thought_signature: signature } } } : {};
  return [{ type: "image_url", image_url: { url }, ...extra }];
}

/** Google's calls have no ids; a signature, if there is one, has to be sent back with the next request. */
function toolCallOf(part: JsonObject, call: JsonObject, responseId: string, index: number): ToolCallOut {
  const signature = readText(part["thoughtSignature"]);
  return {
    id: readText(call["id"]) ?? `call_${responseId || "0"}_${index}`,
    name: readText(call["name"]) ?? "",
    arguments: JSON.stringify(call["args"] ?? {}),
    ...(signature === null ? {} : { extra: { google: { thought_signature: signature } } }),
  };
}

/** https://github.com/googleapis/js-genai/blob/main/src/types.ts (FinishReason), and Vertex AI's Model Armor */
const finishReasons: Readonly<Record<string, FinishReason>> = {
  STOP: "stop",
  MAX_TOKENS: "length",
  SAFETY: "content_filter",
  RECITATION: "content_filter",
  LANGUAGE: "content_filter",
  BLOCKLIST: "content_filter",
  PROHIBITED_CONTENT: "content_filter",
  SPII: "content_filter",
  MODEL_ARMOR: "content_filter",
  IMAGE_SAFETY: "content_filter",
  IMAGE_PROHIBITED_CONTENT: "content_filter",
  IMAGE_RECITATION: "content_filter",
  MALFORMED_FUNCTION_CALL: "error",
  UNEXPECTED_TOOL_CALL: "error",
  TOO_MANY_TOOL_CALLS: "error",
};

export function finishReason(native: string | null, calledTools: boolean): FinishReason | null {
  if (native === null) return null;
  const reason = finishReasons[native] ?? "stop";
  return reason === "stop" && calledTools ? "tool_calls" : reason;
}

/** Thinking is billed as output: https://ai.google.dev/gemini-api/docs/thinking#pricing */
export function readUsage(metadata: unknown): Usage | null {
  if (!isObject(metadata)) return null;
  const count = (member: string) => (member in metadata ? readCount(metadata[member]) : 0);
  const [prompt, tools, said, thought, cached] = [
    count("promptTokenCount"),
    count("toolUsePromptTokenCount"),
    count("candidatesTokenCount"),
    count("thoughtsTokenCount"),
    count("cachedContentTokenCount"),
  ];
  if (prompt === null || tools === null || said === null || thought === null || !("promptTokenCount" in metadata))
    return null;
  // Google AI's word for it, and Vertex AI's: ON_DEMAND_PRIORITY.
  const tiers = [metadata["serviceTier"], metadata["trafficType"]].filter((each) => typeof each === "string");
  return {
    promptTokens: prompt + tools,
    completionTokens: said + thought,
    ...(cached ? { cachedTokens: cached } : {}),
    ...(thought > 0 ? { reasoningTokens: thought } : {}),
    ...tokensOf("imageOutputTokens", metadata["candidatesTokensDetails"], "IMAGE"),
    ...tokensOf("audioOutputTokens", metadata["candidatesTokensDetails"], "AUDIO"),
    ...tokensOf("audioTokens", metadata["promptTokensDetails"], "AUDIO"),
    ...(tiers.length === 0 ? {} : { tiers }),
  };
}

/** https://ai.google.dev/api/generate-content#ModalityTokenCount */
function tokensOf(
  name: "imageOutputTokens" | "audioOutputTokens" | "audioTokens",
  details: unknown,
  modality: string,
): Partial<Usage> {
  const of = Array.isArray(details) ? details.find((each) => isObject(each) && each["modality"] === modality) : null;
  const count = isObject(of) ? readCount(of["tokenCount"]) : null;
  return count === null || count === 0 ? {} : { [name]: count };
}
