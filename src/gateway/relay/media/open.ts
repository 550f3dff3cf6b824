import { candidatesOf, nobodyLeft } from "../../domain/routing/candidates.ts";
import { invalid } from "../../domain/refusal.ts";
import { type Candidate, route as choose, type Route } from "../../domain/routing/routing.ts";
import { callerOf } from "../current-candidate.ts";
import type { RelayDeps } from "../deps.ts";
import { refuseInputImages, refuseMessageImages, refusePrivateNames } from "../image-addresses.ts";
import type { ModelAnswer } from "../model-call.ts";
import { claimProvider } from "../provider-slots.ts";
import { admit } from "../rate-limits.ts";
import type { CallContext } from "../record.ts";
import { reserve } from "../reserve.ts";
import { sessionIdOf } from "../session-id.ts";
import { Unanswered } from "../unanswered.ts";
import { withoutVariants } from "../variants.ts";
import { type MediaAmount, mediaCost, type MediaKind, type MediaRequest } from "./kind.ts";
import type { AskedMedia, ClaimedMedia, MediaRun } from "./run.ts";

interface Given<R extends MediaRequest> {
  readonly kind: MediaKind<R>;
  readonly context: CallContext;
  readonly request: R;
  readonly amount: MediaAmount;
}

/**
 * Carries a call from its checked request to its reservation, and hands it to `answer`, which settles it.
 * @throws Refusal
 */
export async function runMedia<R extends MediaRequest>(
  deps: RelayDeps,
  given: Given<R>,
  answer: (run: MediaRun<R>) => Promise<ModelAnswer>,
): Promise<ModelAnswer> {
  const asked = await ask(deps, given);
  const route = routeMedia(deps, asked);
  await refusePrivateNames(deps, asked.addresses, route.candidates);
  const claimed = await claimProvider(deps, { ...asked, route });
  try {
    const countTokens = admit(deps, claimed, asked.amount.promptTokens + asked.amount.completionTokens);
    const run = await reserveMedia(deps, { ...claimed, countTokens });
    try {
      return await answer(run);
    } catch (error) {
      // Already settled, except after an unforeseen error.
      deps.ledger.release(run.reservation);
      throw error;
    }
  } finally {
    claimed.claim.end();
  }
}

async function ask<R extends MediaRequest>(deps: RelayDeps, given: Given<R>): Promise<AskedMedia<R>> {
  const { domain } = deps;
  const { call } = given.context;
  const { offers } = domain.catalog.current(domain);
  const { options, ...said } = given.request.preferences;
  const { models, preferences } = withoutVariants([given.request.model], said, (id) => offers.has(id));
  const [model = given.request.model] = models;
  const sessionId = sessionIdOf(given.request.sessionId, call.headers);
  const request = { ...given.request, model, sessionId, preferences: { ...preferences, options } };
  const addresses = refuseInputImages(deps, { items: [], extra: { ...request.extra, provider: { options } } });
  const named = refuseMessageImages(deps, {}, request.named ?? []);
  return {
    ...given,
    request,
    addresses: [...addresses, ...named],
    policy: await domain.accounts.of(domain, call.credential),
  };
}

/** The candidates, in order. @throws Refusal not_found, or invalid_request where only the call itself is at fault */
function routeMedia<R extends MediaRequest>({ domain, random }: RelayDeps, asked: AskedMedia<R>): Route {
  const { kind, context, policy, request, amount } = asked;
  const { options: _, ...preferences } = request.preferences;
  const candidates = candidatesOf(
    domain.catalog.current(domain),
    { modelIds: [request.model], type: kind.modelType, caller: callerOf(context) },
    (provider, model) => domain.health.of(provider, model, context.createdAt),
  );
  const chosen = choose(
    candidates,
    {
      type: kind.modelType,
      preferences,
      defaultSort: policy.workspace.defaultSort,
      parameters: Object.keys(request.extra),
      dimensions: null,
      ...amount,
      unfit: (candidate) => kind.unfit(request, candidate),
    },
    random,
  );
  if (chosen.candidates.length > 0) return chosen;
  const [first] = chosen.passedOver;
  if (first !== undefined && chosen.passedOver.every(({ code }) => code === "capability")) {
    throw invalid(kind.member, `does not suit ${request.model}: ${first.reason}`);
  }
  throw nobodyLeft([request.model], chosen.passedOver);
}

async function reserveMedia<R extends MediaRequest>(
  deps: RelayDeps,
  claimed: ClaimedMedia<R> & Pick<MediaRun<R>, "countTokens">,
): Promise<MediaRun<R>> {
  const { kind, policy, request, route, amount } = claimed;
  const most = (candidate: Candidate) => mediaCost(candidate, kind.most(amount, request, candidate));
  const { reservation, candidates, mostCost } = await reserve(deps, policy, {
    candidates: route.candidates,
    costAt: most,
    fits: (remaining) => {
      const all = route.candidates.map(most).reduce((largest, cost) => (cost > largest ? cost : largest), 0n);
      return all === 0n ? null : kind.fits(amount, remaining, all);
    },
  });
  return {
    ...claimed,
    route: { ...route, candidates },
    reservation,
    mostCost,
    attempts: { made: [], failed: [], asked: null, unanswered: new Unanswered(deps.ledger, reservation) },
    logsBody: deps.random() < policy.workspace.keptBodies,
  };
}

/** The caller's own members at a candidate: those for this provider alone among them. */
export function extraAt({ extra, preferences }: MediaRequest, { provider }: Candidate): Record<string, unknown> {
  return { ...extra, ...preferences.options?.[provider.slug] };
}
