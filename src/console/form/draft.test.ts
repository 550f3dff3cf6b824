import { expect, it } from "vitest";
import { dropDraft, readDraft, saveDraft } from "./draft.ts";
import { memoryStorage } from "./example-storage.ts";

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
