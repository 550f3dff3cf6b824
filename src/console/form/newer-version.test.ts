import { expect, it } from "vitest";
import { mergeForm, settingChanges } from "./newer-version.ts";

const merge = mergeForm(({ name, zdr }: { name: string; zdr: boolean }) => ({ name, zdr, models: [] as string[] }));
const stored = { name: "acme", zdr: false };

it("keeps what was typed and follows the record in the rest", () => {
  const typed = { name: "acme", zdr: false, models: ["a/b"] };
  expect(merge(typed, stored, { name: "Acme", zdr: true })).toEqual({ name: "Acme", zdr: true, models: ["a/b"] });
  expect(merge({ ...typed, name: "mine" }, stored, { name: "Acme", zdr: true })).toMatchObject({ name: "mine" });
});

it("says what somebody else changed, in words", () =>
  expect(settingChanges({ Name: "acme", Address: "a" }, { Name: "Acme", Address: "a" })).toEqual([
    { label: "Name", before: "acme", after: "Acme" },
  ]));
