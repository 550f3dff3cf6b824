import { BadAnswer, type EmbeddingsCall, type LocalAdapter } from "../provider.ts";
import { countTokens, embedText, lexical } from "./lexical.ts";

/** The provider `gatehouse`: what this program computes itself. */
export const builtin: LocalAdapter = {
  transport: "local",
  kind: "builtin",
  embed(call) {
    if (call.model !== "lexical") throw new BadAnswer(`the built-in provider holds no model ${call.model}`);
    const dimensions = call.dimensions ?? lexical.dimensions.default;
    const texts = call.items.map(textOf);
    return {
      vectors: texts.map((text) => embedText(text, dimensions)),
      usage: { promptTokens: texts.reduce((sum, text) => sum + countTokens(text), 0), completionTokens: 0 },
    };
  },
};

function textOf(item: EmbeddingsCall["items"][number]): string {
  if (item.type === "text") return item.text;
  if (item.type === "block") {
    return item.parts.map((part) => (part.type === "text" ? part.text : "")).join("\n");
  }
  throw new BadAnswer("the built-in model takes text, not token ids");
}
