import { expect, it } from "vitest";
import { shownGuardrails } from "./shown-guardrails.ts";

const none = {
  description: null,
  allowed_models: null,
  ignored_models: null,
  allowed_providers: null,
  ignored_providers: null,
};
const all = [
  { ...none, name: "Support team", allowed_models: ["acme/talk"] },
  { ...none, name: "Research", description: "Only for support of tests", ignored_providers: ["Cheap"] },
];

it("finds guardrails by their words, models and providers", () => {
  const found = (q: string | undefined) => shownGuardrails(all, { q }).map(({ name }) => name);
  expect(found(undefined)).toEqual(["Support team", "Research"]);
  expect(found(" SUPPORT")).toEqual(["Support team", "Research"]);
  expect(found("acme/")).toEqual(["Support team"]);
  expect(found("cheap")).toEqual(["Research"]);
  expect(found("nowhere")).toEqual([]);
});
