import { describe, expect, it } from "vitest";
import { seriesTones } from "./series-tones.ts";

describe("the tones of a chart's parts", () => {
  it.each([0, 1, 2, 3, 4, 5, 6])("are %i different ones", (count) =>
    expect(new Set(seriesTones(count)).size).toBe(count),
  );

  it("begin with the accent", () => {
    for (const count of [1, 2, 3, 6]) expect(seriesTones(count)[0]).toContain("stroke-accent ");
  });
});
