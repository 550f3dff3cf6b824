import type { Candidate } from "../../domain/routing/routing.ts";
import { CallFailed } from "../../providers/call.ts";
import { callWhole } from "../../providers/call-whole.ts";
import { failure } from "../../providers/failure.ts";
import type { RerankAnswer, RerankUsage } from "../../providers/provider.ts";
import { adapters, toUpstream } from "../../providers/registry.ts";
import { type RelayDeps, timeoutOf } from "../deps.ts";
import { setAside, withLongStrings } from "../long-strings.ts";
import { mostErrorBytes, readWholeAnswer } from "../whole-answer.ts";
import type { RerankRun } from "./run.ts";

/** A score is short; a vendor that sends the documents back all the same may. */
const bytesAround = 1_048_576;
const valuesPerDocument = 16;
/** Bodies up to this size are written in one go. */
const shortBody = 262_144;

/** Requests the scores from one candidate. @throws CallFailed, BadAnswer, NoRoom */
export async function askRerank(
  deps: RelayDeps,
  { provider, model }: Candidate,
  { request, context }: RerankRun,
  received: { usage: RerankUsage | null },
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
  const read = await readWholeAnswer(answer, {
    adapter,
    upstream,
    owner: call.credential.hash,
    mostValues: 1_000 + request.documents.length * valuesPerDocument,
    readAnswer: (body) => dialect.readAnswer(body, request.documents.length),
    readUsage: dialect.readUsage,
    received,
  });
  return { ...read, latencyMs: answer.latencyMs };
}
