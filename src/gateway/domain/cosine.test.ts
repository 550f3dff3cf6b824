import { expect, it } from "vitest";
import { cosine } from "./cosine.ts";

it("is 1 for one direction, 0 for a right angle, and -1 for opposite ones, whatever the lengths", () => {
  expect(cosine([3, 4], [6, 8])).toBe(1);
  expect(cosine(Float32Array.of(1, 0), [0, 5])).toBe(0);
  expect(cosine([1, 0], [-2, 0])).toBe(-1);
});

it("is none where a vector is all zeros, or empty", () =>
  expect([cosine([0, 0], [1, 0]), cosine([1, 0], [0, 0]), cosine([], [])]).toEqual([null, null, null]));
