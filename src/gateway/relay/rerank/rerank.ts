import type { Candidate } from "../../domain/routing/routing.ts";
import type { RerankUsage } from "../../providers/provider.ts";
import { takeTurns } from "../../turns.ts";
import { endAttempt, firstThatAnswers, unhurried } from "../attempts.ts";
import type { RelayDeps } from "../deps.ts";
import { refuseInputImages, refusePrivateNames } from "../image-addresses.ts";
import { unpricedMember } from "../media/billed-members.ts";
import type { ModelAnswer, ModelCall } from "../model-call.ts";
import { forOneModel } from "../one-model.ts";
import { startCall } from "../record.ts";
import { whileReserved } from "../reserved-call.ts";
import { amountOf, billedUnits, costAt, mostUnits, ownUnits } from "./amount.ts";
import { writeRanking } from "./answer.ts";
import { inRerankTerms, rankByVectors } from "./by-vectors.ts";
import { partsOf, readRerankRequest } from "./request.ts";
import { routeRerank } from "./route.ts";
import type { AskedRerank, RerankRun, RoutedRerank } from "./run.ts";
import { settleRerank, settleUnanswered } from "./settle.ts";
import { askRerank } from "./upstream.ts";

/** Answers one rerank call: by a rerank model's scores, or by the vectors of an embedding model. */
export async function rerank(deps: RelayDeps, call: ModelCall): Promise<ModelAnswer> {
  const asked = await readCall(deps, call);
  if (isEmbeddingModel(deps, asked.request.model)) return await rankByVectors(deps, asked);
  const routed = await routePublicly(deps, asked);
  const { amount } = routed;
  const count = routed.request.documents.length;
  const most = {
    tokens: ownUnits(amount).totalTokens,
    costAt: (candidate: Candidate) => costAt(candidate, mostUnits(amount, candidate)),
    unpriced: () => unpricedMember("rerank", routed.request.extra),
    // how many of the documents would fit, at their average size
    fits: (remaining: bigint, all: bigint) => ({
      documents: Math.min(count, Number((remaining * BigInt(count)) / all)),
    }),
  };
  return await whileReserved(deps, routed, most, async (run) => await rankAtProvider(deps, run));
}

async function readCall(deps: RelayDeps, call: ModelCall): Promise<AskedRerank> {
  const { domain } = deps;
  const context = startCall(deps, call);
  const turn = takeTurns(call.credential.hash);
  const request = forOneModel(deps, call, await readRerankRequest(call.body, turn));
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

async function rankAtProvider(deps: RelayDeps, run: RerankRun): Promise<ModelAnswer> {
  const { context, request, amount, mostCost } = run;
  const received: { usage: RerankUsage | null } = { usage: null };
  const { candidate, answer, slot } = await firstThatAnswers(deps, {
    ...run,
    vendor: unhurried,
    ask: (asked) => askRerank(deps, asked, run, received),
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
