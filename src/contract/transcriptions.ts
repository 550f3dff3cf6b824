import * as z from "zod/mini";
import { endpoint, megabytes, modelCallHeaders } from "./endpoint.ts";
import { list } from "./list.ts";
import { MediaPreferences } from "./media-preferences.ts";

/** Of a file in a form: the public API's bound. */
export const mostFileBytes = megabytes(25);

/** The formats of audio, by the endings of files' names. */
export const audioFormats = [
  "wav",
  "mp3",
  "flac",
  "m4a",
  "mp4",
  "ogg",
  "oga",
  "opus",
  "webm",
  "aac",
  "mpeg",
  "mpga",
] as const;
export type AudioFormat = (typeof audioFormats)[number];
export const AudioFormat = z.enum(audioFormats);

const Text = z.string().check(z.minLength(1));

/** What both forms of a request have. Members that are not listed are the provider's own and are passed on. */
const members = {
  model: Text,
  /** ISO 639-1 */
  language: z.optional(z.nullable(Text.check(z.maxLength(20)))),
  response_format: z.optional(
    z.nullable(z.enum(["json", "verbose_json"], "must be json or verbose_json: text, srt and vtt are not supported")),
  ),
  temperature: z.optional(z.nullable(z.number().check(z.minimum(0), z.maximum(2)))),
  timestamp_granularities: z.optional(z.nullable(list(z.enum(["word", "segment"]), { most: 2 }))),
  prompt: z.optional(z.nullable(z.string().check(z.maxLength(10_000)))),
  /** one answer as a whole is all that is served, not events */
  stream: z.optional(z.nullable(z.literal(false, "must be false: transcriptions are not streamed"))),
  user: z.optional(z.nullable(z.string())),
  provider: z.optional(z.nullable(MediaPreferences)),
  session_id: z.optional(z.nullable(z.string().check(z.maxLength(256)))),
  trace: z.optional(z.nullable(z.looseObject({}))),
};

const Members = z.looseObject(members);
export type TranscriptionMembers = z.infer<typeof Members>;

/** The request as JSON. */
export const TranscriptionBody = z.extend(Members, {
  input_audio: z.strictObject({
    /** base64, or a data URL of it */
    data: Text,
    format: AudioFormat,
  }),
});
export type TranscriptionBody = z.infer<typeof TranscriptionBody>;

/** The request as a form: `timestamp_granularities[]` once for each, `provider` and `trace` as JSON. */
export const TranscriptionForm = z.extend(Members, {
  /** the audio, at most 25 MB; its format is that of its name, else of its media type */
  file: z.string(),
});

export const TranscriptionResult = z.looseObject({
  text: z.string(),
  /** with verbose_json */
  task: z.optional(z.string()),
  language: z.optional(z.string()),
  duration: z.optional(z.number()),
  segments: z.optional(z.array(z.looseObject({ start: z.number(), end: z.number(), text: z.string() }))),
  words: z.optional(z.array(z.looseObject({ start: z.number(), end: z.number(), word: z.string() }))),
  usage: z.looseObject({
    /** USD charged for this call */
    cost: z.number(),
    is_byok: z.boolean(),
    seconds: z.optional(z.number()),
    input_tokens: z.optional(z.int()),
    output_tokens: z.optional(z.int()),
    total_tokens: z.optional(z.int()),
  }),
});
export type TranscriptionResult = z.infer<typeof TranscriptionResult>;

export const createTranscription = endpoint({
  name: "createTranscription",
  operationId: "createAudioTranscriptions",
  method: "POST",
  path: "/audio/transcriptions",
  tag: "Transcriptions",
  summary: "Write down what is said",
  description:
    "As JSON with the audio in base64, or as a form with a file of at most 25 MB. It is charged by the second of audio, the tokens or the request, by the model's price and what the provider reports.",
  auth: "ordinary",
  body: TranscriptionBody,
  form: TranscriptionForm,
  // 25 MB in base64
  bodyLimit: megabytes(34),
  headers: modelCallHeaders,
  returns: TranscriptionResult,
  answerHeaders: ["X-Generation-Id"],
  errors: [400, 401, 402, 403, 404, 408, 413, 429, 500, 502, 503, 524, 529],
});
