import { localUpstreamId } from "../domain/local-model.ts";
import { costOf, type Prices } from "../domain/price.ts";
import type { Candidate } from "../domain/routing.ts";
import { countTokens, cutTokens } from "../providers/local/lexical.ts";
import type { EmbeddingItem } from "../providers/provider.ts";

/** Tokens that a tokenizer may put around a text. */
const around = 8;
/** For an image's tokens and for models that do not say how much they take. */
const assumedContext = 8_192;
/** No tokenizer in use gives natural text fewer tokens than one for this many characters. */
const charactersPerToken = 6;

/**
 * The most tokens that an input can be. A byte-level tokenizer gives at most one token for each byte of UTF-8, and a
 * model never reads beyond its context.
 */
export function mostTokens(item: EmbeddingItem, contextLength: number | null): number {
  const most = contextLength ?? Number.MAX_SAFE_INTEGER;
  if (item.type === "tokens") return Math.min(item.tokens.length + around, most);
  if (item.type === "text") return Math.min(Buffer.byteLength(item.text) + around, most);
  let tokens = around;
  for (const part of item.parts) {
    tokens += part.type === "text" ? Buffer.byteLength(part.text) : (contextLength ?? assumedContext);
  }
  return Math.min(tokens, most);
}

/** A likely count, for models whose tokenizer is not known here. Texts that are surely too long can be told by it. */
export function leastTokens(item: EmbeddingItem): number {
  if (item.type === "tokens") return item.tokens.length;
  if (item.type === "text") return Math.ceil(item.text.length / charactersPerToken);
  return item.parts.reduce(
    (sum, part) => sum + (part.type === "text" ? Math.ceil(part.text.length / charactersPerToken) : 1),
    0,
  );
}

export function leastTokensOf(items: readonly EmbeddingItem[]): number {
  return items.reduce((sum, item) => sum + leastTokens(item), 0);
}

/** The count that stands in for a vendor's that is missing: about four characters a token. */
export function ownCount(item: EmbeddingItem): number {
  if (item.type === "tokens") return item.tokens.length;
  if (item.type === "text") return countTokens(item.text);
  return item.parts.reduce((sum, part) => sum + (part.type === "text" ? countTokens(part.text) : 1), 0);
}

/** Cuts a text, or a list of tokens, to at most so many tokens by the gateway's own count. */
export function cutItem(item: EmbeddingItem, most: number): EmbeddingItem {
  if (ownCount(item) <= most) return item;
  if (item.type === "text") return { type: "text", text: cutTokens(item.text, most) };
  return item.type === "tokens" ? { ...item, tokens: item.tokens.slice(0, most) } : item;
}

export function imagesIn(items: readonly EmbeddingItem[]): number {
  let images = 0;
  for (const item of items) {
    if (item.type === "block") images += item.parts.filter((part) => part.type === "image_url").length;
  }
  return images;
}

/** Whether the gateway's own count is the model's: at the built-in models, but not at the one that an admin brings. */
export function countsExactly({ provider, model }: Candidate): boolean {
  return provider.kind === "builtin" && model.upstreamId !== localUpstreamId;
}

/** The most tokens that items can be at a candidate; at a built-in model exactly as many as they are. */
export function boundOf(candidate: Candidate, items: readonly EmbeddingItem[]): number {
  const { model } = candidate;
  const exact = countsExactly(candidate);
  return items.reduce((sum, item) => sum + (exact ? ownCount(item) : mostTokens(item, model.contextLength)), 0);
}

export function costFor(prices: Prices, promptTokens: number, images: number, requests: number): bigint {
  return costOf(prices, { promptTokens, completionTokens: 0, images, requests });
}
