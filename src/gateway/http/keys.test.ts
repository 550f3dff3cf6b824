import { createHash, randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { nextReset } from "#contract/time.ts";
import { describeGateway } from "../testing/describe-gateway.ts";
import { expectError, expectIssues } from "../testing/expect-error.ts";
import { makeKey, makeProvider, makeWorkspace } from "../testing/factories.ts";

const noSuchHash = "0".repeat(64);

describeGateway("keys over HTTP", (gateway) => {
  const call = (...parameters: Parameters<ReturnType<typeof gateway>["call"]>) => gateway().call(...parameters);
  const read = async (path: string) => (await call("GET", path)).json.data;

  describe("createKey", () => {
    it("201: answers with the plaintext, whose hash names the key, and with what is left of its limit", async () => {
      const answer = await call("POST", "/keys", { body: { name: " billing ", limit: 12.5, limit_reset: "weekly" } });
      expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
      const { data, key } = answer.json;
      expect(key).toMatch(/^sk-gh-v1-/);
      expect(data).toMatchObject({ name: "billing", hash: createHash("sha256").update(key).digest("hex") });
      expect(data).toMatchObject({ limit_remaining: 12.5, usage: 0, byok_usage_monthly: 0, status: "active" });
      expect(data).toMatchObject({ disabled: false, updated_at: null, expires_at: null, external_user: null });
      expect(data.limit_resets_at).toBe(nextReset("weekly", gateway().clock.now()).toISOString());
    });

    it("201: names whom of the creator's users it is for, and its successor does too", async () => {
      const body = { name: "theirs", external: { user: "user-17" } };
      const { data } = (await call("POST", "/keys", { body })).json;
      expect(data.external_user).toBe("user-17");
      expect(await read(`/keys/${data.hash}`)).toEqual(data);
      const rotation = await call("POST", `/keys/${data.hash}/rotate`, { body: { grace_seconds: 0 } });
      expect(rotation.json.data.external_user).toBe("user-17");
    });

    it.each([{ expires_at: "2020-01-31T00:00:00Z" }, { workspace_id: randomUUID() }])(
      "400: %j, which the body alone does not tell",
      async (wrong) => {
        const body = { name: "a", ...wrong };
        expectIssues(await call("POST", "/keys", { body }), ...Object.keys(wrong));
      },
    );
  });

  it("listKeys, countKeys: 200, sorted and searched, by workspace and status", async () => {
    const { id } = await makeWorkspace(gateway());
    for (const name of ["delta", "alpha", "charlie"]) await makeKey(gateway(), { name, workspace_id: id });
    const named = async (query: string) =>
      (await read(`/keys?workspace_id=${id}&${query}`)).map(({ name }: { name: string }) => name);
    expect(await named("sort=name&order=asc")).toEqual(["alpha", "charlie", "delta"]);
    expect(await named("q=charl")).toEqual(["charlie"]);
    const [{ hash }] = await read(`/keys?workspace_id=${id}`);
    await call("PATCH", `/keys/${hash}`, { body: { disabled: true } });
    const { data } = (await call("GET", `/keys/count?workspace_id=${id}`)).json;
    expect(data).toMatchObject({ all: { count: 3, more: false }, active: { count: 2 }, disabled: { count: 1 } });
  });

  it("getKey, updateKey, deleteKey: 404 for what is not a hash", async () => {
    for (const path of ["/keys/abc", "/keys/%20"]) expectError(await call("GET", path), "not_found", /key/i);
    expectError(await call("PATCH", "/keys/x", { body: { name: "a" } }), "not_found", /key/i);
    expectError(await call("DELETE", "/keys/x"), "not_found", /key/i);
  });

  describe("rotateKey", () => {
    it("201: a successor with the same settings; the old one lives on for the chosen time", async () => {
      const { key, record } = await makeKey(gateway(), { limit: 3, limit_reset: "monthly" });
      const answer = await call("POST", `/keys/${record.hash}/rotate`, { body: { grace_seconds: 60 } });
      expect(answer.status).toBe(201);
      const { data, replaced } = answer.json;
      expect(data).toMatchObject({ limit: 3, limit_reset: "monthly", replaces: record.hash });
      expect(replaced).toMatchObject({ hash: record.hash, replaced_by: data.hash });
      expect((await call("GET", "/key", { key })).status).toBe(200);
      expect((await call("GET", "/key", { key: answer.json.key })).status).toBe(200);
      gateway().clock.advance(60_000);
      expectError(await call("GET", "/key", { key }), "authentication", /expired/);
      expect((await call("GET", "/key", { key: answer.json.key })).status).toBe(200);
    });

    it("201: the lists of provider keys and destinations that name it name its successor too, and the audit log says so", async () => {
      const workspace = await makeWorkspace(gateway());
      const { record } = await makeKey(gateway(), { workspace_id: workspace.id });
      const other = await makeKey(gateway(), { workspace_id: workspace.id });
      const provider = await makeProvider(gateway(), { slug: "listed", base_url: "http://127.0.0.1:9/v1", models: [] });
      const own = { provider: provider.slug, key: "sk-own-0123456789", workspace_id: workspace.id };
      const makeOwn = async (hashes: string[] | null) =>
        (await call("POST", "/byok", { body: { ...own, allowed_api_key_hashes: hashes } })).json.data.id as string;
      const sink = { type: "webhook", name: "Sink", config: { url: "http://127.0.0.1:9/" }, enabled: false };
      const makeSink = async (hashes: string[] | null) => {
        const body = { ...sink, workspace_id: workspace.id, api_key_hashes: hashes };
        return (await call("POST", "/observability/destinations", { body })).json.data.id as string;
      };
      const lists = [[record.hash, other.record.hash], [other.record.hash], null];
      const [owns, sinks] = [await Promise.all(lists.map(makeOwn)), await Promise.all(lists.map(makeSink))];
      const { json } = await call("POST", `/keys/${record.hash}/rotate`, { body: { grace_seconds: 0 } });
      const expected = [[record.hash, other.record.hash, json.data.hash], [other.record.hash], null];
      for (const [at, hashes] of expected.entries()) {
        const [ownKey, destination] = [
          await read(`/byok/${owns[at]}`),
          await read(`/observability/destinations/${sinks[at]}`),
        ];
        expect([ownKey.allowed_api_key_hashes, destination.api_key_hashes]).toEqual([hashes, hashes]);
      }
      const entries = (await read("/audit?limit=4")) as { action: string; target_id: string }[];
      expect(entries.map(({ action, target_id }) => [action, target_id])).toEqual(
        expect.arrayContaining([
          ["updateBYOKKey", owns[0]],
          ["updateObservabilityDestination", sinks[0]],
        ]),
      );
      // A list is taken as it is, though a key in it is deleted meanwhile.
      await call("DELETE", `/keys/${other.record.hash}`);
      const same = { name: "again", allowed_api_key_hashes: expected[0] };
      expect((await call("PATCH", `/byok/${owns[0]}`, { body: same })).status).toBe(200);
    });

    it("201: in a full list the successor takes the place of a key that has ended, else that of the old one; never of a disabled one", async () => {
      const workspace = await makeWorkspace(gateway());
      const make = async (more: object = {}) =>
        (await makeKey(gateway(), { workspace_id: workspace.id, ...more })).record.hash;
      const expires_at = new Date(gateway().clock.now().getTime() + 60_000).toISOString();
      const hash = await make();
      const [disabled, expired, deleted] = [await make({}), await make({ expires_at }), await make()];
      const others = await Promise.all(Array.from({ length: 96 }, () => make()));
      const full = [hash, disabled, expired, deleted, ...others];
      const provider = await makeProvider(gateway(), { slug: "full", base_url: "http://127.0.0.1:9/v1", models: [] });
      const own = { provider: provider.slug, key: "sk-own-0123456789", workspace_id: workspace.id };
      const made = await call("POST", "/byok", { body: { ...own, allowed_api_key_hashes: full } });
      await call("PATCH", `/keys/${disabled}`, { body: { disabled: true } });
      await call("DELETE", `/keys/${deleted}`);
      gateway().clock.advance(60_000);
      const rotate = async (key: string) =>
        (await call("POST", `/keys/${key}/rotate`, { body: { grace_seconds: 3_600 } })).json.data.hash as string;
      const list = async () => (await read(`/byok/${made.json.data.id}`)).allowed_api_key_hashes as string[];
      const first = await rotate(hash);
      expect(await list()).toEqual([hash, disabled, expired, ...others, first]);
      const second = await rotate(first);
      expect(await list()).toEqual([hash, disabled, ...others, first, second]);
      const third = await rotate(second);
      expect(await list()).toEqual([hash, disabled, ...others, first, third]);
    });
  });

  describe("identifyKeys", () => {
    it("200: a key by its hash or its masked label, alive or deleted", async () => {
      const { record } = await makeKey(gateway(), { name: "leaked-one" });
      const identity = { hash: record.hash, kind: "ordinary", name: "leaked-one", deleted_at: null };
      for (const wanted of [`hash=${record.hash}`, `label=${record.label}`]) {
        const { status, json } = await call("GET", `/keys/identify?${wanted}`);
        expect(status).toBe(200);
        expect(json.data).toEqual([expect.objectContaining(identity)]);
      }
      await call("DELETE", `/keys/${record.hash}`);
      const { json } = await call("GET", `/keys/identify?hash=${record.hash}`);
      expect(json.data[0].deleted_at).toEqual(expect.any(String));
    });

    it("200: a management key, by its hash", async () => {
      const hash = createHash("sha256").update(gateway().managementKey).digest("hex");
      const { json } = await call("GET", `/keys/identify?hash=${hash}`);
      expect(json.data).toEqual([expect.objectContaining({ hash, kind: "management", workspace_id: null })]);
    });

    it("200: several hashes at once, those that are nobody's left out", async () => {
      const [one, other] = [await makeKey(gateway(), { name: "first" }), await makeKey(gateway(), { name: "second" })];
      const asked = [one.record.hash, noSuchHash, other.record.hash];
      const { json } = await call("GET", `/keys/identify?hash=${asked.join(",")}`);
      expect(json.data.map(({ name }: { name: string }) => name).toSorted()).toEqual(["first", "second"]);
    });

    it("400: both, or neither", async () => {
      const { record } = await makeKey(gateway());
      expectIssues(await call("GET", "/keys/identify"), "hash");
      expectIssues(await call("GET", `/keys/identify?hash=${record.hash}&label=${record.label}`), "hash");
    });
  });

  describe("getCurrentKey and getCurrentKeyByOldPath", () => {
    it("200: for an ordinary key", async () => {
      const { key, record } = await makeKey(gateway(), { limit: 4 });
      const { status, json } = await call("GET", "/key", { key });
      expect((await call("GET", "/auth/key", { key })).json).toEqual(json);
      expect(status).toBe(200);
      expect(json.data).toMatchObject({ label: record.label, limit: 4, limit_remaining: 4, is_management_key: false });
    });

    it("200: for a management key", async () => {
      const { json } = await call("GET", "/key");
      expect(json.data).toMatchObject({ is_management_key: true, is_provisioning_key: true });
    });

    it("401: for what is not a Gatehouse key, and for another scheme", async () => {
      expectError(await call("GET", "/key", { key: "hello" }), "authentication", /not a Gatehouse API key/);
      const basic = await call("GET", "/key", { key: null, headers: { authorization: "Basic abc" } });
      expectError(basic, "authentication", /must be `Bearer`/);
    });
  });
});
