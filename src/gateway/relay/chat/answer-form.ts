import { isObject } from "../../providers/answer.ts";
import type { ChatObject } from "../../providers/provider.ts";
import { withFunctionCall } from "./older-functions.ts";
import type { ChatRequest } from "./request.ts";

/** A result or chunk in the form that its caller asked for: without excluded reasoning, tools in the caller's form. */
export function asAsked(object: ChatObject, { body, inOlderForm }: ChatRequest): ChatObject {
  const shown = excludesReasoning(body) ? withoutReasoning(object) : object;
  return inOlderForm ? withFunctionCall(shown) : shown;
}

type Choice = Readonly<Record<string, unknown>>;

/** Whether the caller wants the model to think but not to be shown it: `reasoning.exclude`, or `include_reasoning: false`. */
function excludesReasoning({ reasoning, include_reasoning: shown }: Readonly<Record<string, unknown>>): boolean {
  return isObject(reasoning) && typeof reasoning["exclude"] === "boolean" ? reasoning["exclude"] : shown === false;
}

/** A result or chunk without its reasoning, which is charged all the same. */
function withoutReasoning(object: ChatObject): ChatObject {
  return { ...object, choices: object.choices.map(shownOf) };
}

function shownOf({ message, delta, ...choice }: Choice) {
  return {
    ...choice,
    ...(isObject(message) ? { message: saidOf(message) } : {}),
    ...(isObject(delta) ? { delta: saidOf(delta) } : {}),
  };
}

function saidOf({ reasoning: _, reasoning_content: __, reasoning_details: ___, ...said }: Choice) {
  return said;
}
