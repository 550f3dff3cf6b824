import { expect, it } from "vitest";
import type { ManagementKeyRecord } from "#contract/management-keys.ts";
import { managementKeyMaker, managementKeyStatus, replaceManagementReason } from "./management-key-labels.ts";

const key: ManagementKeyRecord = {
  hash: "ab".repeat(32),
  name: "Maria, on call",
  label: "sk-gh-mgmt-v1-5o7...BX9N",
  disabled: false,
  status: "active",
  created_at: "2027-02-01T12:00:00.000Z",
  created_by: "administrator",
  updated_at: null,
  expires_at: null,
  last_used_at: null,
  sessions: 0,
  from_environment: false,
  current: false,
  replaced_by: null,
  replaces: null,
};
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
