import { expect, it } from "vitest";
import { forgetUnsaved, noteUnsaved, readUnsaved } from "./unsaved.ts";

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

it("is there after a reload, by its hash alone", () => {
  const store = memory();
  noteUnsaved(store, hash, "api-key");
  expect([...store.entries.values()]).toEqual([`{"hash":"${hash}"}`]);
  expect(readUnsaved(store, "api-key")).toBe(hash);
});

it("is not told once the key was saved", () => {
  const store = memory();
  noteUnsaved(store, hash, "api-key");
  forgetUnsaved(store, "api-key");
  expect(readUnsaved(store, "api-key")).toBeNull();
});

it.each(["", "{}", "null", '{"hash":"sk-gh-v1-x"}'])("ignores %j in its place", (text) => {
  const store = memory();
  store.setItem("gatehouse.unsaved-key", text);
  expect(readUnsaved(store, "api-key")).toBeNull();
});
