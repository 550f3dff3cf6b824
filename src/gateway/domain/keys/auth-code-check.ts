import { createHash, timingSafeEqual } from "node:crypto";
import type { Selectable } from "kysely";
import type { Parsed } from "#contract/endpoint.ts";
import type { exchangeAuthCode } from "#contract/oauth.ts";
import type { AuthCodesTable } from "../../storage/tables.ts";
import { Refusal } from "../refusal.ts";

export type AuthCodeRow = Selectable<AuthCodesTable>;
export type ExchangeBody = Parsed<typeof exchangeAuthCode>["body"];

/** How codes and challenges are stored. A `plain` challenge is the verifier itself, so it must not be in the store. */
export function hashSecret(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/**
 * Why a code cannot be exchanged by this request at `now`; null: it can.
 * A verifier without a challenge is refused too: somebody may have taken the challenge out of the app's request, to use
 * the code in its place (RFC 9700 §4.8.2).
 */
export function wrongExchange(
  code: Pick<AuthCodeRow, "expires_at" | "challenge_hash" | "challenge_method">,
  { code_verifier: verifier, code_challenge_method: method }: Omit<ExchangeBody, "code">,
  now: Date,
): Refusal | null {
  if (code.expires_at <= now) return refused("This code is older than 10 minutes: start again");
  if (method != null && method !== code.challenge_method) {
    const message = "must be the one that the code was made with";
    return new Refusal("invalid_request", "Invalid code_challenge_method", {
      issues: [{ path: "code_challenge_method", message }],
    });
  }
  if (code.challenge_hash === null) {
    return verifier === undefined ? null : refused("This code was made without a code_challenge: start again with one");
  }
  if (verifier === undefined) return refused("This code was made with a code_challenge: send its code_verifier");
  const challenge =
    code.challenge_method === "S256" ? createHash("sha256").update(verifier).digest("base64url") : verifier;
  const isRight = timingSafeEqual(Buffer.from(hashSecret(challenge)), Buffer.from(code.challenge_hash));
  return isRight ? null : refused("The code_verifier is not the one of this code, which has ended: start again");
}

const refused = (message: string) => new Refusal("permission_denied", message);
