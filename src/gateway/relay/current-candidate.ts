import { type ByokCaller, currentCandidate } from "../domain/routing/candidates.ts";
import type { Candidate, PassedOver } from "../domain/routing/routing.ts";
import type { RelayDeps } from "./deps.ts";
import type { CallContext } from "./record.ts";

/** The caller, as far as own keys are concerned. */
export function callerOf({ workspaceId, call }: CallContext): ByokCaller {
  return { workspaceId, keyHash: call.credential.hash, userId: call.credential.creatorUserId };
}

/**
 * The candidate as it is now: other providers may have been tried for minutes since it was chosen, and a key that was
 * deleted or replaced meanwhile must not be sent. Look it up directly before each call.
 * @returns null when it must not be called
 */
export function asOfNow({ domain }: RelayDeps, context: CallContext, candidate: Candidate): Candidate | null {
  return currentCandidate(domain.catalog.current(domain), candidate, callerOf(context));
}

export function changedMeanwhile({ provider, byok }: Candidate): PassedOver {
  const what = byok === null ? "it" : "the workspace's own key for it";
  return {
    provider: provider.slug,
    code: "provider_changed",
    reason: `${what} was disabled, deleted or changed during the call`,
  };
}
