import { expect, it } from "vitest";
import { emptyVersion, settingsBody, versionBody, versionForm, versionProblems, versionWords } from "./preset-form.ts";
import { shownPresets } from "./shown-presets.ts";

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
