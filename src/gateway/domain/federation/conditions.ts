import type { ClaimConditions } from "#contract/federation.ts";

/** A token that outlives a day is no proof of who runs now. */
const longestLifeSeconds = 24 * 3_600;
/** By how much an issuer's clock may be ahead of ours. */
export const toleranceSeconds = 30;

/** What a policy wants of a workload's token, apart from its issuer, its signature and its audience. */
export interface Conditions {
  readonly subject: string;
  readonly claims: ClaimConditions;
}

export type Claims = Readonly<Record<string, unknown>>;

/**
 * Why a token that was verified is not let in by a policy at `now`; null: it is. The reason names claims of the policy,
 * and repeats nothing of the token.
 */
export function unmetCondition({ subject, claims }: Conditions, token: Claims, now: Date): string | null {
  const { sub, exp, iat } = token;
  const nowSeconds = now.getTime() / 1_000;
  if (typeof exp !== "number" || exp <= nowSeconds) return "The subject_token has expired";
  if (exp - nowSeconds > longestLifeSeconds) return "The subject_token is valid for more than 24 hours from now";
  if (typeof iat === "number" && iat > nowSeconds + toleranceSeconds) {
    return "The subject_token was issued in the future: compare the clocks";
  }
  if (typeof sub !== "string" || sub === "") return "The subject_token has no sub";
  if (!matches(subject, sub)) return "The sub of the subject_token is not what the federation policy asks for";
  const unmet = Object.entries(claims).find(([name, value]) => !Object.hasOwn(token, name) || token[name] !== value);
  return unmet === undefined
    ? null
    : `The claim ${unmet[0]} of the subject_token is not what the federation policy asks for`;
}

/** A pattern is the text itself, or its beginning with a `*` at the end. */
function matches(pattern: string, text: string): boolean {
  return pattern.endsWith("*") ? text.startsWith(pattern.slice(0, -1)) : text === pattern;
}

/** How long the access token for a token lives, whole seconds; less than 1: none can be given any more. */
export function secondsToLive(policyLifetime: number, exp: number, now: Date): number {
  return Math.min(policyLifetime, Math.floor(exp - now.getTime() / 1_000));
}
