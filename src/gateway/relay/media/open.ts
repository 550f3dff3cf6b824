import { invalid } from "../../domain/refusal.ts";
import type { Candidate, Route } from "../../domain/routing/routing.ts";
import { given } from "../../providers/messages.ts";
import type { RelayDeps } from "../deps.ts";
import { vendorIdsIn } from "../files/vendor-ids.ts";
import { refuseInputImages, refuseMessageImages, refusePrivateNames } from "../image-addresses.ts";
import type { ModelAnswer } from "../model-call.ts";
import { withZdr } from "../with-zdr.ts";
import { forOneModel, routeOneModel } from "../one-model.ts";
import { whileReserved } from "../reserved-call.ts";
import { unpricedMember } from "./billed-members.ts";
import { mediaCost, type MediaRequest } from "./kind.ts";
import type { AskedMedia, MediaRun } from "./run.ts";

/**
 * Carries a call from its checked request to its reservation, and hands it to `answer`, which settles it.
 * @throws Refusal
 */
export async function runMedia<R extends MediaRequest>(
  deps: RelayDeps,
  given: Omit<AskedMedia<R>, "policy">,
  answer: (run: MediaRun<R>) => Promise<ModelAnswer>,
): Promise<ModelAnswer> {
  const { kind, context, amount } = given;
  const read = forOneModel(deps, context.call, given.request);
  const { extra, preferences, named } = read;
  const addresses = [
    ...refuseInputImages(deps, { items: [], extra: { ...extra, provider: { options: preferences.options } } }),
    ...refuseMessageImages(deps, {}, named ?? []),
  ];
  const policy = await deps.domain.accounts.of(deps.domain, context.call.credential);
  const request = { ...read, preferences: withZdr(preferences, policy, [read.model]) };
  const asked = { kind, context, policy, request, amount };
  const route = routeMedia(deps, asked);
  await refusePrivateNames(deps, addresses, route.candidates);
  const most = {
    tokens: amount.promptTokens + amount.completionTokens,
    costAt: (candidate: Candidate) => mediaCost(candidate, kind.most(amount, request, candidate)),
    unpriced: (candidate: Candidate) => unpricedMember(kind.apiType, extraAt(request, candidate)),
    fits: (remaining: bigint, all: bigint) => kind.fits(amount, remaining, all),
  };
  return await whileReserved(deps, { ...asked, route }, most, answer);
}

/** Ids alone prove nothing in an account that all keys share (decision 072). */
const notOwn = "what is kept at a vendor needs the workspace's own key there";

function routeMedia<R extends MediaRequest>(deps: RelayDeps, asked: AskedMedia<R>): Route {
  const { kind, request, amount } = asked;
  const { extra, preferences: given } = request;
  const [vendorId] = vendorIdsIn({ ...extra, provider: { options: given.options } }, "completions");
  const { options: _, ...preferences } = request.preferences;
  const members = new Map<string, string>();
  if (vendorId !== undefined) members.set(notOwn, vendorId.path);
  const unfit = (candidate: Candidate) => {
    if (vendorId !== undefined && candidate.byok === null) return notOwn;
    const found = kind.unfit(request, candidate);
    if (found === null || typeof found === "string") return found;
    members.set(found.reason, found.member);
    return found.reason;
  };
  return routeOneModel(deps, asked, { type: kind.modelType, preferences, ...amount, unfit }, (reason) =>
    invalid(members.get(reason) ?? kind.member, `does not suit ${request.model}: ${reason}`),
  );
}

/** The caller's own members at a candidate: those for this provider alone among them, and none that is null. */
export function extraAt({ extra, preferences }: MediaRequest, { provider }: Candidate): Record<string, unknown> {
  return given({ ...extra, ...preferences.options?.[provider.slug] });
}
