import { describe, expect, it } from "vitest";
import { describeGateway } from "../testing/describe-gateway.ts";
import { expectError, expectIssues } from "../testing/expect-error.ts";
import { makeKey, makeWorkspace } from "../testing/factories.ts";

describeGateway("a gateway without an identity provider", (gateway) => {
  const call = (...parameters: Parameters<ReturnType<typeof gateway>["call"]>) => gateway().call(...parameters);
  const user_ids = ["user_1"];

  it("listOrganizationMembers: 404, as of a personal account; 400, 401 and 403 before", async () => {
    expectError(await call("GET", "/organization/members?limit=10&offset=0"), "not_found", /no organization/);
    expectIssues(await call("GET", "/organization/members?limit=101"), "limit");
    expectError(await call("GET", "/organization/members", { key: null }), "authentication", /management key/);
    const { key } = await makeKey(gateway());
    expectError(await call("GET", "/organization/members", { key }), "permission_denied", /Only management keys/);
  });

  describe.each([
    ["listWorkspaceMembers", "GET", "members"],
    ["addWorkspaceMembers", "POST", "members/add"],
    ["removeWorkspaceMembers", "POST", "members/remove"],
  ])("%s", (_, method, path) => {
    const options = method === "GET" ? {} : { body: { user_ids } };
    const of = (id: string, more: object = {}) => call(method, `/workspaces/${id}/${path}`, { ...options, ...more });

    it("401, 403, and 404 for a workspace that is not there", async () => {
      expectError(await of("default", { key: null }), "authentication", /management key/);
      const { key } = await makeKey(gateway());
      expectError(await of("default", { key }), "permission_denied", /Only management keys/);
      expectError(await of("no-such-workspace"), "not_found", /workspace/);
    });
  });

  it("listWorkspaceMembers: 200, none, by id and by slug", async () => {
    const { id, slug } = await makeWorkspace(gateway());
    for (const reference of [id, slug]) {
      expect((await call("GET", `/workspaces/${reference}/members`)).json).toEqual({ data: [], total_count: 0 });
    }
  });

  it("addWorkspaceMembers: 400, because no user exists; removeWorkspaceMembers: 200, none was removed", async () => {
    const members = (verb: string, body: unknown) => call("POST", `/workspaces/default/members/${verb}`, { body });
    expectError(await members("add", { user_ids }), "invalid_request", /member of the organization/);
    expectIssues(await members("add", { user_ids: [] }), "user_ids");
    expect((await members("remove", { user_ids })).json).toEqual({ removed_count: 0 });
    expectIssues(await members("remove", { user_ids: Array.from({ length: 101 }, String) }), "user_ids");
  });

  it("createCoinbaseCharge: 410, with or without a key, whatever is sent", async () => {
    for (const key of [null, gateway().managementKey]) {
      expectError(await call("POST", "/credits/coinbase", { key }), "gone", /POST \/credits/);
      expectError(await call("POST", "/credits/coinbase", { key, body: { amount: 5 } }), "gone", /Coinbase/);
    }
  });
});
