import { invalid } from "../../domain/refusal.ts";
import type { Route } from "../../domain/routing/routing.ts";
import type { EmbeddingItem } from "../../providers/provider.ts";
import { countInTurns } from "../../providers/local/lexical.ts";
import { forEachInTurns, type Turn } from "../../turns.ts";
import type { EmbeddingsRequest } from "./request.ts";
import { countsExactly, cutItem, imagesIn, isSemantic, know, leastTokens, ownCount } from "./estimate.ts";

/** Numbers in all vectors of a call: 2,048 inputs of 3,072 dimensions are six million. */
const mostNumbers = 8_388_608;
const mostImages = 256;

/**
 * Bounds what a call produces: its vectors, and the images that have to be fetched and decoded.
 * @throws Refusal invalid_request
 */
export function refuseTooManyNumbers({ items, dimensions }: EmbeddingsRequest, { candidates }: Route): void {
  const declared = candidates.reduce((most, { model }) => Math.max(most, model.dimensions ?? 0), 0);
  const length = dimensions ?? declared;
  if (items.length * length > mostNumbers) {
    const most = Math.max(1, Math.floor(mostNumbers / length));
    throw invalid("input", `must hold at most ${most} inputs where each vector has ${length} numbers`);
  }
  if (imagesIn(items) > mostImages) throw invalid("input", `must hold at most ${mostImages} images`);
}

/** Counts the tokens of all inputs in turns; from then on each count is known. */
export async function countItems(items: readonly EmbeddingItem[], turn: Turn, signal: AbortSignal): Promise<void> {
  for (const item of items) {
    if (item.type === "text" && item.text.length > longText)
      know(item, await countInTurns(item.text, turn, { signal }));
  }
  await forEachInTurns(items, turn, ownCount);
}

/** Characters that are counted in one go. */
const longText = 16_384;
/** The longest context of a built-in model is 8,192 tokens of eight letters; white space is not counted. */
const mostCharacters = 262_144;

/**
 * Checks the inputs' length for the built-in models. Elsewhere the length is the vendor's concern.
 * @throws Refusal invalid_request for a text that is too long, unless the caller allows cutting it
 */
export function boundTexts(request: EmbeddingsRequest, { candidates }: Route): EmbeddingsRequest {
  if (!candidates.every(countsExactly)) return request;
  const bounded = (text: string, path: string) => {
    if (text.length <= mostCharacters) return text;
    if (request.truncate) return text.slice(0, mostCharacters);
    throw invalid(path, `must have at most ${mostCharacters} characters: shorten it, or send truncate: true`);
  };
  const items = request.items.map((item, index): EmbeddingItem => {
    if (item.type === "text") {
      return item.text.length <= mostCharacters ? item : { type: "text", text: bounded(item.text, `input.${index}`) };
    }
    if (item.type !== "block") return item;
    const length = item.parts.reduce((sum, part) => sum + (part.type === "text" ? part.text.length : 0), 0);
    if (length > mostCharacters) {
      throw invalid(`input.${index}.content`, `must have at most ${mostCharacters} characters of text`);
    }
    return item;
  });
  return { ...request, items };
}

/**
 * Inputs beyond every candidate's context: cut if the caller asked for it and the count is exact (elsewhere the vendor
 * cuts), else refused before they cost anything. The semantic model refuses and cuts by its own count.
 */
export function withinContext(request: EmbeddingsRequest, { candidates }: Route): readonly EmbeddingItem[] {
  const { items, truncate, model } = request;
  if (candidates.some(isSemantic)) return items;
  let limit = 0;
  let exact = true;
  for (const candidate of candidates) {
    limit = Math.max(limit, candidate.model.contextLength ?? Number.POSITIVE_INFINITY);
    if (!countsExactly(candidate)) exact = false;
  }
  if (truncate) return exact ? items.map((item) => cutItem(item, limit)) : items;
  items.forEach((item, index) => {
    const tokens = exact ? ownCount(item) : leastTokens(item);
    if (tokens <= limit) return;
    const path = items.length === 1 ? "input" : `input.${index}`;
    const about = exact ? "" : "about ";
    const message = `has ${about}${tokens} tokens, and ${model} takes at most ${limit}: shorten it, or send truncate: true`;
    throw invalid(path, message, { index, tokens, context_length: limit, exact });
  });
  return items;
}
