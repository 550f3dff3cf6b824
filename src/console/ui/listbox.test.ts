import { describe, expect, it } from "vitest";
import { filterOptions, groupOptions, nextIndex, pointedAt } from "./listbox.ts";

const options = [
  { value: "a", label: "prod-search", detail: "Production", group: "Recent" },
  { value: "b", label: "staging-search", detail: "Staging", group: "All" },
  { value: "c", label: "prod-quote", keywords: "assistant", group: "Recent" },
];

describe("filterOptions", () => {
  it("wants every word, anywhere, in any case", () => {
    expect(filterOptions(options, "SEARCH prod").map((option) => option.value)).toEqual(["a"]);
    expect(filterOptions(options, "assist").map((option) => option.value)).toEqual(["c"]);
    expect(filterOptions(options, "nothing")).toEqual([]);
    expect(filterOptions(options, "  ")).toBe(options);
  });
});

describe("groupOptions", () => {
  it("keeps the order of first appearance", () => {
    const groups = groupOptions(options);
    expect(groups.map((group) => group.name)).toEqual(["Recent", "All"]);
    expect(groups[0]?.options.map((option) => option.value)).toEqual(["a", "c"]);
  });
});

describe("nextIndex", () => {
  it("goes round at the ends and starts from nowhere", () => {
    expect(nextIndex("ArrowDown", -1, 3)).toBe(0);
    expect(nextIndex("ArrowDown", 2, 3)).toBe(0);
    expect(nextIndex("ArrowUp", -1, 3)).toBe(2);
    expect(nextIndex("ArrowUp", 0, 3)).toBe(2);
    expect(nextIndex("PageDown", 0, 3)).toBe(2);
    expect(nextIndex("ArrowDown", 0, 0)).toBeUndefined();
    expect(nextIndex("a", 0, 3)).toBeUndefined();
  });
});

describe("pointedAt", () => {
  it("stays on the option when another list comes, and on none when it is gone", () => {
    expect(pointedAt(options, { index: 0, value: "c" })).toBe(2);
    expect(pointedAt(options, { index: 0, value: "gone" })).toBe(-1);
  });

  it("is a place as long as nothing was listed there", () => {
    expect(pointedAt(options, { index: 0 })).toBe(0);
    expect(pointedAt([], { index: 0 })).toBe(-1);
    expect(pointedAt(options, { index: -1 })).toBe(-1);
  });
});
