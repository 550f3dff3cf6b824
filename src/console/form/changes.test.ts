import { expect, it } from "vitest";
import { changedMembers } from "./changes.ts";

const stored = { name: "a", limit: 5 as number | null, list: ["x"], rules: { all: [1] } as object | null };

it("sends nothing where nothing changed", () =>
  expect(changedMembers(stored, { ...stored, list: ["x"], rules: { all: [1] } })).toEqual({}));

it("tells null, which clears, from absent, which keeps", () => {
  const body = changedMembers(stored, { ...stored, limit: null });
  expect(JSON.stringify(body)).toBe('{"limit":null}');
});

it("sees changes inside lists and objects", () => {
  expect(changedMembers(stored, { ...stored, list: ["x", "y"] })).toEqual({ list: ["x", "y"] });
  expect(changedMembers(stored, { ...stored, rules: { all: [1], more: undefined } })).toHaveProperty("rules");
});
