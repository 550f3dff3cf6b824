import { adapters, toUpstream } from "../../providers/registry.ts";
import { countInTurns } from "../../providers/local/lexical.ts";
import type { Turn } from "../../turns.ts";
import { bytesOf } from "../json-bytes.ts";
import type { MediaAmount, MediaKind } from "../media/kind.ts";
import { extraAt } from "../media/open.ts";
import type { SpeechRequest } from "./request.ts";

/**
 * Speech, billed by the character, the token or the request. Vendors report nothing with it. A character that takes two
 * units of UTF-16 counts as two, as it does at vendors that count the most.
 */
export const speechKind: MediaKind<SpeechRequest> = {
  apiType: "speech",
  modelType: "speech",
  member: "response_format",

  unfit(request, candidate) {
    const { provider } = candidate;
    const dialect = adapters[provider.kind]?.speech;
    const upstream = toUpstream(provider);
    if (!dialect?.takes(upstream)) return "it has no speech";
    return dialect.unfit(upstream, { ...request, extra: extraAt(request, candidate) });
  },

  // A tokenizer makes at most one token of each byte.
  most: ({ media }, request, candidate) => ({
    promptTokens: Buffer.byteLength(request.input) + bytesOf(extraAt(request, candidate)),
    completionTokens: 0,
    media,
  }),

  fits: ({ media }, remaining, most) => ({
    characters: Math.min(media.units, Number((remaining * BigInt(media.units)) / most)),
  }),

  body: ({ input }) => ({ input: [input], output: null, error: null }),
};

export async function speechAmount({ input }: SpeechRequest, turn: Turn, signal: AbortSignal): Promise<MediaAmount> {
  return {
    promptTokens: await countInTurns(input, turn, { signal }),
    completionTokens: 0,
    media: { unit: "character", units: input.length },
  };
}
