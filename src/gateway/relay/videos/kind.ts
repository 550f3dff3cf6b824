import type { ModelPricing } from "#contract/providers.ts";
import type { NanoUsd } from "#contract/money.ts";
import { costOf, type ImageVariant, readPrices } from "../../domain/ledger/price.ts";
import type { Candidate } from "../../domain/routing/routing.ts";
import type { VideoCall } from "../../providers/provider.ts";
import { adapters, toUpstream } from "../../providers/registry.ts";
import type { MediaAmount, MediaKind } from "../media/kind.ts";
import { extraAt } from "../media/open.ts";
import type { VideoRequest } from "./request.ts";

/** Videos, billed by the second or each. */
export const videoKind: MediaKind<VideoRequest> = {
  apiType: "videos",
  modelType: "video",
  member: "model",

  unfit(request, candidate) {
    const { provider } = candidate;
    // A vendor keeps a video until it has been fetched.
    if (request.preferences.zdr === true) return "it keeps a video until it has been fetched, which zdr forbids";
    const dialect = adapters[provider.kind]?.videos;
    const upstream = toUpstream(provider);
    if (!dialect?.takes(upstream)) return "it makes no videos, or in a dialect that is not spoken here";
    return dialect.unfit(upstream, callAt(request, candidate));
  },

  most: (amount) => amount,

  fits: ({ media }, remaining, most) => ({
    seconds: Math.min(media.units, Number((remaining * BigInt(media.units)) / most)),
  }),

  body: ({ prompt }) => ({ input: [prompt], output: null, error: null }),
};

/** The call as a candidate is asked for it. */
export function callAt(request: VideoRequest, candidate: Candidate): VideoCall {
  return { ...request, model: candidate.model.upstreamId, extra: extraAt(request, candidate) };
}

/** What is asked for is what is billed: an answer reports less, or nothing. */
export function videoAmount({ seconds, frames, references, size, resolution }: VideoRequest): MediaAmount {
  return {
    promptTokens: 0,
    completionTokens: 0,
    images: frames.length + references.length,
    media: { unit: "second", units: seconds, variant: { quality: null, size: size ?? resolution } },
  };
}

/** What a job was asked for, as the store has it. */
export interface AskedVideo {
  readonly seconds: number;
  readonly images: number;
  readonly size: string | null;
}

/** What a video costs by the price that the model had, nano-dollars; 0 where it had none. */
export function videoCost(pricing: ModelPricing | null, { seconds, images, size }: AskedVideo): NanoUsd {
  const prices = readPrices(pricing);
  if (prices === null) return 0n;
  const variant: ImageVariant = { quality: null, size };
  const media = { unit: "second", units: seconds, variant } as const;
  return costOf(prices, { promptTokens: 0, completionTokens: 0, images, requests: 1, media });
}
