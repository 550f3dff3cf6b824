import { type JsonObject, objectOf, objectsIn, readCount, readText } from "../answer.ts";
import {
  BadAnswer,
  type TranscriptionCall,
  type TranscriptionDialect,
  type TranscriptionUsage,
  type Upstream,
} from "../provider.ts";
import { type Field, withExtra } from "./form-fields.ts";
import { headers, operationUrl } from "./request.ts";

/** OpenAI's `POST /audio/transcriptions`, a form at every vendor, and ElevenLabs' `POST /speech-to-text`. */
export const transcription: TranscriptionDialect = {
  takes: ({ options }) => options.transcription !== null,

  unfit({ options }, { verbose }) {
    const { dialect, verbose: hasVerbose = dialect === undefined } = options.transcription ?? {};
    return verbose && !hasVerbose ? "it has no verbose_json" : null;
  },

  toForm(upstream, call) {
    const isElevenLabs = upstream.options.transcription?.dialect === "elevenlabs";
    const { "content-type": _, ...rest } = headers(upstream);
    return {
      url: isElevenLabs
        ? `${upstream.baseUrl}/speech-to-text`
        : operationUrl(upstream, "audio/transcriptions", call.model),
      headers: rest,
      fields: isElevenLabs ? elevenLabs(call) : openAi(upstream, call),
    };
  },

  readAnswer(upstream, body, { verbose }) {
    const answer = objectOf(body);
    const text = readText(answer["text"]);
    if (text === null) throw new BadAnswer("the answer holds no text");
    const usage = usageIn(answer);
    if (upstream.options.transcription?.dialect === "elevenlabs") {
      const language = readText(answer["language_code"]);
      return { result: { text, ...(language !== null && { language }) }, usage };
    }
    // It was asked for the usage alone.
    if (!verbose && isAskedVerbosely(upstream)) return { result: { text }, usage };
    return { result: { ...answer, text, ...timesIn(answer) }, usage };
  },

  readUsage: (body) => usageIn(objectOf(body)),
};

const isAskedVerbosely = ({ options }: Upstream) => options.transcription?.usageInVerbose === true;

function openAi(upstream: Upstream, call: TranscriptionCall): Field[] {
  const { model, language, verbose, temperature, granularities, prompt, extra } = call;
  const isMistral = upstream.options.transcription?.dialect === "mistral";
  const format = verbose || isAskedVerbosely(upstream) ? "verbose_json" : "json";
  return withExtra(
    extra,
    [
      ["model", model],
      ...(language === null ? [] : [["language", language] as const]),
      ...(isMistral ? [] : [["response_format", format] as const]),
      ...(temperature === null ? [] : [["temperature", String(temperature)] as const]),
      ...granularities.map((each) => ["timestamp_granularities[]", each] as const),
      ...(prompt === null || isMistral ? [] : [["prompt", prompt] as const]),
    ],
    "file",
  );
}

/** https://elevenlabs.io/docs/api-reference/speech-to-text/convert */
function elevenLabs({ model, language, temperature, extra }: TranscriptionCall): Field[] {
  return withExtra(
    extra,
    [
      ["model_id", model],
      ...(language === null ? [] : [["language_code", language] as const]),
      ...(temperature === null ? [] : [["temperature", String(temperature)] as const]),
    ],
    "file",
  );
}

/** Official clients refuse members of other types than these, and some servers write numbers as texts. */
function timesIn({ duration, segments, words }: JsonObject): JsonObject {
  const seconds = readSeconds(duration);
  const isTimed = (entry: JsonObject, said: string) =>
    typeof entry["start"] === "number" && typeof entry["end"] === "number" && typeof entry[said] === "string";
  return {
    duration: seconds ?? undefined,
    segments: Array.isArray(segments)
      ? objectsIn(segments.slice(0, mostEntries)).filter(
          (each) => isTimed(each, "text") && Number.isInteger(each["id"]),
        )
      : undefined,
    words: Array.isArray(words) ? words.filter((each) => isTimed(Object(each) as JsonObject, "word")) : undefined,
    usage: undefined,
  };
}

const mostEntries = 4_096;

function usageIn(answer: JsonObject): TranscriptionUsage | null {
  const usage = Object(answer["usage"]) as JsonObject;
  const seconds =
    readSeconds(usage["seconds"]) ?? readSeconds(usage["prompt_audio_seconds"]) ?? readSeconds(answer["duration"]);
  const input = readCount(usage["input_tokens"]) ?? readCount(usage["prompt_tokens"]);
  const output = readCount(usage["output_tokens"]) ?? readCount(usage["completion_tokens"]);
  return seconds === null && input === null ? null : { seconds, inputTokens: input, outputTokens: output };
}

/** A number of 0 or more, which some servers write as a text. */
function readSeconds(value: unknown): number | null {
  const seconds = typeof value === "string" && /^\d{1,9}(\.\d{1,9})?$/.test(value) ? Number(value) : value;
  return typeof seconds === "number" && Number.isFinite(seconds) && seconds >= 0 ? seconds : null;
}
