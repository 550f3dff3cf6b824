import type { Settlement } from "../../domain/ledger/ledger.ts";
import { vectorParameters } from "../call-parameters.ts";
import type { RelayDeps } from "../deps.ts";
import { refuseInputImages, refusePrivateNames } from "../image-addresses.ts";
import type { ModelAnswer, ModelCall } from "../model-call.ts";
import { withZdr } from "../with-zdr.ts";
import { forOneModel } from "../one-model.ts";
import { admit } from "../rate-limits.ts";
import { claimProvider, noClaim } from "../claim.ts";
import { startCall } from "../record.ts";
import { type Caching, cachingOf, missed, sourceOf } from "../response-cache/caching.ts";
import { fromCache } from "../response-cache/from-cache.ts";
import { recordedAnswer } from "../response-cache/recording.ts";
import type { CachedAnswer } from "../response-cache/response-cache.ts";
import { takeTurns } from "../../turns.ts";
import { writeAnswer } from "./answer.ts";
import { boundTexts, countItems, refuseTooManyNumbers, withinContext } from "./bounds.ts";
import { lookUp, type Lookup, scopeOf } from "./cache-lookup.ts";
import { countsExactly, leastTokensOf } from "./estimate.ts";
import { gatherVectors } from "./gather.ts";
import { judgeVectors } from "./judge.ts";
import { type EmbeddingsRequest, readEmbeddingsRequest } from "./request.ts";
import { reserveEmbeddings } from "./reserve.ts";
import { routeEmbeddings } from "./route.ts";
import { requestAt } from "./input-type.ts";
import type { AskedEmbeddings, ClaimedEmbeddings, EmbeddingsRun, RoutedEmbeddings } from "./run.ts";
import { bodyOf, settleEmbeddings, settleFailed } from "./settle.ts";

/** Answers one embeddings call, which http has authorized: routes, reserves, calls, meters and settles it. */
export async function embeddings(deps: RelayDeps, call: ModelCall): Promise<ModelAnswer> {
  const routed = await routeWithinBounds(deps, await readCall(deps, call));
  const caching = await lookUpAnswer(deps, routed);
  if (caching?.found) return await embeddingsFromCache(deps, routed, caching.found);
  return await answerRouted(deps, routed, (run, settlement) => writeRecorded(deps, run, settlement, caching));
}

/** From the route of a parsed call to its settlement, and then to the answer that `write` makes of the vectors. */
export async function answerWithVectors(deps: RelayDeps, asked: AskedEmbeddings, write: Write): Promise<ModelAnswer> {
  return await answerRouted(deps, await routeWithinBounds(deps, asked), write);
}

type Write = (run: EmbeddingsRun, settlement: Settlement) => ModelAnswer | Promise<ModelAnswer>;

async function answerRouted(deps: RelayDeps, routed: RoutedEmbeddings, write: Write): Promise<ModelAnswer> {
  const claimed = await claim(deps, { ...routed, lookup: await lookUpVectors(deps, routed) });
  try {
    const countTokens = admit(deps, claimed, leastTokensOf(claimed.request.items));
    const run = await reserveEmbeddings(deps, { ...claimed, countTokens });
    try {
      await gatherVectors(deps, run)
        .then(() => judgeVectors(run))
        .catch((error: unknown) => settleFailed(deps, run, error));
      return await write(run, await settleEmbeddings(deps, run, null));
    } finally {
      // Already settled, except after an unforeseen error.
      deps.ledger.release(run.reservation);
    }
  } finally {
    claimed.claim.end();
  }
}

/** What the response cache has of it, if its caller asks. @throws Refusal */
async function lookUpAnswer(deps: RelayDeps, { context, route, apiType, request }: RoutedEmbeddings) {
  const { model, preferences } = request;
  const headers = {};
  return await cachingOf(deps, { context, route, apiType, models: [model], stream: false, preferences, headers });
}

async function embeddingsFromCache(
  deps: RelayDeps,
  { context, policy, apiType, request }: RoutedEmbeddings,
  found: CachedAnswer,
): Promise<ModelAnswer> {
  const { user, sessionId, trace } = request;
  const { input } = bodyOf(request);
  const entry = { parameters: apiType === "embeddings" ? vectorParameters(request, null) : null };
  const call = { apiType, context, policy, user, sessionId, trace, streamed: false, input, headers: {}, entry };
  return await fromCache(deps, call, found);
}

/** The answer, which is left in the response cache if its caller asks. */
function writeRecorded(
  deps: RelayDeps,
  run: EmbeddingsRun,
  settlement: Settlement,
  caching: Caching | null,
): ModelAnswer {
  const { context, request, route, progress } = run;
  const answer = writeAnswer(run, settlement);
  const { "x-generation-id": _, ...headers } = answer.headers;
  const [first] = route.candidates;
  const served = progress.served ?? first;
  const facts = {
    model: request.model,
    provider: served?.provider.slug ?? "",
    source: served === undefined ? "" : sourceOf(served),
    cost: settlement.own + settlement.byok,
    finishReason: null,
    inputs: request.items.length,
    output: null,
    headers,
  };
  const shown = { ...answer, headers: { ...answer.headers, ...missed(caching) } };
  return recordedAnswer(deps, { context, caching }, shown, () => facts);
}

/** A slot at a provider, unless the cache has all vectors. @throws Refusal */
async function claim(deps: RelayDeps, found: Omit<ClaimedEmbeddings, "claim">): Promise<ClaimedEmbeddings> {
  return found.lookup.missing.size === 0 ? { ...found, claim: noClaim } : await claimProvider(deps, found);
}

async function readCall(deps: RelayDeps, call: ModelCall): Promise<AskedEmbeddings> {
  const { domain } = deps;
  const context = startCall(deps, call);
  const turn = takeTurns(call.credential.hash);
  const read = forOneModel(deps, call, await readEmbeddingsRequest(call.body, turn));
  const addresses = refuseInputImages(deps, read);
  const policy = await domain.accounts.of(domain, call.credential);
  const request = { ...read, preferences: withZdr(read.preferences, policy, [read.model]) };
  return { apiType: "embeddings", context, policy, turn, request, addresses };
}

/** Finds candidates, and refuses or cuts inputs that are too much for them. @throws Refusal */
async function routeWithinBounds(deps: RelayDeps, asked: AskedEmbeddings): Promise<RoutedEmbeddings> {
  const { context, turn } = asked;
  const route = routeEmbeddings(deps, asked);
  await refusePrivateNames(deps, asked.addresses, route.candidates);
  refuseTooManyNumbers(asked.request, route);
  const bounded = boundTexts(asked.request, route);
  // A text's length alone shows that it is certainly too long, before anything is counted.
  if (!route.candidates.every(countsExactly)) withinContext(bounded, route);
  await countItems(bounded.items, turn, context.call.signal);
  const request: EmbeddingsRequest = { ...bounded, items: withinContext(bounded, route) };
  return { ...asked, request, route };
}

/** The built-in model always gives the same vectors, faster than any cache. A caller may opt out by Cache-Control. */
async function lookUpVectors({ cache, durableCache, domain }: RelayDeps, routed: RoutedEmbeddings): Promise<Lookup> {
  const { context, request, route, turn } = routed;
  const wish = context.call.headers["cache-control"] ?? "";
  const keep = !route.candidates.every(countsExactly) && !wish.includes("no-store");
  const policy = mayStore(routed) ? routed.policy.workspace.embeddingCache : null;
  const durable = policy === null ? null : { cache: durableCache, policy };
  const sharing = { cache, read: keep && !wish.includes("no-cache"), keep, durable };
  const catalog = domain.catalog.current(domain);
  const scopes = new Map<EmbeddingsRequest, string>();
  const scopeAt = (position: number) => {
    const own = requestAt(request, position);
    const scope = scopes.get(own) ?? scopeOf(catalog, context.workspaceId, own, route);
    scopes.set(own, scope);
    return scope;
  };
  return await lookUp(request, scopeAt, sharing, turn);
}

/**
 * Whether a call may use the workspace's durable cache: not where the caller wants providers that retain nothing, since
 * then nothing of it should be retained here, nor with the built-in models, which cost nothing.
 */
function mayStore({ request, route }: RoutedEmbeddings): boolean {
  const { zdr, data_collection: collection } = request.preferences;
  return zdr !== true && collection !== "deny" && route.candidates.every(({ provider }) => provider.kind !== "builtin");
}
