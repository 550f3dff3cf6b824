import type { Attempt } from "../domain/ledger-entry.ts";
import type { Candidate, PassedOver } from "../domain/routing.ts";
import { CallFailed } from "../providers/call.ts";
import type { UpstreamFailure } from "../providers/provider.ts";
import { embedAt, type UpstreamVectors } from "./embed-upstream.ts";
import type { EmbeddingsRequest } from "./embeddings-request.ts";
import { costFor, imagesIn, ownCount } from "./estimate.ts";
import type { RelayParts } from "./parts.ts";
import { type FailedCall, upstreamRefusal } from "./upstream-refusal.ts";
import type { Vector } from "./vectors.ts";

/** What a batch has come to so far. Grows while it runs; what is in it was spent, whatever becomes of the rest. */
export interface Batch {
  /** by position; null while missing */
  readonly vectors: (Vector | null)[];
  /** the JSON of all vectors, when one answer's bytes are passed on */
  data: Buffer | null;
  promptTokens: number;
  imageTokens: number;
  cost: bigint;
  byokCost: bigint;
  meteredBy: "upstream" | "gateway";
  priced: boolean;
  latencyMs: number | null;
  /** who served it; of several the one that served last */
  served: Candidate | null;
  readonly attempts: Attempt[];
  readonly failed: FailedCall[];
}

/** Upstream calls of one batch that may be under way at once. */
const mostParallel = 8;

/**
 * Gets the vectors of all items: tries the candidates in order, splits by what each takes at once, and puts the answers
 * together. A candidate only gets the items that the ones before it failed at.
 * @throws Refusal when items are left over; `batch` then says what was spent
 */
export async function embedBatch(
  parts: RelayParts,
  request: EmbeddingsRequest,
  route: { candidates: readonly Candidate[]; passedOver: readonly PassedOver[] },
  batch: Batch,
): Promise<void> {
  let missing = request.items.map((_, index) => index);
  for (const candidate of route.candidates) {
    const failure = await embedWith(parts, candidate, request, missing, batch);
    missing = missing.filter((index) => batch.vectors[index] === null && batch.data === null);
    if (missing.length === 0) return;
    if (failure !== null && !failure.retryable) break;
  }
  throw upstreamRefusal(batch.failed, batch.attempts, route.passedOver);
}

/** Null when nothing failed, else the failure that weighs most: one that no other candidate can cure. */
async function embedWith(
  parts: RelayParts,
  candidate: Candidate,
  request: EmbeddingsRequest,
  positions: readonly number[],
  batch: Batch,
): Promise<UpstreamFailure | null> {
  const size = candidate.model.maxBatch ?? positions.length;
  const pieces: (readonly number[])[] = [];
  for (let from = 0; from < positions.length; from += size) pieces.push(positions.slice(from, from + size));
  let failure: UpstreamFailure | null = null;
  const work = async () => {
    for (let piece = pieces.shift(); piece !== undefined; piece = pieces.shift()) {
      const whole = piece.length === request.items.length;
      const failed = await embedPiece(parts, candidate, request, piece, whole, batch);
      if (failed === null) continue;
      // One failed part fails the call, or all of the rest goes to the next candidate: nothing more is asked of this one.
      pieces.length = 0;
      if (failure === null || !failed.retryable) failure = failed;
    }
  };
  await Promise.all(Array.from({ length: Math.min(mostParallel, pieces.length) }, work));
  return failure;
}

async function embedPiece(
  parts: RelayParts,
  candidate: Candidate,
  request: EmbeddingsRequest,
  positions: readonly number[],
  whole: boolean,
  batch: Batch,
): Promise<UpstreamFailure | null> {
  const { provider, model, byok } = candidate;
  const { now } = parts.deps;
  const items = whole ? request.items : positions.flatMap((index) => request.items[index] ?? []);
  const started = performance.now();
  const attempt = (status: number | null, error: string | null): Attempt => ({
    provider: provider.slug,
    model: model.id,
    status,
    latency_ms: Math.round(performance.now() - started),
    is_byok: byok !== null,
    error,
  });
  parts.deps.health.begin(provider.slug, model.id, now());
  try {
    // Embeddings are short, and paid for once they are asked: a caller who leaves does not cancel them.
    const answer = await embedAt(parts, candidate, request, items, whole, neverAborts);
    parts.deps.health.end(
      provider.slug,
      model.id,
      { failure: null, latencyMs: answer.latencyMs, tokensPerSecond: null, byok: byok !== null },
      now(),
    );
    batch.attempts.push(attempt(200, null));
    take(batch, candidate, items, positions, answer);
    return null;
  } catch (error) {
    if (!(error instanceof CallFailed)) throw error;
    const { failure } = error;
    parts.deps.health.end(
      provider.slug,
      model.id,
      { failure, latencyMs: null, tokensPerSecond: null, byok: byok !== null },
      now(),
    );
    batch.attempts.push(attempt(failure.status, failure.message));
    batch.failed.push({ provider: provider.name, failure });
    return failure;
  }
}

const neverAborts = new AbortController().signal;

function take(
  batch: Batch,
  candidate: Candidate,
  items: EmbeddingsRequest["items"],
  positions: readonly number[],
  { vectors, data, usage, latencyMs }: UpstreamVectors,
) {
  const { model, byok } = candidate;
  const promptTokens = usage?.promptTokens ?? items.reduce((sum, item) => sum + ownCount(item), 0);
  const cost = model.prices === null ? 0n : costFor(model.prices, promptTokens, imagesIn(items), 1);
  positions.forEach((position, index) => {
    batch.vectors[position] = vectors?.[index] ?? null;
  });
  if (data !== null) batch.data = data;
  batch.promptTokens += promptTokens;
  batch.imageTokens += usage?.imageTokens ?? 0;
  if (byok === null) batch.cost += cost;
  else batch.byokCost += cost;
  if (usage === null) batch.meteredBy = "gateway";
  if (model.prices === null) batch.priced = false;
  batch.latencyMs ??= latencyMs;
  batch.served = candidate;
}
