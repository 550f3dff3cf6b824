import type { Settlement } from "../domain/ledger.ts";
import type { Account } from "../domain/purse.ts";
import type { Candidate, Route } from "../domain/routing.ts";
import { type Batch, emptyBatch, embedBatch } from "./embed-batch.ts";
import { beginFetching, lookUp, type LookedUp, scopeOf, type Sharing } from "./embedding-plan.ts";
import { type EmbeddingsRequest, readEmbeddingsRequest } from "./embeddings-request.ts";
import { routeEmbeddings, withinContext } from "./embeddings-route.ts";
import { embeddingsAnswer, settleEmbeddings } from "./embeddings-settle.ts";
import { boundOf, costFor, countsExactly, imagesIn, leastTokensOf } from "./estimate.ts";
import { refuseInputImages } from "./image-addresses.ts";
import type { ModelAnswer, ModelCall } from "./model-call.ts";
import type { RelayParts } from "./parts.ts";
import { admit } from "./rate-limits.ts";
import { begin, type Begun, withId } from "./record.ts";
import { dearest, reserve, type Reserved } from "./reserve.ts";

/** Answers one embeddings call: authorised by http, here routed, reserved, made, metered and settled. */
export async function embeddings(parts: RelayParts, call: ModelCall): Promise<ModelAnswer> {
  const begun = begin(parts, call);
  const asked = readEmbeddingsRequest(call.body);
  refuseInputImages(parts, asked.items);
  const { accounts, workspace } = await parts.deps.accounts.of(parts.deps, call.credential);
  const chosen = routeEmbeddings(parts, begun, asked, workspace);
  const request: EmbeddingsRequest = { ...asked, items: withinContext(asked, chosen) };
  const sharing = sharingOf(parts, begun, chosen);
  const scope = scopeOf(parts.deps.catalog.current(parts.deps), begun.workspaceId, request, chosen);
  const found = lookUp(request, scope, sharing);
  const count = admit(parts, begun, workspace, leastTokensOf(request.items));
  const { reservation, candidates } = await reserveFor(parts, accounts, request, chosen, [...found.missing.keys()]);
  const route = { ...chosen, candidates };
  const batch = emptyBatch(request.items.length);
  const keep = parts.random() < workspace.keptBodies;
  const settle = (error: unknown) => settleEmbeddings(parts, begun, request, route, reservation, batch, error, keep);
  try {
    await gather(parts, request, route, batch, found, sharing).catch(async (error: unknown) => {
      count(batch.promptTokens);
      await settle(error);
      throw withId(error, begun);
    });
    count(batch.promptTokens);
    return answerOf(begun, request, batch, await settle(null));
  } finally {
    // Settled by now, but for what nobody foresaw.
    parts.ledger.release(reservation);
  }
}

function answerOf(begun: Begun, request: EmbeddingsRequest, batch: Batch, settlement: Settlement): ModelAnswer {
  return {
    status: 200,
    headers: { "content-type": "application/json; charset=utf-8", "x-generation-id": begun.id },
    body: embeddingsAnswer(begun, request, batch, settlement),
  };
}

/** The built-in model gives the same vectors anyway, and faster than any cache. A caller may opt out by Cache-Control. */
function sharingOf({ cache }: RelayParts, { call }: Begun, { candidates }: Route): Sharing {
  const wish = call.headers["cache-control"] ?? "";
  const builtin = candidates.every(countsExactly);
  const keep = !builtin && !wish.includes("no-store");
  return { cache, read: keep && !wish.includes("no-cache"), keep };
}

/** Brings the vectors together: from the cache, from calls under way, from vendors. */
async function gather(
  parts: RelayParts,
  request: EmbeddingsRequest,
  route: Route,
  batch: Batch,
  { known, repeats, missing }: LookedUp,
  sharing: Sharing,
): Promise<void> {
  const [candidate] = route.candidates;
  for (const [position, vector] of known) batch.reuse(position, vector, candidate);
  const fetching = beginFetching(missing, sharing);
  try {
    await embedBatch(parts, request, route, batch, fetching.own, fetching.got);
  } finally {
    fetching.end();
  }
  const forsaken: number[] = [];
  for (const [position, running] of fetching.awaited) {
    const vector = await running;
    if (vector === null) forsaken.push(position);
    else batch.reuse(position, vector, candidate);
  }
  await embedBatch(parts, request, route, batch, forsaken, () => {});
  for (const [position, earlier] of repeats) batch.repeat(position, earlier, candidate);
}

/** Inputs that are sent when nothing is known of how a model's vendor counts: as many tokens as a context has. */
const assumedContext = 8_192;

async function reserveFor(
  parts: RelayParts,
  accounts: readonly Account[],
  request: EmbeddingsRequest,
  { candidates }: Route,
  positions: readonly number[],
): Promise<Reserved> {
  const items = positions.flatMap((position) => request.items[position] ?? []);
  const costOf = ({ model }: Candidate, promptTokens: number) => {
    if (model.prices === null || items.length === 0) return 0n;
    return costFor(
      model.prices,
      promptTokens,
      imagesIn(items),
      Math.ceil(items.length / (model.maxBatch ?? items.length)),
    );
  };
  const factor = (candidate: Candidate) =>
    countsExactly(candidate) ? 1 : parts.calibration.factor(candidate.provider.slug, candidate.model.id);
  const mostTokens = ({ model }: Candidate) => items.length * (model.contextLength ?? Number.POSITIVE_INFINITY);
  const costAt = (candidate: Candidate) =>
    costOf(candidate, Math.min(Math.ceil(boundOf(candidate, items) * (factor(candidate) ?? 1)), mostTokens(candidate)));
  // Until one answer was seen, as much as fits is set aside, so that a vendor's way of counting surprises one call only.
  const mostAt = (candidate: Candidate) => {
    const least = costAt(candidate);
    if (factor(candidate) !== null) return least;
    const most = costOf(candidate, items.length * (candidate.model.contextLength ?? assumedContext));
    return most > least ? most : least;
  };
  // How many of the inputs, at the average size of these, would fit.
  const fits = (remaining: bigint) => {
    const each = dearest(candidates, costAt) / BigInt(Math.max(1, items.length));
    return each === 0n ? null : { inputs: Math.min(items.length, Number(remaining / each)) };
  };
  return await reserve(parts, accounts, { candidates, costAt, mostAt, fits });
}
