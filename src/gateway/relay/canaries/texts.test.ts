import { expect, it } from "vitest";
import { canaryTexts, canaryTokens } from "#contract/canaries.ts";
import { countTokens } from "../../providers/local/lexical.ts";
import { texts } from "./texts.ts";

it("has as many texts as the contract says, and tokens for which the stated cost is a fair guess", () => {
  expect(texts).toHaveLength(canaryTexts);
  const words = texts.reduce((sum, text) => sum + countTokens(text), 0);
  const characters = texts.join("").length;
  // The least and the most that tokenizers in use make of such texts.
  expect(canaryTokens).toBeGreaterThan(words);
  expect(canaryTokens).toBeLessThan(characters / 2);
});

it("fits into the shortest contexts in use", () => {
  expect(Math.max(...texts.map(countTokens))).toBeLessThan(128);
});
