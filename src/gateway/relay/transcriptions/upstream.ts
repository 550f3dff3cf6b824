import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import type { Candidate } from "../../domain/routing/routing.ts";
import { CallFailed } from "../../providers/call.ts";
import { callWhole } from "../../providers/call-whole.ts";
import { failure } from "../../providers/failure.ts";
import type {
  SentRequest,
  TranscriptionAnswer,
  TranscriptionForm,
  TranscriptionUsage,
} from "../../providers/provider.ts";
import { adapters, toUpstream } from "../../providers/registry.ts";
import { type RelayDeps, timeoutOf } from "../deps.ts";
import { extraAt } from "../media/open.ts";
import type { MediaRun } from "../media/run.ts";
import { mostErrorBytes, readWholeAnswer } from "../whole-answer.ts";
import type { TranscriptionRequest } from "./request.ts";

const mostAnswerBytes = 16 * 1_048_576;
/** Of an hour with a time for each word there are 50,000. */
const mostValues = 1_000_000;
const sentAtOnce = 65_536;

/** Requests the text from one candidate. @throws CallFailed, BadAnswer, NoRoom */
export async function askTranscription(
  deps: RelayDeps,
  candidate: Candidate,
  { request, context }: MediaRun<TranscriptionRequest>,
  received: { usage: TranscriptionUsage | null },
): Promise<TranscriptionAnswer & { readonly latencyMs: number }> {
  received.usage = null;
  const { provider, model } = candidate;
  const adapter = adapters[provider.kind];
  const upstream = toUpstream(provider);
  const dialect = adapter?.transcription;
  if (adapter === undefined || !dialect?.takes(upstream)) {
    throw new CallFailed(failure("not_found", { message: `${provider.name} has no speech to text`, sent: false }));
  }
  const form = dialect.toForm(upstream, {
    ...request,
    model: model.upstreamId,
    extra: extraAt(request, candidate),
  });
  const timeoutMs = timeoutOf(deps, provider);
  const { call } = context;
  const answer = await callWhole(deps.dispatcher, sentForm(form, request), {
    headersTimeoutMs: timeoutMs,
    bodyTimeoutMs: timeoutMs,
    wholeTimeoutMs: timeoutMs * 5,
    mostBytes: mostAnswerBytes,
    mostErrorBytes,
    room: call.room,
  });
  const read = await readWholeAnswer(answer, {
    adapter,
    upstream,
    owner: call.credential.hash,
    mostValues,
    readAnswer: (body) => dialect.readAnswer(upstream, body, request),
    readUsage: dialect.readUsage,
    received,
  });
  return { ...read, latencyMs: answer.latencyMs };
}

/** The form as it is sent: the caller's bytes in pieces, not copied together with the fields. */
function sentForm({ url, headers, fields }: TranscriptionForm, { audio, format }: TranscriptionRequest): SentRequest {
  const boundary = `gatehouse-${randomBytes(18).toString("hex")}`;
  const head = fields.map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${fieldName(name)}"\r\n\r\n${value}\r\n`,
  );
  const before = Buffer.from(
    `${head.join("")}--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="audio.${format}"\r\nContent-Type: application/octet-stream\r\n\r\n`,
  );
  const after = Buffer.from(`\r\n--${boundary}--\r\n`);
  return {
    method: "POST",
    url,
    headers: {
      ...headers,
      "content-type": `multipart/form-data; boundary=${boundary}`,
      "content-length": String(before.length + audio.length + after.length),
    },
    body: Readable.from(pieces([before, audio, after]), { objectMode: false }),
  };
}

/** Names as browsers write them. */
const fieldName = (name: string) => name.replaceAll("\r", "%0D").replaceAll("\n", "%0A").replaceAll('"', "%22");

function* pieces(buffers: readonly Buffer[]) {
  for (const buffer of buffers) {
    for (let at = 0; at < buffer.length; at += sentAtOnce) yield buffer.subarray(at, at + sentAtOnce);
  }
}
