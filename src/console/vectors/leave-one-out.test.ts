import { describe, expect, it } from "vitest";
import { partsOf, withoutEach } from "./leave-one-out.ts";

describe("leaving out one part at a time", () => {
  it("cuts at sentences, and at words where there is one sentence", () => {
    expect(partsOf("It is late. The dock is closed.")).toEqual(["It is late. ", "The dock is closed."]);
    expect(partsOf("held at customs")).toEqual(["held ", "at ", "customs"]);
  });

  it("keeps the whole text however long it is", () => {
    const text = "word ".repeat(100).trim();
    expect(partsOf(text)).toHaveLength(40);
    expect(partsOf(text).join("")).toBe(text);
  });

  it("gives the text without each part, and none for the only part", () => {
    expect(withoutEach(["a ", "b ", "c"]).map(({ text }) => text)).toEqual(["b c", "a c", "a b"]);
    expect(withoutEach(["only"])).toEqual([]);
  });
});
