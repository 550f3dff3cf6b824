import {
  type AudioFormat,
  audioFormats,
  mostFileBytes,
  TranscriptionBody,
  TranscriptionForm,
  type TranscriptionMembers,
} from "#contract/transcriptions.ts";
import { invalid, invalidMembers, Refusal } from "../../domain/refusal.ts";
import type { Turn } from "../../turns.ts";
import { decodeBase64 } from "../decode-base64.ts";
import { refuseBilled } from "../media/billed-members.ts";
import type { MediaRequest } from "../media/kind.ts";
import type { ModelCall } from "../model-call.ts";
import { type FormPart, readForm } from "../multipart.ts";
import { readMembers } from "../read-body.ts";

/** A transcription call as the caller sent it, checked. */
export interface TranscriptionRequest extends MediaRequest {
  readonly audio: Buffer;
  readonly format: AudioFormat;
  readonly language: string | null;
  readonly verbose: boolean;
  readonly temperature: number | null;
  readonly granularities: readonly ("word" | "segment")[];
  readonly prompt: string | null;
}

/** Values in a body of JSON. */
const mostValues = 2_000;
/** Bytes of a field of a form. */
const mostFieldBytes = 65_536;

export function isForm({ headers }: Pick<ModelCall, "headers">): boolean {
  return /^\s*multipart\/form-data\s*;/i.test(headers["content-type"] ?? "");
}

/** @throws Refusal invalid_request or payload_too_large, naming the member and what would be valid */
export async function readTranscriptionRequest(
  call: Pick<ModelCall, "headers" | "body" | "room">,
  turn: Turn,
): Promise<TranscriptionRequest> {
  return isForm(call) ? await readFromForm(call, turn) : await readFromJson(call, turn);
}

function requestOf(members: TranscriptionMembers, audio: Buffer, format: AudioFormat): TranscriptionRequest {
  const {
    model,
    language,
    response_format,
    temperature,
    timestamp_granularities,
    prompt,
    stream: _,
    user,
    provider,
    session_id,
    trace,
    ...extra
  } = members;
  refuseBilled("transcriptions", extra, provider?.options);
  if (audio.length === 0) throw invalid("file", "must not be empty");
  return {
    model,
    audio,
    format,
    language: language ?? null,
    verbose: response_format === "verbose_json",
    temperature: temperature ?? null,
    granularities: response_format === "verbose_json" ? (timestamp_granularities ?? []) : [],
    prompt: prompt ?? null,
    user: user ?? null,
    preferences: provider ?? {},
    sessionId: session_id ?? null,
    trace: trace ?? null,
    extra,
  };
}

async function readFromJson({ body, room }: Pick<ModelCall, "body" | "room">, turn: Turn) {
  const { input_audio, ...members } = await readMembers(TranscriptionBody, body, turn, mostValues);
  const { data, format } = input_audio;
  return requestOf(members, await decodeBase64(data, "input_audio.data", room, turn), format);
}

async function readFromForm({ headers, body }: Pick<ModelCall, "headers" | "body">, turn: Turn) {
  const parts = await readForm(body, headers["content-type"] ?? "", turn);
  const files = parts.filter(({ filename }) => filename !== null);
  const [file, ...others] = files;
  if (file === undefined || file.name !== "file") throw invalid("file", "is missing: send the audio as a file");
  if (others.length > 0) throw invalid(others[0]?.name ?? "file", "must not be sent: a call has one file");
  if (file.bytes.length > mostFileBytes) {
    throw new Refusal("payload_too_large", "The file is too large: a form takes at most 25 MB of audio");
  }
  const checked = TranscriptionForm.safeParse({ ...membersOf(parts), file: "" });
  if (!checked.success) throw invalidMembers(checked.error.issues);
  const { file: _, ...members } = checked.data;
  return requestOf(members, file.bytes, formatOf(file));
}

const jsonFields = new Set(["provider", "trace"]);
const granularities = "timestamp_granularities";

function membersOf(parts: readonly FormPart[]): Record<string, unknown> {
  const members: Record<string, unknown> = Object.create(null);
  const chosen: string[] = [];
  for (const { name, filename, bytes } of parts) {
    if (filename !== null) continue;
    if (bytes.length > mostFieldBytes) throw invalid(name.slice(0, 100), `must have at most ${mostFieldBytes} bytes`);
    const text = bytes.toString("utf8");
    if (name === granularities || name === `${granularities}[]`) chosen.push(text);
    else if (name in members) throw invalid(name.slice(0, 100), "must be sent once");
    else members[name] = fieldValue(name, text);
  }
  return { ...members, ...(chosen.length > 0 && { [granularities]: chosen }) };
}

function fieldValue(name: string, text: string): unknown {
  if (name === "temperature") return text.trim() === "" ? text : Number(text);
  if (name === "stream") return text === "false" ? false : text;
  if (!jsonFields.has(name)) return text;
  try {
    return JSON.parse(text);
  } catch {
    throw invalid(name, "must be JSON");
  }
}

/** Clients often send `application/octet-stream`, so the name counts first. */
function formatOf({ filename, mediaType }: FormPart): AudioFormat {
  const ending = /\.([a-z0-9]{1,5})$/i.exec(filename ?? "")?.[1]?.toLowerCase();
  const ofType = /^(?:audio|video)\/(?:x-|vnd\.)?([a-z0-9]+)/.exec(mediaType ?? "")?.[1];
  const aliases: Readonly<Record<string, AudioFormat>> = { wave: "wav" };
  const format = [ending, ofType && (aliases[ofType] ?? ofType)].find((one) =>
    audioFormats.some((known) => known === one),
  );
  if (format === undefined) throw invalid("file", `must have a name that ends in one of ${audioFormats.join(", ")}`);
  return format as AudioFormat;
}
