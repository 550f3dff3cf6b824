import type { Candidate } from "../../domain/routing/routing.ts";
import type { EmbeddingItem, UpstreamFailure } from "../../providers/provider.ts";
import { assumedContext, ownCount } from "./estimate.ts";

type Model = Pick<Candidate["model"], "maxBatch" | "maxBatchTokens" | "contextLength">;

/** Tokens that a vendor puts around a text: a prompt for its input type, and where the text begins and ends. */
const around = 12;
/** English has four or more bytes for a token, Chinese about three: what is denser is split once it is refused. */
const bytesPerToken = 3;

/** About how many tokens a vendor counts for an input, rather too many than too few. */
export function likelyTokens(item: EmbeddingItem, { contextLength }: Pick<Model, "contextLength">): number {
  const context = contextLength ?? Number.POSITIVE_INFINITY;
  if (item.type === "tokens") return Math.min(item.tokens.length + around, context);
  if (item.type === "text") return Math.min(textTokens(item.text, ownCount(item)) + around, context);
  let tokens = around;
  for (const part of item.parts) {
    tokens += part.type === "text" ? textTokens(part.text, 0) : (contextLength ?? assumedContext);
  }
  return Math.min(tokens, context);
}

function textTokens(text: string, counted: number): number {
  return Math.max(counted, Math.ceil(Buffer.byteLength(text) / bytesPerToken));
}

/**
 * How many of the inputs go into each request, in their order: as many as the model takes at once, by number and by
 * tokens. An input that alone is beyond the tokens goes alone, and the vendor decides.
 */
export function batchSizes(model: Model, items: readonly EmbeddingItem[], prefixTokens: number): number[] {
  const mostInputs = model.maxBatch ?? Number.POSITIVE_INFINITY;
  const mostTokens = model.maxBatchTokens;
  if (items.length === 0) return [];
  if (mostTokens === null && items.length <= mostInputs) return [items.length];
  const sizes: number[] = [];
  let size = 0;
  let tokens = 0;
  for (const item of items) {
    const own = mostTokens === null ? 0 : likelyTokens(item, model) + prefixTokens;
    if (size > 0 && (size >= mostInputs || tokens + own > (mostTokens ?? Number.POSITIVE_INFINITY))) {
      sizes.push(size);
      size = 0;
      tokens = 0;
    }
    size += 1;
    tokens += own;
  }
  sizes.push(size);
  return sizes;
}

/**
 * How vendors refuse a request of too many tokens in all, while each of its inputs may be short enough, and one of too
 * many inputs: OpenAI and Azure, Mistral, Cohere, Voyage, Jina, DashScope, text-embeddings-inference.
 */
const tooManyInAll =
  /too many tokens (?:in batch|overall)|split into more batches|tokens per (?:request|submitted batch)|array too long|too many inputs|(?:number of )?texts must be at most|batch[ _]size[^.]{0,40} (?:limit|larger than|>)/i;
const batchCodes: ReadonlySet<unknown> = new Set(["max_tokens_per_request", "array_above_max_length"]);

/** Whether a request was refused for all of its inputs together, so that a part of them may be taken. */
export function refusesBatch({ reason, status, code, message }: UpstreamFailure): boolean {
  if (status === null || status < 400 || status >= 500) return false;
  return reason === "payload_too_large" || batchCodes.has(code) || tooManyInAll.test(message);
}
