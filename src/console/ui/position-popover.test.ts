import { describe, expect, it } from "vitest";
import { position } from "./position-popover.ts";

const view = { width: 1000, height: 800 };
const below = { gap: 4, align: "start" } as const;

describe("position", () => {
  it("stands below its anchor, at its start or centred on it", () => {
    const anchor = { left: 100, top: 50, right: 300, bottom: 82 };
    expect(position({ width: 120, height: 200 }, anchor, view, below)).toEqual({ left: 100, top: 86 });
    expect(position({ width: 120, height: 200 }, anchor, view, { gap: 6, align: "center" })).toEqual({
      left: 140,
      top: 88,
    });
  });

  it("stands above when there is more room there", () => {
    const anchor = { left: 100, top: 700, right: 300, bottom: 732 };
    expect(position({ width: 120, height: 200 }, anchor, view, below)).toEqual({ left: 100, top: 496 });
  });

  it("stands at the left of its anchor where that is wished and has room", () => {
    const button = { left: 900, top: 100, right: 928, bottom: 128 };
    const beside = { gap: 6, align: "center", beside: true } as const;
    expect(position({ width: 160, height: 24 }, button, view, beside)).toEqual({ left: 734, top: 102 });
    expect(position({ width: 160, height: 24 }, { ...button, left: 100, right: 128 }, view, beside).top).toBe(134);
  });

  it("stays inside the window", () => {
    const atEdge = { left: 950, top: 10, right: 990, bottom: 38 };
    expect(position({ width: 300, height: 900 }, atEdge, view, below)).toEqual({ left: 692, top: 42 });
    const atStart = { left: 0, top: 10, right: 20, bottom: 38 };
    expect(position({ width: 300, height: 50 }, atStart, view, { gap: 6, align: "center" }).left).toBe(8);
  });
});
