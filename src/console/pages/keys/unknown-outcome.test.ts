import { expect, it } from "vitest";
import type { KeyRecord } from "#contract/keys.ts";
import { findUnknownOutcome } from "./unknown-outcome.ts";

const workspaceId = "7e0c5a70-0f9f-4f2e-9d4a-0d6a7a5b9c11";
const at = new Date("2026-11-20T17:42:00Z");
const sent = { name: "prod-search", workspaceId, at, known: new Set(["old"]) };
const key = (change: Partial<KeyRecord>) =>
  ({
    hash: "new",
    name: "prod-search",
    workspace_id: workspaceId,
    created_at: at.toISOString(),
    ...change,
  }) as KeyRecord;

it("finds the key that arrived unseen", () => {
  expect(findUnknownOutcome([key({ name: "other" }), key({})], sent)?.hash).toBe("new");
  expect(findUnknownOutcome([key({ created_at: "2026-11-20T17:41:58Z" })], sent)?.hash).toBe("new");
});

it.each([
  ["another name", { name: "prod-searches" }],
  ["another workspace", { workspace_id: "00000000-0000-4000-8000-000000000000" }],
  ["an older one", { created_at: "2026-11-20T17:41:00Z" }],
  ["one that was there before", { hash: "old" }],
])("does not take %s for it", (_, change) => expect(findUnknownOutcome([key(change)], sent)).toBeNull());
