import type { Candidate, PassedOver, Route } from "../domain/routing/routing.ts";
import type { Slot } from "../slots.ts";
import { TooManyCalls } from "../too-many-calls.ts";
import type { RelayDeps } from "./deps.ts";
import type { CallContext } from "./record.ts";

/** The slot that a call holds at a provider before it is sent there. */
export interface Claim {
  /** the slot, once, if it is at this provider */
  use(slug: string): Slot | null;
  /** gives it back if it was not used */
  end(): void;
}

export const noClaim: Claim = { use: () => null, end: () => {} };

interface RoutedCall {
  readonly context: CallContext;
  readonly route: Route;
}

/**
 * Claims a slot at a provider, before anything is reserved, and puts that provider first. If the first choice has no
 * room, the call goes to the next provider of the same model that has; if none has, it waits a moment for the first
 * choice, and then goes to the next model that the caller names.
 * @throws TooManyCalls
 */
export async function claimProvider<T extends RoutedCall>(deps: RelayDeps, routed: T): Promise<T & { claim: Claim }> {
  const { context, route } = routed;
  const [first] = route.candidates;
  if (first === undefined) return { ...routed, claim: noClaim };
  const ofModel = route.candidates.filter(({ model }) => model.id === first.model.id);
  const others = route.candidates.filter(({ model }) => model.id !== first.model.id);
  const found =
    firstWithRoom(deps, context, ofModel) ??
    (await waitFor(deps, context, first)) ??
    firstWithRoom(deps, context, others);
  if (found === null) throw noneHasRoom(route.candidates);
  const { candidate, slot } = found;
  const rest = route.candidates.filter((one) => one !== candidate);
  return { ...routed, route: { ...route, candidates: [candidate, ...rest] }, claim: claimOf(candidate, slot) };
}

interface Found {
  readonly candidate: Candidate;
  readonly slot: Slot;
}

function firstWithRoom(deps: RelayDeps, context: CallContext, candidates: readonly Candidate[]): Found | null {
  for (const candidate of candidates) {
    const slot = tryProvider(deps, context, candidate);
    if (slot !== null) return { candidate, slot };
  }
  return null;
}

async function waitFor(deps: RelayDeps, { call }: CallContext, candidate: Candidate): Promise<Found | null> {
  const { signal } = call;
  if (call.background !== undefined) return null;
  const leave = (left: () => void) => signal.addEventListener("abort", left, { once: true });
  const slot = await deps.providerSlots.of(candidate.provider.slug).take(call.credential.hash, leave);
  if (signal.aborted) slot?.();
  signal.throwIfAborted();
  return slot === null ? null : { candidate, slot };
}

/** Null when the provider has no room now. Built-in models have queues of their own. */
function tryProvider(deps: RelayDeps, { call }: CallContext, { provider }: Candidate): Slot | null {
  if (provider.kind === "builtin") return () => {};
  const { hash } = call.credential;
  const slots = deps.providerSlots.of(provider.slug);
  if (call.background === undefined) return slots.tryTake(hash);
  const own = deps.providerSlots.backgroundOf(provider.slug).tryTake(hash);
  const slot = own === null || slots.waiting() > 0 ? null : slots.tryTake(hash);
  if (slot === null) {
    own?.();
    return null;
  }
  return () => {
    slot();
    own?.();
  };
}

function claimOf({ provider }: Candidate, slot: Slot): Claim {
  let unused: Slot | null = slot;
  const take = () => {
    const taken = unused;
    unused = null;
    return taken;
  };
  return { use: (slug) => (slug === provider.slug ? take() : null), end: () => take()?.() };
}

/** The claimed slot, or another one that is free now; null: the next candidate is tried instead. */
export function slotAt(deps: RelayDeps, context: CallContext, candidate: Candidate, claim: Claim): Slot | null {
  return claim.use(candidate.provider.slug) ?? tryProvider(deps, context, candidate);
}

/** Why a candidate without room was not called. */
export function hasNoRoom({ provider }: Candidate): PassedOver {
  const reason = "it has as many calls of this process in flight as GATEHOUSE_PROVIDER_CALLS allows";
  return { provider: provider.slug, code: "busy", reason };
}

function noneHasRoom(candidates: readonly Candidate[]): TooManyCalls {
  const names = [...new Set(candidates.map(({ provider }) => provider.name))];
  const have = names.length === 1 ? "has" : "have";
  return new TooManyCalls(`${names.join(", ")} ${have} as many calls in flight as GATEHOUSE_PROVIDER_CALLS allows`);
}
