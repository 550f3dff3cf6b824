import type { CallPolicy } from "../domain/keys/call-policy.ts";
import type { RateLimit } from "../domain/ledger/rates.ts";
import type { RelayDeps } from "./deps.ts";
import type { CallContext } from "./record.ts";

interface AdmittedCall {
  readonly context: CallContext;
  readonly policy: CallPolicy;
}

/**
 * Counts the call toward every rate limit that applies: its key's (or the default one, where the key has none of its
 * own), and its workspace's.
 * @returns a function that corrects the tokens once they are known
 * @throws Refusal rate_limit_exceeded
 */
export function admit(deps: RelayDeps, { context, policy }: AdmittedCall, tokens: number) {
  const { workspaceId, createdAt, call } = context;
  const { credential, background } = call;
  const { workspace } = policy;
  const limits: RateLimit[] = [];
  const add = (kind: RateLimit["kind"], scope: string, of: RateLimit["of"], limit: number | null) => {
    if (limit === null) return;
    limits.push({ kind, scope, of, limit });
    // Half of it is left to calls that somebody waits for.
    if (background !== undefined) limits.push({ kind, scope: `${scope} batches`, of, limit: Math.ceil(limit / 2) });
  };
  const byDefault = credential.requestsPerMinute === null ? deps.settings.requestsPerMinute : null;
  // A rotated key and its successor share the rate as they share the limit, and a key shares it with those it had made.
  add("key", `key:${credential.rateScope}`, "requests", credential.requestsPerMinute);
  add("default", `key:${credential.rateScope}`, "requests", byDefault);
  add("key", `key:${credential.rateScope}`, "tokens", credential.tokensPerMinute);
  add("workspace", `workspace:${workspaceId}`, "requests", workspace.requestsPerMinute);
  add("workspace", `workspace:${workspaceId}`, "tokens", workspace.tokensPerMinute);
  if (limits.length === 0) return uncounted;
  return deps.rates.admit(limits, tokens, createdAt);
}

const uncounted = (): void => {};
