import { toUsd } from "#contract/money.ts";
import { candidatesOf, nobodyLeft } from "../domain/candidates.ts";
import type { Reservation } from "../domain/ledger.ts";
import { invalid, Refusal } from "../domain/refusal.ts";
import { type Candidate, route as choose, type Route } from "../domain/routing.ts";
import type { EncodingFormat } from "../providers/provider.ts";
import { adapters } from "../providers/registry.ts";
import { type Batch, embedBatch } from "./embed-batch.ts";
import { type EmbeddingsRequest, readEmbeddingsRequest } from "./embeddings-request.ts";
import { imagesIn, leastTokens, mostCost, ownCount } from "./estimate.ts";
import type { ModelAnswer, ModelCall } from "./model-call.ts";
import type { RelayParts } from "./parts.ts";
import { begin, type Begun, entryOf } from "./record.ts";
import { dearest, reserve } from "./reserve.ts";
import { encodeVector } from "./vectors.ts";

/** Answers one embeddings call: authorised by http, here reserved, routed, made, metered and settled. */
export async function embeddings(parts: RelayParts, call: ModelCall): Promise<ModelAnswer> {
  const begun = begin(parts, call);
  const request = readEmbeddingsRequest(call.body);
  const route = routeOf(parts, begun, request);
  refuseTooLong(request, route);
  const reservation = await reserveFor(parts, begun, request, route);
  const batch = emptyBatch(request.items.length);
  try {
    await embedBatch(parts, request, route, batch);
  } catch (error) {
    await settle(parts, begun, request, route, reservation, batch, error);
    throw error;
  }
  const settled = await settle(parts, begun, request, route, reservation, batch, null);
  return {
    status: 200,
    headers: { "content-type": "application/json; charset=utf-8", "x-generation-id": begun.id },
    body: answerOf(begun, request, batch, settled),
  };
}

function emptyBatch(count: number): Batch {
  return {
    vectors: Array.from({ length: count }, () => null),
    data: null,
    promptTokens: 0,
    imageTokens: 0,
    cost: 0n,
    byokCost: 0n,
    meteredBy: "upstream",
    priced: true,
    latencyMs: null,
    served: null,
    attempts: [],
    failed: [],
  };
}

function routeOf(parts: RelayParts, { workspaceId, call, createdAt }: Begun, request: EmbeddingsRequest): Route {
  const { credential } = call;
  const caller = { workspaceId, keyHash: credential.hash, userId: credential.creatorUserId };
  const candidates = candidatesOf(
    parts.deps.catalog.current(parts.deps),
    [request.model],
    "embedding",
    caller,
    (p, m) => parts.deps.health.of(p, m, createdAt),
  );
  const chosen = choose(
    candidates,
    {
      type: "embedding",
      preferences: request.preferences,
      parameters: parametersOf(request),
      dimensions: request.dimensions,
      promptTokens: request.items.reduce((sum, item) => sum + leastTokens(item), 0),
      completionTokens: 0,
      unfit: unfitFor(request),
    },
    parts.random,
  );
  if (chosen.candidates.length > 0) return chosen;
  // Every provider of the model is there, and none can take this very request: the request is what has to change.
  const own = chosen.passedOver.filter(({ code }) => code === "capability" || code === "dimensions");
  const [first] = own;
  if (first === undefined || own.length < chosen.passedOver.length)
    throw nobodyLeft([request.model], chosen.passedOver);
  throw invalid(
    first.code === "dimensions" ? "dimensions" : "input",
    `does not suit ${request.model}: ${first.reason}`,
  );
}

function parametersOf({ dimensions, inputType, user, extra }: EmbeddingsRequest): string[] {
  return [
    ...(dimensions === null ? [] : ["dimensions"]),
    ...(inputType === null ? [] : ["input_type"]),
    ...(user === null ? [] : ["user"]),
    ...Object.keys(extra),
  ];
}

function unfitFor({ items }: EmbeddingsRequest): (candidate: Candidate) => string | null {
  const tokens = items.some((item) => item.type === "tokens");
  const images = imagesIn(items) > 0;
  return ({ provider, model }) => {
    const adapter = adapters[provider.kind]?.embeddings;
    if (provider.kind !== "builtin" && !adapter) return "its kind of provider makes no embeddings";
    if (tokens && !adapter?.capabilities.tokens) return "it takes text, not token ids";
    if (!images) return null;
    return adapter?.capabilities.images && model.inputModalities.includes("image") ? null : "it takes text, not images";
  };
}

/** A text beyond every candidate's context is refused before it costs anything. */
function refuseTooLong({ items, truncate, model }: EmbeddingsRequest, { candidates }: Route) {
  if (truncate) return;
  let limit = 0;
  let exact = true;
  for (const candidate of candidates) {
    limit = Math.max(limit, candidate.model.contextLength ?? Number.POSITIVE_INFINITY);
    if (candidate.provider.kind !== "builtin") exact = false;
  }
  items.forEach((item, index) => {
    const tokens = exact ? ownCount(item) : leastTokens(item);
    if (tokens <= limit) return;
    const about = exact ? "" : "about ";
    const path = items.length === 1 ? "input" : `input.${index}`;
    throw invalid(
      path,
      `has ${about}${tokens} tokens, and ${model} takes at most ${limit}: shorten it, or send truncate: true`,
      { index, tokens, context_length: limit, exact },
    );
  });
}

function reserveFor(parts: RelayParts, { call }: Begun, request: EmbeddingsRequest, { candidates }: Route) {
  const { items } = request;
  const costAt = ({ provider, model }: Candidate) =>
    mostCost(model, items, Math.ceil(items.length / (model.maxBatch ?? items.length)), provider.kind === "builtin");
  // How many of the inputs, at the average size of these, would fit.
  const fits = (remaining: bigint) => {
    const each = dearest({ candidates, costAt }) / BigInt(items.length);
    return each === 0n ? null : { inputs: Math.min(items.length, Number(remaining / each)) };
  };
  return reserve(parts, call.credential, { candidates, costAt, fits });
}

interface Settled {
  readonly own: bigint;
  readonly byok: bigint;
}

/** Charges what was spent. A call that failed before anything was spent is recorded, and its caller does not wait for it. */
async function settle(
  parts: RelayParts,
  begun: Begun,
  request: EmbeddingsRequest,
  { candidates }: Route,
  reservation: Reservation,
  batch: Batch,
  error: unknown,
): Promise<Settled> {
  const { served } = batch;
  const refusal = error instanceof Refusal ? error : null;
  const settlement = parts.ledger.settle(
    reservation,
    entryOf(begun, {
      apiType: "embeddings",
      model: request.model,
      provider: served?.provider.slug ?? candidates[0]?.provider.slug ?? "",
      status: error === null ? 200 : (refusal?.status ?? 500),
      errorType: error === null ? null : (refusal?.type ?? "server"),
      promptTokens: batch.promptTokens,
      meteredBy: batch.meteredBy,
      priced: batch.priced,
      byok: served !== null && served.byok !== null,
      cost: batch.cost,
      byokCost: batch.byokCost,
      inputs: request.items.length,
      latencyMs: batch.latencyMs,
      attempts: batch.attempts,
      externalUser: request.user,
      sessionId: request.sessionId,
      trace: request.trace,
    }),
  );
  if (error === null || batch.cost + batch.byokCost > 0n) await settlement.committed;
  else settlement.committed.catch(() => {});
  return settlement;
}

function answerOf(begun: Begun, request: EmbeddingsRequest, batch: Batch, settled: Settled): Buffer {
  const usage = {
    prompt_tokens: batch.promptTokens,
    total_tokens: batch.promptTokens,
    cost: toUsd(settled.own + settled.byok),
    is_byok: settled.byok > 0n,
    ...(batch.imageTokens > 0
      ? {
          prompt_tokens_details: {
            text_tokens: batch.promptTokens - batch.imageTokens,
            image_tokens: batch.imageTokens,
          },
        }
      : {}),
  };
  const head = `{"id":"${begun.id}","object":"list","model":${JSON.stringify(request.model)},"data":`;
  const tail = `,"usage":${JSON.stringify(usage)}}`;
  if (batch.data !== null) return Buffer.concat([Buffer.from(head), batch.data, Buffer.from(tail)]);
  return Buffer.from(
    `${head}[${batch.vectors.map((vector, index) => item(vector, index, request.format)).join(",")}]${tail}`,
  );
}

function item(vector: Batch["vectors"][number], index: number, format: EncodingFormat): string {
  if (vector === null) throw new Error(`vector ${index} is missing`);
  return `{"object":"embedding","index":${index},"embedding":${encodeVector(vector, format)}}`;
}
