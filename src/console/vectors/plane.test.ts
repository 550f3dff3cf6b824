import { expect, it } from "vitest";
import { countPlaces } from "./plane.ts";

it("counts points that lie exactly on one another once", () => {
  expect(countPlaces(new Float32Array())).toBe(0);
  expect(countPlaces(Float32Array.of(0, 0, 0, 1, 0, 0, 1, 0, 0.25, 0.5, 0.25, 0.5, 1, 0))).toBe(4);
});
