import type { Deps } from "../context.ts";
import { type Credential, refuseUnusable } from "../keys/credentials.ts";
import { Refusal } from "../refusal.ts";

/**
 * Authenticates an access token as the key that its policy names now.
 *
 * @param known called with the key before it is refused for being deleted, disabled or expired
 * @throws Refusal authentication, saying which: altered, expired, its policy changed, or its key does not work
 */
export async function findTokenCredential(
  deps: Deps,
  token: string,
  known: (credential: Credential) => void = () => {},
): Promise<Credential> {
  const read = await deps.federation.ownTokens.read(deps, token);
  if (read === null) throw refusal("This access token is not one of this gateway's, or was altered");
  if (read.expiresAt <= deps.now()) {
    throw refusal(`This access token expired on ${read.expiresAt.toISOString()}: exchange your own token again`);
  }
  const policy = await deps.federation.policies.of(deps, read.policyId);
  if (policy === null || policy.generation !== read.generation) {
    throw refusal("The federation policy of this access token was changed or deleted: exchange your own token again");
  }
  const credential = await deps.credentials.read(deps, policy.api_key_hash);
  if (credential === null || credential.kind !== "ordinary") {
    throw refusal("The API key of this access token is not known here");
  }
  known(credential);
  refuseUnusable(credential, deps.now());
  return credential;
}

const refusal = (message: string) => new Refusal("authentication", message);
