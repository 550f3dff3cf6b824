import type { GenerationContent } from "#contract/generations.ts";
import { fitsInto } from "../../json-weight.ts";

/** A call's bodies in the public API's form, and its error, if any. */
export interface KeptBody {
  /** the messages, or the inputs: texts and other items */
  input: readonly unknown[];
  /** the answer's choices; null for embeddings, and where there was no answer */
  output: readonly Readonly<Record<string, unknown>>[] | null;
  error: GenerationContent["error"];
}

/** All texts of an answer's messages, in order: joined, long ones would hold the thread. */
export function saidIn(choices: readonly Readonly<Record<string, unknown>>[]): string[] {
  return choices.flatMap(({ message }) => saidBy(message).texts);
}

/** What an answer says and what it thought, as texts; null: nothing. */
export function saidApart(choices: readonly Readonly<Record<string, unknown>>[]): GenerationContent["output"] {
  const messages = choices.map(({ message }) => (isObject(message) ? message : {}));
  const text = (texts: readonly string[]) => (texts.length === 0 ? null : texts.join(""));
  return {
    completion: text(
      messages.flatMap((message) => saidBy({ ...message, reasoning: null, reasoning_content: null }).texts),
    ),
    reasoning: text(messages.flatMap((message) => thoughtIn(message) ?? [])),
  };
}

/** The same thought may be in two members: the public API's and the provider's own. */
const thoughtIn = ({ reasoning, reasoning_content: other }: Record<string, unknown>) =>
  [reasoning, other].find(isFilled);

/** What a message says, or a piece of one. */
interface Said {
  readonly texts: readonly string[];
  /** the approximate number of other characters: images, audio, and unknown content */
  readonly other: number;
}

export function saidBy(message: unknown): Said {
  if (typeof message !== "object" || message === null) return { texts: [], other: 0 };
  const { role: _, content, reasoning, reasoning_content, ...rest } = message as Record<string, unknown>;
  const { reasoning_details, refusal, tool_calls, function_call, audio, ...unknown } = rest;
  const { transcript, ...sound } = isObject(audio) ? audio : {};
  const thought = thoughtIn({ reasoning, reasoning_content });
  const texts = [content, thought, refusal, transcript].filter(isFilled);
  if (tool_calls !== undefined && tool_calls !== null) texts.push(calledText(tool_calls));
  if (isObject(function_call)) texts.push(calledText([{ function: function_call }]));
  const left = [sound, unknown, thought === undefined ? reasoning_details : null, isObject(content) ? content : null];
  return { texts, other: left.reduce<number>((sum, value) => sum + weigh(value), 0) };
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;
const isFilled = (text: unknown): text is string => typeof text === "string" && text !== "";

/** The most that is counted of one value. */
const mostWeight = 64 * 1_048_576;

function weigh(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (!isObject(value)) return 0;
  return Object.values(value).reduce<number>((sum, each) => (sum > mostWeight ? sum : sum + weigh(each)), 0);
}

/** The arguments of tool calls: as JSON, or only their text where that would be long. */
function calledText(toolCalls: unknown): string {
  if (fitsInto(toolCalls, mostCalled)) return JSON.stringify(toolCalls);
  const calls = Array.isArray(toolCalls) ? toolCalls.slice(0, mostCalled) : [];
  const called = calls.map((call: { function?: { arguments?: unknown } } | null) => call?.function?.arguments);
  return called.filter((text) => typeof text === "string").join("");
}

const mostCalled = 65_536;
