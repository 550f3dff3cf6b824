import { createHash } from "node:crypto";
import { decodeProtectedHeader, errors, jwtVerify } from "jose";
import type { Deps } from "../context.ts";
import { accessTokenType, signingAlgorithm, type SigningKeys } from "./signing-keys.ts";

/** The `aud` of access tokens: they are for this gateway alone. */
export const ownAudience = "gatehouse";
const mostCharacters = 4_096;
const mostTokens = 10_000;

/** What an access token says. */
export interface AccessToken {
  readonly policyId: string;
  /** of the policy when it was given */
  readonly generation: number;
  readonly expiresAt: Date;
}

/** Checks access tokens; those that were checked before are remembered, so that calls do not pay for it again and again. */
export interface OwnTokens {
  /** null: it is not signed by this gateway, or was altered */
  read(deps: Deps, token: string): Promise<AccessToken | null>;
}

/** Whether a bearer token claims to be an access token, judging by its form alone. */
export function isAccessToken(text: string): boolean {
  if (text.length > mostCharacters || !/^eyJ[\w-]+\.eyJ[\w-]+\.[\w-]+$/.test(text)) return false;
  try {
    return decodeProtectedHeader(text).typ === accessTokenType;
  } catch {
    return false;
  }
}

export function createOwnTokens(keys: SigningKeys): OwnTokens {
  const known = new Map<string, AccessToken>();
  return {
    async read(deps, token) {
      const id = createHash("sha256").update(token).digest("base64url");
      const found = known.get(id);
      if (found !== undefined) return found;
      const read = await verified(deps, keys, token);
      if (read === null) return null;
      if (known.size >= mostTokens) known.delete(known.keys().next().value ?? "");
      known.set(id, read);
      return read;
    },
  };
}

async function verified(deps: Deps, keys: SigningKeys, token: string): Promise<AccessToken | null> {
  try {
    const { payload } = await jwtVerify(
      token,
      async ({ kid = "" }) => {
        const key = await keys.publicKey(deps, kid);
        if (key === null) throw new errors.JWKSNoMatchingKey();
        return key;
      },
      {
        algorithms: [signingAlgorithm],
        typ: accessTokenType,
        audience: ownAudience,
        // Whether it has expired is asked at each call.
        currentDate: new Date(0),
        requiredClaims: ["exp"],
      },
    );
    const { policy_id: policyId, policy_generation: generation, exp = 0 } = payload;
    if (typeof policyId !== "string" || typeof generation !== "number") return null;
    return { policyId, generation, expiresAt: new Date(exp * 1_000) };
  } catch (error) {
    if (error instanceof errors.JOSEError) return null;
    throw error;
  }
}
