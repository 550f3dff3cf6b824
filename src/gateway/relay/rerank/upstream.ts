import type { Candidate } from "../../domain/routing/routing.ts";
import { CallFailed } from "../../providers/call.ts";
import { callWhole } from "../../providers/call-whole.ts";
import { failure } from "../../providers/failure.ts";
import { type AnswerBody, BadAnswer, type RerankAnswer } from "../../providers/provider.ts";
import { vendorText } from "../../providers/redact.ts";
import { adapters, toUpstream } from "../../providers/registry.ts";
import { takeTurns } from "../../turns.ts";
import { readAnswerBody } from "../answer-body.ts";
import { type RelayDeps, timeoutOf } from "../deps.ts";
import { setAside, withLongStrings } from "../long-strings.ts";
import { refusalIn } from "../useless-answer.ts";
import type { RerankRun } from "./run.ts";

/** A score is short; a vendor that sends the documents back all the same may. */
const bytesAround = 1_048_576;
const valuesPerDocument = 16;
const mostErrorBytes = 65_536;
/** Bodies up to this size are written in one go. */
const shortBody = 262_144;

/** Requests the scores from one candidate. @throws CallFailed, BadAnswer, NoRoom */
export async function askRerank(
  deps: RelayDeps,
  { provider, model }: Candidate,
  { request, context, received }: RerankRun,
): Promise<RerankAnswer & { readonly latencyMs: number }> {
  received.usage = null;
  const adapter = adapters[provider.kind];
  const upstream = toUpstream(provider);
  if (!adapter?.rerank?.takes(upstream)) {
    throw new CallFailed(failure("not_found", { message: `${provider.name} has no rerank models`, sent: false }));
  }
  const dialect = adapter.rerank;
  const { call } = context;
  const asked = {
    ...request,
    model: model.upstreamId,
    topN: request.topN < request.documents.length ? request.topN : null,
  };
  const aside = call.body.length > shortBody ? setAside(asked) : null;
  const written = dialect.toRequest(upstream, aside?.value ?? asked);
  const timeoutMs = timeoutOf(deps, provider);
  const answer = await callWhole(deps.dispatcher, await withLongStrings(written, aside, call.credential.hash), {
    headersTimeoutMs: timeoutMs,
    bodyTimeoutMs: timeoutMs,
    wholeTimeoutMs: timeoutMs * 5,
    mostBytes: bytesAround + call.body.length * 2,
    mostErrorBytes,
    room: call.room,
  });
  const { status, headers, body, latencyMs } = answer;
  if (status !== 200) {
    const text = vendorText(upstream, body.subarray(0, mostErrorBytes));
    throw new CallFailed(adapter.readFailure(upstream, { status, headers, body: text }));
  }
  const turn = takeTurns(call.credential.hash, { patient: true });
  let read: AnswerBody | null = null;
  try {
    read = await readAnswerBody(upstream, body, turn, 1_000 + request.documents.length * valuesPerDocument);
    return { ...dialect.readAnswer(read, request.documents.length), latencyMs };
  } catch (error) {
    if (!(error instanceof BadAnswer) || read === null) throw error;
    received.usage = usageIn(read, dialect.readUsage);
    const refusal = refusalIn({ adapter, upstream, headers, body: read });
    if (refusal === null) throw error;
    throw new CallFailed({ ...refusal, mayBill: refusal.mayBill || received.usage !== null });
  }
}

function usageIn<T>(body: AnswerBody, read: (body: AnswerBody) => T): T | null {
  try {
    return read(body);
  } catch (error) {
    if (error instanceof BadAnswer) return null;
    throw error;
  }
}
