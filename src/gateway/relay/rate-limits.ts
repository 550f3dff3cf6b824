import type { PayingWorkspace } from "../domain/accounts.ts";
import type { RateLimit } from "../domain/rates.ts";
import type { RelayParts } from "./parts.ts";
import type { Begun } from "./record.ts";

/**
 * Counts the call toward every rate that it is under: its key's (or, where the key has none of its own, the one for
 * all), and its workspace's.
 * @returns corrects the tokens once they are known
 * @throws Refusal rate_limit_exceeded
 */
export function admit(parts: RelayParts, begun: Begun, workspace: PayingWorkspace, tokens: number) {
  const { credential } = begun.call;
  const limits: RateLimit[] = [];
  const add = (kind: RateLimit["kind"], scope: string, of: RateLimit["of"], limit: number | null) => {
    if (limit !== null) limits.push({ kind, scope, of, limit });
  };
  const byDefault = credential.requestsPerMinute === null ? parts.settings.requestsPerMinute : null;
  // A rotated key and its successor share the rate as they share the limit.
  add("key", `key:${credential.spendId}`, "requests", credential.requestsPerMinute);
  add("default", `key:${credential.spendId}`, "requests", byDefault);
  add("key", `key:${credential.spendId}`, "tokens", credential.tokensPerMinute);
  add("workspace", `workspace:${begun.workspaceId}`, "requests", workspace.requestsPerMinute);
  add("workspace", `workspace:${begun.workspaceId}`, "tokens", workspace.tokensPerMinute);
  if (limits.length === 0) return uncounted;
  return parts.rates.admit(limits, tokens, begun.createdAt);
}

const uncounted = (): void => {};
