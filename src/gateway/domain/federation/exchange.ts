import { randomUUID } from "node:crypto";
import { errors, type JWTPayload, jwtVerify } from "jose";
import type { Output, Parsed } from "#contract/endpoint.ts";
import { type createOauthToken, type OAuthErrorCode, tokenTypes } from "#contract/federation.ts";
import type { Context } from "../context.ts";
import { refuseUnusable } from "../keys/credentials.ts";
import { Refusal } from "../refusal.ts";
import { issuerAlgorithms } from "./algorithms.ts";
import { secondsToLive, toleranceSeconds, unmetCondition } from "./conditions.ts";
import { ownAudience } from "./own-tokens.ts";
import type { PolicyRow } from "./row.ts";

type Exchange = typeof createOauthToken;

/**
 * Exchanges a workload's token for an access token that acts as the policy's key. A token may be exchanged again: CI jobs
 * and pods have one for all their processes. No access token outlives it.
 * @throws Refusal 400 with the OAuth error; 429 after too many failures; 503 where the issuer's keys cannot be read
 */
export async function exchange(ctx: Context, body: Parsed<Exchange>["body"]): Promise<Output<Exchange>> {
  const policy = await ctx.federation.policies.of(ctx, body.federation_policy_id);
  const failures = ctx.failedExchanges.of(ctx.sourceIp, policy?.id ?? null);
  failures.refuseTooMany(ctx.now());
  try {
    if (policy === null) throw refused("There is no federation policy with this id");
    return await issue(ctx, policy, body.subject_token);
  } catch (error) {
    if (isGrantRefusal(error)) failures.add(ctx.now());
    throw error;
  }
}

async function issue(ctx: Context, policy: PolicyRow, subjectToken: string): Promise<Output<Exchange>> {
  const claims = await verifiedClaims(ctx, policy, subjectToken);
  const now = ctx.now();
  const unmet = unmetCondition(policy, claims, now);
  if (unmet !== null) throw refused(unmet);
  await refuseDeadKey(ctx, policy.api_key_hash);
  ctx.tokenRates.count(policy.api_key_hash, now);
  const seconds = secondsToLive(policy.token_lifetime, claims.exp ?? 0, now);
  if (seconds < 1) throw refused("The subject_token has expired");
  const issuedAt = Math.floor(now.getTime() / 1_000);
  const token = await ctx.federation.signingKeys.sign(ctx, {
    iss: ctx.federation.issuer,
    aud: ownAudience,
    sub: policy.api_key_hash,
    client_id: policy.id,
    scope: "inference",
    policy_id: policy.id,
    policy_generation: policy.generation,
    iat: issuedAt,
    exp: issuedAt + seconds,
    jti: randomUUID(),
  });
  await ctx.federation.subjectCounts.add(ctx, policy.id, claims.sub ?? "");
  return {
    access_token: token,
    expires_in: seconds,
    issued_token_type: tokenTypes.accessToken,
    scope: "inference",
    token_type: "Bearer",
  };
}

/** SPIFFE's tokens may have the type JOSE. */
const workloadTypes = ["JWT", "at+jwt", "JOSE"];

/** An issuer signs other things with the same keys, such as logout tokens, and says by their type what they are (RFC 8725). */
function isTokenOfWorkload(type: unknown): boolean {
  if (type === undefined) return true;
  if (typeof type !== "string") return false;
  const short = type.toLowerCase().replace(/^application\//, "");
  return workloadTypes.some((known) => known.toLowerCase() === short);
}

async function verifiedClaims(ctx: Context, policy: PolicyRow, token: string): Promise<JWTPayload> {
  const now = ctx.now();
  try {
    const { payload, protectedHeader } = await jwtVerify(token, ctx.federation.issuerKeys.of(policy, now), {
      algorithms: issuerAlgorithms,
      issuer: policy.issuer,
      audience: policy.audience,
      clockTolerance: toleranceSeconds,
      currentDate: now,
      requiredClaims: ["exp", "sub"],
    });
    if (!isTokenOfWorkload(protectedHeader.typ)) {
      throw refused(`The typ of the subject_token must be one of ${workloadTypes.join(", ")}, or absent`);
    }
    return payload;
  } catch (error) {
    const reason = reasonOf(error);
    if (reason === null) throw error;
    throw refused(reason);
  }
}

/** Why a token cannot be verified, without anything of the token; null: that is not why it failed. */
function reasonOf(error: unknown): string | null {
  if (error instanceof errors.JWTExpired) return "The subject_token has expired";
  if (error instanceof errors.JWTClaimValidationFailed) {
    if (error.reason === "missing") return `The subject_token has no ${error.claim}`;
    return error.claim === "nbf"
      ? "The subject_token is not valid yet: compare the clocks"
      : `The ${error.claim} of the subject_token is not what the federation policy asks for`;
  }
  if (error instanceof errors.JOSEAlgNotAllowed) {
    return `The subject_token must be signed by one of ${issuerAlgorithms.join(", ")}`;
  }
  if (error instanceof errors.JWKSNoMatchingKey) return "The issuer has no key such as the subject_token names";
  if (error instanceof errors.JWKSMultipleMatchingKeys) {
    return "The subject_token does not say by its kid which of the issuer's keys it is signed with";
  }
  if (error instanceof errors.JWSSignatureVerificationFailed) {
    return "The signature of the subject_token is not the issuer's";
  }
  if (error instanceof errors.JOSEError) return "The subject_token must be a signed JWT";
  // What Web Crypto and jose throw for a key that does not fit its algorithm.
  if (error instanceof TypeError || error instanceof DOMException) {
    return "The issuer's key that the subject_token names cannot be used";
  }
  return null;
}

/** @throws Refusal invalid_grant where the policy's key cannot be used */
async function refuseDeadKey(ctx: Context, hash: string): Promise<void> {
  const credential = await ctx.credentials.read(ctx, hash);
  const dead = "The API key of the federation policy";
  if (credential === null || credential.kind !== "ordinary") throw refused(`${dead} is not known here`);
  try {
    refuseUnusable(credential, ctx.now());
  } catch (error) {
    if (error instanceof Refusal) throw refused(error.message.replace("This API key", dead));
    throw error;
  }
}

/** How the member of a refusal's details is called that says the OAuth error. */
export const oauthError = "oauthError";

function refused(message: string): Refusal {
  return new Refusal("invalid_request", message, { [oauthError]: "invalid_grant" satisfies OAuthErrorCode });
}

function isGrantRefusal(error: unknown): boolean {
  return error instanceof Refusal && error.details[oauthError] === "invalid_grant";
}
