import { isObject, type JsonObject } from "../../providers/answer.ts";

/**
 * The signature of thoughts that their provider did not sign: clients of this dialect drop a thought without any, and
 * vendors such as DeepSeek refuse the next turn of a loop of tools without its thoughts.
 */
export const unsigned = Buffer.from("gatehouse: not signed").toString("base64");

const isUnsigned = (block: unknown) =>
  isObject(block) && block["type"] === "thinking" && (block["signature"] === unsigned || !block["signature"]);

/**
 * Messages without such thoughts, for providers that check what is signed.
 * @returns null where there are none
 */
export function withoutUnsigned(messages: unknown): unknown[] | null {
  if (!Array.isArray(messages)) return null;
  let found = false;
  const kept = messages.flatMap((message: unknown): unknown[] => {
    if (!isObject(message) || message["role"] !== "assistant" || !Array.isArray(message["content"])) return [message];
    const content: JsonObject[] = message["content"].filter((block) => !isUnsigned(block));
    if (content.length === message["content"].length) return [message];
    found = true;
    return content.length === 0 ? [] : [{ ...message, content }];
  });
  return found ? kept : null;
}
