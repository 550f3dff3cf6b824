import { createHash, randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { nextReset } from "#contract/time.ts";
import { describeGateway } from "../testing/describe-gateway.ts";
import { expectError, expectIssues } from "../testing/expect-error.ts";
import { makeKey, makeProvider, makeWorkspace } from "../testing/factories.ts";

const noSuchHash = "0".repeat(64);

describeGateway("keys over HTTP", (gateway) => {
  const call = (...parameters: Parameters<ReturnType<typeof gateway>["call"]>) => gateway().call(...parameters);
  const count = async () => (await call("GET", "/keys/count?workspace_id=all")).json.data.all.count;

  describe("createKey", () => {
    it("201: answers with the record and, this once, the plaintext", async () => {
      const body = {
        name: "billing",
        limit: 12.5,
        limit_reset: "weekly",
        include_byok_in_limit: true,
        expires_at: "2099-01-31T00:00:00Z",
        creator_user_id: "user_1",
      };
      const answer = await call("POST", "/keys", { body });
      expect(answer.status).toBe(201);
      expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
      const { data, key } = answer.json;
      expect(key).toMatch(/^sk-gh-v1-/);
      expect(data).toMatchObject({
        ...body,
        expires_at: "2099-01-31T00:00:00.000Z",
        hash: createHash("sha256").update(key).digest("hex"),
        disabled: false,
        limit_remaining: 12.5,
        usage: 0,
        byok_usage_monthly: 0,
        updated_at: null,
        external_user: null,
        status: "active",
        limit_resets_at: nextReset("weekly", gateway().clock.now()).toISOString(),
      });
      expect(JSON.stringify(data)).not.toContain(key);
    });

    it("201: needs only a name, and trims it", async () => {
      const answer = await call("POST", "/keys", { body: { name: "  plain " } });
      expect(answer.json.data).toMatchObject({ name: "plain", limit: null, limit_remaining: null, expires_at: null });
    });

    it("201: names whom of the creator's users it is for, and its successor does too", async () => {
      const body = { name: "theirs", external: { user: "user-17" } };
      const { data } = (await call("POST", "/keys", { body })).json;
      expect(data.external_user).toBe("user-17");
      expect((await call("GET", `/keys/${data.hash}`)).json.data).toEqual(data);
      const rotation = await call("POST", `/keys/${data.hash}/rotate`, { body: { grace_seconds: 0 } });
      expect(rotation.json.data.external_user).toBe("user-17");
    });

    it.each([
      [{}, ["name"]],
      [{ name: "" }, ["name"]],
      [{ name: "   " }, ["name"]],
      [{ name: 1 }, ["name"]],
      [{ name: "x".repeat(256) }, ["name"]],
      [{ name: "nul\0" }, ["name"]],
      [{ name: "half \ud800 pair" }, ["name"]],
      [{ name: "a", limit: -1 }, ["limit"]],
      [{ name: "a", limit: 1e12 }, ["limit"]],
      [{ name: "a", limit: "5" }, ["limit"]],
      [{ name: "a", limit: 1e-10 }, ["limit"]],
      [{ name: "a", limit_reset: "yearly" }, ["limit_reset"]],
      [{ name: "a", include_byok_in_limit: "yes" }, ["include_byok_in_limit"]],
      [{ name: "a", expires_at: "2027-01-31T00:00:00+01:00" }, ["expires_at"]],
      [{ name: "a", expires_at: "2027-01-31" }, ["expires_at"]],
      [{ name: "a", expires_at: "2027-02-30T00:00:00Z" }, ["expires_at"]],
      [{ name: "a", expires_at: "2020-01-31T00:00:00Z" }, ["expires_at"]],
      [{ name: "a", creator_user_id: "" }, ["creator_user_id"]],
      [{ name: "a", workspace_id: "here" }, ["workspace_id"]],
      [{ name: "a", workspace_id: randomUUID() }, ["workspace_id"]],
      [{ name: "a", external: {} }, ["external.user"]],
      [{ name: "a", external: { user: "u", apiKey: "x".repeat(32) } }, ["external.apiKey"]],
      [{ name: "a", labels: [] }, ["labels"]],
      [{ limit: -1, colour: "red" }, ["name", "limit", "colour"]],
      [["a"], [""]],
    ])("400: %j names %j and writes nothing", async (body, paths) => {
      const before = await count();
      expectIssues(await call("POST", "/keys", { body }), ...paths);
      expect(await count()).toBe(before);
    });

    it("401: without a key", async () => {
      const answer = await call("POST", "/keys", { key: null, body: { name: "a" } });
      expectError(answer, "authentication", /Missing Authentication header/);
      expect(answer.headers.get("www-authenticate")).toBe('Bearer realm="Gatehouse"');
    });

    it("403: an ordinary key cannot manage", async () => {
      const { key } = await makeKey(gateway());
      const answer = await call("POST", "/keys", { key, body: { name: "a" } });
      expectError(answer, "permission_denied", "Only management keys can perform this operation");
    });

    it("409: a repeat with the same Idempotency-Key makes no second key and shows no plaintext", async () => {
      const headers = { "idempotency-key": randomUUID() };
      const first = await call("POST", "/keys", { headers, body: { name: "once" } });
      const before = await count();
      const second = await call("POST", "/keys", { headers, body: { name: "once" } });
      expectError(second, "conflict", /no second key was made/);
      expect(second.json.error.metadata.data.hash).toBe(first.json.data.hash);
      expect(second.text).not.toContain(first.json.key);
      expect(await count()).toBe(before);
    });

    it("400: an Idempotency-Key that is none", async () => {
      const answer = await call("POST", "/keys", { headers: { "idempotency-key": "a b" }, body: { name: "a" } });
      expectError(answer, "invalid_request", /Idempotency-Key/);
    });

    it("413: a body of more than a megabyte", async () => {
      const answer = await call("POST", "/keys", { body: { name: "a", padding: "x".repeat(1_048_576) } });
      expectError(answer, "payload_too_large", /too large/);
    });
  });

  describe("listKeys", () => {
    it("200: newest first, in the default workspace", async () => {
      const workspace = await makeWorkspace(gateway());
      const elsewhere = await makeKey(gateway(), { workspace_id: workspace.id });
      gateway().clock.advance(1_000);
      const first = await makeKey(gateway());
      gateway().clock.advance(1_000);
      const second = await makeKey(gateway());
      const { status, json } = await call("GET", "/keys");
      expect(status).toBe(200);
      const hashes = json.data.map((record: { hash: string }) => record.hash);
      expect(hashes.slice(0, 2)).toEqual([second.record.hash, first.record.hash]);
      expect(hashes).not.toContain(elsewhere.record.hash);
    });

    it("200: takes the public API's and the console's parameters", async () => {
      const workspace = await makeWorkspace(gateway());
      for (const name of ["delta", "alpha", "charlie"]) await makeKey(gateway(), { name, workspace_id: workspace.id });
      const path = `/keys?workspace_id=${workspace.id}&sort=name&order=asc&limit=2`;
      const page = (await call("GET", path)).json;
      expect(page.data.map((record: { name: string }) => record.name)).toEqual(["alpha", "charlie"]);
      const rest = (await call("GET", `${path}&cursor=${encodeURIComponent(page.next_cursor)}`)).json;
      expect(rest.data.map((record: { name: string }) => record.name)).toEqual(["delta"]);
      expect(rest.next_cursor).toBeNull();
      const found = (await call("GET", `/keys?workspace_id=${workspace.id}&q=charl`)).json;
      expect(found.data).toHaveLength(1);
      expect((await call("GET", `/keys?workspace_id=${workspace.id}&offset=3`)).json.data).toEqual([]);
    });

    it.each([
      ["offset=-1", "offset"],
      ["limit=0", "limit"],
      ["limit=101", "limit"],
      ["status=odd", "status"],
      ["workspace_id=x", "workspace_id"],
      ["include_disabled=perhaps", "include_disabled"],
      ["colour=red", "colour"],
      ["limit=1&limit=2", "limit"],
      ["q=%00", "query.q"],
    ])("400: ?%s names %s", async (query, path) => {
      expectIssues(await call("GET", `/keys?${query}`), path);
    });

    it("400: a cursor of another list", async () => {
      expectError(await call("GET", "/keys?cursor=abc"), "invalid_request", /cursor/);
    });

    it("401 and 403: needs a management key", async () => {
      expectError(await call("GET", "/keys", { key: "sk-other-123" }), "authentication", /not a Gatehouse API key/);
      const { key } = await makeKey(gateway());
      expectError(await call("GET", "/keys", { key }), "permission_denied", /Only management keys/);
    });
  });

  describe("countKeys", () => {
    it("200: counts by status", async () => {
      const workspace = await makeWorkspace(gateway());
      await makeKey(gateway(), { workspace_id: workspace.id });
      const { record } = await makeKey(gateway(), { workspace_id: workspace.id });
      await call("PATCH", `/keys/${record.hash}`, { body: { disabled: true } });
      const { json } = await call("GET", `/keys/count?workspace_id=${workspace.id}`);
      expect(json.data).toMatchObject({ all: { count: 2, more: false }, active: { count: 1 }, disabled: { count: 1 } });
    });

    it("400, 401, 403", async () => {
      expectIssues(await call("GET", "/keys/count?workspace_id=x"), "workspace_id");
      expectError(await call("GET", "/keys/count", { key: null }), "authentication", /Missing/);
      const { key } = await makeKey(gateway());
      expectError(await call("GET", "/keys/count", { key }), "permission_denied", /Only management keys/);
    });
  });

  describe("getKey", () => {
    it("200: the record", async () => {
      const { record } = await makeKey(gateway());
      expect((await call("GET", `/keys/${record.hash}`)).json).toEqual({ data: record });
    });

    it("404: what is not a hash", async () => {
      expectError(await call("GET", "/keys/abc"), "not_found", /key/i);
    });

    it("404: no such key", async () => {
      expectError(await call("GET", `/keys/${noSuchHash}`), "not_found", /key/i);
    });

    it("401, 403", async () => {
      const { key, record } = await makeKey(gateway());
      expectError(await call("GET", `/keys/${record.hash}`, { key: null }), "authentication", /Missing/);
      expectError(await call("GET", `/keys/${record.hash}`, { key }), "permission_denied", /Only management keys/);
    });
  });

  describe("updateKey", () => {
    it("200: changes what is sent and keeps the rest; null clears", async () => {
      const { record } = await makeKey(gateway(), {
        limit: 5,
        limit_reset: "daily",
        expires_at: "2099-01-01T00:00:00Z",
      });
      const body = { name: "renamed", limit: null, disabled: true };
      const { status, json } = await call("PATCH", `/keys/${record.hash}`, { body });
      expect(status).toBe(200);
      expect(json.data).toMatchObject({ ...body, limit_reset: "daily", expires_at: "2099-01-01T00:00:00.000Z" });
      expect(json.data.updated_at).toBe(gateway().clock.now().toISOString());
    });

    it.each([
      [{ name: "" }, "name"],
      [{ disabled: null }, "disabled"],
      [{ limit: -0.5 }, "limit"],
      [{ expires_at: "2020-01-01T00:00:00Z" }, "expires_at"],
      [{ hash: noSuchHash }, "hash"],
    ])("400: %j changes nothing", async (body, path) => {
      const { record } = await makeKey(gateway());
      expectIssues(await call("PATCH", `/keys/${record.hash}`, { body }), path);
      expect((await call("GET", `/keys/${record.hash}`)).json.data).toEqual(record);
    });

    it("409: a stale write loses nothing; what the key spends makes no write stale", async () => {
      const { key, record } = await makeKey(gateway(), { limit: 10, limit_reset: "daily" });
      const path = `/keys/${record.hash}`;
      const seen = (await call("GET", path)).headers.get("etag") ?? "";
      await call("GET", "/key", { key });
      const first = await call("PATCH", path, {
        headers: { "if-match": seen },
        body: { limit: 5, limit_reset: "monthly" },
      });
      expect(first.status).toBe(200);
      const stale = await call("PATCH", path, { headers: { "if-match": seen }, body: { limit: 20 } });
      expectError(stale, "conflict", /changed by someone else/);
      const { updated_at } = first.json.data;
      const current_version = first.headers.get("etag")?.replaceAll('"', "");
      expect(stale.json.error.metadata).toMatchObject({ current_version, updated_at });
      const read = await call("GET", path);
      expect(read.json.data).toMatchObject({ limit: 5, limit_reset: "monthly" });
      expect(read.headers.get("etag")).toBe(first.headers.get("etag"));
      const again = await call("PATCH", path, {
        headers: { "if-match": `W/${first.headers.get("etag")}` },
        body: { limit: 20 },
      });
      expect(again.json.data).toMatchObject({ limit: 20, limit_reset: "monthly" });
    });

    it.each(["yesterday", "", ",", '"1" "2"', '"1', '*, "1"', '"1";'])(
      "400: an If-Match that is no ETag: %j",
      async (tag) => {
        const { record } = await makeKey(gateway());
        const headers = { "if-match": tag };
        const answer = await call("PATCH", `/keys/${record.hash}`, { headers, body: { name: "b" } });
        expectError(answer, "invalid_request", /If-Match/);
      },
    );

    it("200: an If-Match with a list that has the key's ETag, or with *; 409: with other tags alone", async () => {
      const { record } = await makeKey(gateway());
      const path = `/keys/${record.hash}`;
      const write = async (match: (tag: string) => string) => {
        const tag = (await call("GET", path)).headers.get("etag") ?? "";
        const headers = { "if-match": match(tag) };
        return (await call("PATCH", path, { headers, body: { name: `${performance.now()}` } })).status;
      };
      expect(await write((tag) => `"of,another",\t${tag}`)).toBe(200);
      expect(await write((tag) => `W/${tag} ,, "0",`)).toBe(200);
      expect(await write(() => "*")).toBe(200);
      expect(await write(() => '"0", W/"of,another"')).toBe(409);
      expect(await write((tag) => `"x${tag.slice(1)}`)).toBe(409);
    });

    it("401, 403, 404, 413", async () => {
      const { key, record } = await makeKey(gateway());
      const path = `/keys/${record.hash}`;
      const body = { name: "b" };
      expectError(await call("PATCH", path, { key: null, body }), "authentication", /Missing/);
      expectError(await call("PATCH", path, { key, body }), "permission_denied", /Only management keys/);
      expectError(await call("PATCH", `/keys/${noSuchHash}`, { body }), "not_found", /key/i);
      expectError(await call("PATCH", path, { raw: " ".repeat(1_048_577) }), "payload_too_large", /too large/);
    });
  });

  describe("deleteKey", () => {
    it("409: the key has changed since; 200: it has not", async () => {
      const { record } = await makeKey(gateway());
      const path = `/keys/${record.hash}`;
      const seen = (await call("GET", path)).headers.get("etag") ?? "";
      const changed = await call("PATCH", path, { body: { name: "in use" } });
      expectError(await call("DELETE", path, { headers: { "if-match": seen } }), "conflict", /changed by someone else/);
      const headers = { "if-match": changed.headers.get("etag") ?? "" };
      expect((await call("DELETE", path, { headers })).status).toBe(200);
    });

    it("200: the key is gone, and says so when it is used", async () => {
      const { key, record } = await makeKey(gateway());
      const answer = await call("DELETE", `/keys/${record.hash}`);
      expect([answer.status, answer.json]).toEqual([200, { deleted: true }]);
      expectError(await call("GET", `/keys/${record.hash}`), "not_found", /key/i);
      expectError(await call("GET", "/key", { key }), "authentication", /was deleted/);
    });

    it("400, 401, 403, 404", async () => {
      const { key, record } = await makeKey(gateway());
      expectError(await call("DELETE", "/keys/x"), "not_found", /./);
      expectError(await call("GET", "/keys/%20"), "not_found", /./);
      expectError(await call("DELETE", `/keys/${record.hash}`, { key: null }), "authentication", /Missing/);
      expectError(await call("DELETE", `/keys/${record.hash}`, { key }), "permission_denied", /Only management keys/);
      expectError(await call("DELETE", `/keys/${noSuchHash}`), "not_found", /key/i);
    });
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
          (await call("GET", `/byok/${owns[at]}`)).json.data,
          (await call("GET", `/observability/destinations/${sinks[at]}`)).json.data,
        ];
        expect([ownKey.allowed_api_key_hashes, destination.api_key_hashes]).toEqual([hashes, hashes]);
      }
      const entries = (await call("GET", "/audit?limit=4")).json.data as { action: string; target_id: string }[];
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
      const others: string[] = [];
      while (others.length < 96) others.push(await make());
      const full = [hash, disabled, expired, deleted, ...others];
      const provider = await makeProvider(gateway(), { slug: "full", base_url: "http://127.0.0.1:9/v1", models: [] });
      const own = { provider: provider.slug, key: "sk-own-0123456789", workspace_id: workspace.id };
      const made = await call("POST", "/byok", { body: { ...own, allowed_api_key_hashes: full } });
      await call("PATCH", `/keys/${disabled}`, { body: { disabled: true } });
      await call("DELETE", `/keys/${deleted}`);
      gateway().clock.advance(60_000);
      const rotate = async (key: string) =>
        (await call("POST", `/keys/${key}/rotate`, { body: { grace_seconds: 3_600 } })).json.data.hash as string;
      const list = async () =>
        (await call("GET", `/byok/${made.json.data.id}`)).json.data.allowed_api_key_hashes as string[];
      const first = await rotate(hash);
      expect(await list()).toEqual([hash, disabled, expired, ...others, first]);
      const second = await rotate(first);
      expect(await list()).toEqual([hash, disabled, ...others, first, second]);
      const third = await rotate(second);
      expect(await list()).toEqual([hash, disabled, ...others, first, third]);
    });

    it.each([[{}], [{ grace_seconds: -1 }], [{ grace_seconds: 2_592_001 }], [{ grace_seconds: 1.5 }]])(
      "400: %j",
      async (body) => {
        const { record } = await makeKey(gateway());
        expectIssues(await call("POST", `/keys/${record.hash}/rotate`, { body }), "grace_seconds");
      },
    );

    it("401, 403, 404, 409, 413", async () => {
      const { key, record } = await makeKey(gateway());
      const path = `/keys/${record.hash}/rotate`;
      const body = { grace_seconds: 0 };
      expectError(await call("POST", path, { key: null, body }), "authentication", /Missing/);
      expectError(await call("POST", path, { key, body }), "permission_denied", /Only management keys/);
      expectError(await call("POST", `/keys/${noSuchHash}/rotate`, { body }), "not_found", /key/i);
      expectError(await call("POST", path, { raw: " ".repeat(1_048_577) }), "payload_too_large", /too large/);
      expect((await call("POST", path, { body })).status).toBe(201);
      expectError(await call("POST", path, { body }), "conflict", /./);
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

    it("200: up to 50 hashes at once, those that are nobody's left out", async () => {
      const first = await makeKey(gateway(), { name: "first" });
      const second = await makeKey(gateway(), { name: "second" });
      const asked = [first.record.hash, noSuchHash, second.record.hash];
      const { json } = await call("GET", `/keys/identify?hash=${asked.join(",")}`);
      expect(json.data.map(({ name }: { name: string }) => name).toSorted()).toEqual(["first", "second"]);
      const most = Array.from({ length: 50 }, () => noSuchHash).join(",");
      expect((await call("GET", `/keys/identify?hash=${most}`)).json).toEqual({ data: [] });
      expectIssues(await call("GET", `/keys/identify?hash=${most},${noSuchHash}`), "hash");
    });

    it("200: nothing, of a hash that is nobody's", async () => {
      expect((await call("GET", `/keys/identify?hash=${noSuchHash}`)).json).toEqual({ data: [] });
    });

    it("400, 401, 403", async () => {
      const { key, record } = await makeKey(gateway());
      expectIssues(await call("GET", "/keys/identify"), "hash");
      expectIssues(await call("GET", `/keys/identify?hash=${record.hash}&label=${record.label}`), "hash");
      expectIssues(await call("GET", "/keys/identify?hash=abc"), "hash");
      const path = `/keys/identify?hash=${record.hash}`;
      expectError(await call("GET", path, { key: null }), "authentication", /Missing/);
      expectError(await call("GET", path, { key }), "permission_denied", /Only management keys/);
    });
  });

  describe("getKeyUsage", () => {
    it("200: nothing yet, in the asked number of hours", async () => {
      const { record } = await makeKey(gateway());
      const { status, json } = await call("GET", `/keys/${record.hash}/usage?by=hour&last=24`);
      expect(status).toBe(200);
      expect(
        json.data.every((point: { usage: number; requests: number }) => point.usage === 0 && point.requests === 0),
      ).toBe(true);
    });

    it("400, 401, 403, 404", async () => {
      const { key, record } = await makeKey(gateway());
      const path = `/keys/${record.hash}/usage`;
      expectIssues(await call("GET", path), "by", "last");
      expectIssues(await call("GET", `${path}?by=hour&last=169`), "last");
      expectError(await call("GET", `${path}?by=day&last=7`, { key: null }), "authentication", /Missing/);
      expectError(await call("GET", `${path}?by=day&last=7`, { key }), "permission_denied", /Only management keys/);
      expectError(await call("GET", `/keys/${noSuchHash}/usage?by=day&last=7`), "not_found", /key/i);
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

    it("401: says what is wrong with the key", async () => {
      const { key, record } = await makeKey(gateway(), {
        expires_at: new Date(gateway().clock.now().getTime() + 5_000).toISOString(),
      });
      expectError(await call("GET", "/key", { key: null }), "authentication", /Missing Authentication header/);
      expectError(await call("GET", "/key", { key: `${key}x` }), "authentication", /checksum|not complete/);
      expectError(await call("GET", "/key", { key: "hello" }), "authentication", /not a Gatehouse API key/);
      expectError(
        await call("GET", "/key", { key: null, headers: { authorization: "Basic abc" } }),
        "authentication",
        /must be `Bearer`/,
      );
      await call("PATCH", `/keys/${record.hash}`, { body: { disabled: true } });
      expectError(await call("GET", "/key", { key }), "authentication", /is disabled/);
      await call("PATCH", `/keys/${record.hash}`, { body: { disabled: false } });
      gateway().clock.advance(5_000);
      expectError(await call("GET", "/key", { key }), "authentication", /expired on/);
    });
  });
});
