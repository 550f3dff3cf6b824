import { beforeAll, describe, expect, it } from "vitest";
import { scimSchemas } from "#contract/scim-protocol.ts";
import { describeGateway } from "../testing/describe-gateway.ts";
import { makeKey, makeWorkspace } from "../testing/factories.ts";
import { connectDirectory, type IdentityProvider } from "../testing/identity-provider.ts";

const enterprise = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User";
const patchOf = (...Operations: object[]) => ({ schemas: [scimSchemas.patch], Operations });

/** The requests of identity providers, in the forms that these document. */
describeGateway("the SCIM server", (gateway) => {
  let idp: IdentityProvider;
  beforeAll(async () => {
    idp = await connectDirectory(gateway());
  });
  const find = async (path: string, filter: string, more = "") =>
    (await idp.scim("GET", `${path}?filter=${encodeURIComponent(filter)}${more}`)).json;
  const send = async (method: string, path: string, body: unknown, type = "application/scim+json; charset=utf-8") =>
    await idp.scim(method, path, body, { type });
  const mapped = async (scim_group_id: string) => {
    const { id } = await makeWorkspace(gateway());
    await gateway().call("POST", "/scim/group-mappings", { body: { scim_group_id, workspace_id: id, role: "member" } });
    return async () => {
      const { json } = await gateway().call("GET", `/workspaces/${id}/members`);
      return (json.data as { user_id: string }[]).map(({ user_id }) => user_id).toSorted();
    };
  };

  // https://developer.okta.com/docs/api/openapi/okta-scim/guides/scim-20/
  it("takes what Okta sends", async () => {
    const userName = "test.user@okta.example";
    const paging = "&startIndex=1&count=100";
    expect(await find("/Users", `userName eq "${userName}"`, paging)).toMatchObject({ totalResults: 0, Resources: [] });
    const emails = [{ primary: true, value: userName, type: "work" }];
    const person = { schemas: [scimSchemas.user], userName, name: { givenName: "Test", familyName: "User" }, emails };
    const made = await send("POST", "/Users", {
      ...person,
      displayName: "Test User",
      locale: "en-US",
      externalId: "00ujl29u0le5T6Aj10h7",
      groups: [],
      password: "1mz050nq",
      active: true,
    });
    expect(made).toMatchObject({ status: 201, json: { userName, emails, externalId: "00ujl29u0le5T6Aj10h7" } });
    expect(made.text).not.toContain("1mz050nq");
    const { id } = made.json as { id: string };
    expect(await find("/Users", `userName eq "${userName}"`, paging)).toMatchObject({ Resources: [{ id }] });
    const changed = await send("PUT", `/Users/${id}`, {
      ...person,
      id,
      name: { givenName: "Another", middleName: "", familyName: "User" },
      emails: [{ ...emails[0], display: userName }],
      active: true,
      groups: [],
      meta: { resourceType: "User" },
    });
    expect(changed).toMatchObject({ status: 200, json: { name: { givenName: "Another" }, emails, active: true } });

    const group = { schemas: [scimSchemas.group], displayName: "Test SCIMv2", members: [] };
    const { id: groupId } = (await send("POST", "/Groups", group)).json as { id: string };
    const members = await mapped(groupId);
    expect(await find("/Groups", 'displayName eq "Test SCIMv2"', paging)).toMatchObject({ totalResults: 1 });
    const patch = async (...operations: object[]) =>
      (await send("PATCH", `/Groups/${groupId}`, patchOf(...operations))).status;
    expect(await patch({ op: "replace", value: { id: groupId, displayName: "Test SCIMv20" } })).toBe(204);
    expect(await patch({ op: "add", path: "members", value: [{ value: id, display: userName }] })).toBe(204);
    expect(await members()).toEqual([id]);
    const other = await idp.user("other.user@okta.example");
    const exchange = [
      { op: "remove", path: `members[value eq "${id}"]` },
      { op: "add", path: "members", value: [{ value: other, display: "other.user@okta.example" }] },
    ];
    expect(await patch(...exchange)).toBe(204);
    expect(await members()).toEqual([other]);
    expect(await patch({ op: "replace", path: "members", value: [{ value: id }, { value: other }] })).toBe(204);
    expect(await members()).toEqual([id, other].toSorted());
    // "Push now" of an empty group, and a change of members by an app integration of one's own.
    expect(await patch({ op: "replace", value: { id: groupId, displayName: "Test SCIMv20", members: [] } })).toBe(204);
    expect(await members()).toEqual([]);
    const whole = { ...group, id: groupId, members: [id, other].map((value) => ({ value, display: value })) };
    expect(await send("PUT", `/Groups/${groupId}`, whole)).toMatchObject({
      status: 200,
      json: { displayName: "Test SCIMv2", members: [{ type: "User" }, { type: "User" }] },
    });
    expect(await members()).toEqual([id, other].toSorted());

    const { key } = await makeKey(gateway(), { creator_user_id: id });
    const off = await send("PATCH", `/Users/${id}`, patchOf({ op: "replace", value: { active: false } }));
    expect(off).toMatchObject({ status: 200, json: { id, active: false } });
    expect(await members()).toEqual([other]);
    expect((await gateway().call("GET", "/key", { key })).status).toBe(401);
    expect((await idp.scim("DELETE", `/Groups/${groupId}`)).status).toBe(204);
    expect(await members()).toEqual([]);
  });

  // https://learn.microsoft.com/entra/identity/app-provisioning/use-scim-to-provision-users-and-groups
  describe("takes what Microsoft Entra ID sends", () => {
    it("of users: capitalized operations, booleans as text, attributes of other schemas", async () => {
      const userName = "Test_User_00aa00aa";
      const made = await send("POST", "/Users", {
        schemas: [scimSchemas.user, enterprise],
        externalId: "0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef",
        userName,
        active: true,
        emails: [{ primary: true, type: "work", value: "Test_User@example.com" }],
        meta: { resourceType: "User" },
        name: { formatted: "given family", familyName: "family", givenName: "given" },
        roles: [],
        [enterprise]: { employeeNumber: "701984", department: "Bug Prevention", manager: { value: "x" } },
      });
      expect(made.status).toBe(201);
      const { id } = made.json as { id: string };
      const byMail = 'emails[type eq "work"].value eq "test_user@example.com"';
      expect(await find("/Users", byMail)).toMatchObject({ Resources: [{ id }] });
      expect(await find("/Users", `externalId eq "0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef"`)).toMatchObject({
        Resources: [{ id }],
      });
      const patched = await send(
        "PATCH",
        `/Users/${id}`,
        patchOf(
          { op: "Replace", path: 'emails[type eq "work"].value', value: "updated@example.com" },
          { op: "Replace", path: "name.familyName", value: "updatedFamilyName" },
          { op: "Add", path: `${enterprise}:manager`, value: "00000000-0000-4000-8000-000000000001" },
          { op: "Add", path: 'phoneNumbers[type eq "mobile"].value', value: "+1 555 0100" },
          { op: "Add", path: 'roles[primary eq "True"].value', value: "Admin" },
          { op: "Remove", path: `${enterprise}:department` },
        ),
      );
      expect(patched).toMatchObject({
        status: 200,
        json: { emails: [{ value: "updated@example.com", type: "work" }], name: { familyName: "updatedFamilyName" } },
      });
      // Without a path, names of attributes are paths themselves.
      const flat = { displayName: "Flat", 'emails[type eq "work"].value': "flat@example.com", "name.givenName": "F" };
      const value = { ...flat, [`${enterprise}:department`]: "Sales", active: "True" };
      expect((await send("PATCH", `/Users/${id}`, patchOf({ op: "Add", value }))).json).toMatchObject({
        displayName: "Flat",
        emails: [{ value: "flat@example.com" }],
        name: { givenName: "F", familyName: "updatedFamilyName" },
        active: true,
      });
      const off = await send("PATCH", `/Users/${id}`, patchOf({ op: "Replace", path: "active", value: "False" }));
      expect(off.json).toMatchObject({ active: false });
      expect(await find("/Users", `userName eq "${userName}" and active eq "False"`)).toMatchObject({
        totalResults: 1,
      });
      expect((await idp.scim("DELETE", `/Users/${id}`)).status).toBe(204);
      expect(await find("/Users", `userName eq "${userName}"`)).toMatchObject({ totalResults: 0, Resources: [] });
    });

    it("of users: managers, which are asked for first, and absent attributes as null", async () => {
      const absent = { addresses: null, phoneNumbers: null, preferredLanguage: null, title: null, department: null };
      const made = await send("POST", "/Users", {
        schemas: [scimSchemas.user, enterprise],
        externalId: "jyoung",
        userName: "jyoung@testuser.example",
        active: true,
        ...absent,
        displayName: "Joy Young",
        emails: [{ type: "work", value: "jyoung@contoso.example", primary: true }],
        meta: { resourceType: "User" },
        name: { familyName: "Young", givenName: "Joy" },
        manager: null,
      });
      expect(made).toMatchObject({ status: 201, json: { externalId: "jyoung", name: { familyName: "Young" } } });
      const { id } = made.json as { id: string };
      expect(await find("/Users", "externalId eq jyoung")).toMatchObject({ Resources: [{ id }] });
      const boss = await idp.user("boss@testuser.example");
      for (const name of ["manager", `${enterprise}:manager`, `${enterprise}:manager.value`]) {
        expect(await find("/Users", `id eq "${id}" and ${name} eq "${boss}"`, "&attributes=id")).toMatchObject({
          totalResults: 0,
          Resources: [],
        });
        expect(await find("/Users", `id eq "${id}" and ${name} eq null`)).toMatchObject({ totalResults: 1 });
      }
      for (const value of [[{ $ref: `${gateway().url}/scim/v2/Users/${boss}`, value: boss }], boss]) {
        const change = await send("PATCH", `/Users/${id}`, patchOf({ op: "Add", path: "manager", value }));
        expect(change).toMatchObject({ status: 200, json: { id, displayName: "Joy Young" } });
      }
      const inOne = { displayName: "Joy", "name.givenName": "J", [`${enterprise}:employeeNumber`]: "701984" };
      const operations = [
        { op: "replace", path: 'emails[type eq "work"].value', value: "joy@contoso.example" },
        { op: "replace", value: inOne },
        { op: "replace", path: "active", value: false },
      ];
      expect((await send("PATCH", `/Users/${id}`, patchOf(...operations))).json).toMatchObject({
        displayName: "Joy",
        name: { givenName: "J", familyName: "Young" },
        emails: [{ value: "joy@contoso.example" }],
        active: false,
      });
    });

    it("of groups: members with $ref, removed by their values or by a filter", async () => {
      const [ana, bo] = [await idp.user("ana@entra.example"), await idp.user("bo@entra.example")];
      const resourceManagement = "http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group";
      const made = await send("POST", "/Groups", {
        schemas: [scimSchemas.group, resourceManagement],
        externalId: "8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159",
        displayName: "Entra group",
        meta: { resourceType: "Group" },
      });
      expect(made).toMatchObject({ status: 201, json: { members: [], displayName: "Entra group" } });
      const { id } = made.json as { id: string };
      const members = await mapped(id);
      const patch = async (...operations: object[]) =>
        (await send("PATCH", `/Groups/${id}`, patchOf(...operations))).status;
      expect(await find("/Groups", 'displayName eq "entra group"', "&excludedAttributes=members")).toMatchObject({
        totalResults: 1,
      });
      expect(await patch({ op: "Replace", path: "displayName", value: "Renamed" })).toBe(204);
      const both = [ana, bo].map((value) => ({ $ref: null, value }));
      expect(await patch({ op: "Add", path: "members", value: both })).toBe(204);
      expect(await members()).toEqual([ana, bo].toSorted());
      const isIn = `id eq "${id}" and members eq "${bo}"`;
      expect(await find("/Groups", isIn, "&excludedAttributes=members")).toMatchObject({ totalResults: 1 });
      expect(await patch({ op: "Remove", path: "members", value: [{ $ref: null, value: bo }] })).toBe(204);
      expect(await members()).toEqual([ana]);
      expect(await find("/Groups", isIn, "&excludedAttributes=members")).toMatchObject({ totalResults: 0 });
      expect(await patch({ op: "Remove", path: `members[value eq "${ana}"]` })).toBe(204);
      expect(await members()).toEqual([]);
      const read = (await idp.scim("GET", `/Groups/${id}?excludedAttributes=members`)).json;
      expect(read).toMatchObject({ displayName: "Renamed", externalId: "8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159" });
      expect(read).not.toHaveProperty("members");
    });
  });
});
