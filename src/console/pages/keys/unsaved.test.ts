import { expect, it } from "vitest";
import { forgetUnsaved, noteUnsaved, takeUnsaved } from "./unsaved.ts";

function memory() {
  const entries = new Map<string, string>();
  return {
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, value: string) => void entries.set(key, value),
    removeItem: (key: string) => void entries.delete(key),
    entries,
  };
}
const hash = "ab".repeat(32);

it("is told once after a reload", () => {
  const store = memory();
  noteUnsaved(store, hash);
  expect([...store.entries.values()]).toEqual([`{"hash":"${hash}"}`]);
  expect(takeUnsaved(store)).toBe(hash);
  expect(takeUnsaved(store)).toBeNull();
});

it("is not told once the key was saved", () => {
  const store = memory();
  noteUnsaved(store, hash);
  forgetUnsaved(store);
  expect(takeUnsaved(store)).toBeNull();
});

it.each(["", "{}", "null", '{"hash":"sk-gh-v1-x"}'])("ignores %j in its place", (text) => {
  const store = memory();
  store.setItem("gatehouse.unsaved-key", text);
  expect(takeUnsaved(store)).toBeNull();
});
