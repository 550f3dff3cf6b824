import { exportJWK, generateKeyPair, SignJWT, jwtVerify } from "jose";
import { expect, it } from "vitest";
import * as z from "zod/mini";
import { IssuerJwks, mostFederationPolicies } from "#contract/federation.ts";
import { createIssuerKeys } from "./issuer-keys.ts";

it("the keys of as many issuers as there may be policies are read once each, whatever order tokens come in", async () => {
  const { privateKey, publicKey } = await generateKeyPair("ES256");
  const jwks = z.parse(IssuerJwks, { keys: [await exportJWK(publicKey)] });
  const token = await new SignJWT({}).setProtectedHeader({ alg: "ES256" }).sign(privateKey);
  const read: string[] = [];
  const issuerKeys = createIssuerKeys((url) => {
    read.push(url);
    return Promise.resolve(jwks);
  });
  const now = new Date("2026-11-27T12:00:00.000Z");
  const urls = Array.from({ length: mostFederationPolicies }, (_, at) => `https://issuer.example/${at}`);
  for (const jwks_url of [...urls, ...urls]) await jwtVerify(token, issuerKeys.of({ jwks: null, jwks_url }, now));
  expect(read).toEqual(urls);
});
