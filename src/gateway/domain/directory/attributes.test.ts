import { describe, expect, it } from "vitest";
import type { ScimOperation } from "#contract/scim-protocol.ts";
import { scimTypeOf } from "../../testing/expect-scim.ts";
import { runAtOnce } from "../../turns.ts";
import * as groups from "./group-attributes.ts";
import { emailAfter, type KeptEmail } from "./kept-email.ts";
import * as users from "./user-attributes.ts";

const readGroup = (...sent: Parameters<typeof groups.readGroup>) => runAtOnce(groups.readGroup(...sent));
const [ana = "", bo = "", cy = ""] = [1, 2, 3].map((digit) => `00000000-0000-4000-8000-00000000000${digit}`);
const patchGroup = (sent: readonly ScimOperation[]) => runAtOnce(groups.patchGroup(cy, sent));
const whole = ({ values, emails }: users.UserChange) => ({
  ...values,
  ...(emails.length === 0 ? {} : emailAfter(null, emails)),
});
const readUser = (...sent: Parameters<typeof users.readUser>) => whole(runAtOnce(users.readUser(...sent)));
const patchUser = (sent: readonly ScimOperation[]) => whole(runAtOnce(users.patchUser(cy, sent)));

describe("a user", () => {
  it("as Okta creates one", () => {
    expect(
      readUser({
        schemas: ["urn:ietf:params:scim:schemas:core:2.0:User"],
        userName: "ana@example.com",
        name: { givenName: "Ana", familyName: "Silva" },
        emails: [
          { value: "home@example.com", type: "home" },
          { primary: true, value: "ana@example.com", type: "work" },
        ],
        displayName: "Ana Silva",
        locale: "en-US",
        externalId: "00ujl29u0le5T6Aj10h7",
        groups: [],
        password: "never kept",
        active: true,
      }),
    ).toEqual({
      user_name: "ana@example.com",
      given_name: "Ana",
      family_name: "Silva",
      email: "ana@example.com",
      email_type: "work",
      display_name: "Ana Silva",
      external_id: "00ujl29u0le5T6Aj10h7",
      active: true,
    });
  });

  it("by names of which nothing is hidden", () => {
    const hidden = "\u202eA\u200bn\u0000a\u{e0041}";
    const sent = { userName: hidden, externalId: hidden, displayName: hidden, name: { givenName: hidden } };
    const plain = { user_name: "Ana", external_id: "Ana", display_name: "Ana", given_name: "Ana" };
    expect(readUser(sent)).toEqual(plain);
    expect(scimTypeOf(() => readUser({ userName: "\u200b" }))).toBe("invalidValue");
    expect(runAtOnce(groups.readGroup({ displayName: hidden })).values).toEqual({ display_name: "Ana" });
  });

  it("as Entra changes one: capitalized booleans, paths with filters, attributes of the enterprise schema", () => {
    expect(
      patchUser([
        { op: "replace", path: 'emails[type eq "work"].value', value: "new@example.com" },
        { op: "replace", path: 'emails[type eq "home"].value', value: "home@example.com" },
        { op: "add", path: "name.formatted", value: "A. Silva" },
        { op: "replace", path: "active", value: "False" },
        { op: "add", path: "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department", value: "R&D" },
        { op: "replace", value: { displayName: "A", "name.familyName": "S", title: "Dr" } },
        { op: "remove", path: "externalId" },
      ]),
    ).toEqual({
      email: "new@example.com",
      email_type: "work",
      formatted_name: "A. Silva",
      active: false,
      display_name: "A",
      family_name: "S",
      external_id: null,
    });
  });

  it.each([
    ["an attribute that no user has", [{ op: "replace", path: "shoeSize", value: 44 }], "invalidPath"],
    ["a userName that is taken away", [{ op: "remove", path: "userName" }], "invalidValue"],
    ["active as a number", [{ op: "replace", path: "active", value: 1 }], "invalidValue"],
    ["a name that is too long", [{ op: "replace", path: "displayName", value: "a".repeat(257) }], "invalidValue"],
    ["a removal without a path", [{ op: "remove" }], "noTarget"],
    ["a value that holds no attributes", [{ op: "add", value: [1] }], "invalidValue"],
  ] as const)("refuses %s", (_, operations, scimType) =>
    expect(scimTypeOf(() => patchUser(operations))).toBe(scimType),
  );
});

describe("what the gateway sets", () => {
  const urn = "urn:ietf:params:scim:schemas:core:2.0";
  const changes = [
    { op: "replace", path: "id", value: ana },
    { op: "remove", path: "ID" },
    { op: "add", path: "meta", value: {} },
    { op: "replace", path: "meta.created", value: "2020-01-01T00:00:00Z" },
    { op: "replace", path: 'meta[resourceType eq "User"].version', value: "1" },
    { op: "add", path: "schemas", value: ["urn:x"] },
    { op: "remove", path: 'schemas[value eq "urn:x"]' },
    { op: "replace", value: { displayName: "A", id: ana } },
    { op: "add", value: { "meta.lastModified": "2020-01-01T00:00:00Z" } },
    { op: "replace", value: { Schemas: [] } },
  ] as const;
  it.each(changes)("cannot be changed: %j", (operation) => {
    expect([patchUser, patchGroup].map((patch) => scimTypeOf(() => patch([operation])))).toEqual([
      "mutability",
      "mutability",
    ]);
  });

  it.each([`${urn}:User:id`, `${urn}:User:meta.created`, "groups", `groups[value eq "${ana}"]`])(
    "cannot be changed of a user: %s",
    (path) => expect(scimTypeOf(() => patchUser([{ op: "replace", path, value: bo }]))).toBe("mutability"),
  );

  it("may be sent as it is, and with a whole resource", () => {
    expect(patchUser([{ op: "replace", value: { id: cy, displayName: "A" } }])).toEqual({ display_name: "A" });
    expect(readUser({ id: ana, meta: {}, schemas: [], groups: [], displayName: "A" })).toEqual({ display_name: "A" });
  });
});

describe("the kept address", () => {
  const work: KeptEmail = { value: "w@example.com", type: "work" };
  const home: KeptEmail = { value: "h@example.com", type: "home" };
  const other = { value: "new@example.com" };
  const list = "emails";
  const byType = (type: string) => `emails[type eq "${type}"].value`;
  const add = (value: unknown, path: string | undefined = list) => ({ op: "add" as const, path, value });
  const replace = (value: unknown, path = list) => ({ op: "replace" as const, path, value });
  const remove = (filter = "", value?: unknown) => ({ op: "remove" as const, path: list + filter, value });
  it.each([
    ["added with another type", work, add([home]), work],
    ["added for work, next to one for work", work, add([{ ...other, type: "work" }]), work],
    ["added for work, next to one at home", home, add([home, work]), work],
    ["added as the primary one", work, add({ ...home, primary: "True" }), home],
    ["added as the first", null, add([home]), home],
    ["added without a path", work, { op: "add", value: { emails: [home] } }, work],
    ["replaced", work, replace([{ Value: "new@example.com" }]), { ...other, type: "work" }],
    ["replaced by none", work, replace([]), null],
    ["replaced by its text", home, replace(other.value, "emails.value"), { ...other, type: "home" }],
    ["replaced by its type", work, replace(other.value, byType("Work")), { ...other, type: "work" }],
    ["replaced by another type", work, replace(other.value, byType("home")), work],
    ["replaced by the type for work", home, add(work.value, byType("work")), work],
    ["set by a type, the first", null, add(home.value, byType("home")), home],
    ["set by the flag", home, replace(other.value, "emails[primary eq true].value"), { ...other, type: "home" }],
    ["set by an address that is not kept", work, replace("y@x.com", 'emails[value eq "x@example.com"].value'), work],
    ["removed", work, remove(), null],
    ["removed by itself", work, remove('[value eq "W@example.com"]'), null],
    ["removed by another address", work, remove('[value eq "x@example.com"]'), work],
    ["removed by another type", work, remove('[type eq "home"]'), work],
    ["removed by its type and another address", work, remove('[type eq "work" and value eq "x"]'), work],
    ["removed in a list with itself", work, remove("", [home, work]), null],
    ["removed in a list without itself", work, remove("", [home]), work],
    ["made the primary one", work, add(true, 'emails[type eq "home"].primary'), work],
  ] as const)("%s", (_, kept, operation, expected) => {
    const { emails } = runAtOnce(users.patchUser(cy, [operation]));
    const columns = (of: KeptEmail | null) => ({ email: of?.value ?? null, email_type: of?.type ?? null });
    expect(emailAfter(kept === null ? null : columns(kept), emails)).toEqual(columns(expected));
  });
});

describe("a group", () => {
  const sets = ({ added, removed, isWhole }: ReturnType<typeof readGroup>) => [[...added], [...removed], isWhole];

  it("with members as objects or ids, each once", () => {
    const change = readGroup({ displayName: "Team", members: [{ value: ana, display: "Ana" }, { value: ana }] });
    expect(change.values).toEqual({ display_name: "Team" });
    expect(sets(change)).toEqual([[ana], [], true]);
  });

  it("is changed in the order of the operations", () => {
    const change = patchGroup([
      { op: "add", path: "members", value: [{ value: ana }, { value: bo }] },
      { op: "remove", path: `members[value eq "${ana}"]` },
      { op: "remove", path: `members[value eq "${cy}" and type eq "User"]` },
      { op: "replace", value: { id: cy.toUpperCase(), displayName: "New" } },
    ]);
    expect(sets(change)).toEqual([[bo], [ana, cy], false]);
    expect(change.values).toEqual({ display_name: "New" });
  });

  it("loses all members by a removal without a value, and has only these after a replacement", () => {
    const [added, removed] = [
      { op: "add", path: "members", value: ana } as const,
      { op: "remove", path: "members" } as const,
    ];
    expect(sets(patchGroup([added, removed]))).toEqual([[], [], true]);
    const replaced = { op: "replace", path: "members", value: [{ value: bo }] } as const;
    expect(sets(patchGroup([{ ...removed, value: [ana] }, replaced]))).toEqual([[bo], [], true]);
  });

  it.each([
    ["a member that is no id", [{ op: "add", path: "members", value: [{ value: "ana" }] }], "invalidValue"],
    ["too many members", [{ op: "add", path: "members", value: Array(20_001).fill(ana) }], "invalidValue"],
    ["members by another filter", [{ op: "remove", path: 'members[display eq "Ana"]' }], "invalidPath"],
    ["an attribute that no group has", [{ op: "add", path: "owner", value: ana }], "invalidPath"],
    ["a name that is taken away", [{ op: "remove", path: "displayName" }], "invalidValue"],
    ["a removal by what is no id", [{ op: "remove", path: 'members[value eq "ana"]' }], "invalidValue"],
    ["attributes of members", [{ op: "remove", path: "members.display" }], "invalidPath"],
  ] as const)("refuses %s", (_, operations, scimType) =>
    expect(scimTypeOf(() => patchGroup(operations))).toBe(scimType),
  );
});
