import { expect, it } from "vitest";
import { describeGateway } from "../testing/describe-gateway.ts";
import { expectError } from "../testing/expect-error.ts";
import { makeWorkspace } from "../testing/factories.ts";

describeGateway("a gateway without an identity provider", (gateway) => {
  const call = (...parameters: Parameters<ReturnType<typeof gateway>["call"]>) => gateway().call(...parameters);

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
