import type { MediaUnit } from "#contract/api-type.ts";
import { pixelsOf, resolutionOf } from "#contract/images.ts";
import type { NanoUsd } from "#contract/money.ts";
import type { ModelPricing } from "#contract/providers.ts";
import { videoResolutionOf } from "#contract/video-size.ts";
import type { Rate } from "./published-rates.ts";

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
  /** per prompt token that the vendor wrote to its cache, for minutes and for an hour; at least `prompt`; null: not stated */
  readonly cacheWrite: AttoUsd | null;
  readonly hourCacheWrite: AttoUsd | null;
  readonly completion: AttoUsd;
  /** per completion token of an image; at least `completion`; null: not stated */
  readonly imageOutput: AttoUsd | null;
  readonly image: AttoUsd;
  readonly request: AttoUsd;
  readonly media: Readonly<Record<MediaUnit, AttoUsd>>;
  /** of images by their quality and size, instead of the one in `media`; the first that fits counts */
  readonly images: readonly ImagePrice[];
  /** the same of seconds of video, by their size */
  readonly seconds: readonly ImagePrice[];
}

interface ImagePrice extends ImageVariant {
  readonly price: AttoUsd;
}

/** What the price of an image or of video may depend on; null: not said, or not known. */
export interface ImageVariant {
  readonly quality: string | null;
  /** pixels, or a resolution */
  readonly size: string | null;
}

/** What a call used. All whole numbers, 0 or more. */
export interface Quantities {
  readonly promptTokens: number;
  /** of these, what the vendor read from its cache; default: 0 */
  readonly cachedTokens?: number | undefined;
  /** of these, what it wrote to it; default: 0 */
  readonly written?: Written | undefined;
  readonly completionTokens: number;
  /** of these, those of images; default: 0 */
  readonly imageOutputTokens?: number | undefined;
  readonly images: number;
  readonly requests: number;
  /** default: none */
  readonly media?: Media | undefined;
  /** what some of these cost beyond the model's price, 1e-18 USD; default: nothing */
  readonly extra?: bigint | undefined;
}

/** Tokens that a vendor wrote to its cache. */
export interface Written {
  readonly tokens: number;
  /** of these, what it keeps for an hour */
  readonly forHour: number;
  /** hundredths of the prompt's price that they cost beyond it where the model has no price for them */
  readonly surcharge: number;
  readonly hourSurcharge: number;
}

/** What a call is billed by besides tokens and requests. */
export interface Media {
  readonly unit: MediaUnit;
  /** 0 or more; thousandths of a unit count, and what is smaller rounds up */
  readonly units: number;
  /** of images and video; default: nothing is known of them */
  readonly variant?: ImageVariant;
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

/** Whether a model costs nothing, whatever it is asked. */
export function isFree(prices: Prices | null): boolean {
  if (prices === null) return false;
  const { prompt, completion, imageOutput, image, request, media, images, seconds } = prices;
  const amounts = [prompt, completion, imageOutput ?? 0n, image, request, ...Object.values(media)];
  return [...amounts, ...[...images, ...seconds].map(({ price }) => price)].every((price) => price === 0n);
}

/**
 * The prices of a model's row; an absent member is free, and no row at all means no price. Without a price of their own,
 * cached tokens cost what others do.
 */
export function readPrices(pricing: ModelPricing | null): Prices | null {
  if (pricing === null) return null;
  const of = (member: Exclude<keyof ModelPricing, "output_images" | "seconds">) => parsePrice(pricing[member] ?? "0");
  const prompt = of("prompt");
  const cacheRead = pricing.input_cache_read === undefined ? prompt : of("input_cache_read");
  const written = (member: "input_cache_write" | "input_cache_write_1h") =>
    pricing[member] === undefined ? null : larger(of(member), prompt);
  return {
    prompt,
    cacheRead: cacheRead < prompt ? cacheRead : prompt,
    cacheWrite: written("input_cache_write"),
    hourCacheWrite: written("input_cache_write_1h"),
    completion: of("completion"),
    imageOutput: pricing.image_output === undefined ? null : larger(of("image_output"), of("completion")),
    image: of("image"),
    request: of("request"),
    media: { character: of("character"), second: of("second"), image: of("output_image") },
    images: (pricing.output_images ?? []).map(({ quality = null, size = null, price }) => ({
      quality,
      size,
      price: parsePrice(price),
    })),
    seconds: (pricing.seconds ?? []).map(({ size, price }) => ({ quality: null, size, price: parsePrice(price) })),
  };
}

/** What `used` costs, rounded up once to the nano-dollar: no priced call is free, and no call is rounded twice. */
export function costOf(prices: Prices, used: Quantities): NanoUsd {
  const cached = Math.min(used.cachedTokens ?? 0, used.promptTokens);
  const written = Math.min(used.written?.tokens ?? 0, used.promptTokens - cached);
  const drawn = Math.min(used.imageOutputTokens ?? 0, used.completionTokens);
  const atto =
    prices.prompt * BigInt(used.promptTokens - cached - written) +
    prices.cacheRead * BigInt(cached) +
    (used.written === undefined ? 0n : writtenPrice(prices, { ...used.written, tokens: written })) +
    prices.completion * BigInt(used.completionTokens - drawn) +
    (prices.imageOutput ?? prices.completion) * BigInt(drawn) +
    prices.image * BigInt(used.images) +
    prices.request * BigInt(used.requests) +
    (used.media === undefined ? 0n : mediaPrice(prices, used.media)) +
    (used.extra ?? 0n);
  return (atto + attoPerNano - 1n) / attoPerNano;
}

/** What the tokens cost that were written to a vendor's cache: each once, and never less than the prompt's price. */
function writtenPrice(
  { prompt, cacheWrite, hourCacheWrite }: Prices,
  { tokens, forHour, surcharge, hourSurcharge }: Written,
): AttoUsd {
  const hour = Math.min(forHour, tokens);
  const brief = cacheWrite ?? withSurcharge(prompt, surcharge);
  const long = hourCacheWrite ?? larger(withSurcharge(prompt, hourSurcharge), brief);
  return brief * BigInt(tokens - hour) + long * BigInt(hour);
}

/** The prices of a call that its vendor charges at a share of them. */
export function atRate(prices: Prices, { prompt, completion }: Rate): Prices {
  if (prompt === 100 && completion === 100) return prices;
  const { cacheRead, cacheWrite, hourCacheWrite, imageOutput } = prices;
  return {
    ...prices,
    prompt: share(prices.prompt, prompt),
    cacheRead: share(cacheRead, prompt),
    cacheWrite: cacheWrite && share(cacheWrite, prompt),
    hourCacheWrite: hourCacheWrite && share(hourCacheWrite, prompt),
    completion: share(prices.completion, completion),
    imageOutput: imageOutput && share(imageOutput, completion),
  };
}

const share = (price: AttoUsd, hundredths: number) => (price * BigInt(hundredths) + 99n) / 100n;

const withSurcharge = (price: AttoUsd, hundredths: number) => price + share(price, hundredths);

const larger = (one: bigint, other: bigint) => (one > other ? one : other);

/** What units of media cost, in 1e-18 USD. */
export function mediaPrice(prices: Prices, media: Media): AttoUsd {
  const price = unitPrice(prices, media) * BigInt(Math.ceil(media.units * thousandths));
  return (price + BigInt(thousandths) - 1n) / BigInt(thousandths);
}

const thousandths = 1_000;

/** The most that a unit may cost: what of an image or a video is not known may be the dearest that it can be. */
export function unitPrice(
  { media, images, seconds }: Prices,
  { unit, variant = unknownVariant }: Omit<Media, "units">,
): AttoUsd {
  const listed = { image: images, second: seconds, character: [] }[unit];
  const fit = listed.map((one) => fits(one, variant, unit));
  const certain = fit.indexOf(true);
  const possible = listed.filter((_, at) => (certain === -1 || at <= certain) && fit[at] !== false);
  return [...possible.map(({ price }) => price), ...(certain === -1 ? [media[unit]] : [])].reduce((most, price) =>
    price > most ? price : most,
  );
}

const unknownVariant: ImageVariant = { quality: null, size: null };

/** Whether a price is for images or video of this kind; null: it may be. */
function fits(price: ImageVariant, { quality, size }: ImageVariant, unit: MediaUnit): boolean | null {
  const isQuality = price.quality === null || (quality === null ? null : price.quality === quality);
  const isSize =
    price.size === null ||
    (size === null ? null : isOfSize(size, price.size, unit === "second" ? videoResolutionOf : resolutionOf));
  if (isQuality === false || isSize === false) return false;
  return isQuality === null || isSize === null ? null : true;
}

/** Pixels are of a resolution; a resolution alone may be of any pixels near it. */
function isOfSize(
  size: string,
  wanted: string,
  nearest: (pixels: { width: number; height: number }) => string,
): boolean | null {
  if (size === wanted) return true;
  const [pixels, priced] = [pixelsOf(size), pixelsOf(wanted)];
  if (pixels !== null) return priced === null && nearest(pixels) === wanted;
  return priced !== null && nearest(priced) === size ? null : false;
}

/** What the vendor's cache saved, rounded down to the nano-dollar. */
export function savedByCache({ prompt, cacheRead }: Prices, cachedTokens: number): NanoUsd {
  return ((prompt - cacheRead) * BigInt(cachedTokens)) / attoPerNano;
}

/** How many units at `price` fit into `budget`; null when they are free. */
export function affordable(price: AttoUsd, budget: NanoUsd): number | null {
  if (price === 0n) return null;
  return budget <= 0n ? 0 : Number((budget * attoPerNano) / price);
}
