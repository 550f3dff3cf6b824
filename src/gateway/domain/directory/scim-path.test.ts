import { describe, expect, it } from "vitest";
import { scimTypeOf } from "../../testing/expect-scim.ts";
import { parseFilter, parsePath } from "./scim-path.ts";

describe("a filter", () => {
  it.each([
    ['userName eq "ana@example.com"', [{ attribute: "username", value: "ana@example.com" }]],
    ['  USERNAME   EQ "Ana"  ', [{ attribute: "username", value: "Ana" }]],
    ['externalId eq "say \\"hi\\" and \\u00e9"', [{ attribute: "externalid", value: 'say "hi" and é' }]],
    ["active eq True", [{ attribute: "active", value: true }]],
    ["externalId eq null", [{ attribute: "externalid", value: null }]],
    ["externalId eq jyoung", [{ attribute: "externalid", value: "jyoung" }]],
    ["externalId eq 00012345678901234567890", [{ attribute: "externalid", value: "00012345678901234567890" }]],
    [
      "userName eq brand and active eq False",
      [
        { attribute: "username", value: "brand" },
        { attribute: "active", value: false },
      ],
    ],
    ['emails[type eq "work"].value eq "a@b.c"', [{ attribute: 'emails[type eq "work"].value', value: "a@b.c" }]],
    [
      'id eq "1" and members eq "2"',
      [
        { attribute: "id", value: "1" },
        { attribute: "members", value: "2" },
      ],
    ],
    ['urn:ietf:params:scim:schemas:core:2.0:User:userName eq "x"', [{ attribute: "username", value: "x" }]],
  ])("reads %s", (text, expected) => expect(parseFilter(text)).toEqual(expected));

  it.each([
    "",
    "userName",
    'userName co "a"',
    "userName eq brand active eq true",
    "userName eq ana or active eq true",
    "userName eq (ana)",
    'userName eq "ana',
    'userName eq "a" or userName eq "b"',
    'userName eq "a" and',
    '(userName eq "a")',
    'userName eq "bad \\x escape"',
    `userName eq "${"a".repeat(1_000)}"`,
    `emails[${" ".repeat(900)}`,
    Array.from({ length: 6 }, () => 'id eq "1"').join(" and "),
  ])("refuses %s", (text) => expect(scimTypeOf(() => parseFilter(text))).toBe("invalidFilter"));
});

describe("a path", () => {
  it.each([
    ["displayName", { attribute: "displayname", filter: null, member: null }],
    ["name.givenName", { attribute: "name", filter: null, member: "givenname" }],
    ['members[value eq "AbC"]', { attribute: "members", filter: [{ attribute: "value", value: "AbC" }], member: null }],
    [
      'emails[type eq "work"].value',
      { attribute: "emails", filter: [{ attribute: "type", value: "work" }], member: "value" },
    ],
    [
      "urn:ietf:params:scim:schemas:core:2.0:User:name.familyName",
      { attribute: "name", filter: null, member: "familyname" },
    ],
    ["urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department", null],
  ])("reads %s", (text, expected) => expect(parsePath(text)).toEqual(expected));

  it.each([
    ["", "invalidPath"],
    ["a b", "invalidPath"],
    ["members[value]", "invalidFilter"],
  ])("refuses %s", (text, scimType) => expect(scimTypeOf(() => parsePath(text))).toBe(scimType));
});
