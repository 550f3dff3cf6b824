import { createHash, randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { verifyLedger } from "../domain/ledger/verify.ts";
import { describeGateway } from "../testing/describe-gateway.ts";
import { expectError, expectIssues } from "../testing/expect-error.ts";
import { makeKey, makeWorkspace } from "../testing/factories.ts";
import type { Answer } from "../testing/gateway.ts";
import { withVendor } from "../testing/vendor-setup.ts";

const callback_url = "https://app.example.com/cb?state=s%20%2F";
const minuteMs = 60_000;

function pkce() {
  const code_verifier = randomBytes(32).toString("base64url");
  return { code_verifier, code_challenge: createHash("sha256").update(code_verifier).digest("base64url") };
}

describeGateway("OAuth", (gateway) => {
  const call = (...parameters: Parameters<ReturnType<typeof gateway>["call"]>) => gateway().call(...parameters);
  const exchange = (body: unknown, headers: Record<string, string> = {}) =>
    call("POST", "/auth/keys", { key: null, body, headers });
  const codeBy = (key: string, body: object = {}) =>
    call("POST", "/auth/keys/code", { key, body: { callback_url, ...body } });
  const keyOf = (plaintext: string) => createHash("sha256").update(plaintext).digest("hex");
  const record = async (plaintext: string) => (await call("GET", `/keys/${keyOf(plaintext)}`)).json.data;
  /** A key that an app gets with a code of this key. */
  const keyBy = async (calling: string, body: object = {}): Promise<string> =>
    (await exchange({ code: (await codeBy(calling, body)).json.data.id })).json.key;
  /** Attempts of this address are no longer counted. */
  const later = () => gateway().clock.advance(60 * minuteMs);
  const embed = (key: string, model = "gatehouse/lexical", input = "a") =>
    call("POST", "/embeddings", { key, body: { model, input } });
  /** Vectors of a text that no cache has. */
  const embedPaid = (key: string) => embed(key, "acme/embed", randomBytes(8).toString("hex"));
  withVendor(gateway);

  async function signedIn(management_key: string) {
    const answer = await call("POST", "/session", { key: null, body: { management_key } });
    const cookie = answer.headers.getSetCookie()[0]?.split(";")[0] ?? "";
    return { cookie, "x-csrf-token": String(answer.json.data.csrf_token), origin: gateway().url };
  }
  async function consent(body: object = {}, by = gateway().managementKey): Promise<Answer> {
    const plain = { name: "app.example.com", limit: 5, limit_reset: "monthly", expires_at: null };
    const workspace_id = (await call("GET", "/workspaces/default")).json.data.id as string;
    const headers = await signedIn(by);
    return await call("POST", "/auth/consent", {
      key: null,
      headers,
      body: { callback_url, ...plain, workspace_id, ...body },
    });
  }
  /** A code of the consent page, as the redirect carries it. */
  async function codeByConsent(body: object = {}, by?: string): Promise<string> {
    const answer = await consent(body, by);
    expect(answer.status, answer.text).toBe(200);
    return new URL(answer.json.data.redirect_url).searchParams.get("code") ?? "";
  }

  describe("authorizeApp", () => {
    it("200: the callback with the code behind its own query, and an audit row that names the app", async () => {
      const { code_challenge } = pkce();
      const { status, json, text } = await consent({ code_challenge, code_challenge_method: "S256", name: "notes" });
      expect(status, text).toBe(200);
      expect(json.data.code).toBeNull();
      expect(json.data.redirect_url).toMatch(/^https:\/\/app\.example\.com\/cb\?state=s%20%2F&code=[\w-]{43}$/);
      expect(Date.parse(json.data.expires_at)).toBe(gateway().clock.now().getTime() + 10 * minuteMs);
      const [row] = (await call("GET", "/audit?action=authorizeApp&limit=1")).json.data;
      expect(row).toMatchObject({
        actor: "admin",
        target_type: "app",
        target_name: "app.example.com",
        after: { name: "notes", limit: 5, limit_reset: "monthly", callback: "https://app.example.com/cb" },
      });
      expect(JSON.stringify(row)).not.toContain(new URL(json.data.redirect_url).searchParams.get("code"));
    });

    it("200: without a callback the code itself, which needs a challenge", async () => {
      const { code_challenge, code_verifier } = pkce();
      const headless = { callback_url: undefined, name: "cli" };
      const { json } = await consent({ ...headless, code_challenge, code_challenge_method: "S256" });
      expect(json.data).toMatchObject({ redirect_url: null, code: expect.stringMatching(/^[\w-]{43}$/) });
      const { key } = (await exchange({ code: json.data.code, code_verifier, code_challenge_method: "S256" })).json;
      expect(await record(key)).toMatchObject({ name: "cli", oauth_app: "", made_by: null });
    });

    it.each([
      ["code_challenge", { code_challenge: "short", code_challenge_method: "S256" }],
      ["code_challenge", { code_challenge: `${pkce().code_challenge}=`, code_challenge_method: "S256" }],
      ["code_challenge", { code_challenge: "secret", code_challenge_method: "plain" }],
      ["code_challenge", { code_challenge_method: "S256" }],
      ["code_challenge", { callback_url: undefined }],
      ["code_challenge_method", { ...pkce(), code_verifier: undefined, code_challenge_method: "S512" }],
      ["workspace_id", { workspace_id: "3f0d5b1c-4b0b-4b5e-9d7e-0d3c8a3f1a11" }],
      ["expires_at", { expires_at: "2020-01-01T00:00:00Z" }],
      ["callback_url", { callback_url: `https://app.example.com/${"a".repeat(2_048)}` }],
    ])("400: a wrong %s in %.90j", async (member, body) => {
      expectIssues(await consent(body), member);
    });

    it.each([
      ["http://app.example.com/cb", "https URL"],
      ["http://localhost.example.com/cb", "https URL"],
      ["javascript:alert(1)//", "https URL"],
      ["data:text/html,x", "https URL"],
      ["myapp://callback", "https URL"],
      ["//app.example.com/cb", "must be a URL"],
      ["app.example.com", "must be a URL"],
      ["https://user:pass@app.example.com/cb", "no password"],
      ["https://bank.example@evil.example/cb", "no password"],
      ["https://app.example.com/cb#part", "fragment"],
      ["https://app.example.com/cb#", "fragment"],
      ["https://app.example.com/cb?code=mine", "`code`"],
    ])("400: the callback %s, which is never sent back to", async (url, reason) => {
      const answer = await consent({ callback_url: url });
      expectIssues(answer, "callback_url");
      expect(answer.json.error.message).toContain(reason);
      expect(answer.headers.get("location")).toBeNull();
    });

    it.each([
      "http://localhost:3000/cb",
      "http://127.0.0.1:8976/cb",
      "http://[::1]:9/cb",
      "https://localhost/cb",
      "https://app.example.com:8443/",
    ])("200: the callback %s", async (url) => {
      const { json } = await consent({ callback_url: url });
      const [place, code] = json.data.redirect_url.split("?code=");
      expect([place, code]).toEqual([url, expect.stringMatching(/^[\w-]{43}$/)]);
    });
  });

  describe("exchangeAuthCode", () => {
    it("200: an ordinary key with what was agreed, once, and an audit row", async () => {
      const workspace = await makeWorkspace(gateway());
      const { code_challenge, code_verifier } = pkce();
      const expires_at = "2099-01-01T00:00:00.000Z";
      const agreed = { name: "Notes on laptop", limit: 2.5, expires_at, workspace_id: workspace.id };
      const code = await codeByConsent({ ...agreed, code_challenge, code_challenge_method: "S256" });
      const answer = await exchange({ code, code_verifier, code_challenge_method: "S256" });
      expect(answer.status, answer.text).toBe(200);
      expect(Object.keys(answer.json).toSorted()).toEqual(["key", "user_id"]);
      expect(answer.json.user_id).toBeNull();
      expect(answer.headers.get("cache-control")).toBe("no-store");
      const { key } = answer.json;
      expect(await record(key)).toMatchObject({
        ...agreed,
        limit_reset: "monthly",
        oauth_app: "app.example.com",
        made_by: null,
        purpose: null,
      });
      expect((await embed(key)).status).toBe(200);
      expectError(await exchange({ code, code_verifier }), "permission_denied", /used before/);
      const [row] = (await call("GET", `/audit?target_id=${keyOf(key)}`)).json.data;
      expect(row).toMatchObject({
        action: "exchangeAuthCodeForAPIKey",
        actor: "admin",
        after: { oauth_app: "app.example.com", limit: 2.5 },
      });
      for (const secret of [key, code, code_verifier]) expect(JSON.stringify(row)).not.toContain(secret);
      for (const secret of [key, code, code_verifier]) expect(gateway().log()).not.toContain(secret);
    });

    it("200: one key for two exchanges at once", async () => {
      const code = await codeByConsent();
      const answers = await Promise.all([1, 2, 3, 4].map(() => exchange({ code })));
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 403, 403, 403]);
    });

    it("200: with a plain challenge, and a method that the app did not say", async () => {
      const code_challenge = randomBytes(32).toString("base64url");
      const first = await codeByConsent({ code_challenge });
      expect((await exchange({ code: first, code_verifier: code_challenge })).status).toBe(200);
      const second = await codeByConsent({ code_challenge, code_challenge_method: "plain" });
      const body = { code: second, code_verifier: code_challenge, code_challenge_method: "plain" };
      expect((await exchange({ ...body, client_id: "of another gateway" })).status).toBe(200);
    });

    it("200: from a page of any origin, whose browser asks before, and with a bearer that means nothing", async () => {
      const origin = "https://app.example.com";
      const asked = { "access-control-request-method": "POST", "access-control-request-headers": "content-type" };
      const preflight = await call("OPTIONS", "/auth/keys", { key: null, headers: { origin, ...asked } });
      expect(preflight.status).toBe(204);
      expect(Object.fromEntries(preflight.headers)).toMatchObject({
        "access-control-allow-origin": "*",
        "access-control-allow-methods": "POST",
        "access-control-allow-headers": "content-type",
      });
      const answer = await exchange({ code: await codeByConsent() }, { origin, authorization: "Bearer nonsense" });
      expect(answer.status, answer.text).toBe(200);
      expect(answer.headers.get("access-control-allow-origin")).toBe("*");
      expect(answer.headers.has("access-control-allow-credentials")).toBe(false);
      const others = { origin, "access-control-request-method": "POST" };
      for (const path of ["/auth/keys/code", "/auth/consent", "/keys"]) {
        const refused = await call("OPTIONS", path, { key: null, headers: others });
        expect(refused.headers.has("access-control-allow-origin"), path).toBe(false);
      }
    });

    it("400: another challenge method than the code was made with; the code still works", async () => {
      const { code_challenge, code_verifier } = pkce();
      const code = await codeByConsent({ code_challenge, code_challenge_method: "S256" });
      const wrong = await exchange({ code, code_verifier, code_challenge_method: "plain" });
      expectError(wrong, "invalid_request", /^Invalid code_challenge_method$/);
      expect((await exchange({ code, code_verifier, code_challenge_method: null })).status).toBe(200);
      const bare = await codeByConsent();
      expectError(await exchange({ code: bare, code_challenge_method: "S256" }), "invalid_request", /^Invalid/);
    });

    it.each([{}, { code: 7 }, { code: "x".repeat(513) }])("400: no code in %.40j", async (body) => {
      expectIssues(await exchange(body), "code");
    });

    it("403: an unknown code, a wrong verifier, which ends the code, none, and one without a challenge", async () => {
      later();
      expectError(await exchange({ code: "nothing" }), "permission_denied", /not known/);
      const { code_challenge, code_verifier } = pkce();
      const bound = { code_challenge, code_challenge_method: "S256" };
      const code = await codeByConsent(bound);
      expectError(await exchange({ code, code_verifier: pkce().code_verifier }), "permission_denied", /has ended/);
      expectError(await exchange({ code, code_verifier }), "permission_denied", /not known/);
      later();
      expectError(await exchange({ code: await codeByConsent(bound) }), "permission_denied", /send its code_verifier/);
      // the challenge itself is no verifier
      const stolen = await codeByConsent(bound);
      expectError(await exchange({ code: stolen, code_verifier: code_challenge }), "permission_denied", /not the one/);
      const open = await codeByConsent();
      expectError(await exchange({ code: open, code_verifier }), "permission_denied", /without a code_challenge/);
      later();
    });

    it("403: after 10 minutes by the gateway's clock, not before", async () => {
      const [early, late] = [await codeByConsent(), await codeByConsent()];
      gateway().clock.advance(10 * minuteMs - 1);
      expect((await exchange({ code: early })).status).toBe(200);
      gateway().clock.advance(1);
      expectError(await exchange({ code: late }), "permission_denied", /older than 10 minutes/);
      later();
    });

    it("403: once the management key that agreed is disabled", async () => {
      const made = (await call("POST", "/management-keys", { body: { name: "short-lived" } })).json;
      const code = await codeByConsent({}, made.key);
      await call("PATCH", `/management-keys/${made.data.hash}`, { body: { disabled: true } });
      expectError(await exchange({ code }), "permission_denied", /no longer works/);
      later();
    });

    it("403: once the workspace is gone", async () => {
      const workspace = await makeWorkspace(gateway());
      const code = await codeByConsent({ workspace_id: workspace.id });
      expect((await call("DELETE", `/workspaces/${workspace.id}`)).status).toBe(200);
      expectError(await exchange({ code }), "permission_denied", /workspace .* was deleted/);
      later();
    });

    it("429: too many failures from one address, whatever code comes next", async () => {
      const code = await codeByConsent();
      for (let index = 0; index < 5; index += 1) await exchange({ code: `guess ${index}` });
      const slowed = await exchange({ code });
      expectError(slowed, "rate_limit_exceeded", /failed attempts to exchange a code from this address/);
      expect(Number(slowed.headers.get("retry-after"))).toBeGreaterThan(0);
      gateway().clock.advance(minuteMs);
      expect((await exchange({ code })).status).toBe(200);
    });
  });

  describe("createAuthCode", () => {
    it("200: a code for a key of the calling key's workspace and user, which its label names", async () => {
      const { id: workspace_id } = await makeWorkspace(gateway());
      const creator = { workspace_id, creator_user_id: "ana", external: { user: "u-1" } };
      const { key: calling, record: maker } = await makeKey(gateway(), { ...creator, requests_per_minute: 3 });
      const { code_challenge, code_verifier } = pkce();
      const asked = { limit: 1, usage_limit_type: "daily", key_label: "agent", spawn_agent: "x", workspace_id };
      const answer = await codeBy(calling, { ...asked, code_challenge, code_challenge_method: "S256" });
      expect(answer.status, answer.text).toBe(200);
      const { id: code, app_id, created_at } = answer.json.data;
      expect(created_at).toBe(gateway().clock.now().toISOString());
      expect((await codeBy(calling)).json.data.app_id).toBe(app_id);
      const { key, user_id } = (await exchange({ code, code_verifier })).json;
      expect(user_id).toBe("ana");
      expect(await record(key)).toMatchObject({
        name: "agent",
        limit: 1,
        limit_reset: "daily",
        workspace_id,
        creator_user_id: "ana",
        external_user: "u-1",
        oauth_app: "app.example.com",
        made_by: maker.hash,
        requests_per_minute: 3,
      });
      const [row] = (await call("GET", `/audit?target_id=${keyOf(key)}`)).json.data;
      expect(row).toMatchObject({ actor: maker.name, after: { made_by: maker.hash } });
    });

    it("200: both keys count toward one rate", async () => {
      const { key: calling } = await makeKey(gateway(), { requests_per_minute: 2 });
      const key = await keyBy(calling);
      expect([(await embed(calling)).status, (await embed(key)).status]).toEqual([200, 200]);
      expectError(await embed(key), "rate_limit_exceeded", /2/);
      expectError(await embed(calling), "rate_limit_exceeded", /2/);
    });

    const patch = (change: (spent: number) => object) => async (hash: string, spent: number) => {
      const { json } = await call("PATCH", `/keys/${hash}`, { body: change(spent) });
      expect(json.data.made_keys).toHaveLength(1);
    };
    const budget = async (hash: string, limit_usd: number) => {
      const { json } = await call("POST", "/guardrails", { body: { name: "b", limit_usd, reset_interval: "monthly" } });
      await call("POST", `/guardrails/${json.data.id}/assignments/keys`, { body: { key_hashes: [hash] } });
    };
    it.each([
      ["a limit", patch((limit) => ({ limit })), "payment_required", /^The limit of the key that had this one made/],
      [
        "a limit that was watched",
        patch(() => ({ limit_watch_only: false })),
        "payment_required",
        /^The limit of the key/,
      ],
      ["a rate", patch(() => ({ requests_per_minute: 1 })), "rate_limit_exceeded", /1 requests a minute/],
      ["a guardrail's budget", budget, "permission_denied", /^The guardrail's budget/],
    ] as const)(
      "what the calling key gets later, or its successor, binds the new one: %s",
      async (what, give, type, words) => {
        const settings = what.endsWith("watched") ? { limit: 1e-9, limit_watch_only: true } : {};
        for (const isReplaced of [false, true]) {
          const { key: calling, record: maker } = await makeKey(gateway(), settings);
          const key = await keyBy(calling);
          expect((await embedPaid(key)).status).toBe(200);
          let { hash } = maker;
          if (isReplaced) {
            hash = (await call("POST", `/keys/${hash}/rotate`, { body: { grace_seconds: 60 } })).json.data.hash;
          }
          const { usage, made_keys } = (await call("GET", `/keys/${hash}`)).json.data;
          const expires_at = isReplaced ? expect.any(String) : null;
          expect(made_keys).toEqual([{ hash: keyOf(key), name: "app.example.com", disabled: false, expires_at }]);
          expect(usage).toBeGreaterThan(0);
          await give(hash, usage);
          if (what === "a rate") await embedPaid(key);
          expectError(await embedPaid(key), type, words);
          const status = type === "payment_required" ? "over_limit" : "active";
          expect((await record(key)).status).toBe(status);
          const changed = await call("PATCH", `/keys/${keyOf(key)}`, { body: { include_byok_in_limit: true } });
          expect(changed.json.data.status).toBe(status);
          const listed = (await call("GET", `/keys?status=${status}&workspace_id=all`)).json.data;
          expect(listed.map((one: { hash: string }) => one.hash)).toContain(keyOf(key));
        }
        const { differences, excesses } = await verifyLedger(gateway().deps);
        expect([differences, excesses]).toEqual([[], []]);
      },
    );

    it("200: a key that expires with the calling key, at the latest", async () => {
      const expires_at = "2098-01-01T00:00:00.000Z";
      const { key: calling } = await makeKey(gateway(), { expires_at });
      const made = async (body: object) => await record(await keyBy(calling, body));
      expect((await made({})).expires_at).toBe(expires_at);
      expect((await made({ expires_at: null })).expires_at).toBe(expires_at);
      expect((await made({ expires_at: "2099-01-01T00:00:00Z" })).expires_at).toBe(expires_at);
      expect((await made({ expires_at: "2097-01-01T00:00:00Z" })).expires_at).toBe("2097-01-01T00:00:00.000Z");
    });

    it("200: a watched limit is watched on the new key too", async () => {
      const { key: calling } = await makeKey(gateway(), { limit: 7, limit_watch_only: true });
      const key = await keyBy(calling);
      expect(await record(key)).toMatchObject({ limit: 7, limit_watch_only: true });
      const limited = await keyBy(calling, { limit: 1 });
      expect(await record(limited)).toMatchObject({ limit: 1, limit_watch_only: false });
    });

    it.each([
      ["disabling", { disabled: true }, { disabled: true }],
      ["an earlier expiry", { expires_at: "2097-06-01T00:00:00Z" }, { expires_at: "2097-06-01T00:00:00.000Z" }],
    ])("the new key ends with the calling one: %s", async (_, change, expected) => {
      const { key: calling, record: maker } = await makeKey(gateway());
      const key = await keyBy(calling);
      expect((await embed(key)).status).toBe(200);
      await call("PATCH", `/keys/${maker.hash}`, { body: change });
      expect(await record(key)).toMatchObject(expected);
      if ("disabled" in change) {
        expectError(await embed(key), "authentication", /disabled/);
        await call("PATCH", `/keys/${maker.hash}`, { body: { disabled: false } });
        expect((await record(key)).disabled).toBe(true);
      }
    });

    it("the new key ends with the calling one: deletion, and replacement after its grace time", async () => {
      const [one, other] = [await makeKey(gateway()), await makeKey(gateway())];
      const [first, second] = [await keyBy(one.key), await keyBy(other.key)];
      await call("DELETE", `/keys/${one.record.hash}`);
      expectError(await embed(first), "authentication", /disabled/);
      await call("POST", `/keys/${other.record.hash}/rotate`, { body: { grace_seconds: 60 } });
      expect((await embed(second)).status).toBe(200);
      gateway().clock.advance(minuteMs);
      expectError(await embed(second), "authentication", /expired/);
    });

    it("a code ends with the key that made it, and a replaced app's key stays what it was", async () => {
      const { key: calling, record: maker } = await makeKey(gateway());
      const unused = (await codeBy(calling)).json.data.id;
      const key = await keyBy(calling);
      const successor = (await call("POST", `/keys/${keyOf(key)}/rotate`, { body: { grace_seconds: 0 } })).json;
      expect(successor.data).toMatchObject({ oauth_app: "app.example.com", made_by: maker.hash });
      await call("PATCH", `/keys/${maker.hash}`, { body: { disabled: true } });
      expectError(await exchange({ code: unused }), "permission_denied", /no longer works/);
      expectError(await embed(successor.key), "authentication", /disabled/);
      later();
    });

    it("what forwards the calling key's calls forwards the new one's", async () => {
      const { key: calling, record: maker } = await makeKey(gateway());
      const made = await call("POST", "/observability/destinations", {
        body: {
          name: "watch",
          type: "webhook",
          config: { url: "http://127.0.0.1:9/x" },
          api_key_hashes: [maker.hash],
          enabled: false,
        },
      });
      expect(made.status, made.text).toBe(201);
      const key = await keyBy(calling);
      const { json } = await call("GET", `/observability/destinations/${made.json.data.id}`);
      expect(json.data.api_key_hashes).toEqual([maker.hash, keyOf(key)]);
    });

    it("the calling key's guardrail covers the new one; with a limit it lets no codes be made", async () => {
      const { key: calling, record: maker } = await makeKey(gateway());
      const guardrail = await call("POST", "/guardrails", {
        body: { name: "few", ignored_models: ["gatehouse/lexical"] },
      });
      expect(guardrail.status, guardrail.text).toBe(201);
      const { id } = guardrail.json.data;
      const assigned = { body: { key_hashes: [maker.hash] } };
      expect((await call("POST", `/guardrails/${id}/assignments/keys`, assigned)).status).toBe(200);
      const code = (await codeBy(calling)).json.data.id;
      const key = await keyBy(calling);
      const covered = (await call("GET", `/guardrails/${id}/assignments/keys`)).json.data;
      const hashes = covered.map((one: { key_hash: string }) => one.key_hash);
      expect(new Set(hashes)).toEqual(new Set([maker.hash, keyOf(key)]));
      const limit = { limit_usd: 5, reset_interval: "daily" };
      expect((await call("PATCH", `/guardrails/${id}`, { body: limit })).status).toBe(200);
      expectError(await codeBy(calling), "permission_denied", /spending limit/);
      expectError(await exchange({ code }), "permission_denied", /spending limit/);
      later();
    });

    it("a guardrail that the calling key gets later covers the new one as well", async () => {
      const { key: calling, record: maker } = await makeKey(gateway());
      const key = await keyBy(calling);
      const guardrail = await call("POST", "/guardrails", { body: { name: "later" } });
      const path = `/guardrails/${guardrail.json.data.id}/assignments/keys`;
      const assigned = await call("POST", path, { body: { key_hashes: [maker.hash] } });
      expect([assigned.status, assigned.json.assigned_count]).toEqual([200, 1]);
      const hashes = (await call("GET", path)).json.data.map((one: { key_hash: string }) => one.key_hash);
      expect(new Set(hashes)).toEqual(new Set([maker.hash, keyOf(key)]));
      const audit = (await call("GET", `/audit?target_id=${guardrail.json.data.id}`)).json.data[0];
      expect(new Set(audit.after.key_hashes)).toEqual(new Set(hashes));
    });

    it.each([
      ["callback_url", { callback_url: undefined }],
      ["callback_url", { callback_url: "http://evil.example/" }],
      ["code_challenge", { code_challenge: "x" }],
      ["usage_limit_type", { usage_limit_type: "yearly" }],
      ["key_label", { key_label: "x".repeat(101) }],
      ["limit", { limit: -1 }],
    ])("400: a wrong %s in %.40j", async (member, body) => {
      expectIssues(await codeBy((await makeKey(gateway())).key, body), member);
    });

    it("403: a key with a limit, one that was made so itself, and another workspace", async () => {
      const { key: limited } = await makeKey(gateway(), { limit: 10 });
      expectError(await codeBy(limited, { limit: 1 }), "permission_denied", /spending limit/);
      const { key: calling } = await makeKey(gateway());
      const made = await keyBy(calling);
      expectError(await codeBy(made), "permission_denied", /made with another API key/);
      const { id } = await makeWorkspace(gateway());
      expectError(await codeBy(calling, { workspace_id: id }), "permission_denied", /own workspace only/);
    });

    it("403: a code that was made before the key had a limit", async () => {
      const { key: calling, record: maker } = await makeKey(gateway());
      const code = (await codeBy(calling)).json.data.id;
      await call("PATCH", `/keys/${maker.hash}`, { body: { limit: 10 } });
      expectError(await exchange({ code }), "permission_denied", /spending limit/);
      later();
    });

    it("409: a hundred keys; 429: more than ten codes a minute", async () => {
      const { key: calling, record: maker } = await makeKey(gateway());
      const codes: Answer[] = [];
      for (let index = 0; index < 11; index += 1) codes.push(await codeBy(calling));
      expect(codes.slice(0, 10).every(({ status }) => status === 200)).toBe(true);
      expectError(codes[10] as Answer, "rate_limit_exceeded", /make codes for apps 10 times a minute/);
      const { key } = (await exchange({ code: codes[0]?.json.data.id })).json;
      // As if the others had been exchanged too.
      const { rows } = await gateway().deps.store.pool.query<{ hash: string }>(
        `insert into api_keys select (jsonb_populate_record(k, jsonb_build_object('hash', k.hash || n))).*
         from api_keys k, generate_series(1, 99) n where k.hash = $1 returning hash`,
        [keyOf(key)],
      );
      expect(rows).toHaveLength(99);
      gateway().clock.advance(2 * minuteMs);
      expectError(await codeBy(calling), "conflict", /100 keys/);
      expectError(await exchange({ code: codes[1]?.json.data.id }), "permission_denied", /100 keys/);
      expect(maker.made_by).toBeNull();
      later();
    });

    it("drops codes that expired long ago", async () => {
      await codeByConsent();
      gateway().clock.advance(2 * 60 * minuteMs);
      const fresh = await codeByConsent();
      const { rows } = await gateway().deps.store.pool.query<{ code_hash: string }>("select code_hash from auth_codes");
      expect(rows).toEqual([{ code_hash: keyOf(fresh) }]);
    });
  });
});
