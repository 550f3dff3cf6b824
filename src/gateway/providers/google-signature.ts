import { isObject, objectsOf, readText, type JsonObject } from "./answer.ts";

/** How the public API names Google's signatures in `reasoning_details`; `id` says which call one belongs to. */
export const googleFormat = "google-gemini-v1";

/**
 * What Google signed a call or an image with: the next turn is refused without it. Chat has it in `extra_content`, as
 * Google's own endpoint of OpenAI's dialect. https://ai.google.dev/gemini-api/docs/thought-signatures
 * @returns null where it was not signed
 */
export function googleSignature({ extra_content: extra }: JsonObject): string | null {
  const google = isObject(extra) && isObject(extra["google"]) ? extra["google"] : {};
  return readText(google["thought_signature"]);
}

/** The same for calls, by their ids, whose signatures came back in their message's `reasoning_details`. */
export function signaturesIn(details: unknown): ReadonlyMap<unknown, string> {
  const signed = objectsOf(details).filter(({ format, data }) => format === googleFormat && readText(data) !== null);
  return new Map(signed.map(({ id, data }) => [id, String(data)]));
}
