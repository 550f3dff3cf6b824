import { readText, type JsonObject } from "../providers/answer.ts";
import { googleSignature } from "../providers/google-signature.ts";

/**
 * Google signs the calls of its models, and refuses the next turn without the signature. Chat has a member for it
 * (`extra_content`); in the other forms clients send back nothing of a call but its id, so the id carries it.
 * https://ai.google.dev/gemini-api/docs/thought-signatures
 */
const mark = "--sig-";

/** Signatures are base64; an id may have no other characters than those of base64url. */
const base64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** The id of a call for callers whose form has no member for its signature. @param otherwise where the provider gave none */
export function signedCallId(call: JsonObject, otherwise = ""): string {
  const plain = readText(call["id"]) ?? otherwise;
  const signature = googleSignature(call);
  if (signature === null || !base64.test(signature)) return plain;
  return `${plain}${mark}${signature.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
}

/** The members of a call that a caller sends back: its own id, and what Google has signed it with. */
export function callOfId(id: unknown): JsonObject {
  const text = readText(id);
  const at = text?.lastIndexOf(mark) ?? -1;
  if (text === null || at === -1) return { id };
  const signature = text
    .slice(at + mark.length)
    .replaceAll("-", "+")
    .replaceAll("_", "/");
  const padded = signature.padEnd(Math.ceil(signature.length / 4) * 4, "=");
  return { id: text.slice(0, at), extra_content: { google: { thought_signature: padded } } };
}
