import { expect, it } from "vitest";
import { shownPresets } from "./shown-presets.ts";

const all = [
  { name: "Help desk", slug: "help-desk", model: "acme/chat", status: "active" },
  { name: "Übersetzer", slug: "translate", model: null, status: "archived" },
  { name: "Nightly", slug: "night", model: "acme/embed", status: "disabled" },
] as const;
const slugs = (...given: Parameters<typeof shownPresets<(typeof all)[number]>>) =>
  shownPresets(...given).map(({ slug }) => slug);

it("presets are found by name, by what a call says, and by model, whatever the case", () => {
  expect(slugs(all, {})).toEqual(["help-desk", "translate", "night"]);
  expect(slugs(all, { q: "HELP " })).toEqual(["help-desk"]);
  expect(slugs(all, { q: "übers" })).toEqual(["translate"]);
  expect(slugs(all, { q: "@preset/night" })).toEqual(["night"]);
  expect(slugs(all, { q: "acme/" })).toEqual(["help-desk", "night"]);
  expect(slugs(all, { q: "acme/", status: "disabled" })).toEqual(["night"]);
  expect(slugs(all, { q: "null" })).toEqual([]);
});
