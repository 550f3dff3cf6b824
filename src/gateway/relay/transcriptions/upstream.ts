import type { Candidate } from "../../domain/routing/routing.ts";
import { CallFailed } from "../../providers/call.ts";
import { callWhole } from "../../providers/call-whole.ts";
import { failure } from "../../providers/failure.ts";
import type { TranscriptionAnswer, TranscriptionUsage } from "../../providers/provider.ts";
import { adapters, toUpstream } from "../../providers/registry.ts";
import { type RelayDeps, timeoutOf } from "../deps.ts";
import { extraAt } from "../media/open.ts";
import type { MediaRun } from "../media/run.ts";
import { sentForm } from "../sent-form.ts";
import { mostErrorBytes, readWholeAnswer } from "../whole-answer.ts";
import type { TranscriptionRequest } from "./request.ts";

const mostAnswerBytes = 16 * 1_048_576;
/** Of an hour with a time for each word there are 50,000. */
const mostValues = 1_000_000;

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
  const answer = await callWhole(
    deps.dispatcher,
    sentForm(form, [
      { name: "file", filename: `audio.${request.format}`, type: "application/octet-stream", bytes: request.audio },
    ]),
    {
      headersTimeoutMs: timeoutMs,
      bodyTimeoutMs: timeoutMs,
      wholeTimeoutMs: timeoutMs * 5,
      mostBytes: mostAnswerBytes,
      mostErrorBytes,
      room: call.room,
    },
  );
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
