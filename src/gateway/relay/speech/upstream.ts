import type { Candidate } from "../../domain/routing/routing.ts";
import { objectOf, readText } from "../../providers/answer.ts";
import { type CallAnswer, CallFailed, readBody, readBreak } from "../../providers/call.ts";
import { failure } from "../../providers/failure.ts";
import { BadAnswer, type Upstream } from "../../providers/provider.ts";
import { vendorText } from "../../providers/redact.ts";
import { adapters, toUpstream } from "../../providers/registry.ts";
import { takeTurns } from "../../turns.ts";
import { readAnswerBody } from "../answer-body.ts";
import { type RelayDeps, timeoutOf } from "../deps.ts";
import { fromFirst } from "../from-first.ts";
import { setAside, withLongStrings } from "../long-strings.ts";
import { askVendor } from "../media/ask.ts";
import { extraAt } from "../media/open.ts";
import type { MediaRun } from "../media/run.ts";
import { refusalIn } from "../useless-answer.ts";
import { mostErrorBytes } from "../whole-answer.ts";
import type { SpeechRequest } from "./request.ts";

/** Of audio in one answer: three hours of PCM. */
const mostAudioBytes = 512 * 1_048_576;
/** Of an answer that has its audio in JSON, which is held as a whole. */
const mostWholeBytes = 32 * 1_048_576;
/** Bodies up to this size are written in one go. */
const shortBody = 262_144;

/** Audio that has begun to arrive. */
export interface Audio {
  readonly pieces: AsyncGenerator<Buffer, void, void>;
  readonly latencyMs: number;
  readonly upstreamId: string | null;
}

/**
 * Requests the audio from one candidate; returns once its first bytes are there.
 * @param vendor aborts the call, even while the audio arrives
 * @throws CallFailed, BadAnswer, NoRoom
 */
export async function askSpeech(
  deps: RelayDeps,
  candidate: Candidate,
  { request, context }: MediaRun<SpeechRequest>,
  vendor: AbortSignal,
): Promise<Audio> {
  const { provider, model } = candidate;
  const adapter = adapters[provider.kind];
  const upstream = toUpstream(provider);
  const dialect = adapter?.speech;
  if (adapter === undefined || !dialect?.takes(upstream)) {
    throw new CallFailed(failure("not_found", { message: `${provider.name} has no speech`, sent: false }));
  }
  const asked = { ...request, extra: extraAt(request, candidate), model: model.upstreamId };
  const aside = context.call.body.length > shortBody ? setAside(asked) : null;
  const written = dialect.toRequest(upstream, aside?.value ?? asked);
  const sent = await withLongStrings(written, aside, context.call.credential.hash);
  const answer = await askVendor(deps, candidate, { adapter, upstream, request: sent }, vendor);
  const { headers, latencyMs, upstreamId } = answer;
  const member = dialect.base64Member(upstream);
  const type = (headers["content-type"] ?? "").toLowerCase();
  if (member !== null || isText(type)) {
    const body = await readBody(answer, member === null ? mostErrorBytes : mostWholeBytes, vendor, context.call.room);
    const audio = await audioIn(upstream, body, member, context.call.credential.hash).catch((error: unknown) => {
      const refusal =
        error instanceof BadAnswer
          ? refusalIn({ adapter, upstream, headers, body: vendorText(upstream, body.subarray(0, mostErrorBytes)) })
          : null;
      throw refusal === null ? error : new CallFailed(refusal);
    });
    return { pieces: only(audio), latencyMs, upstreamId };
  }
  const pieces = piecesOf(answer, timeoutOf(deps, provider) * 5);
  const first = await pieces.next();
  if (first.done === true) throw new BadAnswer("the answer holds no audio");
  return { pieces: fromFirst(first.value, pieces), latencyMs, upstreamId };
}

/** What no audio is sent as. */
const isText = (type: string) => /^(text\/|application\/(json|problem|xml|javascript))/.test(type);

async function audioIn(upstream: Upstream, body: Buffer, member: string | null, owner: string): Promise<Buffer> {
  if (member === null) throw new BadAnswer("the answer is text, not audio");
  const read = await readAnswerBody(upstream, body, takeTurns(owner, { patient: true }), 1_000);
  const base64 = readText(objectOf(read)[member]);
  const audio = Buffer.from(base64 ?? "", "base64");
  if (audio.length === 0) throw new BadAnswer("the answer holds no audio");
  return audio;
}

async function* only(audio: Buffer) {
  yield audio;
}

/** The audio as it comes. What the caller takes to read it does not count as the vendor's time. */
async function* piecesOf({ body, host, status }: CallAnswer, mostWaitMs: number): AsyncGenerator<Buffer, void, void> {
  let size = 0;
  let waitedMs = 0;
  let sinceMs = performance.now();
  try {
    for await (const piece of body as AsyncIterable<Buffer>) {
      waitedMs += performance.now() - sinceMs;
      size += piece.length;
      if (size > mostAudioBytes) {
        const message = `the answer is longer than ${mostAudioBytes} bytes`;
        throw new CallFailed(failure("bad_answer", { status, message }));
      }
      if (waitedMs > mostWaitMs) {
        throw new CallFailed(failure("timeout", { status, message: `${host} did not finish its answer in time` }));
      }
      if (piece.length > 0) yield piece;
      sinceMs = performance.now();
    }
  } catch (error) {
    if (error instanceof CallFailed) throw error;
    throw new CallFailed(readBreak(error, host, true));
  }
}
