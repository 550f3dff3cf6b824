import { createLocalJWKSet, errors, type JWTVerifyGetKey } from "jose";
import { type IssuerJwks, mostFederationPolicies } from "#contract/federation.ts";
import { Refusal } from "../refusal.ts";
import { trustedKeys } from "./algorithms.ts";
import type { PolicyRow } from "./row.ts";

type KeySet = ReturnType<typeof createLocalJWKSet>;
type VerifyKey = Awaited<ReturnType<KeySet>>;

/** Reads an issuer's public keys; never throws for what is at the address. */
export type ReadJwks = (url: string) => Promise<IssuerJwks | { readonly problem: string }>;

/** The public keys of issuers, as this process knows them. */
export interface IssuerKeys {
  /** finds the key that a token of the policy's issuer names @throws Refusal unavailable, or an error of jose */
  of(policy: Pick<PolicyRow, "jwks" | "jwks_url">, now: Date): JWTVerifyGetKey<VerifyKey>;
}

/** How long fetched keys are used without asking again. */
const freshMs = 10 * 60_000;
/** While the issuer cannot be asked, what it said last is used this long. */
const staleMs = 24 * 3_600_000;
/** An issuer is asked at most this often, whatever tokens name. */
const pauseMs = 60_000;
/** Each policy may have one of its own: an issuer that is forgotten is asked again at the next token, whatever that is. */
const mostIssuers = mostFederationPolicies;

const keySetOf = (jwks: IssuerJwks) => createLocalJWKSet({ keys: trustedKeys(jwks) });

interface Known {
  readonly keys: KeySet | null;
  readonly readAt: number;
  readonly triedAt: number;
  readonly problem: string;
}

export function createIssuerKeys(read: ReadJwks): IssuerKeys {
  const known = new Map<string, Known>();
  const reading = new Map<string, Promise<Known>>();

  async function readNow(url: string, now: number): Promise<Known> {
    const before = known.get(url);
    const found = await read(url);
    const next: Known =
      "problem" in found
        ? { keys: before?.keys ?? null, readAt: before?.readAt ?? 0, triedAt: now, problem: found.problem }
        : { keys: keySetOf(found), readAt: now, triedAt: now, problem: "" };
    known.delete(url);
    if (known.size >= mostIssuers) known.delete(known.keys().next().value ?? "");
    known.set(url, next);
    return next;
  }

  /** @param isWanted whether what is known is to be replaced, if it may be by now */
  async function keysAt(url: string, now: number, isWanted: (known: Known) => boolean): Promise<KeySet> {
    const before = known.get(url);
    const mayAsk = before === undefined || Math.abs(now - before.triedAt) >= pauseMs;
    let current = before;
    if (before === undefined || (mayAsk && isWanted(before))) {
      const running = reading.get(url) ?? readNow(url, now).finally(() => reading.delete(url));
      reading.set(url, running);
      current = await running;
    }
    if (current?.keys != null && now - current.readAt < staleMs) return current.keys;
    throw new Refusal("unavailable", `The keys of the issuer cannot be read: ${current?.problem ?? ""}`, {
      retryAfterSeconds: pauseMs / 1_000,
    });
  }

  return {
    of: ({ jwks, jwks_url: url }, now) => {
      if (url === null) return keySetOf(jwks ?? { keys: [] });
      const at = now.getTime();
      return async (header, token) => {
        const keys = await keysAt(url, at, ({ readAt, keys }) => keys === null || at - readAt >= freshMs);
        try {
          return await keys(header, token);
        } catch (error) {
          // The issuer may have a new key.
          if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
          return await (
            await keysAt(url, at, () => true)
          )(header, token);
        }
      };
    },
  };
}
