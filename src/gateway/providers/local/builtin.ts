import { BadAnswer, type EmbeddingItem, type EmbeddingPart, type LocalAdapter } from "../provider.ts";
import { countTokens, embedSteps, lexical } from "./lexical.ts";
import { packageVersion } from "./semantic/model-files.ts";
import { seenSteps } from "./visual.ts";

/** The provider `gatehouse`: what this program computes itself. */
export const builtin: LocalAdapter = {
  transport: "local",
  kind: "builtin",
  *embed({ model, dimensions }, item, features) {
    const parts = partsOf(item);
    const text = parts.map((part) => (part.type === "text" ? part.text : "")).join("\n");
    const textTokens = parts.some(({ type }) => type === "text") ? countTokens(text) : 0;
    const usage = {
      promptTokens: textTokens + features.length,
      completionTokens: 0,
      ...(features.length > 0 ? { imageTokens: features.length } : {}),
    };
    if (model === "lexical")
      return { vector: yield* embedSteps(text, dimensions ?? lexical.dimensions.default), usage };
    if (model === "lexical-visual") return { vector: yield* seenSteps(parts, features), usage };
    throw new BadAnswer(`the built-in provider holds no model ${model}`);
  },
};

/** The built-in models' revisions. One that gives another vector for any input is another revision. */
export const builtinRevisions: Readonly<Record<string, string>> = {
  lexical: "1",
  "lexical-visual": "1",
  "semantic-en": packageVersion,
};

function partsOf(item: EmbeddingItem): readonly EmbeddingPart[] {
  if (item.type === "text") return [{ type: "text", text: item.text }];
  if (item.type === "block") return item.parts;
  throw new BadAnswer("the built-in models take text and images, not token ids");
}
