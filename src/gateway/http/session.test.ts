import { describe, expect, it } from "vitest";
import { createSignInToken } from "../domain/instance/sessions.ts";
import { describeGateway, withGateway } from "../testing/describe-gateway.ts";
import { expectError, expectIssues } from "../testing/expect-error.ts";
import type { Answer, TestGateway } from "../testing/gateway.ts";

/** What a signed-in browser sends. */
interface Browser {
  key: null;
  headers: { cookie: string; "x-csrf-token": string; origin: string };
}

function browserOf(gateway: TestGateway, answer: Answer): Browser {
  const cookie = answer.headers.getSetCookie()[0]?.split(";")[0] ?? "";
  return { key: null, headers: { cookie, "x-csrf-token": answer.json.data.csrf_token, origin: gateway.url } };
}

describeGateway("the console's session over HTTP", (gateway) => {
  const call = (...parameters: Parameters<ReturnType<typeof gateway>["call"]>) => gateway().call(...parameters);
  const signIn = (body: unknown = { management_key: gateway().managementKey }) =>
    call("POST", "/session", { key: null, body });
  const signedIn = async () => browserOf(gateway(), await signIn());

  describe("createSession", () => {
    it("201: a cookie that scripts cannot read and other sites cannot send", async () => {
      const answer = await signIn();
      expect(answer.status).toBe(201);
      expect(answer.json.data).toMatchObject({ user: "admin", created_at: gateway().clock.now().toISOString() });
      expect(answer.headers.getSetCookie()).toEqual([
        expect.stringMatching(/^gatehouse_session=[\w-]{43}; Max-Age=604800; Path=\/; HttpOnly; SameSite=Strict$/),
      ]);
      expect(answer.text).not.toContain(gateway().managementKey);
    });

    it("201: with the token of a sign-in link, once", async () => {
      const { hash } = await adminKey(gateway());
      const token = await createSignInToken(gateway().deps, hash);
      expect((await signIn({ sign_in_token: token })).status).toBe(201);
      expectError(await signIn({ sign_in_token: token }), "authentication", /used before/);
    });

    it("400: neither, or something else", async () => {
      expectIssues(await signIn({}), "management_key");
      expectIssues(await signIn({ management_key: "" }), "management_key");
      expectIssues(await signIn({ password: "x", management_key: "y" }), "password");
    });

    it("401: a key that was mistyped, with where the right one is", async () => {
      const answer = await signIn({ management_key: "not a key at all" });
      expectError(answer, "authentication", /no such management key.*GATEHOUSE_MANAGEMENT_KEY/);
      gateway().clock.advance(24 * 3_600_000);
    });

    it("429: after failures, with the time to wait; then the right key works again", async () => {
      gateway().clock.advance(24 * 3_600_000);
      const answers = [];
      for (let attempt = 0; attempt < 6; attempt += 1) answers.push(await signIn({ management_key: "nonsense" }));
      const last = answers.at(-1);
      if (last === undefined) throw new Error("no attempt was made");
      expectError(last, "rate_limit_exceeded", /Too many failed attempts/);
      expectError(await signIn(), "rate_limit_exceeded", /Too many failed attempts/);
      gateway().clock.advance(Number(last.headers.get("retry-after")) * 1_000);
      expect((await signIn()).status).toBe(201);
    });
  });

  describe("getSession", () => {
    it("200: whose it is, and the token that changes need", async () => {
      const answer = await signIn();
      const again = await call("GET", "/session", browserOf(gateway(), answer));
      expect(again.json).toEqual(answer.json);
    });
  });

  describe("a signed-in console", () => {
    it("manages", async () => {
      const browser = await signedIn();
      expect((await call("GET", "/keys", browser)).status).toBe(200);
      const made = await call("POST", "/keys", { ...browser, body: { name: "by the console" } });
      expect(made.status).toBe(201);
      const { data } = (await call("GET", `/audit?target_id=${made.json.data.hash}`)).json;
      expect(data[0]).toMatchObject({ actor: "admin", action: "createKeys" });
    });
  });

  describe("deleteSession", () => {
    it("200: the cookie is cleared, and worth nothing afterwards", async () => {
      const browser = await signedIn();
      const answer = await call("DELETE", "/session", browser);
      expect([answer.status, answer.json]).toEqual([200, { deleted: true }]);
      expect(answer.headers.getSetCookie()[0]).toMatch(/^gatehouse_session=;.*Path=\/.*Expires=Thu, 01 Jan 1970/);
      expectError(await call("GET", "/session", browser), "authentication", /ended/);
    });
  });
});

describe("behind a proxy that speaks https, under a sub-path", () => {
  const gateway = withGateway({ env: { GATEHOUSE_PUBLIC_URL: "https://example.com/gate" } });

  it("201: the cookie is for https and for the sub-path, and the public origin is our own", async () => {
    const body = { management_key: gateway().managementKey };
    const headers = { origin: "https://example.com" };
    const answer = await gateway().call("POST", "/session", { key: null, body, headers });
    expect(answer.status).toBe(201);
    expect(answer.headers.getSetCookie()[0]).toMatch(/; Path=\/gate\/; HttpOnly; Secure; SameSite=Strict$/);
    const browser = { ...browserOf(gateway(), answer).headers, origin: "https://example.com" };
    const change = { key: null, headers: browser, body: { name: "a" } };
    expect((await gateway().call("POST", "/keys", change)).status).toBe(201);
    // Who may change what plain http brings could otherwise sign a visitor in.
    const from = async (origin: string) => {
      const sent = { host: "example.com", origin, "content-type": "application/json" };
      const url = "/gate/api/v1/session";
      const { statusCode } = await gateway().app.inject({ method: "POST", url, headers: sent, payload: body });
      return statusCode;
    };
    expect([await from("http://example.com"), await from("https://example.com")]).toEqual([403, 201]);
  });

  it("takes the caller's address from the proxy, for the audit log", async () => {
    await gateway().call("POST", "/keys", { body: { name: "a" }, headers: { "x-forwarded-for": "198.51.100.7" } });
    expect((await gateway().call("GET", "/audit")).json.data[0].source_ip).toBe("198.51.100.7");
  });
});

async function adminKey(gateway: TestGateway) {
  return await gateway.deps.store.db
    .selectFrom("api_keys")
    .select("hash")
    .where("kind", "=", "management")
    .executeTakeFirstOrThrow();
}
