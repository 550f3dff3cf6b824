import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { orderedId } from "./ordered-id.ts";

const instant = fc.date({ min: new Date(0), max: new Date("9999-01-01T00:00:00Z"), noInvalidDate: true });

describe("an ordered id", () => {
  it("is a UUID of version 7 that holds its instant", () => {
    fc.assert(
      fc.property(instant, (at) => {
        const id = orderedId(at);
        expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
        expect(Number.parseInt(id.replace("-", "").slice(0, 12), 16)).toBe(at.getTime());
      }),
    );
  });

  it("sorts as it was made, within one millisecond too", () => {
    const at = new Date("2026-11-21T12:00:00Z");
    const ids = Array.from({ length: 4_000 }, () => orderedId(at));
    expect(ids.toSorted()).toEqual(ids);
    expect(orderedId(new Date(at.getTime() + 1)) > (ids.at(-1) ?? "")).toBe(true);
  });
});
