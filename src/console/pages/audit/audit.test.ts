import { expect, it } from "vitest";
import { api } from "#contract/api.ts";
import { auditedOperations, directoryActions } from "#contract/audit.ts";
import { changedSince, inverseOf } from "./inverse.ts";
import { actionGroup, actionLabel, changeLine, memberChanges } from "./labels.ts";

const before = { name: "staging-search", limit: 5 };
const after = { name: "staging-lookup", limit: null };
const renamed = { action: "updateKeys", target_id: "c0ffee", before, after };

const deeds = `
Created key, Changed key, Replaced key, Deleted key, Called a model as key, Allowed an app, Created key for an app,
Created federation policy, Changed federation policy, Deleted federation policy,
Created management key, Changed management key, Replaced management key, Deleted management key,
Ended management key sessions,
Created workspace, Changed workspace, Deleted workspace, Added workspace members, Removed workspace members,
Created SCIM user, Changed SCIM user, Deleted SCIM user, Created SCIM group, Changed SCIM group, Deleted SCIM group,
Created SCIM token, Deleted SCIM token, Created SCIM group mapping, Changed SCIM group mapping,
Deleted SCIM group mapping, Synchronized SCIM groups,
Set workspace budget, Deleted workspace budget, Emptied embedding cache, Added credits,
Created provider, Changed provider, Deleted provider, Created BYOK key, Changed BYOK key, Deleted BYOK key,
Canceled batch, Deleted batch, Created canary, Changed canary, Deleted canary, Accepted canary baseline,
Created preset, Changed preset, Deleted preset, Created preset version, Saved preset from chat,
Saved preset from messages, Saved preset from responses,
Created guardrail, Changed guardrail, Deleted guardrail, Assigned keys to guardrail, Removed keys from guardrail,
Assigned members to guardrail, Removed members from guardrail,
Changed video webhook, Replaced video webhook secret, Deleted video webhook, Uploaded file, Deleted file,
Created destination, Changed destination, Deleted destination, Replayed destination, Replayed dead letters`;

it("the words of a deed are made from the endpoint's name, for operations that exist", () => {
  expect(auditedOperations.map(actionLabel)).toEqual(deeds.trim().split(/,\s/));
  const unlisted = ["pauseDestinations", "signIn", "createBYOKKey"].map(actionLabel);
  expect(unlisted).toEqual(["pause destinations", "sign in", "Created BYOK key"]);
  expect(auditedOperations.filter((action) => actionGroup(action) === "Others")).toEqual([]);
  expect(["createKeys", "rotateManagementKey", "createBYOKKey", "bulkAddWorkspaceMembers"].map(actionGroup)).toEqual([
    "Keys and apps",
    "Management keys",
    "Providers",
    "Members and directories",
  ]);
  const operations = new Set<string>([...Object.values(api).map((one) => one.operationId), ...directoryActions]);
  expect(auditedOperations.filter((action) => !operations.has(action))).toEqual([]);
});

it.each([
  [renamed, "name staging-search → staging-lookup, limit $5.00 → none"],
  [{ before: { api_key: "changed" }, after: { api_key: "changed" } }, "api key changed"],
  [{ before: { a: 1, b: 1, c: 1, d: 1 }, after: { a: 2, b: 2, c: 2, d: 2 } }, "a 1 → 2, b 1 → 2, 2 more"],
  [{ before: { limit: 5 }, after: { limit: 1.2 } }, "limit $5.00 → $1.20"],
  [{ before: { limit_usd: 1 }, after: { limit_usd: 0.00025 } }, "limit $1.00 → $0.00025"],
  // nothing of what was made or ended
  [{ before: null, after: { name: "x" } }, ""],
  [{ before: { name: "x" }, after: null }, ""],
  // but the sum of credits, and of a budget that was set for the first time or deleted
  [{ before: null, after: { amount_usd: 1_250.5, note: "March" } }, "$1,250.50"],
  [{ before: null, after: { limit_usd: 20 } }, "$20.00"],
  [{ before: { limit_usd: 20 }, after: null }, "$20.00"],
])("the words of a deed say in one line what changed: %j", (record, line) => expect(changeLine(record)).toBe(line));

it("the words of a deed show both values, and what was cleared as none", () => {
  expect(memberChanges(renamed)).toEqual([
    { member: "name", words: "name", before: "staging-search", after: "staging-lookup" },
    { member: "limit", words: "limit", before: "$5.00", after: "none" },
  ]);
  const made = memberChanges({ before: null, after: { disabled: false } });
  expect(made).toEqual([{ member: "disabled", words: "disabled", before: "–", after: "no" }]);
});

it("taking a change back is the PATCH with the values of before", () =>
  expect(inverseOf(renamed)).toEqual({ kind: "key", id: "c0ffee", body: before }));

it.each([
  ["a creation", { ...renamed, action: "createKeys", before: null }],
  ["a deletion", { ...renamed, action: "deleteKeys", after: null }],
  ["a member that the PATCH does not take", { ...renamed, before: { label: "a" }, after: { label: "b" } }],
  ["a replaced secret", { ...renamed, before: { api_key: "changed" }, after: { api_key: "changed" } }],
  ["nothing that changed", { ...renamed, before: {}, after: {} }],
])("taking a change back does not exist for %s", (_, record) => expect(inverseOf(record)).toBeNull());

it("taking a change back names what was changed again since, which another spelling of the same instant is not", () => {
  expect(changedSince(renamed, after)).toEqual([]);
  expect(changedSince(renamed, { ...after, name: "third-name" })).toEqual(["name"]);
  const ended = { after: { expires_at: "2027-01-31T23:59:59.000Z" } };
  expect(changedSince(ended, { expires_at: "2027-01-31T23:59:59Z" })).toEqual([]);
});
