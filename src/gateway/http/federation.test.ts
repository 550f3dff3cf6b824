import { createHash } from "node:crypto";
import { UnsecuredJWT, SignJWT, exportJWK, generateKeyPair, jwtVerify, createLocalJWKSet } from "jose";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { OAuthError } from "#contract/federation.ts";
import * as z from "zod/mini";
import { describeGateway, engine } from "../testing/describe-gateway.ts";
import { expectError, expectIssues } from "../testing/expect-error.ts";
import { makeKey, makeWorkspace } from "../testing/factories.ts";
import type { Answer, TestGateway } from "../testing/gateway.ts";
import { type Issuer, startIssuer } from "../testing/issuer.ts";
import { resealSecrets } from "../domain/secrets/reseal-secrets.ts";
import { createSecretBox } from "../domain/secrets/box.ts";

const nobody = "00000000-0000-4000-8000-000000000000";
const audience = "https://gateway.example.com";
const subject = "repo:acme/app:ref:refs/heads/main";
const minuteMs = 60_000;
const exchangeType = "urn:ietf:params:oauth:grant-type:token-exchange";
const jwtType = "urn:ietf:params:oauth:token-type:jwt";
const accessType = "urn:ietf:params:oauth:token-type:access_token";

let issuer: Issuer;
beforeAll(async () => {
  issuer = await startIssuer();
  await issuer.addKey("rsa", "RS256");
});
afterAll(() => issuer.close());
beforeEach(() => Object.assign(issuer.server, { status: 200, isSilent: false }));

/** An error of RFC 6749, whole, and of what may be in it. */
function expectOAuthError(answer: Answer, status: number, error: string, description: string | RegExp): void {
  expect(answer.text).toSatisfy(() => answer.status === status);
  expect(Object.keys(answer.json)).toEqual(["error", "error_description"]);
  const parsed = z.parse(OAuthError, answer.json);
  expect(parsed.error).toBe(error);
  expect(parsed.error_description).toMatch(description);
  expect(parsed.error_description).toMatch(/^[\x20\x21\x23-\x5b\x5d-\x7e]+$/);
}

function speak(gateway: () => TestGateway) {
  const call = (...parameters: Parameters<TestGateway["call"]>) => gateway().call(...parameters);
  const seconds = () => Math.floor(gateway().clock.now().getTime() / 1_000);
  const claims = (more: object = {}) => ({
    iss: issuer.issuer,
    aud: audience,
    sub: subject,
    iat: seconds(),
    exp: seconds() + 300,
    ...more,
  });
  const token = async (more: object = {}, kid = "rsa") => await issuer.sign(kid, claims(more));
  const settings = (api_key_hash: string, more: object = {}) => ({
    name: "CI",
    api_key_hash,
    issuer: issuer.issuer,
    jwks_url: issuer.jwksUrl,
    audience,
    subject,
    ...more,
  });
  async function policyOf(hash: string, more: object = {}): Promise<string> {
    const answer = await call("POST", "/federation-policies", { body: settings(hash, more) });
    expect(answer.text).toSatisfy(() => answer.status === 201);
    return answer.json.data.id as string;
  }
  const exchange = async (
    policy: string,
    subject_token: string,
    more: Record<string, string> = {},
    headers: Record<string, string> = {},
  ) =>
    await call("POST", "/oauth/token", {
      key: null,
      raw: new URLSearchParams({
        grant_type: exchangeType,
        subject_token,
        subject_token_type: jwtType,
        federation_policy_id: policy,
        ...more,
      }).toString(),
      headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
    });
  async function accessToken(policy: string, more: object = {}): Promise<string> {
    const answer = await exchange(policy, await token(more));
    expect(answer.text).toSatisfy(() => answer.status === 200);
    return answer.json.access_token as string;
  }
  const embed = (key: string, headers: Record<string, string> = {}) =>
    call("POST", "/embeddings", { key, headers, body: { model: "gatehouse/lexical", input: "a" } });
  return { call, seconds, claims, token, settings, policyOf, exchange, accessToken, embed };
}

describeGateway("workload identity", (gateway) => {
  const { call, seconds, claims, token, settings, policyOf, exchange, accessToken, embed } = speak(gateway);

  /** of a key, for policies of tests to which it does not matter which */
  let hash = "";
  beforeAll(async () => {
    hash = (await makeKey(gateway(), { name: "of CI" })).record.hash;
  });

  describe("createFederationPolicy", () => {
    let managementHash = "";
    beforeAll(async () => {
      managementHash = (await call("GET", "/management-keys")).json.data[0].hash;
    });
    const create = async (more: object = {}) =>
      await call("POST", "/federation-policies", { body: settings(hash, more) });

    it("201: with defaults, and an audit row in the key's workspace", async () => {
      const workspace = await makeWorkspace(gateway());
      const { record } = await makeKey(gateway(), { workspace_id: workspace.id });
      const answer = await call("POST", "/federation-policies", { body: settings(record.hash) });
      expect(answer.status, answer.text).toBe(201);
      expect(answer.json.data).toEqual({
        ...settings(record.hash),
        id: expect.any(String),
        jwks: null,
        claims: {},
        token_lifetime: 900,
        created_at: gateway().clock.now().toISOString(),
        created_by: "admin",
        updated_at: null,
        last_used_at: null,
      });
      const [row] = (await call("GET", `/audit?target_id=${answer.json.data.id}`)).json.data;
      expect(row).toMatchObject({ action: "createFederationPolicy", workspace_id: workspace.id, target_name: "CI" });
    });

    const hidden = (name: string) => JSON.parse(`{"claims": {"${name}": "x"}}`, (_, value: unknown) => value) as object;
    const many = Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`c${at}`, "x"]));
    it.each<[string, () => object]>([
      ["jwks_url", () => ({ jwks_url: null })],
      ["jwks", () => ({ jwks: { keys: issuer.keys() } })],
      ["subject", () => ({ subject: "*" })],
      ["subject", () => ({ subject: "a*b" })],
      ["subject", () => ({ subject: "**" })],
      ["subject", () => ({ subject: "*", claims: { iss: issuer.issuer, aud: audience } })],
      ["claims.__proto__", () => hidden("__proto__")],
      ["claims.__proto__", () => hidden("\\u005f_proto__")],
      ["token_lifetime", () => ({ token_lifetime: 901 })],
      ["token_lifetime", () => ({ token_lifetime: 59 })],
      ["api_key_hash", () => ({ api_key_hash: "a".repeat(64) })],
      ["api_key_hash", () => ({ api_key_hash: managementHash })],
      ["claims.a", () => ({ claims: { a: ["b"] } })],
      ["claims", () => ({ claims: many })],
    ])("400: wrong %s, in what does not belong together or lets everybody in: %s", async (member, more) => {
      expectIssues(await create(more()), member);
    });

    it.each([
      ["http://127.0.0.1/jwks", /https/],
      ["ftp://example.com/jwks", /https/],
      ["https://user:pass@example.com/jwks", /no password/],
      ["https://example.com/jwks#part", /no fragment|no password and no fragment/],
      ["example.com", /https/],
      ["https://169.254.169.254/latest", /link-local|metadata/],
    ])("400: keys at %s", async (jwks_url, reason) => {
      const answer = await create({ jwks_url });
      expectIssues(answer, "jwks_url");
      expect(answer.json.error.message).toMatch(reason);
    });

    it("400: keys that are private, too small, for encryption, or none", async () => {
      const publish = async (...keys: object[]) => await create({ jwks_url: null, jwks: { keys } });
      const { privateKey, publicKey } = await generateKeyPair("ES256", { extractable: true });
      const [secret, open] = [await exportJWK(privateKey), await exportJWK(publicKey)];
      const small = { kty: "RSA", e: "AQAB", n: Buffer.alloc(128, 0xc5).toString("base64url") };
      const [rsa] = issuer.keys() as [object];
      expectIssues(await publish(secret), "jwks.keys.0.d");
      expectIssues(await publish({ kty: "oct", k: "c2VjcmV0" }), "jwks.keys.0.kty", "jwks.keys.0.k");
      expectIssues(await publish(open, { ...open, use: "enc" }), "jwks.keys.1.use");
      expectIssues(await publish({ ...open, alg: "HS256" }), "jwks.keys.0");
      expectIssues(await publish({ ...open, x: "AAAA" }), "jwks.keys.0");
      expectIssues(await publish(small), "jwks.keys.0.n");
      for (const e of ["AQ", "AAE", "", "BA"]) expectIssues(await publish({ ...rsa, e }), "jwks.keys.0.e");
      expectIssues(await publish(), "jwks.keys");
      const made = await publish({ ...open, kid: "a", x5c: ["dropped"] });
      expect(made.json.data.jwks).toEqual({ keys: [{ ...open, kid: "a" }] });
    });

    it("409: beyond 500", async () => {
      const { pool } = gateway().deps.store;
      await pool.query(
        `insert into federation_policies (id, name, api_key_hash, issuer, audience, subject, claims, token_lifetime, generation, created_at)
         select gen_random_uuid(), 'filler', $1, 'i', 'a', 's', '{}', 60, 1, $2::timestamptz from generate_series(1, 500)`,
        [hash, gateway().clock.now()],
      );
      expectError(await create(), "conflict", /500 federation policies/);
      await pool.query("delete from federation_policies where name = 'filler'");
    });
  });

  describe("listFederationPolicies, getFederationPolicy, updateFederationPolicy and deleteFederationPolicy", () => {
    it("200: is listed, changed to other keys, and gone", async () => {
      const id = await policyOf(hash, { claims: { environment: "production" } });
      const path = `/federation-policies/${id}`;
      const listed = await call("GET", "/federation-policies?limit=100");
      expect(listed.json.data.map((each: { id: string }) => each.id)).toContain(id);
      expect((await call("GET", path)).json.data).toMatchObject({ id, claims: { environment: "production" } });
      expectIssues(await call("PATCH", path, { body: { jwks: { keys: issuer.keys() } } }), "jwks");
      const moved = await call("PATCH", path, { body: { jwks: { keys: issuer.keys().slice(0, 1) }, jwks_url: null } });
      expect(moved.json.data).toMatchObject({ jwks_url: null, jwks: { keys: [{ kid: "rsa" }] } });
      expect((await call("DELETE", path)).json).toEqual({ deleted: true });
    });
  });

  describe("listOauthJwks", () => {
    it("200: the public keys, to anyone, the one in use first and the one before it", async () => {
      const first = await call("GET", "/oauth/jwks", { key: null });
      expect(first.status).toBe(200);
      const [key] = first.json.keys;
      expect(first.json.keys).toHaveLength(1);
      expect(Object.keys(key).toSorted()).toEqual(["alg", "crv", "kid", "kty", "use", "x", "y"]);
      expect((await call("GET", "/oauth/jwks", { key: null })).json).toEqual(first.json);
      const { rows } = await gateway().deps.store.pool.query<{ sealed: string }>("select sealed from signing_keys");
      expect(rows.map(({ sealed }) => sealed.startsWith(gateway().deps.secrets.mark))).toEqual([true]);
    });

    it("a key signs for 90 days; the tokens of the one before still hold; an older one is gone", async () => {
      const policy = await policyOf(hash);
      const kids = async () =>
        (await call("GET", "/oauth/jwks", { key: null })).json.keys.map(({ kid }: { kid: string }) => kid);
      const [first] = await kids();
      gateway().clock.advance(90 * 24 * 60 * minuteMs - minuteMs);
      const before = await accessToken(policy);
      gateway().clock.advance(2 * minuteMs);
      const [second, ...rest] = await kids();
      expect(rest).toEqual([first]);
      const after = await accessToken(policy);
      expect((await embed(before)).status).toBe(200);
      expect((await embed(after)).status).toBe(200);
      gateway().clock.advance(91 * 24 * 60 * minuteMs);
      expect((await kids()).slice(1)).toEqual([second]);
    });

    it("is encrypted with the newest secret key after its rotation", async () => {
      const { deps } = gateway();
      await call("GET", "/oauth/jwks", { key: null });
      const next = createSecretBox(["n".repeat(40)]);
      const both = { ...deps.secrets, seal: next.seal, isOutdated: next.isOutdated };
      await resealSecrets({ store: deps.store, secrets: both });
      const { rows } = await deps.store.pool.query<{ kid: string; sealed: string }>(
        "select kid, sealed from signing_keys",
      );
      for (const { kid, sealed } of rows) expect(next.open(sealed, `signing-key:${kid}`)).toContain('"d":');
      await resealSecrets({ store: deps.store, secrets: { ...next, seal: deps.secrets.seal, isOutdated: () => true } });
    });
  });

  describe("createOauthToken", () => {
    it("200: an access token that acts as the key, signed for everybody to check", async () => {
      const { record } = await makeKey(gateway(), { name: "of CI" });
      const policy = await policyOf(record.hash, { claims: { repository: "acme/app" } });
      const subjectToken = await token({ repository: "acme/app" });
      const answer = await exchange(policy, subjectToken, { scope: "inference", requested_token_type: accessType });
      expect(answer.status, answer.text).toBe(200);
      expect(answer.headers.get("cache-control")).toBe("no-store");
      expect(answer.json).toEqual({
        access_token: expect.any(String),
        expires_in: 300,
        issued_token_type: accessType,
        scope: "inference",
        token_type: "Bearer",
      });
      const jwks = (await call("GET", "/oauth/jwks", { key: null })).json;
      const { payload, protectedHeader } = await jwtVerify(answer.json.access_token, createLocalJWKSet(jwks), {
        currentDate: gateway().clock.now(),
      });
      expect(protectedHeader).toMatchObject({ alg: "ES256", typ: "at+jwt" });
      expect(payload).toMatchObject({
        iss: "gatehouse",
        aud: "gatehouse",
        sub: record.hash,
        policy_id: policy,
        scope: "inference",
        exp: seconds() + 300,
      });
      const embedded = await embed(answer.json.access_token);
      expect(embedded.status, embedded.text).toBe(200);
      const generation = await call("GET", `/generation?id=${embedded.headers.get("x-generation-id")}`, {
        key: answer.json.access_token,
      });
      expect(generation.status, generation.text).toBe(200);
      expect((await call("GET", "/key", { key: answer.json.access_token })).json.data.label).toBe(record.label);
      for (const secret of [subjectToken, answer.json.access_token, subject]) {
        expect(gateway().log()).not.toContain(secret);
      }
    });

    it("200: not for longer than the policy says, or than the token lives; again for the same token", async () => {
      const policy = await policyOf(hash, { token_lifetime: 120 });
      const lived = async (exp: number) =>
        (await exchange(policy, await token({ exp: seconds() + exp }))).json.expires_in;
      expect([await lived(3_600), await lived(121), await lived(30)]).toEqual([120, 120, 30]);
      const same = await token({ exp: seconds() + 100 });
      const [one, other] = [await exchange(policy, same), await exchange(policy, same)];
      expect([one.status, other.status]).toEqual([200, 200]);
      expect(one.json.access_token).not.toBe(other.json.access_token);
      gateway().clock.advance(40_000);
      expect((await exchange(policy, same)).json.expires_in).toBe(60);
    });

    it("200: with the key in the header of Anthropic's clients, and with unknown parameters", async () => {
      const policy = await policyOf(hash);
      const answer = await exchange(policy, await token(), { resource: "https://x.example", scope: "" });
      expect(answer.status, answer.text).toBe(200);
      const [body, headers] = [{ model: "gatehouse/lexical", input: "a" }, { "x-api-key": answer.json.access_token }];
      expect((await call("POST", "/embeddings", { key: null, headers, body })).status).toBe(200);
    });

    it.each(["RS256", "RS384", "PS256", "PS512", "ES256", "ES384", "EdDSA"])("200: signed by %s", async (alg) => {
      const { record } = await makeKey(gateway());
      const kid = `of ${alg}`;
      await issuer.addKey(kid, alg, alg === "RS384");
      const policy = await policyOf(record.hash, { jwks_url: null, jwks: { keys: issuer.keys() } });
      const answer = await exchange(policy, await token({}, kid));
      expect(answer.status, answer.text).toBe(200);
    });

    it.each<[more: Record<string, string>, error: string, description: RegExp]>([
      [{ grant_type: "password" }, "unsupported_grant_type", /grant_type must be/],
      [{ grant_type: "" }, "invalid_request", /grant_type is required/],
      [{ scope: "admin" }, "invalid_scope", /scope must be/],
      [{ subject_token: "" }, "invalid_request", /subject_token is required/],
      [{ subject_token_type: accessType }, "invalid_request", /subject_token_type/],
      [{ requested_token_type: jwtType }, "invalid_request", /requested_token_type/],
      [{ federation_policy_id: "ci" }, "invalid_request", /federation_policy_id/],
      [{ federation_policy_id: nobody }, "invalid_grant", /no federation policy/],
      [{ subject_token: "a.b.c" }, "invalid_grant", /signed JWT/],
      [{ subject_token: "x".repeat(16_385) }, "invalid_request", /16384 characters/],
    ])("400: a request with %o", async (more, error, description) => {
      expectOAuthError(await exchange(await policyOf(hash), await token(), more), 400, error, description);
    });

    it("400: a parameter twice, and none; others may be repeated, and are not named in the answer", async () => {
      const send = async (raw: string) =>
        await call("POST", "/oauth/token", {
          key: null,
          raw,
          headers: { "content-type": "application/x-www-form-urlencoded" },
        });
      for (const name of ["subject_token", "grant_type", "scope", "requested_token_type", "federation_policy_id"]) {
        const twice = await send(`subject_token_type=a&${name}=a&${name}=b`);
        expectOAuthError(twice, 400, "invalid_request", new RegExp(`${name} must not be repeated`));
      }
      expectOAuthError(await send(""), 400, "invalid_request", /is required/);
      const good = { grant_type: exchangeType, subject_token: await token(), subject_token_type: jwtType };
      const sent = new URLSearchParams({ ...good, federation_policy_id: await policyOf(hash) });
      // RFC 8693 lets some be repeated that are ignored here. A misplaced token is not repeated in the answer.
      const more = "resource=https%3A%2F%2Fa.example&resource=https%3A%2F%2Fb.example&eyJhbGc=1&eyJhbGc=2&x=%00";
      const lenient = await send(`${sent.toString()}&${more}`);
      expect(lenient.status, lenient.text).toBe(200);
    });

    it("400: claims that are not those of the policy", async () => {
      const policy = await policyOf(hash, { subject: "repo:acme/*", claims: { environment: "production" } });
      const send = async (more: object) => await exchange(policy, await token({ environment: "production", ...more }));
      for (const more of [{}, { aud: ["https://other.example", audience] }, { nbf: seconds() + 29 }]) {
        expect((await send(more)).status).toBe(200);
      }
      const wrong: [object, RegExp][] = [
        [{ iss: `${issuer.issuer}/` }, /^The iss /],
        [{ aud: "https://other.example" }, /^The aud /],
        [{ aud: undefined }, /has no aud/],
        [{ sub: undefined }, /has no sub/],
        [{ environment: "staging" }, /^The claim environment /],
        [{ exp: undefined }, /has no exp/],
        [{ exp: seconds() }, /expired/],
        [{ nbf: seconds() + 31 }, /not valid yet/],
      ];
      for (const [more, reason] of wrong) expectOAuthError(await send(more), 400, "invalid_grant", reason);
    });

    it("400: tokens that are not signed, or with a secret, or by somebody else, or altered", async () => {
      const policy = await policyOf(hash);
      const send = async (text: string) => await exchange(policy, text);
      const none = new UnsecuredJWT(claims()).encode();
      expectOAuthError(await send(none), 400, "invalid_grant", /signed/);
      const [rsa] = issuer.keys() as [{ n: string }];
      const confused = await new SignJWT(claims())
        .setProtectedHeader({ alg: "HS256", kid: "rsa" })
        .sign(new TextEncoder().encode(rsa.n));
      expectOAuthError(await send(confused), 400, "invalid_grant", /must be signed by one of RS256/);
      const { privateKey } = await generateKeyPair("RS256");
      const stranger = await new SignJWT(claims()).setProtectedHeader({ alg: "RS256", kid: "rsa" }).sign(privateKey);
      expectOAuthError(await send(stranger), 400, "invalid_grant", /signature/);
      const [head = "", , signature = ""] = (await token()).split(".");
      const other = Buffer.from(JSON.stringify(claims({ sub: "x" }))).toString("base64url");
      expectOAuthError(await send(`${head}.${other}.${signature}`), 400, "invalid_grant", /signature/);
      const critical = await new SignJWT(claims())
        .setProtectedHeader({ alg: "RS256", kid: "rsa", crit: ["x"], x: 1 })
        .sign(privateKey, { crit: { x: true } });
      expectOAuthError(await send(critical), 400, "invalid_grant", /signed JWT/);
      const own = await accessToken(policy);
      expectOAuthError(await send(own), 400, "invalid_grant", /./);
    });

    it("400: tokens of another type, which the issuer signs with the same key for other purposes", async () => {
      const policy = await policyOf(hash);
      const send = async (typ: unknown) => await exchange(policy, await issuer.sign("rsa", claims(), { typ }));
      for (const typ of ["JWT", "jwt", "application/at+jwt", "JOSE", undefined]) {
        expect((await send(typ)).status).toBe(200);
      }
      for (const typ of ["logout+jwt", "secevent+jwt", "", 7, ["JWT"]]) {
        expectOAuthError(await send(typ), 400, "invalid_grant", /^The typ of the subject_token must be one of JWT/);
      }
    });

    it("400: tokens signed for a published key that anyone can sign for", async () => {
      const own = await startIssuer();
      onTestFinished(own.close);
      const [rsa] = issuer.keys() as [object];
      own.server.body = JSON.stringify({ keys: [{ ...rsa, e: "AQ" }, ...issuer.keys().slice(1)] });
      const policy = await policyOf(hash, { jwks_url: own.jwksUrl });
      const [head, body] = (await token()).split(".");
      const digest = createHash("sha256").update(`${head}.${body}`).digest("hex");
      const info = `3031300d060960864801650304020105000420${digest}`;
      const forged = Buffer.from(`0001${"ff".repeat(256 - 3 - info.length / 2)}00${info}`, "hex");
      const answer = await exchange(policy, `${head}.${body}.${forged.toString("base64url")}`);
      expectOAuthError(answer, 400, "invalid_grant", /no key such as/);
    });

    it("400: the policy's key was disabled or deleted", async () => {
      const { record } = await makeKey(gateway());
      const policy = await policyOf(record.hash);
      const access = await accessToken(policy);
      await call("PATCH", `/keys/${record.hash}`, { body: { disabled: true } });
      expectOAuthError(await exchange(policy, await token()), 400, "invalid_grant", /API key of .* is disabled/);
      expectError(await embed(access), "authentication", /disabled/);
      await call("PATCH", `/keys/${record.hash}`, { body: { disabled: false } });
      expect((await embed(access)).status).toBe(200);
      await call("DELETE", `/keys/${record.hash}`);
      expectOAuthError(await exchange(policy, await token()), 400, "invalid_grant", /was deleted/);
      expectError(await embed(access), "authentication", /deleted/);
    });

    it("429: after 60 failures a minute for one policy from one address; requests in a wrong form do not count", async () => {
      const [policy, other] = [await policyOf(hash), await policyOf(hash)];
      for (let count = 0; count < 10; count += 1) await exchange("no id", "x");
      const wrong = await token({ sub: "x" });
      for (let count = 0; count < 60; count += 1) {
        expectOAuthError(await exchange(policy, wrong), 400, "invalid_grant", /sub/);
      }
      const slowed = await exchange(policy, await token());
      expectOAuthError(slowed, 429, "temporarily_unavailable", /Too many failed attempts to exchange a token/);
      expect(Number(slowed.headers.get("retry-after"))).toBeLessThanOrEqual(60);
      expect((await exchange(other, await token())).status).toBe(200);
      // What is tried meanwhile does not make it longer.
      gateway().clock.advance(59_000);
      await exchange(policy, wrong);
      gateway().clock.advance(1_000);
      expect((await exchange(policy, await token())).status).toBe(200);
    });

    it("429: beyond 600 exchanges a minute for one key", async () => {
      const { record } = await makeKey(gateway());
      const policy = await policyOf(record.hash);
      for (let count = 0; count < 600; count += 1) {
        gateway().deps.tokenRates.count(record.hash, gateway().clock.now());
      }
      expectOAuthError(await exchange(policy, await token()), 429, "temporarily_unavailable", /600 times a minute/);
    });
  });

  describe("an access token", () => {
    it("ends by itself, with its policy, and with any change of it but the name's", async () => {
      const policy = await policyOf(hash);
      const path = `/federation-policies/${policy}`;
      const access = await accessToken(policy);
      await call("PATCH", path, { body: { name: "renamed" } });
      expect((await embed(access)).status).toBe(200);
      gateway().clock.advance(299_000);
      expect((await embed(access)).status).toBe(200);
      gateway().clock.advance(1_000);
      expectError(await embed(access), "authentication", /expired/);

      const next = await accessToken(policy);
      await call("PATCH", path, { body: { claims: { environment: "production" } } });
      expectError(await embed(next), "authentication", /changed or deleted/);
      const last = await accessToken(policy, { environment: "production" });
      expect((await embed(last)).status).toBe(200);
      await call("DELETE", path);
      expectError(await embed(last), "authentication", /changed or deleted/);
    });

    it("403: manages nothing, and makes no codes for apps", async () => {
      const key = await accessToken(await policyOf(hash));
      expectError(await call("GET", "/keys", { key }), "permission_denied", /management keys/);
      const body = { callback_url: "https://app.example.com/cb" };
      expectError(await call("POST", "/auth/keys/code", { key, body }), "permission_denied", /cannot make codes/);
      const session = { management_key: key };
      expect((await call("POST", "/session", { key: null, body: session })).status).toBe(400);
    });

    it("401: altered, or signed by somebody else with the same names", async () => {
      const access = await accessToken(await policyOf(hash));
      const [head = "", body = "", signature = ""] = access.split(".");
      const claims = JSON.parse(Buffer.from(body, "base64url").toString()) as object;
      const longer = Buffer.from(JSON.stringify({ ...claims, exp: seconds() + 99_999 })).toString("base64url");
      expectError(await embed(`${head}.${longer}.${signature}`), "authentication", /not one of this gateway's/);
      const { privateKey } = await generateKeyPair("ES256");
      const { kid = "" } = JSON.parse(Buffer.from(head, "base64url").toString()) as { kid?: string };
      for (const name of [kid, "unknown"]) {
        const forged = await new SignJWT({ ...claims })
          .setProtectedHeader({ alg: "ES256", kid: name, typ: "at+jwt" })
          .sign(privateKey);
        expectError(await embed(forged), "authentication", /not one of this gateway's/);
      }
      const untyped = await new SignJWT({ ...claims }).setProtectedHeader({ alg: "ES256", kid }).sign(privateKey);
      expectError(await embed(untyped), "authentication", /not a Gatehouse API key/);
    });

    it("counts toward its key's limits, whichever policy gave it", async () => {
      const { key, record } = await makeKey(gateway(), { requests_per_minute: 2 });
      const [first, second] = [await policyOf(record.hash), await policyOf(record.hash)];
      const [one, other] = [await accessToken(first), await accessToken(second)];
      expect([(await embed(one)).status, (await embed(other)).status]).toEqual([200, 200]);
      for (const each of [one, other, key])
        expectError(await embed(each), "rate_limit_exceeded", /a minute|per minute/);
    });

    it("goes on as the successor where its key is replaced", async () => {
      const { record } = await makeKey(gateway());
      const policy = await policyOf(record.hash);
      const access = await accessToken(policy);
      const rotated = await call("POST", `/keys/${record.hash}/rotate`, { body: { grace_seconds: 0 } });
      expect(rotated.status, rotated.text).toBe(201);
      const successor = rotated.json.data.hash as string;
      expect((await call("GET", `/federation-policies/${policy}`)).json.data.api_key_hash).toBe(successor);
      expect((await embed(access)).status).toBe(200);
      expect((await call("GET", "/key", { key: access })).json.data.label).toBe(rotated.json.data.label);
      const [row] = (await call("GET", `/audit?target_id=${policy}&limit=1`)).json.data;
      expect(row).toMatchObject({ action: "rotateKey", after: { api_key_hash: successor } });
    });
  });

  describe("listFederationSubjects", () => {
    it("200: which workloads got access tokens, the last first, and the newest 1,000 of them", async () => {
      const policy = await policyOf(hash, { subject: "repo:acme/*" });
      const first = gateway().clock.now().toISOString();
      await accessToken(policy, { sub: "repo:acme/one" });
      gateway().clock.advance(1_000);
      await accessToken(policy, { sub: "repo:acme/two\u0000" });
      await accessToken(policy, { sub: `repo:acme/${"x".repeat(400)}` });
      gateway().clock.advance(1_000);
      await accessToken(policy, { sub: "repo:acme/one" });
      const last = gateway().clock.now().toISOString();
      const { json } = await call("GET", `/federation-policies/${policy}/subjects`);
      expect(json.total_count).toBe(3);
      expect(json.data[0]).toEqual({ subject: "repo:acme/one", first_at: first, last_at: last, count: 2 });
      expect(json.data.slice(1).map((each: { subject: string }) => each.subject.length)).toEqual([13, 255]);
      expect((await call("GET", `/federation-policies/${policy}`)).json.data.last_used_at).toBe(last);

      await gateway().deps.store.pool.query(
        `insert into federation_subjects select $1::uuid, 'filler ' || n, $2::timestamptz, $2::timestamptz, 1 from generate_series(1, 997) n`,
        [policy, "2026-01-01T00:00:00Z"],
      );
      await accessToken(policy, { sub: "repo:acme/new" });
      expect((await call("GET", `/federation-policies/${policy}/subjects`)).json.total_count).toBe(1_000);
    });
  });

  describe("access tokens that are given at the same time", () => {
    const waits = "select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()";

    it("200: are all counted, by workload", async () => {
      const policy = await policyOf(hash, { subject: "repo:acme/*" });
      const tokens = await Promise.all(["one", "two", "three"].map((sub) => token({ sub: `repo:acme/${sub}` })));
      const answers = await Promise.all([...tokens, ...tokens, ...tokens].map((each) => exchange(policy, each)));
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
      const { json } = await call("GET", `/federation-policies/${policy}/subjects`);
      expect(json.data.map((each: { count: number }) => each.count)).toEqual([3, 3, 3]);
    });

    const shared = engine === "postgres" ? [engine] : [];
    it.each(shared)("a policy that gets another key waits for it before it locks itself, in %s", async () => {
      const { deps } = gateway();
      const [one, other] = [await makeKey(gateway()), await makeKey(gateway())];
      const policy = await policyOf(one.record.hash);
      const client = await deps.store.pool.connect();
      let changed: Promise<{ status: number }>;
      try {
        await client.query("begin");
        await client.query("select 1 from api_keys where hash = $1 for update", [other.record.hash]);
        changed = call("PATCH", `/federation-policies/${policy}`, { body: { api_key_hash: other.record.hash } });
        while ((await client.query(waits)).rows.length === 0) await new Promise(setImmediate);
        const free = "select 1 from federation_policies where id = $1 for update nowait";
        expect((await client.query(free, [policy])).rows).toHaveLength(1);
        await client.query("commit");
      } finally {
        client.release();
      }
      expect((await changed).status).toBe(200);
    });

    it("are not counted, and fail nothing, where their policy is deleted meanwhile", async () => {
      const { deps } = gateway();
      const [kept, deleted] = [await policyOf(hash), await policyOf(hash)];
      const client = await deps.store.pool.connect();
      let counted: Promise<unknown>;
      try {
        await client.query("begin");
        await client.query("delete from federation_policies where id = $1", [deleted]);
        counted = Promise.all([kept, deleted].map((id) => deps.federation.subjectCounts.add(deps, id, subject)));
        // The embedded store has one connection: there it waits for that, until the transaction is over.
        while (deps.store.engine === "postgres" && (await client.query(waits)).rows.length === 0) {
          await new Promise(setImmediate);
        }
        await client.query("commit");
      } finally {
        client.release();
      }
      await counted;
      const { rows } = await deps.store.pool.query<{ policy_id: string }>(
        "select policy_id from federation_subjects where policy_id = any($1::uuid[])",
        [[kept, deleted]],
      );
      expect(rows).toEqual([{ policy_id: kept }]);
    });
  });

  describe("the keys of an issuer", () => {
    it("are read once for many tokens, and again for a new one, once a minute at most", async () => {
      const own = await startIssuer();
      onTestFinished(own.close);
      await own.addKey("one", "ES256");
      const policy = await policyOf(hash, { issuer: own.issuer, jwks_url: own.jwksUrl });
      const send = async (kid: string) => await exchange(policy, await own.sign(kid, claims({ iss: own.issuer })));
      const both = await Promise.all([send("one"), send("one"), send("one")]);
      expect(both.map(({ status }) => status)).toEqual([200, 200, 200]);
      expect(own.server.received).toHaveLength(1);
      await own.addKey("two", "ES256");
      expectOAuthError(await send("two"), 400, "invalid_grant", /no key such as/);
      expect(own.server.received).toHaveLength(1);
      gateway().clock.advance(minuteMs);
      expect((await send("two")).status).toBe(200);
      expect(own.server.received).toHaveLength(2);
      gateway().clock.advance(10 * minuteMs);
      expect((await send("one")).status).toBe(200);
      expect(own.server.received).toHaveLength(3);

      // While it does not answer, what it said last holds, for a day.
      own.server.status = 500;
      gateway().clock.advance(23 * 60 * minuteMs);
      expect((await send("one")).status).toBe(200);
      gateway().clock.advance(60 * minuteMs);
      expectOAuthError(await send("one"), 503, "temporarily_unavailable", /status 500/);
      own.server.status = 200;
      gateway().clock.advance(minuteMs);
      expect((await send("one")).status).toBe(200);
    });

    it("503: an address that answers with an error is asked once a minute", async () => {
      const own = await startIssuer();
      onTestFinished(own.close);
      own.server.status = 404;
      const policy = await policyOf(hash, { jwks_url: own.jwksUrl });
      for (let time = 0; time < 2; time += 1) {
        const refused = await exchange(policy, await token());
        expectOAuthError(refused, 503, "temporarily_unavailable", /status 404/);
        expect(refused.headers.get("retry-after")).toBe("60");
      }
      expect(own.server.received).toHaveLength(1);
    });
  });
});

describeGateway(
  "an issuer in a private network",
  (gateway) => {
    it("503: is not asked where the settings deny it; 400: nor may it be named by its address", async () => {
      const { policyOf, settings, exchange, token, call } = speak(gateway);
      const { record } = await makeKey(gateway());
      expectIssues(await call("POST", "/federation-policies", { body: settings(record.hash) }), "jwks_url");
      const before = issuer.server.received.length;
      const { port } = new URL(issuer.jwksUrl);
      const policy = await policyOf(record.hash, { jwks_url: `https://localhost:${port}/jwks` });
      const refused = await exchange(policy, await token());
      expectOAuthError(refused, 503, "temporarily_unavailable", /private network/);
      expect(issuer.server.received).toHaveLength(before);
    });
  },
  { env: { GATEHOUSE_PRIVATE_NETWORKS: "deny" } },
);
