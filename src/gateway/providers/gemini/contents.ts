import { isObject, objectsOf, readText, type JsonObject } from "../answer.ts";
import { googleSignature, signaturesIn } from "../google-signature.ts";
import { isTooDeep } from "../../read-json.ts";
import { cannotCarry } from "../call.ts";
import {
  argumentsObject,
  contentParts,
  contentText,
  imageAddress,
  type Message,
  readDataUrl,
  type ToolCall,
} from "../messages.ts";

/** A conversation as Google has it: https://ai.google.dev/api/caching#Content */
export interface Contents {
  systemInstruction: JsonObject | undefined;
  contents: JsonObject[];
}

/** System messages go into the instruction; what the assistant said is the `model`'s, all else is the `user`'s. */
export function toContents(messages: readonly Message[], model: string): Contents {
  const signs = signing.test(model);
  const system = messages
    .filter(({ role }) => role === "system")
    .flatMap(({ content }) => contentParts(content).map(part));
  // Some vendors use the same ids in each turn: a result belongs to the latest call of its id.
  const names = new Map<string, string>();
  const contents: { role: string; parts: JsonObject[] }[] = [];
  for (const message of messages.filter(({ role }) => role !== "system")) {
    const role = message.role === "assistant" ? "model" : "user";
    for (const { id, name } of message.toolCalls) names.set(id, name);
    const parts = message.role === "tool" ? functionResponse(message, names, signs) : messageParts(message, signs);
    // Of a turn of thoughts alone nothing is left, and Google refuses one without parts.
    if (parts.length === 0) continue;
    const last = contents.at(-1);
    // Google wants turns to alternate, and all answers to one turn's calls together.
    if (last?.role === role) last.parts.push(...parts);
    else contents.push({ role, parts });
  }
  return { systemInstruction: system.length > 0 ? { parts: system } : undefined, contents };
}

/** Models that know calls by ids, and refuse a turn whose first call is not signed. */
const signing = /gemini-(?:[3-9]|\d\d)/;

/**
 * What Google takes in place of the signature of a call that another model made.
 * https://ai.google.dev/gemini-api/docs/thought-signatures
 */
const unsigned = { thoughtSignature: "skip_thought_signature_validator" };

function messageParts({ content, toolCalls, raw }: Message, signs: boolean): JsonObject[] {
  const signatures = signaturesIn(raw["reasoning_details"]);
  const calls = toolCalls.map((call) => functionCall(call, signs, signatures));
  const isUnsigned = signs && calls.length > 0 && calls.every(({ thoughtSignature }) => thoughtSignature === undefined);
  return [
    ...contentParts(content).map(part),
    ...objectsOf(raw["images"]).flatMap(made),
    ...calls.map((call, index) => (isUnsigned && index === 0 ? { ...call, ...unsigned } : call)),
  ];
}

/** An image of an earlier answer: those came inline. */
function made(image: JsonObject): JsonObject[] {
  const address = imageAddress(image);
  return readDataUrl(address) === null ? [] : [{ ...media(address), ...signedWith(googleSignature(image)) }];
}

/** Google's signature, without which what it signed is refused. */
function signedWith(signature: string | null): JsonObject {
  return signature === null ? {} : { thoughtSignature: signature };
}

function part(given: JsonObject): JsonObject {
  switch (given["type"]) {
    case "text":
      return { text: given["text"] };
    case "image_url":
      return media(imageAddress(given));
    case "video_url":
    case "input_video": {
      const video = given["video_url"] ?? given["input_video"];
      return media((isObject(video) ? readText(video["url"]) : readText(video)) ?? "");
    }
    case "file": {
      const file = isObject(given["file"]) ? given["file"] : {};
      const data = readText(file["file_data"]);
      if (data === null) throw cannotCarry("Google takes files by their content or their address, in file_data");
      return media(data);
    }
    case "input_audio": {
      const audio = isObject(given["input_audio"]) ? given["input_audio"] : {};
      return { inlineData: { mimeType: `audio/${readText(audio["format"]) ?? "wav"}`, data: audio["data"] } };
    }
    default:
      throw cannotCarry(`Google has no words for a content part of type ${String(given["type"])}`);
  }
}

function media(url: string): JsonObject {
  const inline = readDataUrl(url);
  return inline ? { inlineData: { mimeType: inline.mediaType, data: inline.base64 } } : { fileData: { fileUri: url } };
}

function functionCall(call: ToolCall, signs: boolean, signatures: ReadonlyMap<unknown, string>): JsonObject {
  const id = signs && call.id !== "" ? { id: call.id } : {};
  const signature = googleSignature(call.raw) ?? signatures.get(call.id) ?? null;
  return { functionCall: { ...id, name: call.name, args: argumentsObject(call) }, ...signedWith(signature) };
}

/** A tool's result; images in it follow it. */
function functionResponse(
  { content, toolCallId }: Message,
  names: ReadonlyMap<string, string>,
  signs: boolean,
): JsonObject[] {
  const name = names.get(toolCallId ?? "");
  if (name === undefined)
    throw cannotCarry(`no earlier message calls the tool that ${toolCallId ?? "a tool message"} answers`);
  const id = signs ? { id: toolCallId } : {};
  const others = contentParts(content).filter(({ type }) => type !== "text");
  return [{ functionResponse: { ...id, name, response: responseObject(contentText(content)) } }, ...others.map(part)];
}

/** Google requires an object; any other result is wrapped in one, and so is one nested too deep to be written again. */
function responseObject(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value) && !isTooDeep(value)) return value;
  } catch {
    // a plain text, below
  }
  return { result: text };
}
