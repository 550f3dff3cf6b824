import { describe, expect, it } from "vitest";
import { scimTypeOf } from "../../testing/expect-scim.ts";
import { runAtOnce } from "../../turns.ts";
import * as groups from "./group-attributes.ts";
import { emailAfter, type KeptEmail } from "./kept-email.ts";
import * as users from "./user-attributes.ts";

const readGroup = (...sent: Parameters<typeof groups.readGroup>) => runAtOnce(groups.readGroup(...sent));
const patchGroup = (...sent: Parameters<typeof groups.patchGroup>) => runAtOnce(groups.patchGroup(...sent));
const whole = ({ values, emails }: users.UserChange) => ({
  ...values,
  ...(emails.length === 0 ? {} : emailAfter(null, emails)),
});
const readUser = (...sent: Parameters<typeof users.readUser>) => whole(runAtOnce(users.readUser(...sent)));
const patchUser = (...sent: Parameters<typeof users.patchUser>) => whole(runAtOnce(users.patchUser(...sent)));

const [ana, bo, cy] = [1, 2, 3].map((digit) => `00000000-0000-4000-8000-00000000000${digit}`) as [
  string,
  string,
  string,
];

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

describe("the kept address", () => {
  const work: KeptEmail = { value: "w@example.com", type: "work" };
  const home: KeptEmail = { value: "h@example.com", type: "home" };
  const other = { value: "new@example.com" };
  const list = "emails";
  const byType = (type: string) => `emails[type eq "${type}"].value`;
  it.each([
    ["added with another type", work, { op: "add", path: list, value: [home] }, work],
    [
      "added for work, next to one for work",
      work,
      { op: "add", path: list, value: [{ ...other, type: "work" }] },
      work,
    ],
    ["added for work, next to one at home", home, { op: "add", path: list, value: [home, work] }, work],
    ["added as the primary one", work, { op: "add", path: list, value: { ...home, primary: "True" } }, home],
    ["added as the first", null, { op: "add", path: list, value: [home] }, home],
    ["added without a path", work, { op: "add", value: { emails: [home] } }, work],
    [
      "replaced",
      work,
      { op: "replace", path: list, value: [{ Value: "new@example.com" }] },
      { ...other, type: "work" },
    ],
    ["replaced by none", work, { op: "replace", path: list, value: [] }, null],
    [
      "replaced by its text",
      home,
      { op: "replace", path: "emails.value", value: other.value },
      { ...other, type: "home" },
    ],
    [
      "replaced by its type",
      work,
      { op: "replace", path: byType("Work"), value: other.value },
      { ...other, type: "work" },
    ],
    ["replaced by another type", work, { op: "replace", path: byType("home"), value: other.value }, work],
    ["replaced by the type for work", home, { op: "add", path: byType("work"), value: work.value }, work],
    ["set by a type, the first", null, { op: "add", path: byType("home"), value: home.value }, home],
    [
      "set by the flag",
      home,
      { op: "replace", path: "emails[primary eq true].value", value: other.value },
      { ...other, type: "home" },
    ],
    [
      "set by an address that is not kept",
      work,
      { op: "replace", path: 'emails[value eq "x@example.com"].value', value: "y@example.com" },
      work,
    ],
    ["removed", work, { op: "remove", path: list }, null],
    ["removed by itself", work, { op: "remove", path: 'emails[value eq "W@example.com"]' }, null],
    ["removed by another address", work, { op: "remove", path: 'emails[value eq "x@example.com"]' }, work],
    ["removed by another type", work, { op: "remove", path: 'emails[type eq "home"]' }, work],
    [
      "removed by its type and another address",
      work,
      { op: "remove", path: 'emails[type eq "work" and value eq "x"]' },
      work,
    ],
    ["removed in a list with itself", work, { op: "remove", path: list, value: [home, work] }, null],
    ["removed in a list without itself", work, { op: "remove", path: list, value: [home] }, work],
    ["made the primary one", work, { op: "add", path: 'emails[type eq "home"].primary', value: true }, work],
  ] as const)("%s", (_, kept, operation, expected) => {
    const { emails } = runAtOnce(users.patchUser([operation]));
    const columns = (address: KeptEmail | null) => ({
      email: address?.value ?? null,
      email_type: address?.type ?? null,
    });
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
      { op: "replace", value: { id: "ignored", displayName: "New" } },
    ]);
    expect(sets(change)).toEqual([[bo], [ana, cy], false]);
    expect(change.values).toEqual({ display_name: "New" });
  });

  it("loses all members by a removal without a value, and has only these after a replacement", () => {
    expect(
      sets(
        patchGroup([
          { op: "add", path: "members", value: ana },
          { op: "remove", path: "members" },
        ]),
      ),
    ).toEqual([[], [], true]);
    const replaced = patchGroup([
      { op: "remove", path: "members", value: [ana] },
      { op: "replace", path: "members", value: [{ value: bo }] },
    ]);
    expect(sets(replaced)).toEqual([[bo], [], true]);
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
