import { describe, expect, it } from "vitest";
import { foldForSearch } from "./search.ts";

describe("the searchable text of a key", () => {
  it("is its words in lower case and the label's two ends, each after a space", () =>
    expect(foldForSearch("Prod-EU.2 search", "sk-gh-v1-aB3...wXyZ")).toBe(" prod eu 2 search ab3 wxyz"));

  it("knows letters beyond ASCII, and one form of each", () =>
    expect(foldForSearch("Änderung ＦＵＬＬ 生産", "sk-gh-v1-abc...wxyz")).toBe(" änderung full 生産 abc wxyz"));

  it("holds nothing that is special to LIKE", () =>
    expect(foldForSearch("100%_\\'; drop", "sk-gh-v1-abc...wxyz")).toBe(" 100 drop abc wxyz"));
});
