import { describe, expect, it } from "vitest";
import { api } from "#contract/api.ts";
import { auditedOperations, directoryActions } from "#contract/audit.ts";
import { changedSince, inverseOf } from "./inverse.ts";
import { actionLabel, changeLine, memberChanges } from "./labels.ts";

const renamed = {
  action: "updateKeys",
  target_id: "c0ffee",
  before: { name: "staging-search", limit: 5 },
  after: { name: "staging-lookup", limit: null },
};

describe("the words of a deed", () => {
  it("are made from the endpoint's name", () =>
    expect(auditedOperations.map(actionLabel)).toEqual([
      "Created key",
      "Changed key",
      "Replaced key",
      "Deleted key",
      "Allowed an app",
      "Created key for an app",
      "Created federation policy",
      "Changed federation policy",
      "Deleted federation policy",
      "Created management key",
      "Changed management key",
      "Replaced management key",
      "Deleted management key",
      "Ended management key sessions",
      "Created workspace",
      "Changed workspace",
      "Deleted workspace",
      "Added workspace members",
      "Removed workspace members",
      "Created SCIM user",
      "Changed SCIM user",
      "Deleted SCIM user",
      "Created SCIM group",
      "Changed SCIM group",
      "Deleted SCIM group",
      "Created SCIM token",
      "Deleted SCIM token",
      "Created SCIM group mapping",
      "Changed SCIM group mapping",
      "Deleted SCIM group mapping",
      "Synchronized SCIM groups",
      "Set workspace budget",
      "Deleted workspace budget",
      "Emptied embedding cache",
      "Added credits",
      "Created provider",
      "Changed provider",
      "Deleted provider",
      "Created BYOK key",
      "Changed BYOK key",
      "Deleted BYOK key",
      "Canceled batch",
      "Deleted batch",
      "Created canary",
      "Changed canary",
      "Deleted canary",
      "Accepted canary baseline",
      "Created preset",
      "Changed preset",
      "Deleted preset",
      "Created preset version",
      "Saved preset from chat",
      "Saved preset from messages",
      "Saved preset from responses",
      "Created guardrail",
      "Changed guardrail",
      "Deleted guardrail",
      "Assigned keys to guardrail",
      "Removed keys from guardrail",
      "Assigned members to guardrail",
      "Removed members from guardrail",
      "Changed video webhook",
      "Replaced video webhook secret",
      "Deleted video webhook",
      "Uploaded file",
      "Deleted file",
      "Created destination",
      "Changed destination",
      "Deleted destination",
      "Replayed destination",
      "Replayed dead letters",
    ]));

  it("are offered for operations that exist, and for what identity providers do", () => {
    const operations = new Set<string>([
      ...Object.values(api).map(({ operationId }) => operationId),
      ...directoryActions,
    ]);
    expect(auditedOperations.filter((action) => !operations.has(action))).toEqual([]);
  });

  it("fall back on the name where the verb is not known", () => {
    expect(actionLabel("pauseDestinations")).toBe("pause destinations");
    expect(actionLabel("signIn")).toBe("sign in");
    expect(actionLabel("createBYOKKey")).toBe("Created BYOK key");
  });

  it("say in one line what changed, and nothing of what was made or ended", () => {
    expect(changeLine(renamed)).toBe("name staging-search → staging-lookup, limit 5 → none");
    expect(changeLine({ before: { api_key: "changed" }, after: { api_key: "changed" } })).toBe("api key changed");
    expect(changeLine({ before: { a: 1, b: 1, c: 1, d: 1 }, after: { a: 2, b: 2, c: 2, d: 2 } })).toBe(
      "a 1 → 2, b 1 → 2, 2 more",
    );
    expect(changeLine({ before: null, after: { name: "x" } })).toBe("");
    expect(changeLine({ before: { name: "x" }, after: null })).toBe("");
  });

  it("say the sum of credits, and of a budget that was set for the first time or deleted", () => {
    expect(changeLine({ before: null, after: { amount_usd: 1_250.5, note: "March" } })).toBe("$1,250.50");
    expect(changeLine({ before: null, after: { limit_usd: 20 } })).toBe("$20.00");
    expect(changeLine({ before: { limit_usd: 20 }, after: null })).toBe("$20.00");
  });

  it("show both values, and what was cleared as none", () => {
    expect(memberChanges(renamed)).toEqual([
      { member: "name", before: "staging-search", after: "staging-lookup" },
      { member: "limit", before: "5", after: "none" },
    ]);
    expect(memberChanges({ before: null, after: { disabled: false } })).toEqual([
      { member: "disabled", before: "–", after: "no" },
    ]);
  });
});

describe("taking a change back", () => {
  it("is the PATCH with the values of before", () =>
    expect(inverseOf(renamed)).toEqual({ kind: "key", id: "c0ffee", body: { name: "staging-search", limit: 5 } }));

  it.each([
    ["a creation", { ...renamed, action: "createKeys", before: null }],
    ["a deletion", { ...renamed, action: "deleteKeys", after: null }],
    ["a member that the PATCH does not take", { ...renamed, before: { label: "a" }, after: { label: "b" } }],
    ["a replaced secret", { ...renamed, before: { api_key: "changed" }, after: { api_key: "changed" } }],
    ["nothing that changed", { ...renamed, before: {}, after: {} }],
  ])("does not exist for %s", (_, record) => expect(inverseOf(record)).toBeNull());

  it("names what was changed again since", () => {
    expect(changedSince(renamed, { name: "staging-lookup", limit: null })).toEqual([]);
    expect(changedSince(renamed, { name: "third-name", limit: null })).toEqual(["name"]);
  });

  it("does not take another spelling of the same instant for a change", () => {
    const after = { expires_at: "2027-01-31T23:59:59.000Z" };
    expect(changedSince({ after }, { expires_at: "2027-01-31T23:59:59Z" })).toEqual([]);
  });
});
