import type { Tokens } from "./tokenizer.ts";

/**
 * Below it a text is hardly English. The 300 English sentences of the tests lie above it, all but a few; sentences in
 * other languages lie below it, as do lists of foreign names. Nats for each character.
 */
const leastLogProbability = -2.8;
/** Too few letters say nothing. */
const leastLetters = 10;
/** Characters that decide. */
const mostCharacters = 1_000;

/** Whether the model knows a text's language, by how likely its letters are under the model's English vocabulary. */
export function isFamiliar(tokenize: (text: string) => Tokens, text: string): boolean {
  const letters = text
    .slice(0, mostCharacters)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}'’\s]+/gu, " ");
  if (letters.replaceAll(/\s+/gu, "").length < leastLetters) return true;
  return tokenize(letters).logProbability >= leastLogProbability;
}
