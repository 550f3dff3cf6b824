import { importJWK, type JWK } from "jose";
import type { IssuerJwks } from "#contract/federation.ts";
import { invalid } from "../refusal.ts";

/** What issuers may sign with: all of it is asymmetric, so that nobody who can check a token can make one. */
export const issuerAlgorithms = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519",
];

const usual: Readonly<Record<string, string>> = {
  RSA: "RS256",
  "P-256": "ES256",
  "P-384": "ES384",
  "P-521": "ES512",
  Ed25519: "EdDSA",
};

const leastRsaBits = 2_048;

/** A public key as jose takes it. */
export function toJwk({ d: _d, p: _p, q: _q, k: _k, ...key }: IssuerJwks["keys"][number]): JWK {
  return key as JWK;
}

/** @throws Refusal 400 naming the first key that no signature can be checked with */
export async function refuseUnusableKeys({ keys }: IssuerJwks): Promise<void> {
  for (const [index, key] of keys.entries()) {
    const algorithm = key.alg ?? usual[key.kty === "RSA" ? "RSA" : (key.crv ?? "")] ?? "";
    const at = `jwks.keys.${index}`;
    if (key.use !== undefined && key.use !== "sig") throw invalid(`${at}.use`, "must be sig, or absent");
    if (!issuerAlgorithms.includes(algorithm)) {
      throw invalid(at, `must be for signatures by one of ${issuerAlgorithms.join(", ")}`);
    }
    const imported = await importJWK(toJwk(key), algorithm).catch(() => null);
    if (imported === null || !("algorithm" in imported)) throw invalid(at, "is not a complete public key");
    const { modulusLength } = imported.algorithm as { modulusLength?: number };
    if (modulusLength !== undefined && modulusLength < leastRsaBits) {
      throw invalid(`${at}.n`, `must have at least ${leastRsaBits} bits`);
    }
  }
}
