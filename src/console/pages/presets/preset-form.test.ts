import { expect, it } from "vitest";
import { emptyVersion, settingsBody, versionBody, versionForm, versionProblems, versionWords } from "./preset-form.ts";
import { shownPresets } from "./shown-presets.ts";
import { changeWords, diffRows, promptText, settingsText } from "./version-diff.ts";

const provider = { only: ["acme"], sort: "price", data_collection: "deny", zdr: true };
const config = { model: "acme/talk", temperature: 0.2, top_p: 0.9, max_tokens: 500, seed: 7, provider };
const [brief, none] = [{ system_prompt: "Be brief." }, { system_prompt: null }];
const odd = { config: { provider: { sort: { by: "latency" }, data_collection: "allow" } }, ...none };
const shown = { prompt: "Be brief.", temperature: "0.2", longest: "500", only: ["acme"], sort: "price", deny: true };

it.each([
  [
    { config, ...brief },
    { model: "acme/talk", ...shown },
    { seed: 7, provider: { zdr: true } },
  ],
  // what its fields cannot say is left as it is stored
  [odd, { sort: "", deny: false }, odd.config],
  [{ config: {}, ...none }, emptyVersion, undefined],
])("the form of a version gives back what is stored, in fields and in JSON: %#", (stored, fields, more) => {
  const form = versionForm(stored);
  expect(form).toMatchObject(fields);
  if (more !== undefined) expect(JSON.parse(form.more)).toEqual(more);
  expect([versionBody(form), versionProblems(form)]).toEqual([stored, {}]);
});

const notJson = { more: 'This must be a JSON object, such as {"top_k": 40}' };
it.each([
  [{ temperature: "warm" }, { temperature: "Temperature must be a number, such as 0.7" }],
  [{ longest: "a few" }, { longest: "Maximum tokens must be a number, such as 0.7" }],
  [{ more: "{" }, notJson],
  [{ more: "[]" }, notJson],
  [{ more: '{"temperature": 1}' }, { more: "temperature has a field of its own above" }],
  [{ more: '{"provider": {"only": ["a"]}}' }, { more: "provider.only has a field of its own above" }],
  [{ more: '{"provider": {"sort": "price"}}' }, { more: "provider.sort has a field of its own above" }],
])("names what is wrong: %j", (typed, wrong) => expect(versionProblems({ ...emptyVersion, ...typed })).toEqual(wrong));

it("says a version in words, and takes an empty description for none", () => {
  const words = { Model: "acme/talk", "System prompt": "none", Data: "no" };
  expect(versionWords({ config: { model: "acme/talk" }, ...none })).toMatchObject(words);
  const settings = settingsBody({ name: " Mail ", description: " ", status: "active" });
  expect(settings).toEqual({ name: "Mail", description: null, status: "active" });
});

const all = [
  { name: "Help desk", slug: "help-desk", model: "acme/chat", status: "active" },
  { name: "Übersetzer", slug: "translate", model: null, status: "archived" },
  { name: "Nightly", slug: "night", model: "acme/embed", status: "disabled" },
] as const;
it.each([
  [{}, "help-desk translate night"],
  [{ q: "HELP " }, "help-desk"],
  [{ q: "übers" }, "translate"],
  [{ q: "@preset/night" }, "night"],
  [{ q: "acme/" }, "help-desk night"],
  [{ q: "acme/", status: "disabled" }, "night"],
  [{ q: "null" }, ""],
] as const)("presets are found by name, by what a call says, and by model, whatever the case: %j", (search, slugs) =>
  expect(
    shownPresets(all, search)
      .map(({ slug }) => slug)
      .join(" "),
  ).toBe(slugs),
);

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

it("equal lines far from a change are left out of a difference, and a version's settings have one order", () => {
  const text = (count: number, word: string) => Array.from({ length: count }, (_, at) => `${word} ${at}\n`).join("");
  const long = text(20, "line");
  const rows = diff(long, long.replace("line 10\n", "line ten\n"));
  expect([rows.length, rows.filter((row) => typeof row === "number")]).toEqual([2 + 6 + 2, [7, 6]]);
  const all = diffRows(text(5_000, "a"), text(5_000, "b"));
  expect([all.length, all.some(({ kind }) => kind === "same")]).toEqual([10_000, false]);
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
