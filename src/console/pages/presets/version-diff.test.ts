import { describe, expect, it } from "vitest";
import { changeWords, diffRows, promptText, settingsText } from "./version-diff.ts";

const version = (config: Record<string, unknown>, system_prompt: string | null = null, number = 2) => ({
  id: "",
  preset_id: "",
  version: number,
  config,
  system_prompt,
  creator_id: "ana",
  created_at: "2026-01-01T00:00:00.000Z",
  updated_at: "2026-01-01T00:00:00.000Z",
});

describe("what differs between two texts", () => {
  it("is nothing where they are equal", () => expect(diffRows("a\nb\n", "a\nb\n")).toEqual([]));

  it("is each line that was removed and added, between lines that stayed", () => {
    expect(diffRows("a\nb\nc\n", "a\nB\nc\nd\n")).toEqual([
      { kind: "same", text: "a" },
      { kind: "removed", text: "b" },
      { kind: "added", text: "B" },
      { kind: "same", text: "c" },
      { kind: "added", text: "d" },
    ]);
    expect(diffRows("", "a\n")).toEqual([{ kind: "added", text: "a" }]);
    expect(diffRows("a\n", "")).toEqual([{ kind: "removed", text: "a" }]);
  });

  it("leaves out equal lines that are far from a change", () => {
    const long = Array.from({ length: 20 }, (_, at) => `line ${at}\n`).join("");
    const rows = diffRows(long, long.replace("line 10\n", "line ten\n"));
    expect(rows.filter(({ kind }) => kind === "skipped")).toEqual([
      { kind: "skipped", lines: 7 },
      { kind: "skipped", lines: 6 },
    ]);
    expect(rows).toHaveLength(2 + 6 + 2);
  });

  it("is all of it where too much differs, at once", () => {
    const text = (word: string) => Array.from({ length: 5_000 }, (_, at) => `${word} ${at}\n`).join("");
    const rows = diffRows(text("a"), text("b"));
    expect(rows).toHaveLength(10_000);
    expect(rows.every(({ kind }) => kind !== "same")).toBe(true);
  });
});

describe("a version's text", () => {
  it("has its settings in one order", () => {
    expect(settingsText(version({ b: 1, a: { d: [{ z: 1, y: 2 }], c: 2 } }))).toBe(
      settingsText(version({ a: { c: 2, d: [{ y: 2, z: 1 }] }, b: 1 })),
    );
    expect(settingsText(version({}))).toBe("");
    expect([promptText(version({}, "Be brief.")), promptText(version({}))]).toEqual(["Be brief.\n", ""]);
  });

  it("says what changed by the names of the settings", () => {
    const first = version({ model: "a/b", temperature: 1 }, "Be brief.", 1);
    expect(changeWords(first, undefined)).toBe("The first version");
    expect(changeWords(version({}, null, 7), undefined)).toBe("The oldest that is kept");
    expect(changeWords(version({ temperature: 1, model: "a/b" }, "Be brief."), first)).toBe("Nothing");
    expect(changeWords(version({ model: "a/c", seed: 1 }), first)).toBe("system prompt, model, seed, temperature");
    const many = version({ a: 1, b: 1, c: 1, d: 1, e: 1 });
    expect(changeWords(many, version({}))).toBe("a, b, c, d, 1 more");
  });
});
