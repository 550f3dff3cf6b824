import { expect, it } from "vitest";
import type { ManagementKeyRecord } from "#contract/management-keys.ts";
import { managementKeyMaker, managementKeyStatus, replaceManagementReason } from "./management-key-labels.ts";

const made = { created_at: "2027-02-01T12:00:00.000Z", created_by: "administrator", from_environment: false };
const working = { status: "active", disabled: false, expires_at: null, last_used_at: null, current: false };
const key = { name: "Maria", ...made, ...working, replaced_by: null, replaces: null } as ManagementKeyRecord;
const expires_at = "2027-02-18T23:59:00.000Z";
const replaced_by = "cd".repeat(32);

it.each([
  ["Active", null, {}],
  ["Active", "Ends 18 Feb 2027 23:59 UTC", { expires_at }],
  ["Replaced", "Works until 18 Feb 2027 23:59 UTC", { expires_at, replaced_by }],
  ["Replaced", "Ended 18 Feb 2027 23:59 UTC", { expires_at, replaced_by, status: "expired" }],
  ["Expired", "Ended 18 Feb 2027 23:59 UTC", { expires_at, status: "expired" }],
  ["Disabled", null, { status: "disabled", disabled: true }],
] as const)("%s, %s", (word, why, set) => expect(managementKeyStatus({ ...key, ...set })).toMatchObject({ word, why }));

it.each([
  [{}, "by administrator"],
  [{ created_by: null }, "by the first start or the command line"],
  [{ created_by: null, from_environment: true }, "from GATEHOUSE_MANAGEMENT_KEY"],
])("of %j says who made it", (changes, maker) => expect(managementKeyMaker({ ...key, ...changes })).toBe(maker));

it("says why a key cannot be replaced", () => {
  expect(replaceManagementReason(key)).toBeUndefined();
  expect(replaceManagementReason({ ...key, replaced_by })).toContain("successor");
  expect(replaceManagementReason({ ...key, status: "expired" })).toContain("create a new key");
});
