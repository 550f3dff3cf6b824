import { isObject, objectsIn, readText, type JsonObject } from "../../providers/answer.ts";
import { googleFormat, googleSignature } from "../../providers/google-signature.ts";
import type { ChatObject } from "../../providers/provider.ts";
import { withFunctionCall } from "./older-functions.ts";
import type { ChatRequest } from "./request.ts";

/** A result or chunk in the form that its caller asked for: without excluded reasoning, tools in the caller's form. */
export function asAsked(object: ChatObject, { body, inOlderForm }: ChatRequest): ChatObject {
  const shown = excludesReasoning(body) ? withoutReasoning(object) : withDetails(object);
  return inOlderForm ? withFunctionCall(shown) : shown;
}

type Choice = JsonObject;

/** Whether the caller wants the model to think but not to be shown it: `reasoning.exclude`, or `include_reasoning: false`. */
function excludesReasoning({ reasoning, include_reasoning: shown }: Readonly<Record<string, unknown>>): boolean {
  return isObject(reasoning) && typeof reasoning["exclude"] === "boolean" ? reasoning["exclude"] : shown === false;
}

/** A result or chunk without its reasoning, which is charged all the same. */
function withoutReasoning(object: ChatObject): ChatObject {
  return { ...object, choices: object.choices.map(shownOf) };
}

function shownOf(choice: Choice): Choice {
  return changeSaid(choice, saidOf);
}

function changeSaid({ message, delta, ...choice }: Choice, change: (said: JsonObject) => JsonObject): Choice {
  return {
    ...choice,
    ...(isObject(message) ? { message: change(message) } : {}),
    ...(isObject(delta) ? { delta: change(delta) } : {}),
  };
}

/**
 * Clients of the public API send back `reasoning_details` alone, and `reasoning` only with them: what a provider thinks in
 * plain text, and what Google signed its calls with, is there as well.
 * https://openrouter.ai/docs/guides/best-practices/reasoning-tokens#preserving-reasoning
 */
function withDetails(object: ChatObject): ChatObject {
  return { ...object, choices: object.choices.map((choice) => changeSaid(choice, detailed)) };
}

function detailed(said: JsonObject): JsonObject {
  const text = readText(said["reasoning"]) ?? "";
  const known = said["reasoning_details"];
  const thought =
    text === "" || Array.isArray(known) ? [] : [{ type: "reasoning.text", text, format: "unknown", index: 0 }];
  const details = [...thought, ...objectsIn(known), ...objectsIn(said["tool_calls"]).flatMap(signed)];
  return details.length === 0 || details.length === objectsIn(known).length
    ? said
    : { ...said, reasoning_details: details };
}

function signed(call: JsonObject): JsonObject[] {
  const data = googleSignature(call);
  return data === null ? [] : [{ type: "reasoning.encrypted", data, id: call["id"], format: googleFormat, index: 0 }];
}

function saidOf({ reasoning: _, reasoning_content: __, reasoning_details: ___, ...said }: Choice) {
  return said;
}
