import { joinTexts, objectsIn, readText, type JsonObject } from "../../providers/answer.ts";

/** A request of another form, put into the public chat form. */
export interface ChatForm {
  readonly messages: readonly JsonObject[];
  /** with the messages */
  readonly body: JsonObject;
  /** what of it only a provider of the caller's dialect has words for; null: nothing */
  readonly untranslatable: string | null;
}

interface Said {
  readonly texts: readonly string[];
  readonly calls: readonly JsonObject[];
  readonly thoughts: readonly JsonObject[];
}

/** What a model said in one turn as one message: its thoughts, its text and its calls. */
export function assistantMessage({ texts, calls, thoughts }: Said): JsonObject {
  const text = texts.join("");
  return {
    role: "assistant",
    content: text === "" && calls.length > 0 ? null : text,
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
    ...(thoughts.length > 0 ? { reasoning_details: thoughts } : {}),
  };
}

/** The text of a message, or of a piece of one, whose content may be in parts. */
export function textIn({ content }: JsonObject): string {
  if (!Array.isArray(content)) return readText(content) ?? "";
  return joinTexts(objectsIn(content).flatMap(({ text }) => readText(text) ?? []));
}

/** What a message, or a piece of one, shows of thoughts; providers have two names for it. */
export function thoughtIn({ reasoning, reasoning_content: other }: JsonObject): string {
  return readText(reasoning) ?? readText(other) ?? "";
}
