import { SpeechBody, type SpeechFormat } from "#contract/speech.ts";
import { readDataUrl } from "../../providers/messages.ts";
import type { SpeechReference } from "../../providers/provider.ts";
import type { Turn } from "../../turns.ts";
import { refuseBilled } from "../media/billed-members.ts";
import { addressesOf } from "../image-addresses.ts";
import type { MediaRequest } from "../media/kind.ts";
import { readMembers } from "../read-body.ts";

/** A speech call as the caller sent it, checked. */
export interface SpeechRequest extends MediaRequest {
  readonly input: string;
  readonly voice: string | null;
  readonly format: SpeechFormat;
  readonly speed: number | null;
  readonly reference: SpeechReference | null;
}

/** Values in a body. */
const mostValues = 2_000;

/** @throws Refusal invalid_request, naming the member and what would be valid */
export async function readSpeechRequest(bytes: Buffer, turn: Turn): Promise<SpeechRequest> {
  const {
    model,
    input,
    voice,
    response_format,
    stream_format: _,
    speed,
    input_references,
    user,
    provider,
    session_id,
    trace,
    ...extra
  } = await readMembers(SpeechBody, bytes, turn, mostValues);
  refuseBilled("speech", extra, provider?.options);
  return {
    model,
    input,
    voice: voice ?? null,
    format: response_format ?? "pcm",
    speed: speed ?? null,
    reference: referenceOf(input_references ?? []),
    named: addressesOf({ voice, ...recordingsOf(input_references ?? []) }),
    user: user ?? null,
    preferences: provider ?? {},
    sessionId: session_id ?? null,
    trace: trace ?? null,
    extra,
  };
}

/** Recordings to imitate, by their places. Base64 has no colon, and may begin like an address without a scheme. */
function recordingsOf(references: NonNullable<SpeechBody["input_references"]>): Record<string, unknown> {
  return Object.fromEntries(
    references.flatMap((one, at) =>
      one.type === "input_audio" && one.input_audio.data.slice(0, 64).includes(":")
        ? [[`input_references.${at}.input_audio.data`, one.input_audio.data]]
        : [],
    ),
  );
}

function referenceOf(references: NonNullable<SpeechBody["input_references"]>): SpeechReference | null {
  if (references.length === 0) return null;
  const audio = references.find((one) => one.type === "input_audio")?.input_audio;
  const text = references.find((one) => one.type === "text")?.text ?? null;
  if (audio === undefined) return { audio: null, format: null, text };
  return { audio: readDataUrl(audio.data)?.base64 ?? audio.data, format: audio.format ?? null, text };
}
