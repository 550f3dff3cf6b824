import { describe, expect, it } from "vitest";
import { startOfUtcDay, startOfUtcMonth, startOfUtcWeek } from "#contract/time.ts";
import { describeGateway } from "../testing/describe-gateway.ts";
import { expectError } from "../testing/expect-error.ts";
import { makeKey, makeWorkspace } from "../testing/factories.ts";

/** The counter of a workspace that spent 25 USD today. */
const spent = (id: string, now: Date) => {
  const amount = 25_000_000_000n;
  const starts = { day_start: startOfUtcDay(now), week_start: startOfUtcWeek(now), month_start: startOfUtcMonth(now) };
  return { id, total: amount, day: amount, week: amount, month: amount, ...starts };
};

describeGateway("workspaces over HTTP", (gateway) => {
  const call = (...parameters: Parameters<ReturnType<typeof gateway>["call"]>) => gateway().call(...parameters);

  it("createWorkspace, updateWorkspace: 409 for a slug that is taken", async () => {
    const [{ id }, { slug }] = [await makeWorkspace(gateway()), await makeWorkspace(gateway())];
    expectError(await call("POST", "/workspaces", { body: { name: "b", slug } }), "conflict", /slug/);
    expectError(await call("PATCH", `/workspaces/${id}`, { body: { slug } }), "conflict", /slug/);
  });

  it("getWorkspace, updateWorkspace: 200 by slug as by id; 404 for a slug that there is not", async () => {
    const workspace = await makeWorkspace(gateway());
    const path = `/workspaces/${workspace.slug}`;
    expect((await call("GET", path)).json.data).toEqual(workspace);
    const { data } = (await call("PATCH", path, { body: { name: "After" } })).json;
    expect(data).toMatchObject({ id: workspace.id, name: "After" });
    expectError(await call("GET", "/workspaces/nowhere"), "not_found", /workspace/i);
  });

  it("listWorkspaces: 200 with the budget of which the smallest share is left, or none", async () => {
    const { id, slug } = await makeWorkspace(gateway());
    const budget = async () => (await call("GET", `/workspaces/${slug}`)).json.data.budget;
    expect(await budget()).toBeNull();
    await call("PUT", `/workspaces/${id}/budgets/monthly`, { body: { limit_usd: 100 } });
    await call("PUT", `/workspaces/${id}/budgets/lifetime`, { body: { limit_usd: 5_000 } });
    await gateway().deps.store.db.insertInto("spends").values(spent(id, gateway().clock.now())).execute();
    expect(await budget()).toMatchObject({ reset_interval: "monthly", limit_usd: 100, spent_usd: 25 });
    gateway().clock.advance(40 * 86_400_000);
    expect(await budget()).toMatchObject({ reset_interval: null, limit_usd: 5_000, spent_usd: 25, resets_at: null });
    gateway().clock.advance(-40 * 86_400_000);
  });

  it("deleteWorkspace: 400 while an API key in it works, 200 after", async () => {
    const { id } = await makeWorkspace(gateway());
    const { record } = await makeKey(gateway(), { workspace_id: id });
    expectError(await call("DELETE", `/workspaces/${id}`), "invalid_request", /1 active API key/);
    await call("DELETE", `/keys/${record.hash}`);
    expect((await call("DELETE", `/workspaces/${id}`)).json).toEqual({ deleted: true });
  });

  it("deleteWorkspace: 403 for the default one", async () => {
    expectError(await call("DELETE", "/workspaces/default"), "permission_denied", /default/);
  });

  it("its keys cannot be made to work again once it is deleted, by no way: 409", async () => {
    const { id } = await makeWorkspace(gateway());
    const { record: off } = await makeKey(gateway(), { workspace_id: id });
    await call("PATCH", `/keys/${off.hash}`, { body: { disabled: true } });
    const expires_at = new Date(gateway().clock.now().getTime() + 1_000).toISOString();
    const { record: over } = await makeKey(gateway(), { workspace_id: id, expires_at });
    gateway().clock.advance(2_000);
    expect((await call("DELETE", `/workspaces/${id}`)).status).toBe(200);
    for (const [method, path, body] of [
      ["PATCH", `/keys/${off.hash}`, { disabled: false }],
      ["PATCH", `/keys/${over.hash}`, { expires_at: null }],
      ["POST", `/keys/${off.hash}/rotate`, { grace_seconds: 0 }],
    ] as const)
      expectError(await call(method, path, { body }), "conflict", /workspace was deleted/);
    expect((await call("PATCH", `/keys/${off.hash}`, { body: { name: "kept for the record" } })).status).toBe(200);
  });

  it("its destinations are disabled when it is deleted, and stay so", async () => {
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

  describe("without an identity provider", () => {
    it("listOrganizationMembers: 404, as of a personal account", async () => {
      expectError(await call("GET", "/organization/members?limit=10&offset=0"), "not_found", /no organization/);
    });

    it("listWorkspaceMembers: 200, none, by id and by slug", async () => {
      const { id, slug } = await makeWorkspace(gateway());
      for (const reference of [id, slug]) {
        expect((await call("GET", `/workspaces/${reference}/members`)).json).toEqual({ data: [], total_count: 0 });
      }
    });

    it("addWorkspaceMembers: 400, because no user exists; removeWorkspaceMembers: 200, none was removed", async () => {
      const body = { user_ids: ["user_1"] };
      const members = (verb: string) => call("POST", `/workspaces/default/members/${verb}`, { body });
      expectError(await members("add"), "invalid_request", /member of the organization/);
      expect((await members("remove")).json).toEqual({ removed_count: 0 });
    });

    it("createCoinbaseCharge: 410, with or without a key, whatever is sent", async () => {
      for (const key of [null, gateway().managementKey]) {
        expectError(await call("POST", "/credits/coinbase", { key }), "gone", /POST \/credits/);
        expectError(await call("POST", "/credits/coinbase", { key, body: { amount: 5 } }), "gone", /Coinbase/);
      }
    });
  });
});
