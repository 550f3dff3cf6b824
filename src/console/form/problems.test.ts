import { expect, it } from "vitest";
import { CreateKeyBody } from "#contract/keys.ts";
import { changedMembers } from "./changes.ts";
import { dropDraft, readDraft, saveDraft } from "./draft.ts";
import { memoryStorage } from "./example-storage.ts";
import { mergeForm, settingChanges } from "./newer-version.ts";
import { fieldIn, placeIssues, schemaProblems } from "./problems.ts";

const fieldOf = { limit_reset: "reset" };
const labels = { name: "Name", reset: "Reset", limit: "Limit" };

it("words the schema's objections and the server's issues at their fields, and keeps the others", () => {
  const problems = (body: object) => schemaProblems(CreateKeyBody, body, fieldOf, labels);
  const wrong = { name: "Name must have at least one character", limit: "Limit must be 0 or more" };
  expect([problems({ name: " ", limit: -1 }), problems({ name: "a" })]).toEqual([wrong, {}]);
  expect(schemaProblems(null, undefined, fieldOf, labels)).toEqual({});
  const issues = [
    { path: "limit_reset", message: "must be daily, weekly or monthly" },
    { path: "name", message: "Another key has this name." },
    { path: "name", message: "second, not shown" },
    { path: "creator_user_id", message: "must name a member" },
    { path: "", message: "The body is too large." },
  ];
  const placed = { reset: "Reset must be daily, weekly or monthly", name: "Another key has this name." };
  const rest = ["creator_user_id: must name a member", "The body is too large."];
  expect(placeIssues(issues, fieldIn(fieldOf, labels))).toEqual({ placed, rest });
});

const stored = { name: "a", limit: 5 as number | null, list: ["x"], rules: { all: [1] } as object | null };
it.each([
  [{ list: ["x"], rules: { all: [1] } }, "{}"],
  // null, which clears, is told from absent, which keeps
  [{ limit: null }, '{"limit":null}'],
  [{ list: ["x", "y"] }, '{"list":["x","y"]}'],
  [{ rules: { all: [1], more: undefined } }, '{"rules":{"all":[1]}}'],
])("sends only what changed, inside lists and objects too: %j", (change, body) =>
  expect(JSON.stringify(changedMembers(stored, { ...stored, ...change }))).toBe(body),
);

it("keeps what was typed, follows the newer version in the rest, and says what somebody else changed", () => {
  const merge = mergeForm(({ name, zdr }: { name: string; zdr: boolean }) => ({ name, zdr, models: [] as string[] }));
  const [before, newer] = [
    { name: "acme", zdr: false },
    { name: "Acme", zdr: true },
  ];
  const typed = { ...before, models: ["a/b"] };
  expect(merge(typed, before, newer)).toEqual({ ...newer, models: ["a/b"] });
  expect(merge({ ...typed, name: "mine" }, before, newer)).toMatchObject({ name: "mine" });
  const changes = settingChanges({ Name: "acme", Address: "a" }, { Name: "Acme", Address: "a" });
  expect(changes).toEqual([{ label: "Name", before: "acme", after: "Acme" }]);
});

const saved = new Date("2026-11-20T17:00:00Z");

it("comes back within 30 minutes and not after", () => {
  const store = memoryStorage();
  saveDraft(store, "createKey", { name: "a" }, saved);
  expect(readDraft(store, "createKey", new Date("2026-11-20T17:29:59Z"))).toEqual({ name: "a" });
  expect(readDraft(store, "createKey", new Date("2026-11-20T17:30:00Z"))).toBeNull();
  expect(store.entries.size).toBe(0);
});

it("survives what others wrote in its place", () => {
  const store = memoryStorage();
  store.setItem("gatehouse.draft.createKey", "not json");
  expect([readDraft(store, "createKey", saved), store.entries.size]).toEqual([null, 0]);
});

it("is gone when dropped, and a storage that refuses does no harm", () => {
  const store = memoryStorage();
  saveDraft(store, "createKey", { name: "a" }, saved);
  dropDraft(store, "createKey");
  expect(readDraft(store, "createKey", saved)).toBeNull();
  const setItem = () => {
    throw new Error("quota");
  };
  expect(() => saveDraft({ ...store, setItem }, "createKey", {}, saved)).not.toThrow();
});
