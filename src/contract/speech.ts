import * as z from "zod/mini";
import { endpoint, megabytes, modelCallHeaders } from "./endpoint.ts";
import { list } from "./list.ts";
import { MediaPreferences } from "./media-preferences.ts";

/** In one call. */
export const mostSpokenCharacters = 100_000;
/** Of base64, in the references of one call: the public API's bound. */
export const mostReferenceCharacters = 20 * 1_048_576;

/** The form of an audio answer, and its media type. `pcm` is 16-bit little-endian without a header, 24 kHz at most vendors. */
export const speechTypes = {
  mp3: "audio/mpeg",
  pcm: "audio/pcm",
  wav: "audio/wav",
  opus: "audio/opus",
  aac: "audio/aac",
  flac: "audio/flac",
} as const;
export const SpeechFormat = z.enum(Object.keys(speechTypes) as (keyof typeof speechTypes)[]);
export type SpeechFormat = z.infer<typeof SpeechFormat>;

const Text = z.string().check(z.minLength(1));

/** A recording whose voice is to be imitated, or what is said in it. */
const Reference = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("input_audio"),
    input_audio: z.strictObject({
      /** base64, or a data URL of it */
      data: Text.check(z.maxLength(mostReferenceCharacters, "must have at most 20 MB of base64")),
      format: z.optional(z.nullable(z.string().check(z.maxLength(20)))),
    }),
  }),
  z.strictObject({ type: z.literal("text"), text: Text.check(z.maxLength(mostSpokenCharacters)) }),
]);

/** Members that are not listed are the provider's own and are passed on. */
export const SpeechBody = z.looseObject({
  model: Text,
  /** what is spoken */
  input: Text.check(z.maxLength(mostSpokenCharacters)),
  /** the provider's name of a voice; may be left out where the provider has a default */
  voice: z.optional(z.nullable(Text.check(z.maxLength(200)))),
  /** default: pcm, as in the public API */
  response_format: z.optional(z.nullable(SpeechFormat)),
  speed: z.optional(z.nullable(z.number().check(z.minimum(0.1), z.maximum(10)))),
  /** audio as one body is all that is served, not as events */
  stream_format: z.optional(z.nullable(z.literal("audio"))),
  input_references: z.optional(
    z.nullable(
      list(Reference, {
        most: 2,
        together: {
          holds: (references) => new Set(references.map(({ type }) => type)).size === references.length,
          message: "must have at most one input_audio and one text",
        },
      }),
    ),
  ),
  user: z.optional(z.nullable(z.string())),
  provider: z.optional(z.nullable(MediaPreferences)),
  session_id: z.optional(z.nullable(z.string().check(z.maxLength(256)))),
  trace: z.optional(z.nullable(z.looseObject({}))),
});
export type SpeechBody = z.infer<typeof SpeechBody>;

export const createSpeech = endpoint({
  name: "createSpeech",
  operationId: "createAudioSpeech",
  method: "POST",
  path: "/audio/speech",
  tag: "Speech",
  summary: "Speak a text",
  description:
    "The answer is the audio, as the provider sends it. It is charged by the characters of `input`, the tokens or the request, by the model's price. A call whose provider has begun to answer is charged in full, even if its caller leaves.",
  auth: "ordinary",
  body: SpeechBody,
  bodyLimit: megabytes(32),
  headers: modelCallHeaders,
  returns: z.string(),
  binary: Object.values(speechTypes),
  answerHeaders: ["X-Generation-Id"],
  errors: [400, 401, 402, 403, 404, 408, 413, 429, 500, 502, 503, 524, 529],
});
