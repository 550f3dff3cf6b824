import { expect, it } from "vitest";
import { changeWords, diffRows, promptText, settingsText } from "./version-diff.ts";

const created_at = "2026-01-01T00:00:00.000Z";
const version = (config: Record<string, unknown>, system_prompt: string | null = null, number = 2) => {
  const made = { id: "", preset_id: "", creator_id: "ana", created_at, updated_at: created_at };
  return { ...made, version: number, config, system_prompt };
};
const marks = { same: " ", removed: "-", added: "+", skipped: "" };
/** As a diff is usually written; a number stands for lines that were left out. */
const diff = (before: string, after: string) =>
  diffRows(before, after).map((row) => (row.kind === "skipped" ? row.lines : `${marks[row.kind]}${row.text}`));

it.each([
  ["a\nb\n", "a\nb\n", ""],
  ["a\nb\nc\n", "a\nB\nc\nd\n", " a|-b|+B| c|+d"],
  ["", "a\n", "+a"],
  ["a\n", "", "-a"],
])("%j and %j differ in each line that was removed or added", (a, b, rows) => expect(diff(a, b).join("|")).toBe(rows));

it("equal lines that are far from a change are left out of a difference, which is all of it where too much differs", () => {
  const text = (count: number, word: string) => Array.from({ length: count }, (_, at) => `${word} ${at}\n`).join("");
  const long = text(20, "line");
  const rows = diff(long, long.replace("line 10\n", "line ten\n"));
  expect([rows.length, rows.filter((row) => typeof row === "number")]).toEqual([2 + 6 + 2, [7, 6]]);
  const all = diffRows(text(5_000, "a"), text(5_000, "b"));
  expect([all.length, all.some(({ kind }) => kind === "same")]).toEqual([10_000, false]);
});

it("a version's text has its settings in one order", () => {
  const one = settingsText(version({ b: 1, a: { d: [{ z: 1, y: 2 }], c: 2 } }));
  expect(one).toBe(settingsText(version({ a: { c: 2, d: [{ y: 2, z: 1 }] }, b: 1 })));
  const texts = [settingsText(version({})), promptText(version({}, "Be brief.")), promptText(version({}))];
  expect(texts).toEqual(["", "Be brief.\n", ""]);
});

const first = version({ model: "a/b", temperature: 1 }, "Be brief.", 1);
it.each([
  [first, undefined, "The first version"],
  [version({}, null, 7), undefined, "The oldest that is kept"],
  [version({ temperature: 1, model: "a/b" }, "Be brief."), first, "Nothing"],
  [version({ model: "a/c", seed: 1 }), first, "system prompt, model, seed, temperature"],
  [version({ a: 1, b: 1, c: 1, d: 1, e: 1 }), version({}), "a, b, c, d, 1 more"],
])("a version says what changed by name: %#", (now, before, words) => expect(changeWords(now, before)).toBe(words));
