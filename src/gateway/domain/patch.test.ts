import { expect, it } from "vitest";
import { given, patched, pick } from "./patch.ts";

const before = { name: "a", limit: 5n as bigint | null, at: new Date(1), list: ["x"] as string[] | null };

it("keeps what is absent or undefined, and clears what is null", () => {
  expect(patched(before, { name: "b", limit: undefined, list: null })).toEqual({ ...before, name: "b", list: null });
  expect(given({ name: undefined, limit: null })).toEqual({ limit: null });
  expect(pick(before, { name: "", at: null })).toEqual({ name: "a", at: before.at });
});

it("is the row itself where every value is the one it has", () => {
  expect(patched(before, {})).toBe(before);
  expect(patched(before, { name: "a", limit: 5n, at: new Date(1), list: ["x"] })).toBe(before);
  expect(patched(before, { at: new Date(2) })).not.toBe(before);
});

it("takes objects with the same members in another order for the same", () => {
  const row = { rules: { logic: "and", field: "model" } };
  expect(patched(row, { rules: { field: "model", logic: "and" } })).toBe(row);
});
