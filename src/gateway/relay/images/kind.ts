import { pixelsOf, sideOf } from "#contract/images.ts";
import type { ImageVariant } from "../../domain/ledger/price.ts";
import type { Candidate } from "../../domain/routing/routing.ts";
import { readText } from "../../providers/answer.ts";
import { countInTurns } from "../../providers/local/lexical.ts";
import type { ImagesCall, ImagesUsage } from "../../providers/provider.ts";
import { adapters, toUpstream } from "../../providers/registry.ts";
import type { Turn } from "../../turns.ts";
import { believable } from "../believable.ts";
import { bytesOf } from "../json-bytes.ts";
import type { MediaAmount, MediaKind } from "../media/kind.ts";
import { extraAt } from "../media/open.ts";
import type { ImageRequest } from "./request.ts";

/** Tokens of an image that is made, about and at most: OpenAI's largest have 6,240 of 1.5 million pixels. */
const madeTokens = { usual: 1_100, most: 8_192, ofPixels: 1_572_864 };
/** Tokens of an image that the model works from, at most. */
const mostReferenceTokens = 8_192;
/** A vendor's count is believed up to so many times the most that is reserved: models may think before they draw. */
const believedTimes = 16;

/** Images, billed each, by the token or by the request. */
export const imageKind: MediaKind<ImageRequest> = {
  apiType: "images",
  modelType: "image",
  member: "model",

  unfit(request, candidate) {
    const { provider } = candidate;
    const dialect = adapters[provider.kind]?.images;
    const upstream = toUpstream(provider);
    if (!dialect?.takes(upstream)) return "it makes no images";
    return dialect.unfit(upstream, callAt(request, candidate));
  },

  most: (_, request, candidate) => mostOf(request, candidate),

  fits: ({ media }, remaining, most) => ({
    images: Math.min(media.units, Number((remaining * BigInt(media.units)) / most)),
  }),

  body: ({ prompt }) => ({ input: [prompt], output: null, error: null }),
};

/** The call as a candidate is asked for it. */
export function callAt(request: ImageRequest, candidate: Candidate): ImagesCall {
  return { ...request, model: candidate.model.upstreamId, extra: extraAt(request, candidate) };
}

export async function imageAmount(request: ImageRequest, turn: Turn, signal: AbortSignal): Promise<MediaAmount> {
  return {
    promptTokens: await countInTurns(request.prompt, turn, { signal }),
    completionTokens: request.n * madeTokens.usual,
    images: request.references.length,
    media: { unit: "image", units: request.n, variant: variantOf(request, {}) },
  };
}

function mostOf(request: ImageRequest, candidate: Candidate): MediaAmount {
  const extra = extraAt(request, candidate);
  const references = request.references.length;
  return {
    promptTokens: Buffer.byteLength(request.prompt) + bytesOf(extra) + references * mostReferenceTokens,
    completionTokens: request.n * mostTokensOf(request),
    images: references,
    media: { unit: "image", units: request.n, variant: variantOf(request, extra) },
  };
}

function mostTokensOf({ size, resolution }: ImageRequest): number {
  const { width, height } = pixelsOf(size) ?? { width: sideOf[resolution ?? "1K"], height: sideOf[resolution ?? "1K"] };
  return Math.ceil(madeTokens.most * Math.max(1, (width * height) / madeTokens.ofPixels));
}

/** What the price may depend on; members for one provider alone may say the quality where the request does not. */
function variantOf(
  { quality, size, resolution }: ImageRequest,
  extra: Readonly<Record<string, unknown>>,
): ImageVariant {
  return {
    quality: quality ?? readText(extra["quality"]),
    size: size ?? resolution,
  };
}

/** What a provider reported of its images. */
export interface Reported {
  /** how many were made; null: nobody knows, and it is charged for as many as were asked for */
  readonly made: number | null;
  readonly usage: ImagesUsage | null;
  readonly quality: string | null;
  readonly size: string | null;
}

/** What a provider reported, as far as it can be true; else the most that it can be. */
export function billedAmount(
  own: MediaAmount,
  request: ImageRequest,
  candidate: Candidate,
  { made, usage, quality, size }: Reported,
): MediaAmount {
  const most = mostOf(request, candidate);
  const isByToken = (candidate.model.prices?.completion ?? 0n) > 0n;
  const asked = most.media.variant;
  return {
    promptTokens: believable(
      usage?.promptTokens,
      most.promptTokens * believedTimes,
      own.promptTokens + request.references.length * mostReferenceTokens,
    ),
    completionTokens: believable(
      usage?.completionTokens,
      most.completionTokens * believedTimes,
      isByToken ? most.completionTokens : 0,
    ),
    images: request.references.length,
    media: {
      unit: "image",
      units: made ?? request.n,
      variant: { quality: quality ?? asked?.quality ?? null, size: size ?? asked?.size ?? null },
    },
  };
}
