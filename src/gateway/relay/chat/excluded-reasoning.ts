import { isObject } from "../../providers/answer.ts";
import type { ChatObject } from "../../providers/provider.ts";

type Choice = Readonly<Record<string, unknown>>;

/** Whether the caller wants the model to think but not to be shown it: `reasoning.exclude`, or `include_reasoning: false`. */
export function excludesReasoning({ reasoning, include_reasoning: shown }: Readonly<Record<string, unknown>>): boolean {
  return isObject(reasoning) && typeof reasoning["exclude"] === "boolean" ? reasoning["exclude"] : shown === false;
}

/** A result or chunk without its reasoning, which is charged all the same. */
export function withoutReasoning(object: ChatObject): ChatObject {
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
