import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { ManagementKeyRecord } from "#contract/management-keys.ts";
import { describeGateway } from "../testing/describe-gateway.ts";
import { expectError, expectIssues } from "../testing/expect-error.ts";
import type { Answer } from "../testing/gateway.ts";
import { makeKey } from "../testing/factories.ts";

describeGateway("management keys over HTTP", (gateway) => {
  const call = (...parameters: Parameters<ReturnType<typeof gateway>["call"]>) => gateway().call(...parameters);
  const read = async (path: string) => (await call("GET", path)).json.data;
  const make = async (body: object = {}) =>
    (await call("POST", "/management-keys", { body: { name: `made ${randomUUID()}`, ...body } })).json;
  const works = async (key: string) => (await call("GET", "/key", { key })).status === 200;
  const own = async () => (await read("/management-keys")).find((each: ManagementKeyRecord) => each.current);

  async function signIn(key: string) {
    const answer: Answer = await call("POST", "/session", { key: null, body: { management_key: key } });
    const cookie = answer.headers.getSetCookie()[0]?.split(";")[0] ?? "";
    const headers = { cookie, "x-csrf-token": answer.json.data.csrf_token, origin: gateway().url };
    return { key: null, headers };
  }

  describe("listManagementKeys", () => {
    it("200: all of them, newest first, which one asks and which one the environment gave", async () => {
      const { data: made, key } = await make();
      const { data } = (await call("GET", "/management-keys")).json;
      expect(data.find((each: ManagementKeyRecord) => each.hash === made.hash)).toMatchObject({
        label: made.label,
        status: "active",
        created_by: "admin",
        sessions: 0,
        from_environment: false,
        current: false,
      });
      expect(await own()).toMatchObject({ from_environment: true });
      expect(JSON.stringify(data)).not.toContain(key);
    });

    it("200: when each was used last, to within five minutes", async () => {
      const { data, key } = await make();
      const lastUse = async () => (await read(`/management-keys/${data.hash}`)).last_used_at;
      expect(await lastUse()).toBeNull();
      const first = gateway().clock.now().toISOString();
      await call("GET", "/keys", { key });
      expect(await lastUse()).toBe(first);
      gateway().clock.advance(4 * 60_000);
      await call("GET", "/keys", { key });
      expect(await lastUse()).toBe(first);
      gateway().clock.advance(60_000);
      await call("GET", "/keys", { key });
      expect(await lastUse()).toBe(gateway().clock.now().toISOString());
    });
  });

  it("createManagementKey: 201 with a plaintext that works; 400 for an expiry that is over", async () => {
    const { key } = await make({ name: "terraform" });
    expect(key).toMatch(/^sk-gh-mgmt-v1-/);
    expect(await works(key)).toBe(true);
    const body = { name: "a", expires_at: "2020-01-01T00:00:00Z" };
    expectIssues(await call("POST", "/management-keys", { body }), "expires_at");
  });

  it("getManagementKey, updateManagementKey: 404 for an API key", async () => {
    const { record } = await makeKey(gateway());
    const path = `/management-keys/${record.hash}`;
    expectError(await call("GET", path), "not_found", /no management key/);
    expectError(await call("PATCH", path, { body: { name: "a" } }), "not_found", /no management key/);
  });

  describe("updateManagementKey", () => {
    it("200: a disabled key and its sessions are refused at once; enabling brings the key back, not the sessions", async () => {
      const { data, key } = await make();
      const browser = await signIn(key);
      expect((await read(`/management-keys/${data.hash}`)).sessions).toBe(1);
      const path = `/management-keys/${data.hash}`;
      const disabled = await call("PATCH", path, { body: { disabled: true } });
      expect(disabled.json.data).toMatchObject({ disabled: true, status: "disabled", sessions: 0 });
      expectError(await call("GET", "/keys", { key }), "authentication", /disabled/);
      expectError(await call("GET", "/keys", browser), "authentication", /ended|gone|disabled/);
      await call("PATCH", path, { body: { disabled: false } });
      expect(await works(key)).toBe(true);
      expectError(await call("GET", "/keys", browser), "authentication", /ended/);
    });
  });

  describe("rotateManagementKey", () => {
    it("201: both work until the grace ends", async () => {
      const { data, key } = await make({ name: "rotating" });
      const rotated = await call("POST", `/management-keys/${data.hash}/rotate`, { body: { grace_seconds: 60 } });
      expect(rotated.status).toBe(201);
      expect(rotated.json.data).toMatchObject({ name: "rotating", replaces: data.hash, expires_at: null });
      expect(rotated.json.replaced.replaced_by).toBe(rotated.json.data.hash);
      expect([await works(key), await works(rotated.json.key)]).toEqual([true, true]);
      gateway().clock.advance(60_000);
      expect([await works(key), await works(rotated.json.key)]).toEqual([false, true]);
    });

    it("201: with no grace other sessions end, and the session that asks goes on with the successor", async () => {
      const { data, key } = await make();
      const asking = await signIn(key);
      const other = await signIn(key);
      const body = { grace_seconds: 0 };
      const rotated = await call("POST", `/management-keys/${data.hash}/rotate`, { ...asking, body });
      expect(rotated.status).toBe(201);
      expect(await works(key)).toBe(false);
      expectError(await call("GET", "/keys", other), "authentication", /ended|expired/);
      expect((await call("GET", "/keys", asking)).status).toBe(200);
      expect((await call("GET", `/management-keys/${rotated.json.data.hash}`, asking)).json.data).toMatchObject({
        current: true,
        sessions: 1,
      });
    });

    it("409: one that was replaced before", async () => {
      const { data } = await make();
      const path = `/management-keys/${data.hash}/rotate`;
      await call("POST", path, { body: { grace_seconds: 60 } });
      expectError(await call("POST", path, { body: { grace_seconds: 60 } }), "conflict", /successor/);
    });
  });

  describe("endManagementKeySessions", () => {
    it("200: every session of the key but the one that asks, and unused sign-in links", async () => {
      const { data, key } = await make();
      const [asking, other] = [await signIn(key), await signIn(key)];
      const answer = await call("DELETE", `/management-keys/${data.hash}/sessions`, asking);
      expect(answer.json).toEqual({ ended: 1 });
      expect((await call("GET", "/keys", asking)).status).toBe(200);
      expectError(await call("GET", "/keys", other), "authentication", /ended/);
      expect(await works(key)).toBe(true);
    });
  });

  describe("deleteManagementKey", () => {
    it("200: the key and its sessions are refused at once", async () => {
      const { data, key } = await make();
      const browser = await signIn(key);
      expect((await call("DELETE", `/management-keys/${data.hash}`)).json).toEqual({ deleted: true });
      expectError(await call("GET", "/keys", { key }), "authentication", /deleted/);
      expectError(await call("GET", "/keys", browser), "authentication", /ended/);
    });

    it("409: the last one that works for good can be neither deleted, disabled nor given an end", async () => {
      const { data } = (await call("GET", "/management-keys")).json;
      const mine = data.find((each: ManagementKeyRecord) => each.current);
      for (const each of data) {
        if (!each.current) expect((await call("DELETE", `/management-keys/${each.hash}`)).status).toBe(200);
      }
      const path = `/management-keys/${mine.hash}`;
      expectError(await call("DELETE", path), "conflict", /last management key/);
      expectError(await call("PATCH", path, { body: { disabled: true } }), "conflict", /last management key/);
      const at = new Date(gateway().clock.now().getTime() + 86_400_000).toISOString();
      expectError(await call("PATCH", path, { body: { expires_at: at } }), "conflict", /last management key/);
      expect((await call("GET", "/keys")).status).toBe(200);
    });

    it("200 and 409: of two that end each other at once, one is left", async () => {
      const { data: second, key } = await make();
      const first = await own();
      const answers = await Promise.all([
        call("DELETE", `/management-keys/${second.hash}`),
        call("DELETE", `/management-keys/${first.hash}`, { key }),
      ]);
      // The one that waited may find its own key gone, which is a 401 by then, or itself the last.
      expect(answers.filter((answer) => answer.status === 200).length).toBe(1);
    });
  });
});
