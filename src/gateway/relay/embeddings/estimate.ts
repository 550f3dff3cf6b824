import { localUpstreamId } from "../../domain/providers/local-model.ts";
import { semanticUpstreamId } from "../../domain/providers/semantic-model.ts";
import { costOf, type Prices } from "../../domain/ledger/price.ts";
import type { Candidate } from "../../domain/routing/routing.ts";
import { countTokens, cutTokens } from "../../providers/local/lexical.ts";
import type { EmbeddingItem } from "../../providers/provider.ts";
import type { EmbeddingsRequest } from "./request.ts";
import { bytesOf } from "../json-bytes.ts";

/** Tokens that a tokenizer may put around a text. */
const around = 8;
/** For an image's tokens, and for models that do not state their maximum. */
export const assumedContext = 8_192;
/** No tokenizer in use gives natural text fewer tokens than one for this many characters. */
const charactersPerToken = 6;

/**
 * The most tokens that an input can have. A byte-level tokenizer gives at most one token per byte of UTF-8, and a
 * model never reads beyond its context.
 * @param prefix the bytes that a vendor may put before the input
 */
function mostTokens(item: EmbeddingItem, contextLength: number | null, prefix: number): number {
  const most = contextLength ?? Number.MAX_SAFE_INTEGER;
  if (item.type === "tokens") return Math.min(item.tokens.length + around + prefix, most);
  if (item.type === "text") return Math.min(Buffer.byteLength(item.text) + around + prefix, most);
  let tokens = around + prefix;
  for (const part of item.parts) {
    // Parts are joined by a line break where a vendor takes plain texts.
    tokens += part.type === "text" ? Buffer.byteLength(part.text) + 1 : (contextLength ?? assumedContext);
  }
  return Math.min(tokens, most);
}

type Members = Pick<EmbeddingsRequest, "extra" | "inputType" | "queries">;

/** The bytes that may be put before each input: the model's prefix, and a vendor's instructions, prompts and tasks. */
export function prefixOf(request: Members, { inputType, queryPrefix, documentPrefix }: Prefixes): number {
  const own = Math.max(Buffer.byteLength(queryPrefix ?? ""), Buffer.byteLength(documentPrefix ?? ""));
  return sentWith(request) + own + (request.inputType === null ? Buffer.byteLength(inputType ?? "") : 0);
}

type Prefixes = Pick<Candidate["model"], "inputType" | "queryPrefix" | "documentPrefix">;

function sentWith(request: Members): number {
  const known = prefixes.get(request);
  if (known !== undefined) return known;
  const { extra, inputType, queries } = request;
  const given = Object.keys(extra).length > 0 ? bytesOf(extra) : 0;
  const prefix = given + Buffer.byteLength(inputType ?? (queries === null ? "" : "document"));
  prefixes.set(request, prefix);
  return prefix;
}

/** Cached, because each of a call's many batches asks for it. */
const prefixes = new WeakMap<Members, number>();

/** A likely count, for models whose tokenizer is unknown here. Good enough to detect texts that are surely too long. */
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

/** The count used when the vendor reports none: about four characters per token. */
export function ownCount(item: EmbeddingItem): number {
  const known = counts.get(item);
  if (known !== undefined) return known;
  const count = countOf(item);
  counts.set(item, count);
  return count;
}

/** Cached: counting reads all of a text, and several callers need the count. */
const counts = new WeakMap<EmbeddingItem, number>();

/** Stores a count that was obtained in another way. */
export function know(item: EmbeddingItem, tokens: number): void {
  counts.set(item, tokens);
}

function countOf(item: EmbeddingItem): number {
  if (item.type === "tokens") return item.tokens.length;
  if (item.type === "text") return countTokens(item.text);
  return item.parts.reduce((sum, part) => sum + (part.type === "text" ? countTokens(part.text) : 1), 0);
}

/** Cuts a text, or a list of tokens, to at most this many tokens by the gateway's own count. */
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

/** Whether the gateway's count is the model's own: not so for models in processes, which have their own tokenizer. */
export function countsExactly(candidate: Candidate): boolean {
  const { provider, model } = candidate;
  return provider.kind === "builtin" && model.upstreamId !== localUpstreamId && !isSemantic(candidate);
}

/** The built-in semantic model: its process counts exactly, once it has the texts. */
export function isSemantic({ provider, model }: Candidate): boolean {
  return provider.kind === "builtin" && model.upstreamId === semanticUpstreamId;
}

/** The text of an input for a model that takes text only. */
export function textIn(item: EmbeddingItem): string {
  if (item.type === "text") return item.text;
  if (item.type === "tokens") return "";
  return item.parts.map((part) => (part.type === "text" ? part.text : "")).join("\n");
}

/** The most tokens that items can have at a candidate; exact for a built-in model. */
export function boundOf(candidate: Candidate, items: readonly EmbeddingItem[], prefix: number): number {
  const { model } = candidate;
  const exact = countsExactly(candidate);
  return items.reduce((sum, item) => sum + (exact ? ownCount(item) : mostTokens(item, model.contextLength, prefix)), 0);
}

export function costFor(prices: Prices, promptTokens: number, images: number, requests: number): bigint {
  return costOf(prices, { promptTokens, completionTokens: 0, images, requests });
}
