import { expect, it } from "vitest";
import { dropDraft, readDraft, saveDraft } from "./draft.ts";

function memory() {
  const entries = new Map<string, string>();
  return {
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, value: string) => void entries.set(key, value),
    removeItem: (key: string) => void entries.delete(key),
    entries,
  };
}
const saved = new Date("2026-11-20T17:00:00Z");

it("comes back within 30 minutes and not after", () => {
  const store = memory();
  saveDraft(store, "createKey", { name: "a" }, saved);
  expect(readDraft(store, "createKey", new Date("2026-11-20T17:29:59Z"))).toEqual({ name: "a" });
  expect(readDraft(store, "createKey", new Date("2026-11-20T17:30:00Z"))).toBeNull();
  expect(store.entries.size).toBe(0);
});

it("survives what others wrote in its place", () => {
  const store = memory();
  store.setItem("gatehouse.draft.createKey", "not json");
  expect(readDraft(store, "createKey", saved)).toBeNull();
  expect(store.entries.size).toBe(0);
});

it("is gone when dropped, and a storage that refuses does no harm", () => {
  const store = memory();
  saveDraft(store, "createKey", { name: "a" }, saved);
  dropDraft(store, "createKey");
  expect(readDraft(store, "createKey", saved)).toBeNull();
  const full = {
    ...store,
    setItem: () => {
      throw new Error("quota");
    },
  };
  expect(() => saveDraft(full, "createKey", {}, saved)).not.toThrow();
});
