import type { KeptBody } from "../../domain/bodies/body.ts";
import type { Candidate } from "../../domain/routing/routing.ts";
import { countInTurns } from "../../providers/local/lexical.ts";
import type { TranscriptionUsage } from "../../providers/provider.ts";
import { adapters, toUpstream } from "../../providers/registry.ts";
import type { Turn } from "../../turns.ts";
import { believable } from "../believable.ts";
import { bytesOf } from "../json-bytes.ts";
import type { MediaAmount, MediaKind } from "../media/kind.ts";
import { extraAt } from "../media/open.ts";
import { lengthOf } from "./audio-length.ts";
import type { TranscriptionRequest } from "./request.ts";

/** Tokens of a second of audio, and of what is said in it: about, and at most. */
const audioTokens = { usual: 17, most: 100 };
const textTokens = { usual: 4, most: 50 };
/** Of an answer to silence. */
const leastTextTokens = 1_000;

/** Speech to text, billed by the second, the token or the request. */
export const transcriptionKind: MediaKind<TranscriptionRequest> = {
  apiType: "transcriptions",
  modelType: "transcription",
  member: "response_format",

  unfit(request, candidate) {
    const { provider } = candidate;
    const dialect = adapters[provider.kind]?.transcription;
    const upstream = toUpstream(provider);
    if (!dialect?.takes(upstream)) return "it has no speech to text";
    return dialect.unfit(upstream, request);
  },

  most: (_, request, candidate) => mostOf(request, candidate),

  fits: (_, remaining, most) => ({ audio_percent: Math.min(100, Number((remaining * 100n) / most)) }),

  body: ({ format }, said): KeptBody => ({
    input: [{ type: "input_audio", format }],
    output: said === null ? null : [{ index: 0, message: { role: "assistant", content: said } }],
    error: null,
  }),
};

export function transcriptionAmount({ audio, format }: TranscriptionRequest): MediaAmount {
  const { seconds } = lengthOf(audio, format);
  return {
    promptTokens: Math.ceil(seconds * audioTokens.usual),
    completionTokens: Math.ceil(seconds * textTokens.usual),
    media: { unit: "second", units: seconds },
  };
}

function mostOf(request: TranscriptionRequest, candidate: Candidate): MediaAmount {
  const { mostSeconds } = lengthOf(request.audio, request.format);
  const said = Buffer.byteLength(request.prompt ?? "") + bytesOf(extraAt(request, candidate));
  return {
    promptTokens: Math.ceil(mostSeconds * audioTokens.most) + said,
    completionTokens: Math.ceil(mostSeconds * textTokens.most) + leastTextTokens,
    media: { unit: "second", units: mostSeconds },
  };
}

/** What a provider reported, as far as it can be true; else the gateway's own count. */
export function billedAmount(
  own: MediaAmount,
  request: TranscriptionRequest,
  candidate: Candidate,
  usage: TranscriptionUsage | null,
): MediaAmount {
  const most = mostOf(request, candidate);
  return {
    promptTokens: believable(usage?.inputTokens, most.promptTokens, own.promptTokens),
    completionTokens: believable(usage?.outputTokens, most.completionTokens, own.completionTokens),
    media: {
      unit: "second",
      // Nothing else may have been reserved.
      units: believable(usage?.seconds, most.media.units, own.media.units),
    },
  };
}

/** The gateway's own count once it is known what was said. */
export async function countedAmount(own: MediaAmount, text: string, turn: Turn): Promise<MediaAmount> {
  return { ...own, completionTokens: await countInTurns(text, turn) };
}
