import { beforeAll, describe, expect, it } from "vitest";
import { scimBounds, scimSchemas } from "#contract/scim-protocol.ts";
import { describeGateway, engine } from "../testing/describe-gateway.ts";
import { eventually } from "../testing/eventually.ts";
import { expectError, expectIssues } from "../testing/expect-error.ts";
import { expectScimError } from "../testing/expect-scim.ts";
import { makeKey, makeWorkspace } from "../testing/factories.ts";
import { connectDirectory, type IdentityProvider } from "../testing/identity-provider.ts";

const nobody = "00000000-0000-4000-8000-000000000000";

describeGateway("the SCIM server", (gateway) => {
  let idp: IdentityProvider;
  beforeAll(async () => {
    idp = await connectDirectory(gateway());
  });
  const members = async (workspace: string) => {
    const { json } = await gateway().call("GET", `/workspaces/${workspace}/members?limit=100`);
    return Object.fromEntries(
      (json.data as { user_id: string; role: string }[]).map(({ user_id, role }) => [user_id, role]),
    );
  };
  const map = async (scim_group_id: string, workspace_id: string, role = "member"): Promise<string> => {
    const answer = await gateway().call("POST", "/scim/group-mappings", {
      body: { scim_group_id, workspace_id, role },
    });
    if (answer.status !== 201) throw new Error(answer.text);
    return answer.json.data.id as string;
  };
  const audit = async (query: string) =>
    (await gateway().call("GET", `/audit?${query}`)).json.data as {
      actor: string;
      action: string;
      target_id: string;
      before: unknown;
      after: Record<string, unknown>;
    }[];

  it("lets in no token that was deleted, at once", async () => {
    const other = await connectDirectory(gateway());
    expect(other.token).toMatch(/^sk-gh-scim-v1-[0-9A-Za-z]{49}$/);
    expect((await other.scim("GET", "/Users")).status).toBe(200);
    const { json } = await gateway().call("GET", "/scim/tokens");
    const used = { id: other.id, last_used_at: gateway().clock.now().toISOString() };
    expect(json.data).toContainEqual(expect.objectContaining(used));
    expect((await gateway().call("DELETE", `/scim/tokens/${other.id}`)).json).toEqual({ deleted: true });
    expectScimError(await other.scim("GET", "/Users"), 401);
  });

  it("says what it can do", async () => {
    const config = await idp.scim("GET", "/ServiceProviderConfig");
    expect(config.json).toMatchObject({
      patch: { supported: true },
      bulk: { supported: false },
      filter: { supported: true, maxResults: scimBounds.page },
      meta: { location: `${gateway().url}/scim/v2/ServiceProviderConfig` },
    });
    expect(config.headers.get("content-type")).toMatch(/^application\/scim\+json/);
    const types = (await idp.scim("GET", "/ResourceTypes")).json;
    expect(types.Resources.map(({ endpoint }: { endpoint: string }) => endpoint)).toEqual(["/Users", "/Groups"]);
    expect((await idp.scim("GET", "/ResourceTypes/Group")).json.schema).toBe(scimSchemas.group);
    const schemas = (await idp.scim("GET", "/Schemas")).json;
    expect(schemas).toMatchObject({ totalResults: 2, startIndex: 1, itemsPerPage: 2 });
    const user = (await idp.scim("GET", `/Schemas/${scimSchemas.user}`)).json;
    expect(user.attributes.map(({ name }: { name: string }) => name)).toContain("userName");
    expectScimError(await idp.scim("GET", "/Bulk"), 404);
    expectScimError(await idp.scim("POST", "/Me", {}), 404);
  });

  describe("users", () => {
    it("are created, found, replaced, changed and deleted", async () => {
      const emails = [{ value: "ana@example.com", type: "work", primary: true }];
      const name = { givenName: "Ana", familyName: "Silva" };
      const sent = { userName: "Ana@example.com", externalId: "ext-ana", name, emails, active: true };
      const schemas = [scimSchemas.user];
      const made = await idp.scim("POST", "/Users", { schemas, ...sent, title: "not kept" });
      const now = gateway().clock.now().toISOString();
      const { id } = made.json as { id: string };
      const location = `${gateway().url}/scim/v2/Users/${id}`;
      expect([made.status, made.headers.get("location")]).toEqual([201, location]);
      const meta = { resourceType: "User", created: now, lastModified: now, location };
      expect(made.json).toEqual({ schemas, id, ...sent, meta });
      const found = async (filter: string) =>
        (await idp.scim("GET", `/Users?filter=${encodeURIComponent(filter)}`)).json as object;
      for (const filter of [
        'userName eq "ANA@EXAMPLE.COM"',
        'externalId eq "ext-ana"',
        `id eq "${id}" and active eq true`,
        'emails[type eq "work"].value eq "ana@example.com"',
      ]) {
        expect(await found(filter)).toMatchObject({ totalResults: 1, Resources: [{ id }] });
      }
      const none = { totalResults: 0, itemsPerPage: 0, Resources: [] };
      expect(await found('externalId eq "EXT-ANA"')).toMatchObject(none);

      const replaced = await idp.scim("PUT", `/Users/${id}`, { userName: "ana@example.com", displayName: "Ana S." });
      expect(replaced.json).toMatchObject({ userName: "ana@example.com", displayName: "Ana S.", active: true });
      expect(replaced.json).not.toHaveProperty("externalId");
      const patched = await idp.patch(
        `/Users/${id}`,
        { op: "Replace", path: "name.givenName", value: "Anna" },
        { op: "Add", path: 'emails[type eq "work"].value', value: "anna@example.com" },
        { op: "Add", path: "emails", value: [{ value: "home@example.com", type: "home" }] },
        { op: "Remove", path: 'emails[value eq "home@example.com"]' },
      );
      expect(patched.status).toBe(200);
      expect(patched.json).toMatchObject({ name: { givenName: "Anna" }, emails: [{ value: "anna@example.com" }] });
      expect((await idp.scim("GET", `/Users/${id}`)).json).toEqual(patched.json);

      const gone = await idp.scim("DELETE", `/Users/${id}`);
      expect([gone.status, gone.text]).toEqual([204, ""]);
      expectScimError(await idp.scim("GET", `/Users/${id}`), 404);
    });

    it("are refused with a SCIM error: uniqueness, invalidValue, invalidPath, invalidFilter, invalidSyntax", async () => {
      const [id, other] = [await idp.user("bo@example.com"), await idp.user("bo2@example.com")];
      const change = async (...operations: object[]) => await idp.patch(`/Users/${id}`, ...operations);
      const list = async (query: string) => await idp.scim("GET", `/Users?${query}`);
      const many = Array.from({ length: scimBounds.operations + 1 }, () => ({ op: "add", path: "title", value: "x" }));
      const rename = { op: "replace", path: "userName", value: "bo@example.com" };
      expectScimError(await idp.scim("POST", "/Users", { userName: "BO@example.com" }), 409, "uniqueness");
      expectScimError(await idp.patch(`/Users/${other}`, rename), 409, "uniqueness");
      expectScimError(await idp.scim("POST", "/Users", { displayName: "B" }), 400, "invalidValue");
      expectScimError(await idp.scim("POST", "/Users", { userName: "a\0b" }), 400, "invalidSyntax");
      expectScimError(await change({ op: "move", path: "active" }), 400, "invalidSyntax");
      expectScimError(await change(), 400, "invalidSyntax");
      expectScimError(await change({ op: "add", path: "no such", value: 1 }), 400, "invalidPath");
      expectScimError(await change(...many), 400, "invalidValue");
      for (const raw of ["[]", "null"]) {
        expectScimError(await idp.scim("PUT", `/Users/${id}`, undefined, { raw }), 400, "invalidSyntax");
      }
      for (const filter of ['title eq "Dr"', 'userName sw "b"', 'userName eq "\\u0000"', 'displayName eq "\\ud800"']) {
        expectScimError(await list(`filter=${encodeURIComponent(filter)}`), 400, "invalidFilter");
      }
      expectScimError(await list("startIndex=first"), 400, "invalidValue");
      expectScimError(await idp.scim("GET", "/Users/x"), 404);
      expectScimError(await idp.scim("GET", "/Users/%00"), 400, "invalidSyntax");
    });

    it("come in pages", async () => {
      for (const name of ["p1", "p2", "p3"]) await idp.user(`${name}@example.com`);
      const list = async (query: string) => (await idp.scim("GET", `/Users?${query}`)).json;
      const { totalResults, Resources } = (await list("count=200")) as { totalResults: number; Resources: unknown[] };
      expect(Resources).toHaveLength(totalResults);
      const last = { startIndex: totalResults, itemsPerPage: 1, Resources: Resources.slice(-1) };
      expect(await list(`startIndex=${totalResults}&count=5`)).toMatchObject(last);
      expect(await list("count=0")).toMatchObject({ totalResults, itemsPerPage: 0 });
      expect(await list("startIndex=-3&count=1")).toMatchObject({ startIndex: 1, itemsPerPage: 1 });
    });
  });

  describe("groups", () => {
    it("are read without their members, found, emptied and deleted", async () => {
      const [ana, bo] = [await idp.user("g-ana@example.com"), await idp.user("g-bo@example.com")];
      const id = await idp.group("Team Green", [ana]);
      const read = async (query = "") => (await idp.scim("GET", `/Groups/${id}${query}`)).json;
      const members = [{ value: ana, display: "g-ana@example.com", type: "User" }];
      expect(await read()).toMatchObject({ displayName: "Team Green", members, meta: { resourceType: "Group" } });
      expect(await read("?excludedAttributes=members")).not.toHaveProperty("members");
      expect(await read("?attributes=displayName")).not.toHaveProperty("members");
      for (const [filter, count] of [
        ['displayName eq "team green"', 1],
        [`id eq "${id}" and members eq "${ana}"`, 1],
        [`id eq "${id}" and members eq "${bo}"`, 0],
      ] as const) {
        const { json } = await idp.scim("GET", `/Groups?filter=${encodeURIComponent(filter)}`);
        expect(json.totalResults).toBe(count);
      }
      const emptied = await idp.scim("PUT", `/Groups/${id}`, { displayName: "Team Red" });
      expect(emptied.json).toMatchObject({ displayName: "Team Red", members: [] });
      const unknown = { op: "add", path: "members", value: [{ value: nobody }] };
      expectScimError(await idp.patch(`/Groups/${id}`, unknown), 400, "invalidValue");
      expectScimError(await idp.scim("POST", "/Groups", { members: [] }), 400, "invalidValue");
      expect((await idp.scim("DELETE", `/Groups/${id}`)).status).toBe(204);
      expectScimError(await idp.scim("GET", `/Groups/${id}`), 404);
    });
  });

  it("a group is changed when one of its members is deleted", async () => {
    const [ana, bo] = [await idp.user("gone-ana@example.com"), await idp.user("gone-bo@example.com")];
    const [left, other] = [await idp.group("Left by one", [ana, bo]), await idp.group("Of another", [bo])];
    const lastModified = async (id: string) =>
      (await idp.scim("GET", `/Groups/${id}`)).json.meta.lastModified as string;
    const before = [await lastModified(left), await lastModified(other)];
    gateway().clock.advance(1_000);
    await idp.scim("DELETE", `/Users/${ana}`);
    const now = gateway().clock.now().toISOString();
    expect(now).not.toBe(before[0]);
    expect([await lastModified(left), await lastModified(other)]).toEqual([now, before[1]]);
  });

  describe("members of workspaces follow the groups", () => {
    it("joining and leaving a group begins and ends access; of several groups the highest role wins", async () => {
      const workspace = await makeWorkspace(gateway());
      const [ana, bo] = [await idp.user("m-ana@example.com"), await idp.user("m-bo@example.com")];
      const [team, leads] = [await idp.group("Members", [ana, bo]), await idp.group("Leads", [bo])];
      await map(team, workspace.id);
      await map(leads, workspace.id, "admin");
      expect(await members(workspace.slug)).toEqual({ [ana]: "member", [bo]: "admin" });
      expect(await members("default")).toMatchObject({ [ana]: "member", [bo]: "member" });

      await idp.patch(`/Groups/${leads}`, { op: "remove", path: `members[value eq "${bo}"]` });
      expect(await members(workspace.id)).toEqual({ [ana]: "member", [bo]: "member" });
      await idp.patch(`/Groups/${team}`, { op: "remove", path: "members", value: [{ value: bo }] });
      expect(await members(workspace.id)).toEqual({ [ana]: "member" });
      await idp.scim("PUT", `/Groups/${leads}`, { displayName: "Leads", members: [{ value: ana }] });
      expect(await members(workspace.id)).toEqual({ [ana]: "admin" });
      await idp.scim("DELETE", `/Groups/${leads}`);
      expect(await members(workspace.id)).toEqual({ [ana]: "member" });

      const changes = await audit(`target_type=workspace&workspace_id=${workspace.id}`);
      expect(changes.map(({ actor, action, after }) => [actor, action, after])).toEqual([
        ["Okta", "deleteScimGroup", { members_changed: 1, user_ids_changed: [ana] }],
        ["Okta", "updateScimGroup", { members_changed: 1, user_ids_changed: [ana] }],
        ["Okta", "updateScimGroup", { members_left: 1, user_ids_left: [bo] }],
        ["Okta", "updateScimGroup", { members_changed: 1, user_ids_changed: [bo] }],
        [expect.any(String), "createScimGroupMapping", { members_changed: 1, user_ids_changed: [bo] }],
        [expect.any(String), "createScimGroupMapping", { members_joined: 2, user_ids_joined: [ana, bo].toSorted() }],
        [expect.any(String), "createWorkspace", expect.any(Object)],
      ]);
    });

    it("who is deactivated leaves every workspace, and their keys are disabled for good", async () => {
      const workspace = await makeWorkspace(gateway());
      const ana = await idp.user("d-ana@example.com", { name: { givenName: "Ana" } });
      await map(await idp.group("Deactivated", [ana]), workspace.id, "admin");
      const mine = await makeKey(gateway(), { creator_user_id: ana, workspace_id: workspace.id });
      const other = await makeKey(gateway(), { creator_user_id: "somebody", workspace_id: workspace.id });
      expect((await gateway().call("GET", "/key", { key: mine.key })).status).toBe(200);
      const organization = async () =>
        (await gateway().call("GET", "/organization/members?limit=100")).json.data as { id: string }[];
      expect(await organization()).toContainEqual({
        id: ana,
        email: "d-ana@example.com",
        first_name: "Ana",
        last_name: null,
        role: "org:member",
      });

      const off = { op: "Replace", path: "active", value: "False" };
      // as some directories write an id
      expect((await idp.patch(`/Users/${ana.toUpperCase()}`, off)).json.active).toBe(false);
      expect(await members(workspace.id)).toEqual({});
      expect(await members("default")).not.toHaveProperty(ana);
      expect((await organization()).map(({ id }) => id)).not.toContain(ana);
      expectError(await gateway().call("GET", "/key", { key: mine.key }), "authentication", /disabled/);
      expect((await gateway().call("GET", "/key", { key: other.key })).status).toBe(200);
      const made = await gateway().call("POST", "/keys", { body: { name: "New", creator_user_id: ana } });
      expectError(made, "conflict", /deactivated in the directory/);
      const replaced = await gateway().call("POST", `/keys/${mine.record.hash}/rotate`, { body: { grace_seconds: 0 } });
      expectError(replaced, "conflict", /deactivated in the directory/);
      const enable = async (body: object) =>
        await gateway().call("PATCH", `/keys/${mine.record.hash}`, { body: { disabled: false, ...body } });
      expectError(await enable({ name: "Again" }), "conflict", /deactivated in the directory/);
      const renamed = await gateway().call("PATCH", `/keys/${mine.record.hash}`, { body: { name: "Of Ana" } });
      expect(renamed.json.data).toMatchObject({ name: "Of Ana", disabled: true });
      const [change] = await audit(`target_id=${mine.record.hash}&action=updateScimUser`);
      expect(change).toMatchObject({ actor: "Okta", before: { disabled: false }, after: { disabled: true } });

      await idp.patch(`/Users/${ana}`, { op: "replace", value: { active: true } });
      expect(await members(workspace.id)).toEqual({ [ana]: "admin" });
      expect(await members("default")).toHaveProperty(ana);
      expectError(await gateway().call("GET", "/key", { key: mine.key }), "authentication", /disabled/);
      // An admin decides that it works again.
      expect((await enable({})).json.data.disabled).toBe(false);
      expect((await gateway().call("GET", "/key", { key: mine.key })).status).toBe(200);
      await idp.scim("DELETE", `/Users/${ana}`);
      expectError(await gateway().call("GET", "/key", { key: mine.key }), "authentication", /disabled/);
      expect(await members(workspace.id)).toEqual({});
    });

    it("all keys of somebody who is deactivated end at once, however many, and every process hears of each", async () => {
      const ana = await idp.user("many-keys@example.com");
      const mixed = [...ana].map((letter, at) => (at % 2 === 0 ? letter.toUpperCase() : letter)).join("");
      const mine = await makeKey(gateway(), { creator_user_id: ana });
      // Beyond what one statement ends, written in every case.
      const copied = await gateway().deps.store.pool.query<{ hash: string }>(
        `insert into api_keys select (jsonb_populate_record(k, jsonb_build_object('hash', md5(n::text) || md5(k.hash),
           'creator_user_id', ($2::text[])[n % 3 + 1]))).* from api_keys k, generate_series(1, 204) n
         where k.hash = $1 returning hash`,
        [mine.record.hash, [ana, ana.toUpperCase(), mixed]],
      );
      const made = [mine.record.hash, ...copied.rows.map(({ hash }) => hash)];
      const heard = new Set<string | null>();
      gateway().deps.store.notices.listen("gatehouse_keys", (hash) => void heard.add(hash));
      expect((await idp.patch(`/Users/${ana}`, { op: "replace", path: "active", value: false })).status).toBe(200);
      await eventually(
        async () => made.filter((hash) => !heard.has(hash)),
        (missing) => missing.length === 0,
      );
      const { db } = gateway().deps.store;
      const working = await db
        .selectFrom("api_keys")
        .select("hash")
        .where("hash", "in", made)
        .where("disabled", "=", false)
        .execute();
      expect(working).toEqual([]);
      const recorded = await db
        .selectFrom("audit")
        .select(["target_id", "before", "after"])
        .where("action", "=", "updateScimUser")
        .where("target_id", "in", made)
        .execute();
      expect(recorded.map(({ target_id }) => target_id).toSorted()).toEqual(made.toSorted());
      expect(recorded[0]).toMatchObject({ before: { disabled: false }, after: { disabled: true } });
    });

    it("addWorkspaceMembers and removeWorkspaceMembers: by hand, next to what groups give", async () => {
      const workspace = await makeWorkspace(gateway());
      const [ana, bo] = [await idp.user("h-ana@example.com"), await idp.user("h-bo@example.com")];
      const group = await idp.group("By hand", [ana]);
      await map(group, workspace.id, "admin");
      const change = async (verb: "add" | "remove", user_ids: string[], reference = workspace.id) =>
        await gateway().call("POST", `/workspaces/${reference}/members/${verb}`, { body: { user_ids } });
      const added = await change("add", [ana, bo, bo]);
      expect(added.json.added_count).toBe(1);
      const roles = (added.json.data as { role: string }[]).map(({ role }) => role);
      expect(roles.toSorted()).toEqual(["admin", "member"]);
      expect((await audit(`action=bulkAddWorkspaceMembers&workspace_id=${workspace.id}`))[0]?.after).toEqual({
        members_joined: 1,
        user_ids_joined: [bo],
        members_kept: 1,
        user_ids_kept: [ana],
      });
      // Once more changes nothing, and is no change in the log.
      expect((await change("add", [ana, bo])).json.added_count).toBe(0);
      expect(await audit(`action=bulkAddWorkspaceMembers&workspace_id=${workspace.id}`)).toHaveLength(1);
      expectIssues(await change("add", [bo, nobody]), "user_ids.1");
      expectIssues(await change("add", ["somebody"]), "user_ids.0");

      expectIssues(await change("remove", [bo, ana]), "user_ids.1");
      expectIssues(await change("remove", [bo], "default"), "user_ids.0");
      const { record } = await makeKey(gateway(), { creator_user_id: bo.toUpperCase(), workspace_id: workspace.id });
      expectIssues(await change("remove", [nobody, bo]), "user_ids.1");
      expectError(await change("remove", [bo]), "invalid_request", /active API keys/);
      await gateway().call("DELETE", `/keys/${record.hash}`);
      expect((await change("remove", [bo, nobody, "x"])).json).toEqual({ removed_count: 1 });
      expect(await members(workspace.id)).toEqual({ [ana]: "admin" });
      // ana was added by hand too, and stays when the group does not.
      await idp.scim("DELETE", `/Groups/${group}`);
      expect(await members(workspace.id)).toEqual({ [ana]: "member" });
      expect((await audit(`action=bulkRemoveWorkspaceMembers&workspace_id=${workspace.id}`))[0]?.after).toEqual({
        members_left: 1,
        user_ids_left: [bo],
      });
    });
  });

  describe("createScimGroupMapping, getScimGroupMapping, updateScimGroupMapping, listScimGroupMappings", () => {
    it("201: a mapping; 409 for a second one of both; 200: another role is one of the members, too", async () => {
      const workspace = await makeWorkspace(gateway());
      const ana = await idp.user("r-ana@example.com");
      const scim_group_id = await idp.group("Roles", [ana]);
      const body = { scim_group_id, workspace_id: workspace.id, role: "member" };
      const made = await gateway().call("POST", "/scim/group-mappings", { body });
      const now = gateway().clock.now().toISOString();
      const id = expect.any(String) as string;
      expect(made.json.data).toEqual({ ...body, id, organization_id: "gatehouse", created_at: now, updated_at: now });
      expectError(await gateway().call("POST", "/scim/group-mappings", { body }), "conflict", /mapped/);
      const path = `/scim/group-mappings/${made.json.data.id}`;
      const changed = await gateway().call("PATCH", path, { body: { role: "admin" } });
      expect(changed.json.data).toEqual({ ...made.json.data, role: "admin" });
      expect(await members(workspace.id)).toEqual({ [ana]: "admin" });
    });

    it("400: a wrong group or role; 404: a group or workspace that is not there", async () => {
      const [group, { id }] = [await idp.group("Refused"), await makeWorkspace(gateway())];
      const post = async (body: object) => await gateway().call("POST", "/scim/group-mappings", { body });
      expectIssues(await post({ scim_group_id: "x", workspace_id: id, role: "owner" }), "scim_group_id", "role");
      expectError(await post({ scim_group_id: nobody, workspace_id: id, role: "admin" }), "not_found", /group/);
      expectError(await post({ scim_group_id: group, workspace_id: nobody, role: "admin" }), "not_found", /workspace/);
    });

    it("of a deleted workspace is gone", async () => {
      const workspace = await makeWorkspace(gateway());
      const id = await map(await idp.group("Of a deleted workspace"), workspace.id);
      await gateway().call("DELETE", `/workspaces/${workspace.id}`);
      expectError(await gateway().call("GET", `/scim/group-mappings/${id}`), "not_found", /mapping/);
    });
  });

  it("a group's mappings end with it, each with a row of the audit log", async () => {
    const [one, two] = [await makeWorkspace(gateway()), await makeWorkspace(gateway())];
    const ana = await idp.user("deleted-group@example.com");
    const group = await idp.group("To be deleted", [ana]);
    const mappings = [await map(group, one.id, "admin"), await map(group, two.id)];
    await idp.scim("DELETE", `/Groups/${group}`);
    expect([await members(one.id), await members(two.id)]).toEqual([{}, {}]);
    const rows = await audit("action=deleteScimGroup&target_type=scim_group_mapping");
    const expected = mappings.map((id, at) => {
      const workspace_id = [one, two][at]?.id;
      const role = at === 0 ? "admin" : "member";
      return { id, actor: "Okta", before: { scim_group_id: group, workspace_id, role }, after: null };
    });
    const found = rows.map(({ target_id: id, actor, before, after }) => ({ id, actor, before, after }));
    const byId = (one: { id: string }, other: { id: string }) => (one.id < other.id ? -1 : 1);
    const own = found.filter(({ id }) => mappings.includes(id));
    expect(own.toSorted(byId)).toEqual(expected.toSorted(byId));
  });

  const shared = engine === "postgres" ? [engine] : [];
  describe.each(shared)("while another process changes the directory in %s", () => {
    const lock = "pg_advisory_lock(hashtextextended('directory', 0))";
    /** Does something while changes have to wait; they go on after it. */
    const meanwhile = async <T>(work: (waiting: () => Promise<number>) => Promise<T>): Promise<T> => {
      const other = await gateway().deps.store.pool.connect();
      const waiting = async () => {
        const { rows } = await other.query<{ count: number }>(
          `select count(*)::int as count from pg_locks
           where locktype = 'advisory' and not granted
             and database = (select oid from pg_database where datname = current_database())`,
        );
        return rows[0]?.count ?? 0;
      };
      await other.query(`select ${lock}`);
      try {
        return await work(waiting);
      } finally {
        await other.query(`select ${lock.replace("lock(", "unlock(")}`);
        other.release();
      }
    };

    it("those of this process wait with one connection, and the others serve", async () => {
      const changes = await meanwhile(async (waiting) => {
        const sent = Array.from({ length: 40 }, (_, at) => idp.scim("POST", "/Users", { userName: `waiting-${at}` }));
        await eventually(waiting, (count) => count > 0);
        for (let reads = 0; reads < 20; reads += 1) {
          expect((await idp.scim("GET", "/Users?count=0")).status).toBe(200);
        }
        expect(await waiting()).toBe(1);
        return sent;
      });
      expect(new Set((await Promise.all(changes)).map(({ status }) => status))).toEqual(new Set([201]));
    });

    it("a key of somebody who is being deactivated waits, and is not enabled", async () => {
      const ana = await idp.user("raced-ana@example.com");
      const { key, record } = await makeKey(gateway(), { creator_user_id: ana });
      await gateway().call("PATCH", `/keys/${record.hash}`, { body: { disabled: true } });
      const other = await gateway().deps.store.pool.connect();
      try {
        await other.query("begin");
        await other.query("update scim_users set active = false where id = $1", [ana]);
        const { rows } = await other.query<{ pid: number }>("select pg_backend_pid() as pid");
        const enabled = gateway().call("PATCH", `/keys/${record.hash}`, { body: { disabled: false } });
        const waiting = async () => {
          const blocked = "select count(*)::int as count from pg_stat_activity where $1 = any(pg_blocking_pids(pid))";
          return (await other.query<{ count: number }>(blocked, [rows[0]?.pid])).rows[0]?.count ?? 0;
        };
        await eventually(waiting, (count) => count > 0);
        await other.query("commit");
        expectError(await enabled, "conflict", /deactivated in the directory/);
        expectError(await gateway().call("GET", "/key", { key }), "authentication", /disabled/);
      } finally {
        other.release(true);
      }
    });

    it("a token that is deleted while its change waits changes nothing", async () => {
      const late = await connectDirectory(gateway());
      const change = await meanwhile(async (waiting) => {
        const sent = late.scim("POST", "/Users", { userName: "too-late@example.com" });
        await eventually(waiting, (count) => count > 0);
        expect((await gateway().call("DELETE", `/scim/tokens/${late.id}`)).json).toEqual({ deleted: true });
        return { sent };
      });
      expectScimError(await change.sent, 401);
      const filter = encodeURIComponent('userName eq "too-late@example.com"');
      expect((await idp.scim("GET", `/Users?filter=${filter}`)).json.totalResults).toBe(0);
    });
  });

  describe("deleteScimGroupMapping", () => {
    it("keep_members is required; false lets go whom no other mapping covers, true keeps them by hand", async () => {
      const workspace = await makeWorkspace(gateway());
      const [ana, bo] = [await idp.user("k-ana@example.com"), await idp.user("k-bo@example.com")];
      const [one, two] = [await idp.group("One", [ana, bo]), await idp.group("Two", [bo])];
      const [first, second] = [await map(one, workspace.id, "admin"), await map(two, workspace.id)];
      const remove = async (id: string, query: string) =>
        await gateway().call("DELETE", `/scim/group-mappings/${id}${query}`);
      expectIssues(await remove(first, ""), "keep_members");
      expectIssues(await remove(first, "?keep_members=maybe"), "keep_members");
      expect((await remove(first, "?keep_members=false")).json).toEqual({ deleted: true });
      expect(await members(workspace.id)).toEqual({ [bo]: "member" });
      const again = await map(one, workspace.id, "admin");
      expect(await members(workspace.id)).toEqual({ [ana]: "admin", [bo]: "admin" });
      await remove(again, "?keep_members=true");
      expect(await members(workspace.id)).toEqual({ [ana]: "admin", [bo]: "member" });
      await idp.patch(`/Groups/${one}`, { op: "remove", path: "members" });
      await remove(second, "?keep_members=false");
      expect(await members(workspace.id)).toEqual({ [ana]: "admin" });
    });
  });

  it("listScimTokens, createScimToken, deleteScimToken: ten at most, the plaintext once", async () => {
    const { json } = await gateway().call("GET", "/scim/tokens");
    expect(JSON.stringify(json)).not.toContain(idp.token);
    const made: string[] = [];
    for (let count = json.data.length as number; count < 10; count += 1) {
      made.push((await gateway().call("POST", "/scim/tokens", { body: { name: "more" } })).json.data.id as string);
    }
    expectError(await gateway().call("POST", "/scim/tokens", { body: { name: "one too many" } }), "conflict", /10/);
    expectIssues(await gateway().call("POST", "/scim/tokens", { body: { name: "", role: 1 } }), "name", "role");
    for (const id of made) await gateway().call("DELETE", `/scim/tokens/${id}`);
    expect(JSON.stringify(await audit("action=createScimToken"))).not.toContain(idp.token);
    expect(gateway().log()).not.toContain(idp.token);
  });

  it("createScimSyncJob, getScimSyncJob: 202, and all mappings are applied", async () => {
    const workspace = await makeWorkspace(gateway());
    const ana = await idp.user("s-ana@example.com");
    await map(await idp.group("Synchronized", [ana]), workspace.id);
    // As after a restored backup.
    await gateway().deps.store.db.deleteFrom("workspace_members").where("workspace_id", "=", workspace.id).execute();
    const started = await gateway().call("POST", "/scim/sync-jobs");
    expect(started.status).toBe(202);
    const read = async () => (await gateway().call("GET", `/scim/sync-jobs/${started.json.data.id}`)).json.data;
    await eventually(read, ({ finished_at }) => finished_at !== null);
    const { json } = await gateway().call("GET", "/scim/group-mappings?limit=100");
    const groups = new Set((json.data as { scim_group_id: string }[]).map(({ scim_group_id }) => scim_group_id));
    expect(await read()).toMatchObject({
      status: "succeeded",
      synced_groups: groups.size,
      deleted_groups: 0,
      error_message: null,
    });
    expect(await members(workspace.id)).toEqual({ [ana]: "member" });
  });

  it("listScimGroups: what was pushed, the oldest first", async () => {
    const { json } = await gateway().call("GET", "/scim/groups?limit=2&offset=1");
    expect(json.data).toHaveLength(2);
    expect(json.total_count).toBeGreaterThan(2);
    expect(json.data[0]).toMatchObject({ organization_id: "gatehouse", external_id: null });
  });
});
