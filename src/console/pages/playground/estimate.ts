import type { ModelRecord } from "#contract/models.ts";
import { planChunks } from "./plan.ts";
import type { Input, Item } from "./plan.ts";

export interface Estimate {
  /** calls of the gateway */
  calls: number;
  tokens: number;
  images: number;
  /** USD; null where the model has no price */
  cost: number | null;
}

/** What a run comes to, by the very calls that it will make: a text that is there twice counts once. */
export function estimateRun(items: readonly Item[], model: ModelRecord | undefined): Estimate {
  // this is worked out at every key press: blocks, which may hold megabytes, are not compared by what is in them
  const { chunks } = planChunks(items, [...items.keys()], ({ input }) => input);
  let [tokens, images] = [0, 0];
  for (const place of chunks.flatMap((chunk) => chunk.items)) {
    const item = items[place]!;
    tokens += item.tokens;
    images += imagesIn(item.input);
  }
  const price = priceOf(model?.pricing.prompt);
  const cost =
    price === null
      ? null
      : tokens * price +
        images * (priceOf(model?.pricing.image) ?? 0) +
        chunks.length * (priceOf(model?.pricing.request) ?? 0);
  return { calls: chunks.length, tokens, images, cost };
}

export function imagesIn(input: Input): number {
  return typeof input === "string" ? 0 : input.content.filter(isImage).length;
}

const isImage = (part: unknown) => (part as { type?: unknown }).type === "image_url";

/** USD; null where there is none, which the model list writes as -1. */
function priceOf(price: string | undefined): number | null {
  const value = Number(price ?? Number.NaN);
  return Number.isFinite(value) && value >= 0 ? value : null;
}
