import type { ModelRecord } from "#contract/models.ts";
import { counted, formatUsdRough } from "../../format.ts";
import { planChunks, type Input, type Item } from "../../vectors/plan.ts";
import { estimateTokens } from "../../vectors/tokens.ts";

export interface Estimate {
  /** calls of the gateway */
  calls: number;
  /** of texts: how many an image comes to is the model's affair */
  tokens: number;
  images: number;
  /** USD; null where the model has no price */
  cost: number | null;
  /** true where images are charged by tokens, so that the run costs more than is known */
  atLeast: boolean;
  /** USD with a guess for the images: what the user is asked about before it is spent */
  guess: number | null;
}

/** What a run comes to, by the very calls that it will make: a text that is there twice counts once. */
export function estimateRun(items: readonly Item[], model: ModelRecord | undefined): Estimate {
  // this is worked out at every key press: blocks, which may hold megabytes, are not compared by what is in them
  const { chunks } = planChunks(items, [...items.keys()], ({ input }) => input);
  let [tokens, guessed, images] = [0, 0, 0];
  for (const place of chunks.flatMap((chunk) => chunk.items)) {
    const item = items[place];
    if (!item) continue;
    tokens += textTokens(item);
    guessed += item.tokens;
    images += imagesIn(item.input);
  }
  const price = priceOf(model?.pricing.prompt);
  const calls = chunks.length;
  if (price === null) return { calls, tokens, images, cost: null, atLeast: false, guess: null };
  const others = images * (priceOf(model?.pricing.image) ?? 0) + calls * (priceOf(model?.pricing.request) ?? 0);
  const atLeast = images > 0 && price > 0;
  return { calls, tokens, images, cost: tokens * price + others, atLeast, guess: guessed * price + others };
}

function textTokens({ input, tokens }: Item): number {
  if (typeof input === "string") return tokens;
  return input.content.reduce<number>((sum, part) => sum + estimateTokens((part as { text?: string }).text ?? ""), 0);
}

/** What a run comes to in words: "≈ 12 tokens, ≈ $0.0003", "≈ 3 tokens of text and 2 images, at least $0.0001". */
export function estimateWords({ tokens, images, cost, atLeast }: Estimate): string {
  const size = counted(tokens, "token");
  // nothing to run costs nothing, whatever the model's price
  if (tokens === 0 && images === 0) return `≈ ${size}`;
  const price = priceWords(cost, atLeast);
  return images === 0 ? `≈ ${size}, ${price}` : `≈ ${size} of text and ${counted(images, "image")}, ${price}`;
}

/** What something comes to in words: "≈ $0.0003", or at least that where not all of it is known. */
export function priceWords(cost: number | null, atLeast = false): string {
  if (cost === null) return "price unknown";
  if (cost === 0 && !atLeast) return "free";
  return `${atLeast ? "at least" : "≈"} ${formatUsdRough(cost)}`;
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
