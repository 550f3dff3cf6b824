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

/** Anyone can sign for an RSA key whose exponent is 1 (RFC 8017, section 3.1: it is odd, and at least 3). */
function hasSoundExponent({ kty, e = "" }: IssuerJwks["keys"][number]): boolean {
  if (kty !== "RSA") return true;
  const exponent = BigInt(`0x0${Buffer.from(e, "base64url").toString("hex")}`);
  return exponent >= 3n && exponent % 2n === 1n;
}

/** The keys of an issuer that its tokens are checked with. */
export function trustedKeys({ keys }: IssuerJwks): JWK[] {
  return keys.filter(hasSoundExponent).map(toJwk);
}

/** A public key as jose takes it. */
function toJwk({ d: _d, p: _p, q: _q, k: _k, ...key }: IssuerJwks["keys"][number]): JWK {
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
    if (!hasSoundExponent(key)) throw invalid(`${at}.e`, "must be an odd number of at least 3");
    const imported = await importJWK(toJwk(key), algorithm).catch(() => null);
    if (imported === null || !("algorithm" in imported)) throw invalid(at, "is not a complete public key");
    const { modulusLength } = imported.algorithm as { modulusLength?: number };
    if (modulusLength !== undefined && modulusLength < leastRsaBits) {
      throw invalid(`${at}.n`, `must have at least ${leastRsaBits} bits`);
    }
  }
}
