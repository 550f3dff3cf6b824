import type { SpeechFormat } from "#contract/speech.ts";
import type { JsonObject } from "../answer.ts";
import { isPathSegment } from "../path-segment.ts";
import type { SpeechCall, SpeechDialect, SpeechReference, Upstream } from "../provider.ts";
import { headers, operationUrl } from "./request.ts";

/** OpenAI's `POST /audio/speech`, Mistral's of the same path, and ElevenLabs'. */
export const speech: SpeechDialect = {
  takes: ({ options }) => options.speech !== null,

  unfit(upstream, { format, voice, speed, reference }) {
    const { dialect, formats } = upstream.options.speech ?? {};
    if (formats?.includes(format) === false)
      return { member: "response_format", reason: `it answers with ${formats.join(", ")}, not ${format}` };
    if (reference !== null && dialect !== "mistral" && upstream.options.publicApi !== true)
      return { member: "input_references", reason: "it takes no input_references" };
    if (dialect === "mistral") {
      if (speed !== null) return { member: "speed", reason: "it takes no speed" };
      const isSilent = reference !== null && reference.audio === null;
      return isSilent ? { member: "input_references", reason: "its references must have an input_audio" } : null;
    }
    if (dialect !== "elevenlabs") return null;
    if (voice === null) return { member: "voice", reason: "it needs a voice" };
    return isPathSegment(voice) ? null : { member: "voice", reason: "it has no such voice" };
  },

  toRequest(upstream, call) {
    const { dialect } = upstream.options.speech ?? {};
    if (dialect === "elevenlabs") return elevenLabs(upstream, call);
    const members = dialect === "mistral" ? mistral(call) : openAi(upstream, call);
    return {
      method: "POST",
      url: operationUrl(upstream, "audio/speech", call.model),
      headers: headers(upstream, "*/*"),
      body: JSON.stringify(members),
    };
  },

  base64Member: ({ options }) => (options.speech?.dialect === "mistral" ? "audio_data" : null),
};

function openAi(
  upstream: Upstream,
  { model, input, voice, format, speed, reference, user, extra }: SpeechCall,
): JsonObject {
  const isPublic = upstream.options.publicApi === true;
  return {
    ...extra,
    model,
    input,
    ...(voice !== null && { voice }),
    // Vendors' defaults differ, so it is always said.
    response_format: format,
    ...(speed !== null && { speed }),
    ...(reference !== null && isPublic && { input_references: publicReferences(reference) }),
    ...(user !== null && isPublic && { user }),
  };
}

function publicReferences({ audio, format, text }: SpeechReference): JsonObject[] {
  return [
    ...(audio === null
      ? []
      : [{ type: "input_audio", input_audio: { data: audio, ...(format !== null && { format }) } }]),
    ...(text === null ? [] : [{ type: "text", text }]),
  ];
}

/** https://docs.mistral.ai/capabilities/audio/text_to_speech: what a reference says is not asked for */
function mistral({ model, input, voice, format, reference, extra }: SpeechCall): JsonObject {
  const audio = reference?.audio ?? null;
  return {
    ...extra,
    model,
    input,
    ...(audio === null ? voice !== null && { voice_id: voice } : { ref_audio: audio }),
    response_format: format,
    stream: false,
  };
}

/** https://elevenlabs.io/docs/api-reference/text-to-speech/convert#request.query.output_format */
const elevenLabsFormats: Readonly<Partial<Record<SpeechFormat, string>>> = {
  mp3: "mp3_44100_128",
  pcm: "pcm_24000",
  wav: "wav_24000",
  opus: "opus_48000_128",
};

function elevenLabs(upstream: Upstream, { model, input, voice, format, speed, extra }: SpeechCall) {
  const query = new URLSearchParams({ output_format: elevenLabsFormats[format] ?? "" }).toString();
  return {
    method: "POST" as const,
    url: `${upstream.baseUrl}/text-to-speech/${encodeURIComponent(voice ?? "")}?${query}`,
    headers: headers(upstream, "*/*"),
    body: JSON.stringify({
      ...extra,
      text: input,
      model_id: model,
      ...(speed !== null && { voice_settings: { ...Object(extra["voice_settings"]), speed } }),
    }),
  };
}
