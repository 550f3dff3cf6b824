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

/** Of a text whose letters and emoji are mostly in no piece of the vocabulary, the vector says nothing. */
const maxUnknown = 0.5;

/**
 * Whether the model knows a text's language: whether it has pieces for its letters and emoji, however few they are, and
 * of longer texts how likely its letters are under the model's English vocabulary.
 */
export function isFamiliar(tokenize: (text: string) => Tokens, text: string): boolean {
  const start = text.slice(0, mostCharacters).toLowerCase();
  const signs = start.replaceAll(/[^\p{L}\p{M}\p{Extended_Pictographic}\s]+/gu, " ");
  if (tokenize(signs).unknown > maxUnknown) return false;
  const letters = start.replaceAll(/[^\p{L}\p{M}'’\s]+/gu, " ");
  if (letters.replaceAll(/\s+/gu, "").length < leastLetters) return true;
  return tokenize(letters).logProbability >= leastLogProbability;
}
