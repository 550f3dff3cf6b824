import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { describeGateway } from "../testing/describe-gateway.ts";
import { expectError, expectIssues } from "../testing/expect-error.ts";
import { makeKey, makeWorkspace } from "../testing/factories.ts";

describeGateway("workspaces over HTTP", (gateway) => {
  const call = (...parameters: Parameters<ReturnType<typeof gateway>["call"]>) => gateway().call(...parameters);
  const big = " ".repeat(1_048_577);

  async function expectManagementOnly(method: string, path: string, body?: unknown) {
    const { key } = await makeKey(gateway());
    expectError(await call(method, path, { key: null, body }), "authentication", /Missing/);
    expectError(await call(method, path, { key, body }), "permission_denied", /Only management keys/);
  }

  describe("listWorkspaces", () => {
    it("200: a page, and how many there are", async () => {
      await makeWorkspace(gateway());
      const { status, json } = await call("GET", "/workspaces?limit=1");
      expect(status).toBe(200);
      expect(json.data).toHaveLength(1);
      expect(json.total_count).toBeGreaterThan(1);
      const all = (await call("GET", "/workspaces")).json.data;
      expect(all.filter((workspace: { is_default: boolean }) => workspace.is_default)).toHaveLength(1);
    });

    it("400, 401, 403", async () => {
      expectIssues(await call("GET", "/workspaces?limit=0"), "limit");
      await expectManagementOnly("GET", "/workspaces");
    });
  });

  describe("updateWorkspace with If-Match", () => {
    it("409: a stale write loses nothing; what is counted in the workspace makes no write stale", async () => {
      const { id, slug } = await makeWorkspace(gateway());
      const path = `/workspaces/${id}`;
      const seen = (await call("GET", `/workspaces/${slug}`)).headers.get("etag") ?? "";
      await makeKey(gateway(), { workspace_id: id });
      const first = await call("PATCH", path, { headers: { "if-match": seen }, body: { name: "First" } });
      expect(first.status).toBe(200);
      const stale = await call("PATCH", path, { headers: { "if-match": seen }, body: { name: "Second" } });
      expectError(stale, "conflict", /workspace was changed by someone else/);
      const read = await call("GET", path);
      expect(read.json.data).toMatchObject({ name: "First" });
      expect(read.headers.get("etag")).toBe(first.headers.get("etag"));
      const current = { "if-match": first.headers.get("etag") ?? "" };
      expect((await call("PATCH", path, { headers: current, body: { name: "Second" } })).status).toBe(200);
      expect((await call("PATCH", path, { body: { name: "Third" } })).status).toBe(200);
      expectError(
        await call("DELETE", path, { headers: current }),
        "conflict",
        /workspace was changed by someone else/,
      );
    });
  });

  describe("createWorkspace", () => {
    it("201: the record", async () => {
      const body = { name: "Research", slug: "research", description: "The lab" };
      const { status, json } = await call("POST", "/workspaces", { body });
      expect(status).toBe(201);
      expect(json.data).toMatchObject({ ...body, is_default: false, active_keys: 0, updated_at: null });
    });

    it.each([
      [{}, ["name", "slug"]],
      [{ name: "a", slug: "Not a slug" }, ["slug"]],
      [{ name: "a", slug: "a--b" }, ["slug"]],
      [{ name: "a", slug: "all" }, ["slug"]],
      [{ name: " ", slug: "a" }, ["name"]],
      [{ name: "a", slug: "a", io_logging_sampling_rate: 2 }, ["io_logging_sampling_rate"]],
      [{ name: "a", slug: "a", io_logging_api_key_ids: [12_345] }, ["io_logging_api_key_ids"]],
      [{ name: "a", slug: "a", io_logging_api_key_ids: [] }, ["io_logging_api_key_ids"]],
      [{ name: "a", slug: "a", colour: "red" }, ["colour"]],
    ])("400: %j names %j", async (body, paths) => {
      expectIssues(await call("POST", "/workspaces", { body }), ...paths);
    });

    it("409: a slug that is taken", async () => {
      const { slug } = await makeWorkspace(gateway());
      expectError(await call("POST", "/workspaces", { body: { name: "b", slug } }), "conflict", /slug/);
    });

    it("401, 403, 413", async () => {
      await expectManagementOnly("POST", "/workspaces", { name: "a", slug: "a" });
      expectError(await call("POST", "/workspaces", { raw: big }), "payload_too_large", /too large/);
    });
  });

  describe("getWorkspace", () => {
    it("200: by id and by slug", async () => {
      const workspace = await makeWorkspace(gateway());
      expect((await call("GET", `/workspaces/${workspace.id}`)).json.data).toEqual(workspace);
      expect((await call("GET", `/workspaces/${workspace.slug}`)).json.data).toEqual(workspace);
    });

    it("400, 401, 403, 404", async () => {
      expectIssues(await call("GET", `/workspaces/${"x".repeat(101)}`), "id");
      await expectManagementOnly("GET", "/workspaces/default");
      expectError(await call("GET", `/workspaces/${randomUUID()}`), "not_found", /workspace/i);
      expectError(await call("GET", "/workspaces/nowhere"), "not_found", /workspace/i);
    });
  });

  describe("updateWorkspace", () => {
    it("200: changes what is sent and keeps the rest", async () => {
      const workspace = await makeWorkspace(gateway(), { description: "before" });
      const { status, json } = await call("PATCH", `/workspaces/${workspace.slug}`, { body: { name: "After" } });
      expect(status).toBe(200);
      expect(json.data).toMatchObject({ id: workspace.id, name: "After", description: "before" });
    });

    it("400, 401, 403, 404, 409, 413", async () => {
      const [one, other] = [await makeWorkspace(gateway()), await makeWorkspace(gateway())];
      const path = `/workspaces/${one.id}`;
      expectIssues(await call("PATCH", path, { body: { slug: "Not a slug" } }), "slug");
      await expectManagementOnly("PATCH", path, { name: "b" });
      expectError(
        await call("PATCH", `/workspaces/${randomUUID()}`, { body: { name: "b" } }),
        "not_found",
        /workspace/i,
      );
      expectError(await call("PATCH", path, { body: { slug: other.slug } }), "conflict", /slug/);
      expectError(await call("PATCH", path, { raw: big }), "payload_too_large", /too large/);
    });
  });

  describe("deleteWorkspace", () => {
    it("200: once nothing in it works any more", async () => {
      const workspace = await makeWorkspace(gateway());
      const { record } = await makeKey(gateway(), { workspace_id: workspace.id });
      const path = `/workspaces/${workspace.id}`;
      expectError(await call("DELETE", path), "invalid_request", /1 active API key/);
      await call("DELETE", `/keys/${record.hash}`);
      expect((await call("DELETE", path)).json).toEqual({ deleted: true });
      expectError(await call("GET", path), "not_found", /workspace/i);
    });

    it("409: its keys cannot be made to work again, by no way", async () => {
      const { id } = await makeWorkspace(gateway());
      const { record: off } = await makeKey(gateway(), { workspace_id: id });
      await call("PATCH", `/keys/${off.hash}`, { body: { disabled: true } });
      const expires_at = new Date(gateway().clock.now().getTime() + 1_000).toISOString();
      const { record: over } = await makeKey(gateway(), { workspace_id: id, expires_at });
      gateway().clock.advance(2_000);
      expect((await call("DELETE", `/workspaces/${id}`)).status).toBe(200);
      const ways: [string, string, object][] = [
        ["PATCH", `/keys/${off.hash}`, { disabled: false }],
        ["PATCH", `/keys/${over.hash}`, { expires_at: null }],
        ["POST", `/keys/${off.hash}/rotate`, { grace_seconds: 0 }],
      ];
      for (const [method, path, body] of ways) {
        expectError(await call(method, path, { body }), "conflict", /workspace was deleted/);
      }
      expect((await call("PATCH", `/keys/${off.hash}`, { body: { name: "kept for the record" } })).status).toBe(200);
    });

    it("200: its destinations are disabled, and stay so", async () => {
      const { id } = await makeWorkspace(gateway());
      const body = { type: "webhook", name: "sink", config: { url: "http://127.0.0.1:9/" }, workspace_id: id };
      const { json: made } = await call("POST", "/observability/destinations", { body });
      const path = `/observability/destinations/${made.data.id}`;
      expect((await call("DELETE", `/workspaces/${id}`)).status).toBe(200);
      const { data } = (await call("GET", "/observability/destinations?workspace_id=all")).json;
      expect(data).toContainEqual({ ...made.data, enabled: false, updated_at: gateway().clock.now().toISOString() });
      const enable = await call("PATCH", path, { body: { enabled: true } });
      expectError(enable, "conflict", /destination's workspace was deleted/);
      expect((await call("PATCH", path, { body: { name: "kept for the record" } })).status).toBe(200);
      expect((await call("DELETE", path)).status).toBe(200);
    });

    it("403: never the default one", async () => {
      expectError(await call("DELETE", "/workspaces/default"), "permission_denied", /default/);
    });

    it("400, 401, 403, 404", async () => {
      const { id } = await makeWorkspace(gateway());
      expectIssues(await call("DELETE", `/workspaces/${"x".repeat(101)}`), "id");
      await expectManagementOnly("DELETE", `/workspaces/${id}`);
      expectError(await call("DELETE", `/workspaces/${randomUUID()}`), "not_found", /workspace/i);
    });
  });

  describe("listAudit", () => {
    it("200: every change with who made it, newest first, by cursor", async () => {
      const workspace = await makeWorkspace(gateway());
      gateway().clock.advance(1_000);
      await call("PATCH", `/workspaces/${workspace.id}`, { body: { name: "Renamed" } });
      const path = `/audit?target_id=${workspace.id}&limit=1`;
      const first = (await call("GET", path)).json;
      expect(first.data).toMatchObject([
        { actor: "admin", action: "updateWorkspace", before: { name: workspace.name }, after: { name: "Renamed" } },
      ]);
      const second = (await call("GET", `${path}&cursor=${encodeURIComponent(first.next_cursor)}`)).json;
      expect(second.data).toMatchObject([{ action: "createWorkspace", before: null }]);
      expect(second.next_cursor).toBeNull();
    });

    it("200: of a stretch of time, and of one request", async () => {
      const at = () => gateway().clock.now().toISOString();
      const { id } = await makeWorkspace(gateway());
      gateway().clock.advance(1_000);
      const since = at();
      const renamed = await call("PATCH", `/workspaces/${id}`, { body: { name: "Once" } });
      gateway().clock.advance(1_000);
      const until = at();
      await call("PATCH", `/workspaces/${id}`, { body: { name: "Twice" } });
      const namesOf = async (query: string) =>
        (await call("GET", `/audit?target_id=${id}&${query}`)).json.data.map(
          ({ after }: { after: { name: string } }) => after.name,
        );
      expect(await namesOf(`since=${since}`)).toEqual(["Twice", "Once"]);
      expect(await namesOf(`since=${since}&until=${until}`)).toEqual(["Once"]);
      const request = renamed.headers.get("x-request-id");
      expect(await namesOf(`request_id=${request}`)).toEqual(["Once"]);
      expect(await namesOf("request_id=req-unheard-of")).toEqual([]);
    });

    it("400, 401, 403", async () => {
      expectIssues(await call("GET", "/audit?limit=101"), "limit");
      expectIssues(await call("GET", "/audit?since=yesterday"), "since");
      await expectManagementOnly("GET", "/audit");
    });
  });
});
