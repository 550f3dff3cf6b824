import { largestBody } from "#contract/generations.ts";
import { fitsInto } from "../../json-weight.ts";
import { isObject, type JsonObject } from "../../providers/answer.ts";

type Choice = Readonly<JsonObject>;

/** A whole answer's choices as they are recorded. What is longer than a record may be stays as it is. */
export function recordedChoices(choices: readonly Choice[]): readonly Choice[] {
  return fitsInto(choices, largestBody) ? choices.map(recordedChoice) : choices;
}

/**
 * An answer's choice as it is recorded and forwarded: one form, whether the answer was whole or a stream, and whatever
 * its provider writes for what it does not say (null, an empty text, an empty list, or nothing at all).
 */
export function recordedChoice({ index, message, logprobs, finish_reason: finish, ...rest }: Choice): JsonObject {
  const { role: _, content, refusal, tool_calls: calls, reasoning_details: details, ...said } = members(message);
  return {
    index: index ?? 0,
    message: {
      role: "assistant",
      content: isFilled(content) ? content : null,
      refusal: isFilled(refusal) ? refusal : null,
      ...filled(said),
      ...(isFilled(details) ? { reasoning_details: each(details, filled) } : {}),
      ...(isFilled(calls) ? { tool_calls: each(calls, recordedCall) } : {}),
    },
    logprobs: recordedLogprobs(logprobs),
    finish_reason: finish ?? null,
    ...filled(rest),
  };
}

/** A call's number is where it is in the list. */
function recordedCall({ index: _, ...call }: JsonObject): JsonObject {
  return filled(call);
}

function recordedLogprobs(given: unknown): JsonObject | null {
  const { content, refusal, ...rest } = members(given);
  if (!isFilled(content) && !isFilled(refusal)) return null;
  return { ...filled(rest), content: content ?? null, ...(isFilled(refusal) ? { refusal } : {}) };
}

const members = (value: unknown): JsonObject => (isObject(value) ? value : {});

function each(list: unknown, recorded: (entry: JsonObject) => JsonObject): unknown {
  return Array.isArray(list) ? list.map((entry: unknown) => (isObject(entry) ? recorded(entry) : entry)) : list;
}

/** The members that say something. */
function filled(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => isFilled(value)));
}

export function isFilled(value: unknown): boolean {
  if (value === undefined || value === null || value === "") return false;
  return typeof value !== "object" || Object.keys(value).length > 0;
}
