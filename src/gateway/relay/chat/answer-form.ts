import { isObject, objectsIn, readText, type JsonObject } from "../../providers/answer.ts";
import { googleFormat, googleSignature } from "../../providers/google-signature.ts";
import type { ChatObject } from "../../providers/provider.ts";
import { withFunctionCall } from "./older-functions.ts";
import type { FormedCall } from "../caller-form.ts";

/**
 * By this header a caller asks for thoughts in `reasoning_content`, where clients of DeepSeek's and others' chat look for
 * them, instead of the public API's `reasoning`. Clients that know both print what comes in both twice.
 */
export const reasoningHeader = "x-gatehouse-reasoning";

/** A result or chunk in the form that its caller asked for: without excluded reasoning, thoughts and tools in the caller's form. */
export function asAsked(object: ChatObject, { request, context }: Pick<FormedCall, "context" | "request">): ChatObject {
  const { body, inOlderForm } = request;
  let shown = withSaid(object, excludesReasoning(body) ? withoutReasoning : withDetails);
  if (context.call.headers[reasoningHeader] === "reasoning_content") shown = withSaid(shown, withOtherReasoning);
  return inOlderForm ? withFunctionCall(shown) : shown;
}

/** Whether the caller wants the model to think but not to be shown it: `reasoning.exclude`, or `include_reasoning: false`. */
function excludesReasoning({ reasoning, include_reasoning: shown }: Readonly<Record<string, unknown>>): boolean {
  return isObject(reasoning) && typeof reasoning["exclude"] === "boolean" ? reasoning["exclude"] : shown === false;
}

/** A result or chunk whose messages, or pieces of them, say something else. */
function withSaid(object: ChatObject, change: (said: JsonObject) => JsonObject): ChatObject {
  const choices = object.choices.map(({ message, delta, ...choice }) => ({
    ...choice,
    ...(isObject(message) ? { message: change(message) } : {}),
    ...(isObject(delta) ? { delta: change(delta) } : {}),
  }));
  return { ...object, choices };
}

/**
 * Clients of the public API send back `reasoning_details` alone, and `reasoning` only with them: what a provider thinks in
 * plain text, and what Google signed its calls with, is there as well.
 * https://openrouter.ai/docs/guides/best-practices/reasoning-tokens#preserving-reasoning
 */
function withDetails(said: JsonObject): JsonObject {
  const text = readText(said["reasoning"]) ?? "";
  const thought = text === "" ? [] : [{ type: "reasoning.text", text, format: "unknown", index: 0 }];
  const known: unknown = said["reasoning_details"];
  const details: unknown[] = Array.isArray(known) ? known : thought;
  const signatures = objectsIn(said["tool_calls"]).flatMap(signed);
  const isKnown = details === known && signatures.length === 0;
  return isKnown || details.length + signatures.length === 0
    ? said
    : { ...said, reasoning_details: [...details, ...signatures] };
}

function signed(call: JsonObject): JsonObject[] {
  const data = googleSignature(call);
  return data === null ? [] : [{ type: "reasoning.encrypted", data, id: call["id"], format: googleFormat, index: 0 }];
}

/** What was thought is charged all the same. */
function withoutReasoning({ reasoning: _, reasoning_details: __, ...said }: JsonObject): JsonObject {
  return said;
}

function withOtherReasoning({ reasoning, ...said }: JsonObject): JsonObject {
  return reasoning === undefined ? said : { ...said, reasoning_content: reasoning };
}
