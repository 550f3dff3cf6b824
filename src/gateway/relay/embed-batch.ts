import type { Attempt } from "../domain/ledger-entry.ts";
import type { Candidate, PassedOver } from "../domain/routing.ts";
import { CallFailed } from "../providers/call.ts";
import type { EncodingFormat, RawVector, UpstreamFailure } from "../providers/provider.ts";
import type { KnownVector } from "./embedding-cache.ts";
import { embedAt, type UpstreamVectors } from "./embed-upstream.ts";
import type { EmbeddingsRequest } from "./embeddings-request.ts";
import { boundOf, costFor, imagesIn, ownCount } from "./estimate.ts";
import type { RelayParts } from "./parts.ts";
import { type FailedCall, upstreamRefusal } from "./upstream-refusal.ts";
import { encodeVector, type Vector } from "./vectors.ts";

/** What a batch has come to so far. Grows while it runs; what is in it was spent, whatever becomes of the rest. */
export interface Batch {
  /** by position; null while missing */
  readonly vectors: (BatchVector | null)[];
  /** the JSON of all vectors, when one answer's bytes are passed on */
  data: Buffer | null;
  promptTokens: number;
  imageTokens: number;
  /** of the prompt tokens, those of inputs that were not sent */
  cachedTokens: number;
  cachedInputs: number;
  cost: bigint;
  byokCost: bigint;
  /** what the inputs that were not sent would have cost */
  saved: bigint;
  meteredBy: "upstream" | "gateway";
  priced: boolean;
  latencyMs: number | null;
  /** who served it; of several the one that served last */
  served: Candidate | null;
  readonly attempts: Attempt[];
  readonly failed: FailedCall[];
  /** what the vector at each position was counted as */
  readonly tokens: number[];
  /** takes a vector that need not be fetched */
  reuse(position: number, known: KnownVector, candidate: Candidate | undefined): void;
  /** the input is equal to an earlier one */
  repeat(position: number, earlier: number, candidate: Candidate | undefined): void;
}

/** A vector as it came, or the JSON of one. */
type BatchVector = Vector | { readonly json: Buffer };

export function emptyBatch(count: number): Batch {
  return {
    vectors: Array.from({ length: count }, () => null),
    data: null,
    promptTokens: 0,
    imageTokens: 0,
    cachedTokens: 0,
    cachedInputs: 0,
    cost: 0n,
    byokCost: 0n,
    saved: 0n,
    meteredBy: "upstream",
    priced: true,
    latencyMs: null,
    served: null,
    attempts: [],
    failed: [],
    tokens: [],
    reuse(position, { json, promptTokens }, candidate) {
      this.vectors[position] = { json };
      this.tokens[position] = promptTokens;
      this.promptTokens += promptTokens;
      this.cachedTokens += promptTokens;
      this.cachedInputs += 1;
      const prices = candidate?.model.prices ?? null;
      if (prices !== null) this.saved += costFor(prices, promptTokens, 0, 0);
    },
    repeat(position, earlier, candidate) {
      const vector = this.vectors[earlier] ?? null;
      if (vector === null) throw new Error(`vector ${earlier} is missing`);
      this.reuse(position, { json: bytesOf(vector), promptTokens: this.tokens[earlier] ?? 0 }, candidate);
    },
  };
}

/** A vector's JSON in the format that it came in. */
function bytesOf(vector: BatchVector): Buffer {
  if (typeof vector === "string") return Buffer.from(encodeVector(vector, "base64"));
  return "json" in vector ? vector.json : Buffer.from(encodeVector(vector, "float"));
}

/** A vector's JSON in the format asked for. */
export function jsonOf(vector: BatchVector, format: EncodingFormat): string {
  if (typeof vector === "string" || !("json" in vector)) return encodeVector(vector, format);
  const json = vector.json.toString("latin1");
  const has = json.startsWith('"') ? "base64" : "float";
  return has === format ? json : encodeVector(JSON.parse(json) as RawVector, format);
}

/** Whether a vector that a vendor once sent has the format asked for, or can be converted: its bytes were passed on unparsed. */
export function canBeWritten({ json }: KnownVector, format: EncodingFormat): boolean {
  try {
    return jsonOf({ json }, format) !== "";
  } catch {
    return false;
  }
}

/** Upstream calls of one batch that may be under way at once. */
const mostParallel = 8;

/**
 * Gets the vectors of the items at `positions`, and tells `got` of each: tries the candidates in order, splits by what each takes at once, and puts the answers
 * together. A candidate only gets the items that the ones before it failed at.
 * @throws Refusal when items are left over; `batch` then says what was spent
 */
export async function embedBatch(
  parts: RelayParts,
  request: EmbeddingsRequest,
  route: { candidates: readonly Candidate[]; passedOver: readonly PassedOver[] },
  batch: Batch,
  positions: readonly number[],
  got: (position: number, known: KnownVector) => void,
): Promise<void> {
  if (positions.length === 0) return;
  let missing = positions;
  let tooSmall = 0;
  for (const candidate of route.candidates) {
    const context = candidate.model.contextLength ?? Number.POSITIVE_INFINITY;
    if (context <= tooSmall) continue;
    const failure = await embedWith(parts, candidate, request, missing, batch, got);
    missing = missing.filter((index) => batch.vectors[index] === null);
    if (missing.length === 0) return;
    // What is too long for one may fit into the larger context of another.
    if (failure?.reason === "context_length") tooSmall = Math.max(tooSmall, context);
    else if (failure !== null && !failure.retryable) break;
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
  got: (position: number, known: KnownVector) => void,
): Promise<UpstreamFailure | null> {
  const size = candidate.model.maxBatch ?? positions.length;
  const pieces: (readonly number[])[] = [];
  for (let from = 0; from < positions.length; from += size) pieces.push(positions.slice(from, from + size));
  let failure: UpstreamFailure | null = null;
  const work = async () => {
    for (let piece = pieces.shift(); piece !== undefined; piece = pieces.shift()) {
      const whole = piece.length === request.items.length;
      const failed = await embedPiece(parts, candidate, request, piece, whole, batch, got);
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
  got: (position: number, known: KnownVector) => void,
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
    const answer = await embedAt(parts, candidate, request, items, positions);
    parts.deps.health.end(
      provider.slug,
      model.id,
      { failure: null, latencyMs: answer.latencyMs, tokensPerSecond: null, byok: byok !== null },
      now(),
    );
    batch.attempts.push(attempt(200, null));
    take(parts, batch, candidate, items, positions, answer);
    share(batch, positions, got);
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

function take(
  parts: RelayParts,
  batch: Batch,
  candidate: Candidate,
  items: EmbeddingsRequest["items"],
  positions: readonly number[],
  { vectors, data, usage: said, latencyMs }: UpstreamVectors,
) {
  const { model, provider, byok } = candidate;
  // More than the inputs can hold is a slip of the vendor's; believed, it would empty a limit at once.
  const most = model.contextLength === null ? Number.POSITIVE_INFINITY : items.length * model.contextLength;
  const usage = said !== null && said.promptTokens <= most ? said : null;
  // Of one input the vendor's count is the input's; the gateway's own count would cost more than the rest of this.
  const counts = items.length === 1 && usage !== null ? [usage.promptTokens] : items.map(ownCount);
  const own = counts.reduce((sum, count) => sum + count, 0);
  const promptTokens = usage?.promptTokens ?? own;
  if (usage !== null) parts.calibration.observe(provider.slug, model.id, promptTokens, boundOf(candidate, items));
  const cost = model.prices === null ? 0n : costFor(model.prices, promptTokens, imagesIn(items), 1);
  positions.forEach((position, index) => {
    const span = data?.spans[index];
    batch.vectors[position] = span ? { json: data.data.subarray(...span) } : (vectors?.[index] ?? null);
    // A vendor counts a batch as one; each input's share is as large as in the gateway's own count.
    batch.tokens[position] = own === 0 ? 0 : Math.round((promptTokens * (counts[index] ?? 0)) / own);
  });
  if (data !== null) batch.data = data.data;
  batch.promptTokens += promptTokens;
  batch.imageTokens += usage?.imageTokens ?? 0;
  if (byok === null) batch.cost += cost;
  else batch.byokCost += cost;
  if (usage === null) batch.meteredBy = "gateway";
  if (model.prices === null) batch.priced = false;
  batch.latencyMs ??= latencyMs;
  batch.served = candidate;
}

function share(batch: Batch, positions: readonly number[], got: (position: number, known: KnownVector) => void) {
  for (const position of positions) {
    const vector = batch.vectors[position] ?? null;
    if (vector !== null) got(position, { json: bytesOf(vector), promptTokens: batch.tokens[position] ?? 0 });
  }
}
