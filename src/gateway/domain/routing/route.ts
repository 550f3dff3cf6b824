import { exclude, type Exclusion, isNamed } from "./exclusion.ts";
import { arrange } from "./order.ts";
import type { Candidate, PassedOver, Route, RouteRequest } from "./routing.ts";

/**
 * Decides which candidates are tried, in which order, and why the others are not.
 *
 * Without `order`, `sort` and a workspace default the candidates are drawn at random, each with a weight of 1/price²,
 * so that one at half the price is four times as likely to be first. Calls of one affinity draw alike. Candidates that
 * are held back come after the others. Among the candidates of a model a workspace's own keys come first, its fallback
 * keys last.
 *
 * @param candidates all offers of the model, by position
 * @param random numbers from 0 up to 1, as of Math.random
 */
export function route(candidates: readonly Candidate[], request: RouteRequest, random: () => number): Route {
  const passedOver: PassedOver[] = [];
  const fit = candidates.filter((candidate) => {
    const exclusion = exclude(candidate, request);
    if (exclusion) passedOver.push(toPassedOver(candidate, exclusion));
    return exclusion === null;
  });
  const space = oneVectorSpace(fit, request);
  passedOver.push(...space.passedOver);
  const ordered = arrange(space.candidates, request, random);
  // An order without fallbacks is the full list: all others have been excluded.
  if (request.preferences.allow_fallbacks !== false || request.preferences.order?.length)
    return { candidates: ordered, passedOver };
  const [first, ...rest] = ordered;
  for (const candidate of rest) {
    passedOver.push(
      toPassedOver(candidate, ["fallbacks_disabled", "allow_fallbacks is false, and another one comes first"]),
    );
  }
  return { candidates: first ? [first] : [], passedOver };
}

function toPassedOver({ provider }: Candidate, [code, reason, guardrail]: NonNullable<Exclusion>): PassedOver {
  return { provider: provider.slug, code, reason, ...(guardrail !== undefined && { guardrail }) };
}

/**
 * Vectors of two models, or of two lengths, must never be mixed in one index. The space is that of the candidate that
 * the caller names first, else of the first by position: always the same one, whatever is drawn.
 */
function oneVectorSpace(fit: readonly Candidate[], { type, preferences }: RouteRequest): Route {
  if (type !== "embedding" || fit.length < 2) return { candidates: fit, passedOver: [] };
  const named = preferences.order
    ?.map((name) => fit.find(({ provider }) => isNamed(provider, name)))
    .find((one) => one !== undefined);
  const reference = (named ?? fit[0])?.model;
  const inside = (candidate: Candidate) =>
    candidate.model.id === reference?.id && candidate.model.dimensions === reference.dimensions;
  const reason = `its vectors are not of the same space as those of ${(named ?? fit[0])?.provider.slug}`;
  return {
    candidates: fit.filter(inside),
    passedOver: fit
      .filter((candidate) => !inside(candidate))
      .map((candidate) => toPassedOver(candidate, ["vector_space", reason])),
  };
}
