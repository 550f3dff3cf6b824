import { beforeAll, describe, expect, it } from "vitest";
import { scimBounds } from "#contract/scim-protocol.ts";
import { describeGateway } from "../testing/describe-gateway.ts";
import { expectError } from "../testing/expect-error.ts";
import { expectScimError } from "../testing/expect-scim.ts";
import { makeWorkspace } from "../testing/factories.ts";
import { connectDirectory, type IdentityProvider } from "../testing/identity-provider.ts";

const size = 10_000;
const ids = Array.from({ length: size + 1 }, (_, at) => `10000000-0000-4000-8000-${String(at).padStart(12, "0")}`);
const [first = "", ...others] = ids;

/** Changes of 10,000 members, and the most that one change may do. */
describeGateway("a large group", (gateway) => {
  let idp: IdentityProvider;
  beforeAll(async () => {
    idp = await connectDirectory(gateway());
    const at = gateway().clock.now();
    for (let from = 0; from < ids.length; from += 1_000) {
      const rows = ids.slice(from, from + 1_000).map((id) => ({
        id,
        user_name: `${id}@example.com`,
        active: true,
        created_at: at,
        updated_at: at,
      }));
      await gateway().deps.store.db.insertInto("scim_users").values(rows).execute();
    }
  });
  const map = async (scim_group_id: string) => {
    const { id: workspace_id } = await makeWorkspace(gateway());
    const body = { scim_group_id, workspace_id, role: "member" };
    return { workspace_id, answer: await gateway().call("POST", "/scim/group-mappings", { body }) };
  };
  const membersOf = async (workspace: string) =>
    (await gateway().call("GET", `/workspaces/${workspace}/members`)).json.total_count as number;

  it("takes 10,000 members at once, and names them all", async () => {
    const group = await idp.group("Everyone");
    const { workspace_id } = await map(group);
    const value = others.map((id) => ({ value: id }));
    const added = await idp.patch(`/Groups/${group}`, { op: "add", path: "members", value });
    expect(added.status).toBe(204);
    expect((await idp.scim("GET", `/Groups/${group}`)).json.members).toHaveLength(size);
    expect(await membersOf(workspace_id)).toBe(size);
    const removals = others.slice(0, 1_000).map((id) => ({ op: "Remove", path: `members[value eq "${id}"]` }));
    expect((await idp.patch(`/Groups/${group}`, ...removals)).status).toBe(204);
    expect(await membersOf(workspace_id)).toBe(size - 1_000);
  });

  describe("with as many memberships as a group may give", () => {
    const most = scimBounds.membershipsOfGroup / size;
    let group: string;
    let workspace: string;
    beforeAll(async () => {
      group = await idp.group("In many workspaces");
      const { db } = gateway().deps.store;
      for (let count = 1; count < most; count += 1) await map(group);
      const rows = others.map((user_id) => ({ group_id: group, user_id }));
      for (let from = 0; from < size; from += 1_000) {
        await db
          .insertInto("scim_group_members")
          .values(rows.slice(from, from + 1_000))
          .execute();
      }
      const last = await map(group);
      if (last.answer.status !== 201) throw new Error(last.answer.text);
      workspace = last.workspace_id;
    });

    it("is mapped to no more workspaces: 409 that says how many it may have", async () => {
      const { answer, workspace_id } = await map(group);
      expectError(answer, "conflict", /A group of 10000 members can be mapped to at most 10 workspaces/);
      expect(await membersOf(workspace_id)).toBe(0);
      expect(await membersOf(workspace)).toBe(size);
    });

    it("takes no more members, and lets go of those it has", async () => {
      const add = { op: "add", path: "members", value: [{ value: first }] };
      const refused = await idp.patch(`/Groups/${group}`, add);
      expectScimError(refused, 400, "invalidValue");
      expect(refused.json.detail).toMatch(/mapped to 10 workspaces, so it can have at most 10000 members/);
      const whole = { displayName: "Replaced", members: ids.map((value) => ({ value })) };
      expectScimError(await idp.scim("PUT", `/Groups/${group}`, whole), 400, "invalidValue");
      expect((await idp.scim("GET", `/Groups/${group}?excludedAttributes=members`)).json.displayName).toBe(
        "In many workspaces",
      );
      const remove = { op: "remove", path: `members[value eq "${others[0]}"]` };
      expect((await idp.patch(`/Groups/${group}`, remove)).status).toBe(204);
      expect(await membersOf(workspace)).toBe(size - 1);
      expect((await idp.patch(`/Groups/${group}`, add)).status).toBe(204);
      expect(await membersOf(workspace)).toBe(size);
    });
  });
});
