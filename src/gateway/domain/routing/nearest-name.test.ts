import { expect, it } from "vitest";
import { nearestName } from "./nearest-name.ts";

const names = ["acme/embed-small", "acme/embed-large", "openai/gpt-5.1", "a/b"];

it.each([
  ["acme/embed-smal", "acme/embed-small"],
  ["ACME/Embed-Lrage", "acme/embed-large"],
  ["embed-small", "acme/embed-small"],
  ["other/gpt-5.1", "openai/gpt-5.1"],
  ["acme/rerank", null],
  ["a/c", null],
  ["", null],
  ["x".repeat(100_000), null],
])("of %s is meant %s", (asked, meant) => {
  expect(nearestName(asked, names, () => true)).toBe(meant);
});

it("is none that the caller may not be told of", () => {
  expect(nearestName("acme/embed-smal", names, (name) => name !== "acme/embed-small")).toBeNull();
});

it("is looked for among so many at most", () => {
  let asked = 0;
  const many = Array.from({ length: 10_000 }, (_, at) => `acme/model-${at}`);
  nearestName("acme/model-nowhere", many, () => (asked += 1) > 0);
  nearestName("acme/model-99x9", many, () => (asked += 1) > 0);
  expect(asked).toBeLessThanOrEqual(600);
});

it.each([
  ["acme/abcdefghi", "acme/cdefghi"],
  ["acme/abcdefghi", "acme/xabcxdefxghi"],
  ["acme/abcdefghi", "acme/abcdefghixyz"],
  ["acme/abcdefghi", null],
])("of %s and %s is one with at most three letters changed", (asked, near) => {
  expect(nearestName(asked, [near ?? "acme/ihgfedcba", "acme/abcdefghiwxyz"], () => true)).toBe(near);
});
