import type { Candidate } from "../../domain/routing/routing.ts";
import { NoRoom } from "../../memory-budget.ts";
import { CallFailed } from "../../providers/call.ts";
import type { EmbeddingItem, UpstreamFailure, Usage } from "../../providers/provider.ts";
import { forEachInTurns, takeTurns } from "../../turns.ts";
import { askedNow, attemptOf, endAttempt, endNeutral, gatewayFull, gatewayStopped } from "../attempts.ts";
import { asOfNow, changedMeanwhile } from "../current-candidate.ts";
import type { RelayDeps } from "../deps.ts";
import { hasNoRoom, slotAt } from "../claim.ts";
import { upstreamRefusal } from "../upstream-refusal.ts";
import { batchSizes, likelyTokens, refusesBatch } from "./batches.ts";
import { beginFetching, isOfOtherSpace, type OnVector } from "./cache-lookup.ts";
import { assumedContext, boundOf, costFor, imagesIn, ownCount, prefixOf } from "./estimate.ts";
import { inputFormOf, requestAt, tokensOf } from "./input-type.ts";
import type { Ticket } from "./pacer.ts";
import type { EmbeddingsRequest } from "./request.ts";
import { type EmbeddingsRun, itemsAt } from "./run.ts";
import type { Part, UpstreamVectors } from "./part.ts";
import { BilledInVain, tryCandidate } from "./upstream.ts";
import { jsonBytes } from "./vectors.ts";

/**
 * Collects the vectors: from the cache, from calls in progress, from providers.
 * @throws Refusal when vectors are missing; `run.progress` then says what was spent
 */
export async function gatherVectors(deps: RelayDeps, run: EmbeddingsRun): Promise<void> {
  const { lookup, progress, route } = run;
  const [candidate] = route.candidates;
  for (const [position, vector] of lookup.known) progress.reuse(position, vector, candidate);
  const fetching = beginFetching(lookup, run.request);
  try {
    await fetchVectors(deps, run, fetching.own, fetching.onVector);
  } finally {
    fetching.end();
  }
  const failedElsewhere: number[] = [];
  for (const [position, running] of fetching.awaited) {
    const vector = await running;
    if (vector === null || isOfOtherSpace(vector, run.request)) failedElsewhere.push(position);
    else progress.reuse(position, vector, candidate);
  }
  await fetchVectors(deps, run, failedElsewhere, null);
  for (const [position, earlier] of lookup.repeats) progress.repeat(position, earlier, candidate);
}

/**
 * Gets the vectors at `positions`: tries the candidates in order, splits the inputs by what each accepts at once, and
 * joins the answers. A candidate only gets the inputs that earlier ones failed to embed.
 * @throws Refusal when vectors are missing
 */
async function fetchVectors(
  deps: RelayDeps,
  run: EmbeddingsRun,
  positions: readonly number[],
  onVector: OnVector | null,
): Promise<void> {
  if (positions.length === 0) return;
  const { costs, progress, route, unanswered } = run;
  const passedOver = [...route.passedOver];
  let missing = positions;
  let tooSmall = 0;
  for (const candidate of route.candidates) {
    const context = candidate.model.contextLength ?? Number.POSITIVE_INFINITY;
    if (context <= tooSmall) continue;
    const left = missing;
    const cost = () => costs.mostCost(candidate, itemsAt(run, left));
    const why = await unanswered.passOver(candidate, cost, { own: progress.cost, byok: progress.byokCost });
    if (why !== null) {
      passedOver.push(why);
      continue;
    }
    const slot = slotAt(deps, run.context, candidate, run.claim);
    if (slot === null) {
      passedOver.push(hasNoRoom(candidate));
      continue;
    }
    const isLast = candidate === route.candidates.at(-1);
    const batches = { parts: partsOf(run, candidate, missing), isLast, onVector };
    const failure = await callInBatches(deps, run, batches).finally(slot);
    missing = missing.filter((position) => progress.vectors[position] === null);
    if (missing.length === 0) return;
    // An input too long for one candidate may fit into another's larger context.
    if (failure?.reason === "context_length") tooSmall = Math.max(tooSmall, context);
    else if (failure !== null && !failure.retryable) break;
    if (failure === null) passedOver.push(changedMeanwhile(candidate));
  }
  throw upstreamRefusal(progress.failed, progress.attempts, passedOver);
}

/** Splits inputs into batches that the candidate's model accepts, each of one input type. */
function partsOf(run: EmbeddingsRun, candidate: Candidate, positions: readonly number[]): Part[] {
  const parts: Part[] = [];
  for (const [request, same] of Map.groupBy(positions, (position) => requestAt(run.request, position))) {
    let from = 0;
    for (const size of batchSizes(candidate.model, itemsAt(run, same), prefixTokensOf(candidate, request))) {
      const own = same.slice(from, from + size);
      parts.push({ candidate, request, positions: own, items: itemsAt(run, own) });
      from += size;
    }
  }
  return parts;
}

/** A batch, and how often it was cut in halves or refused so far. */
interface Batch extends Part {
  readonly cuts?: number;
  readonly refusals?: number;
}

/** Where a vendor counts more tokens than expected, a batch is cut at most so often. */
const mostCuts = 3;
/** A batch is sent again so often to a vendor that says when to come back. */
const mostRefusals = 2;

/**
 * A batch that was refused for its size, in halves: the vendor's count is beyond the estimate. Null where that is not
 * the reason, or where each request has a price, since only so many are reserved for.
 */
function halvesOf(
  run: EmbeddingsRun,
  { candidate, request, positions, cuts = 0 }: Batch,
  failed: UpstreamFailure,
): Batch[] | null {
  if (positions.length < 2 || cuts >= mostCuts || !refusesBatch(failed)) return null;
  if ((candidate.model.prices?.request ?? 0n) > 0n) return null;
  const middle = Math.ceil(positions.length / 2);
  return [positions.slice(0, middle), positions.slice(middle)].map((own) => ({
    candidate,
    request,
    positions: own,
    items: itemsAt(run, own),
    cuts: cuts + 1,
  }));
}

/** How long a call may be held back for vendors' rates, from its first wait on. */
const mostPacedMs = 20_000;

function pacedFor({ pacing }: EmbeddingsRun): number {
  return pacing.endsMs === null ? mostPacedMs : Math.max(0, pacing.endsMs - performance.now());
}

/** Waits until the vendor's rates leave room for a batch. @throws the signal's reason when the caller leaves */
async function paced(deps: RelayDeps, run: EmbeddingsRun, { candidate, request, items }: Part): Promise<Ticket> {
  const { provider, model, byok } = candidate;
  const { credential, signal } = run.context.call;
  const prefix = prefixTokensOf(candidate, request);
  const mostWaitMs = pacedFor(run);
  const before = performance.now();
  const ticket = await deps.pacer.acquire({
    account: JSON.stringify([provider.slug, byok?.id ?? null, model.upstreamId]),
    owner: credential.hash,
    tokens: items.reduce((sum, item) => sum + likelyTokens(item, model) + prefix, 0),
    mostWaitMs,
    signal,
  });
  if (performance.now() - before > 1) run.pacing.endsMs ??= before + mostPacedMs;
  return ticket;
}

/** The gateway's own count of what it puts before each text. */
function prefixTokensOf({ model }: Candidate, request: EmbeddingsRequest): number {
  return tokensOf(inputFormOf(model, request).prefix);
}

interface Batches {
  readonly parts: Batch[];
  /** no other candidate could take over */
  readonly isLast: boolean;
  readonly onVector: OnVector | null;
}

/** Provider calls that one call may have in flight at once. */
const mostParallel = 8;

/**
 * Null when nothing failed, else the decisive failure: one that no other candidate can fix. Where nothing failed, inputs
 * can be left all the same: the candidate must not be called any more.
 */
async function callInBatches(
  deps: RelayDeps,
  run: EmbeddingsRun,
  { parts, isLast, onVector }: Batches,
): Promise<UpstreamFailure | null> {
  const isOnlyOne = parts.length === 1;
  let failure: UpstreamFailure | null = null;
  const { signal } = run.context.call;
  const work = async () => {
    let sent = 0;
    for (let part = parts.shift(); part !== undefined; part = parts.shift()) {
      // What was sent is paid for and finished; the rest is of no use to a caller who has left.
      const next =
        sent > 0 && signal.aborted ? Promise.reject(signal.reason as Error) : callWhenPaced(deps, run, part, onVector);
      const failed = await next.catch((error: unknown) => {
        parts.length = 0;
        throw error;
      });
      sent += 1;
      if (failed === "changed") {
        parts.length = 0;
        return;
      }
      if (failed === null) continue;
      const halves = halvesOf(run, part, failed);
      if (halves !== null) {
        parts.unshift(...halves);
        continue;
      }
      const { refusals = 0 } = part;
      const backInMs = (failed.retryAfterSeconds ?? Number.POSITIVE_INFINITY) * 1_000;
      if (
        failed.reason === "rate_limited" &&
        isLast &&
        !isOnlyOne &&
        refusals < mostRefusals &&
        backInMs <= pacedFor(run)
      ) {
        parts.unshift({ ...part, refusals: refusals + 1 });
        continue;
      }
      // One failed batch fails the call, or the rest goes to the next candidate: this one is sent nothing more.
      parts.length = 0;
      if (failure === null || !failed.retryable) failure = failed;
    }
  };
  // Answers still in flight are paid for, so they are awaited before the call is settled.
  const ended = await Promise.allSettled(Array.from({ length: Math.min(mostParallel, parts.length) }, work));
  for (const one of ended) if (one.status === "rejected") throw one.reason;
  return failure;
}

/**
 * Requests one batch once the vendor's rates leave room for it; `changed`: the candidate must not be called any more.
 * @throws the signal's reason when the caller left before it was sent
 */
async function callWhenPaced(
  deps: RelayDeps,
  run: EmbeddingsRun,
  part: Batch,
  onVector: OnVector | null,
): Promise<UpstreamFailure | "changed" | null> {
  const ticket = await paced(deps, run, part);
  try {
    const candidate = asOfNow(deps, run.context, part.candidate);
    if (candidate === null) return "changed";
    const failed = await callOnce(deps, run, { part: { ...part, candidate }, ticket, onVector });
    if (failed?.reason === "rate_limited" && failed.retryAfterSeconds !== null)
      ticket.refused(failed.retryAfterSeconds);
    return failed;
  } finally {
    ticket.end();
  }
}

interface Sending {
  readonly part: Part;
  readonly ticket: Ticket;
  readonly onVector: OnVector | null;
}

/** Requests one batch from a candidate, and records the outcome. Null when it answered, else why it did not. */
async function callOnce(
  deps: RelayDeps,
  run: EmbeddingsRun,
  { part, ticket, onVector }: Sending,
): Promise<UpstreamFailure | null> {
  const { candidate, items, positions } = part;
  const { costs, progress, unanswered } = run;
  const { health, now } = deps.domain;
  const stopping = deps.interrupted();
  if (stopping !== null) throw stopping;
  const asked = askedNow(candidate, run.context, unanswered);
  const note = (status: number | null, error: string | null, cost = 0n, sent = true) =>
    void progress.attempts.push(attemptOf(asked, { status, error, cost, sent }));
  health.begin(candidate.provider.slug, candidate.model.id, now());
  let judged = false;
  try {
    const answer = await tryCandidate(deps, run, part, ticket);
    judged = true;
    endAttempt(deps, candidate, { latencyMs: answer.latencyMs });
    note(200, null);
    record(deps, run, part, answer);
    await share(run, positions, answer.space, onVector);
    return null;
  } catch (error) {
    const interrupted = deps.interrupted();
    if (interrupted !== null) {
      const refused = error instanceof CallFailed && !error.failure.mayBill;
      note(null, gatewayStopped, refused ? 0n : chargeUnread(run, part, null));
      throw interrupted;
    }
    if (!(error instanceof CallFailed)) {
      if (!judged) endNeutral(deps, candidate);
      if (error instanceof NoRoom) note(200, gatewayFull, chargeUnread(run, part, null));
      throw error;
    }
    const { failure } = error;
    let cost = 0n;
    if (error instanceof BilledInVain) {
      // An answer that only this caller's wishes made unusable says nothing about the provider: others keep using it.
      if (error.by === "caller") endNeutral(deps, candidate);
      else endAttempt(deps, candidate, { failure });
      cost = chargeUnread(run, part, error.usage);
    } else {
      endAttempt(deps, candidate, { failure });
      if (failure.mayBill) cost = unanswered.add(candidate, costs.mostCost(candidate, items));
    }
    note(failure.status, failure.message, cost, failure.sent);
    progress.failed.push({ provider: candidate.provider.name, failure });
    return failure;
  }
}

/**
 * Charges for an unusable answer: the provider was called, and bills its work.
 * @param usage the provider's own count; null: unknown, so a limit counts the most that it can be
 * @returns what it is charged, nano-dollars
 */
function chargeUnread(run: EmbeddingsRun, part: Part, usage: Usage | null): bigint {
  const { costs, unanswered } = run;
  const { candidate, items } = part;
  const { prices } = candidate.model;
  const tokens = believable(part, usage)?.promptTokens ?? sumOf(items.map(countFor(part)));
  const least = prices === null ? 0n : costFor(prices, tokens, imagesIn(items), 1);
  const most = usage === null && unanswered.counts(candidate) ? costs.mostCost(candidate, items) : 0n;
  return unanswered.add(candidate, most > least ? most : least, true);
}

/** More than the inputs can hold is the vendor's mistake; taken at face value, it would drain a limit at once. */
function believable({ candidate, request, items }: Part, usage: Usage | null): Usage | null {
  const bound = boundOf(candidate, items, prefixOf(request, candidate.model));
  const most = Math.max(bound, items.length * (candidate.model.contextLength ?? assumedContext));
  return usage !== null && usage.promptTokens > 0 && usage.promptTokens <= most ? usage : null;
}

/** The gateway's own count of an input as a candidate reads it: no more than is reserved for, since it may be cut. */
function countFor({ candidate, request }: Part): (item: EmbeddingItem) => number {
  const prefix = tokensOf(inputFormOf(candidate.model, request).prefix);
  const most = candidate.model.contextLength ?? Number.POSITIVE_INFINITY;
  return (item) => Math.min(ownCount(item) + prefix, most);
}

const sumOf = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0);

/** Adds an answer's vectors and its cost to the call's progress. */
function record(deps: RelayDeps, run: EmbeddingsRun, part: Part, { vectors, data, ...answer }: UpstreamVectors) {
  const { context, progress } = run;
  const { candidate, request, positions, items } = part;
  const { model, provider, byok } = candidate;
  const usage = believable(part, answer.usage);
  // With a single input the vendor's count is that input's; counting it here would cost more than all the rest.
  const counts = items.length === 1 && usage !== null ? [usage.promptTokens] : items.map(countFor(part));
  const own = sumOf(counts);
  const promptTokens = usage?.promptTokens ?? own;
  if (usage !== null) {
    const { workspaceId } = context;
    const counted = { workspaceId, provider: provider.slug, model: model.id };
    const bound = boundOf(candidate, items, prefixOf(request, candidate.model));
    deps.calibration.observe(counted, promptTokens, bound, deps.domain.now());
  }
  const cost = model.prices === null ? 0n : costFor(model.prices, promptTokens, imagesIn(items), 1);
  positions.forEach((position, index) => {
    const span = data?.spans[index];
    progress.vectors[position] = span ? { json: data.data.subarray(...span) } : (vectors?.[index] ?? null);
    if (answer.unfamiliar?.[index] === true) progress.unfamiliar.add(position);
    // A vendor counts a batch as a whole; each input's share follows the gateway's own counts.
    progress.tokens[position] = own === 0 ? 0 : Math.round((promptTokens * (counts[index] ?? 0)) / own);
  });
  if (data !== null) progress.data = data.data;
  progress.spaces.add(answer.space);
  progress.promptTokens += promptTokens;
  progress.imageTokens += usage?.imageTokens ?? 0;
  if (byok === null) progress.cost += cost;
  else progress.byokCost += cost;
  if (usage === null) progress.meteredBy = "gateway";
  if (model.prices === null) progress.priced = false;
  progress.latencyMs ??= answer.latencyMs;
  progress.served = candidate;
  progress.responseModel = answer.model ?? model.upstreamId;
}

async function share(
  { progress, turn }: EmbeddingsRun,
  positions: readonly number[],
  space: string,
  onVector: OnVector | null,
) {
  if (onVector === null) return;
  await forEachInTurns(positions, takeTurns(turn.owner, { patient: true }), (position) => {
    const vector = progress.vectors[position] ?? null;
    if (vector === null) return;
    const promptTokens = progress.tokens[position] ?? 0;
    const unfamiliar = progress.unfamiliar.has(position);
    onVector(position, { json: jsonBytes(vector), promptTokens, space, ...(unfamiliar && { unfamiliar }) });
  });
}
