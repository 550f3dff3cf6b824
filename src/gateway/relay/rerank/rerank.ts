import { takeTurns } from "../../turns.ts";
import { endAttempt, firstThatAnswers } from "../attempts.ts";
import type { RelayDeps } from "../deps.ts";
import { refuseInputImages, refusePrivateNames } from "../image-addresses.ts";
import type { ModelAnswer, ModelCall } from "../model-call.ts";
import { admit } from "../rate-limits.ts";
import { claimProvider } from "../provider-slots.ts";
import { startCall } from "../record.ts";
import { reserve } from "../reserve.ts";
import { sessionIdOf } from "../session-id.ts";
import { Unanswered } from "../unanswered.ts";
import { withoutVariants } from "../variants.ts";
import { amountOf, billedUnits, costAt, mostUnits, ownUnits } from "./amount.ts";
import { writeRanking } from "./answer.ts";
import { inRerankTerms, rankByVectors } from "./by-vectors.ts";
import { partsOf, readRerankRequest } from "./request.ts";
import { routeRerank } from "./route.ts";
import type { AskedRerank, ClaimedRerank, RerankRun, RoutedRerank } from "./run.ts";
import { settleRerank, settleUnanswered } from "./settle.ts";
import { askRerank } from "./upstream.ts";

/** Answers one rerank call: by a rerank model's scores, or by the vectors of an embedding model. */
export async function rerank(deps: RelayDeps, call: ModelCall): Promise<ModelAnswer> {
  const asked = await readCall(deps, call);
  if (isEmbeddingModel(deps, asked.request.model)) return await rankByVectors(deps, asked);
  const claimed = await claimProvider(deps, await routePublicly(deps, asked));
  try {
    const countTokens = admit(deps, claimed, ownUnits(claimed.amount).totalTokens);
    const run = await reserveRerank(deps, { ...claimed, countTokens });
    try {
      return await rankAtProvider(deps, run);
    } finally {
      // Already settled, except after an unforeseen error.
      deps.ledger.release(run.reservation);
    }
  } finally {
    claimed.claim.end();
  }
}

async function readCall(deps: RelayDeps, call: ModelCall): Promise<AskedRerank> {
  const { domain } = deps;
  const context = startCall(deps, call);
  const turn = takeTurns(call.credential.hash);
  const read = await readRerankRequest(call.body, turn);
  const { offers } = domain.catalog.current(domain);
  const { models, preferences } = withoutVariants([read.model], read.preferences, (id) => offers.has(id));
  const [model = read.model] = models;
  const request = { ...read, model, preferences, sessionId: sessionIdOf(read.sessionId, call.headers) };
  const items = request.documents.map((document) => ({ type: "block", parts: partsOf(document) }) as const);
  const addresses = inItsOwnTerms(() => refuseInputImages(deps, { items, extra: request.extra }));
  const policy = await domain.accounts.of(domain, call.credential);
  return { context, policy, turn, request, addresses };
}

function inItsOwnTerms<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw inRerankTerms(error, 0);
  }
}

/** One model id has one type, whichever provider offers it. */
function isEmbeddingModel({ domain }: RelayDeps, id: string): boolean {
  return domain.catalog.current(domain).offers.get(id)?.[0]?.model.type === "embedding";
}

/** Finds candidates, and refuses addresses that lead from them into a private network. @throws Refusal */
async function routePublicly(deps: RelayDeps, asked: AskedRerank): Promise<RoutedRerank> {
  const amount = await amountOf(asked.request, asked.turn, asked.context.call.signal);
  const route = routeRerank(deps, asked, amount);
  await refusePrivateNames(deps, asked.addresses, route.candidates);
  return { ...asked, amount, route };
}

/** Reserves the most that scoring all documents may cost; a refusal says how many of them would fit. */
async function reserveRerank(
  deps: RelayDeps,
  routed: ClaimedRerank & Pick<RerankRun, "countTokens">,
): Promise<RerankRun> {
  const { policy, request, route, amount } = routed;
  const most = (candidate: Parameters<typeof costAt>[0]) => costAt(candidate, mostUnits(amount, candidate));
  const count = request.documents.length;
  const { reservation, candidates, mostCost } = await reserve(deps, policy, {
    candidates: route.candidates,
    costAt: most,
    fits: (remaining) => {
      const all = route.candidates.reduce((largest, candidate) => {
        const cost = most(candidate);
        return cost > largest ? cost : largest;
      }, 0n);
      return all === 0n ? null : { documents: Math.min(count, Number((remaining * BigInt(count)) / all)) };
    },
  });
  return {
    ...routed,
    route: { ...route, candidates },
    reservation,
    mostCost,
    attempts: { made: [], failed: [], asked: null, unanswered: new Unanswered(deps.ledger, reservation) },
    received: { usage: null },
    logsBody: deps.random() < policy.workspace.keptBodies,
  };
}

/** Scores are short, and billed once requested: a caller who leaves does not cancel them. */
const unhurried = new AbortController().signal;

async function rankAtProvider(deps: RelayDeps, run: RerankRun): Promise<ModelAnswer> {
  const { context, claim, request, route, attempts, amount, mostCost, received } = run;
  const { candidate, answer, slot } = await firstThatAnswers(deps, {
    route,
    attempts,
    context,
    claim,
    vendor: unhurried,
    ask: (asked) => askRerank(deps, asked, run),
    mostCost,
    mostCostUnread: (asked) =>
      received.usage === null ? mostCost(asked) : costAt(asked, billedUnits(amount, asked, received.usage)),
    wasCounted: () => received.usage !== null,
  }).catch((error: unknown) => settleUnanswered(deps, run, error));
  slot();
  const { results, usage, latencyMs } = answer;
  endAttempt(deps, candidate, { latencyMs });
  const { settlement, units } = settleRerank(deps, run, { candidate, usage, latencyMs, error: null });
  await settlement.committed;
  return await writeRanking({
    context,
    request,
    provider: candidate.provider.name,
    scores: results,
    settlement,
    byok: candidate.byok !== null,
    usage: {
      ...(usage?.searchUnits != null && { search_units: units.searchUnits }),
      ...((usage === null || usage.totalTokens !== null) && { total_tokens: units.totalTokens }),
    },
  });
}
