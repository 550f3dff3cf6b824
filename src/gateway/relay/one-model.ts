import type { ProviderPreferences } from "#contract/routing.ts";
import type { CallPolicy } from "../domain/keys/call-policy.ts";
import type { Refusal } from "../domain/refusal.ts";
import { candidatesOf, nobodyLeft } from "../domain/routing/candidates.ts";
import { route as choose } from "../domain/routing/route.ts";
import type { Route, RouteRequest } from "../domain/routing/routing.ts";
import { callerOf } from "./current-candidate.ts";
import type { RelayDeps } from "./deps.ts";
import type { ModelCall } from "./model-call.ts";
import type { CallContext } from "./record.ts";
import { sessionIdOf } from "./session-id.ts";
import { withoutVariants } from "./variants.ts";

/** A request that names one model. */
interface ModelRequest {
  readonly model: string;
  readonly preferences: ProviderPreferences;
  readonly sessionId: string | null;
}

/** The request without its model's variant, and with the session that its headers name. @throws Refusal */
export function forOneModel<R extends ModelRequest>({ domain }: RelayDeps, { headers }: ModelCall, request: R): R {
  const { offers } = domain.catalog.current(domain);
  const { models, preferences } = withoutVariants([request.model], request.preferences, (id) => offers.has(id));
  const [model = request.model] = models;
  return { ...request, model, preferences, sessionId: sessionIdOf(request.sessionId, headers) };
}

interface RoutableCall {
  readonly context: CallContext;
  readonly policy: CallPolicy;
  readonly request: { readonly model: string; readonly extra: Readonly<Record<string, unknown>> };
}

/**
 * The candidates for a call of one model, in order.
 * @param misfit the refusal where only the request itself is at fault
 * @throws Refusal not_found, or `misfit`
 */
export function routeOneModel(
  { domain, random }: RelayDeps,
  { context, policy, request }: RoutableCall,
  wanted: Omit<RouteRequest, "guardrails" | "defaultSort" | "parameters" | "dimensions">,
  misfit: (reason: string) => Refusal,
): Route {
  const candidates = candidatesOf(
    domain.catalog.current(domain),
    { modelIds: [request.model], type: wanted.type, caller: callerOf(context), guardrails: policy.guardrails },
    (provider, model) => domain.health.of(provider, model, context.createdAt),
  );
  const { guardrails, workspace } = policy;
  const { defaultSort } = workspace;
  const asked = { ...wanted, guardrails, defaultSort, parameters: Object.keys(request.extra), dimensions: null };
  const chosen = choose(candidates, asked, random);
  if (chosen.candidates.length > 0) return chosen;
  const [first] = chosen.passedOver;
  if (first !== undefined && chosen.passedOver.every(({ code }) => code === "capability")) throw misfit(first.reason);
  throw nobodyLeft([request.model], chosen.passedOver);
}
