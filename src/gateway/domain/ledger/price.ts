import type { MediaUnit } from "#contract/api-type.ts";
import type { NanoUsd } from "#contract/money.ts";

/**
 * Prices are decimal text, because vendors quote below a nano-dollar a token (0.02 USD a million is 20 nano-dollars,
 * 0.0001 a million is a tenth of one). Calculations use integers of 1e-18 USD.
 */
type AttoUsd = bigint;

const attoDigits = 18;
const attoPerNano = 1_000_000_000n;

/** A model's price: USD as decimal text per token, image, request and unit of media. Null: it has no price. */
export interface Prices {
  readonly prompt: AttoUsd;
  /** per prompt token that the vendor read from its cache; at most `prompt`, so that a reservation is enough */
  readonly cacheRead: AttoUsd;
  readonly completion: AttoUsd;
  readonly image: AttoUsd;
  readonly request: AttoUsd;
  readonly media: Readonly<Record<MediaUnit, AttoUsd>>;
}

/** What a call used. All whole numbers, 0 or more. */
export interface Quantities {
  readonly promptTokens: number;
  /** of these, what the vendor read from its cache; default: 0 */
  readonly cachedTokens?: number | undefined;
  readonly completionTokens: number;
  readonly images: number;
  readonly requests: number;
  /** default: none */
  readonly media?: Media | undefined;
}

/** What a call is billed by besides tokens and requests. */
export interface Media {
  readonly unit: MediaUnit;
  /** 0 or more; thousandths of a unit count, and what is smaller rounds up */
  readonly units: number;
}

/** Decimal text (`0.00000002`, but not `2e-8`) to 1e-18 USD; digits beyond the eighteenth round up. */
export function parsePrice(text: string): AttoUsd {
  const match = /^(\d{1,9})(?:\.(\d+))?$/.exec(text);
  if (match === null) throw new RangeError(`not a price in USD: ${text}`);
  const [, whole = "0", fraction = ""] = match;
  const kept = fraction.slice(0, attoDigits).padEnd(attoDigits, "0");
  const beyond = /[1-9]/.test(fraction.slice(attoDigits)) ? 1n : 0n;
  return BigInt(whole + kept) + beyond;
}

/**
 * The prices of a model's row; an absent member is free, and no row at all means no price. Without a price of their own,
 * cached tokens cost what others do.
 */
export function readPrices(pricing: Readonly<Record<string, string | undefined>> | null): Prices | null {
  if (pricing === null) return null;
  const of = (member: string) => parsePrice(pricing[member] ?? "0");
  const prompt = of("prompt");
  const cacheRead = pricing["input_cache_read"] === undefined ? prompt : of("input_cache_read");
  return {
    prompt,
    cacheRead: cacheRead < prompt ? cacheRead : prompt,
    completion: of("completion"),
    image: of("image"),
    request: of("request"),
    media: { character: of("character"), second: of("second") },
  };
}

/** What `used` costs, rounded up once to the nano-dollar: no priced call is free, and no call is rounded twice. */
export function costOf(prices: Prices, used: Quantities): NanoUsd {
  const cached = Math.min(used.cachedTokens ?? 0, used.promptTokens);
  const atto =
    prices.prompt * BigInt(used.promptTokens - cached) +
    prices.cacheRead * BigInt(cached) +
    prices.completion * BigInt(used.completionTokens) +
    prices.image * BigInt(used.images) +
    prices.request * BigInt(used.requests) +
    (used.media === undefined ? 0n : mediaPrice(prices, used.media));
  return (atto + attoPerNano - 1n) / attoPerNano;
}

function mediaPrice({ media }: Prices, { unit, units }: Media): AttoUsd {
  const price = media[unit] * BigInt(Math.ceil(units * thousandths));
  return (price + BigInt(thousandths) - 1n) / BigInt(thousandths);
}

const thousandths = 1_000;

/** What the vendor's cache saved, rounded down to the nano-dollar. */
export function savedByCache({ prompt, cacheRead }: Prices, cachedTokens: number): NanoUsd {
  return ((prompt - cacheRead) * BigInt(cachedTokens)) / attoPerNano;
}

/** How many units at `price` fit into `budget`; null when they are free. */
export function affordable(price: AttoUsd, budget: NanoUsd): number | null {
  if (price === 0n) return null;
  return budget <= 0n ? 0 : Number((budget * attoPerNano) / price);
}
