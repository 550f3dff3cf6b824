import { expect, it } from "vitest";
import { newDraft } from "./draft.ts";
import { editsOf, withEdits } from "./unsaved-edits.ts";

const began = newDraft("webhook");

it("keeps what was edited and gives it back over a newer version", () => {
  const edited = {
    ...began,
    name: "mine",
    sampling_rate: 0.1,
    api_key_hashes: ["a"],
    filter_rules: { groups: [{ rules: [{ field: "model", operator: "equals", value: "a", later: 1 }] }] },
    config: { ...began.config, url: "https://collector.example.com/v1" },
  };
  const edits = editsOf("webhook", edited, began);
  expect(Object.keys(edits).toSorted()).toEqual(["api_key_hashes", "config", "filter_rules", "name", "sampling_rate"]);
  const newer = { ...began, privacy_mode: false };
  expect(withEdits("webhook", newer, JSON.parse(JSON.stringify(edits)) as Record<string, unknown>)).toEqual({
    ...edited,
    privacy_mode: false,
  });
});

it("keeps no secret: no secret member, no extra header, no address that may hold one", () => {
  const s3 = newDraft("s3");
  const typed = { state: "typed", text: "hush-hush" } as const;
  const edited = {
    ...s3,
    config: {
      ...s3.config,
      bucketName: "traces",
      secretAccessKey: typed,
      headers: [{ name: "x-token", value: typed }],
      endpoint: "https://hush-hush@store.example.com",
    },
  };
  const edits = editsOf("s3", edited, s3);
  expect(edits).toEqual({ config: { bucketName: "traces" } });
  for (const url of [
    "https://hooks.example.com/?token=hush-hush",
    "https://hooks.example.com/services/T0123/B0123/abcdEFGH0123abcdEFGH0123",
  ]) {
    expect(editsOf("webhook", { ...began, config: { ...began.config, url } }, began)).toEqual({});
  }
});

it("puts nothing into a secret, and takes nothing that is no edit", () => {
  const s3 = newDraft("s3");
  expect(withEdits("s3", s3, { config: { secretAccessKey: "put in", unknown: "x" } })).toEqual(s3);
  expect(withEdits("s3", s3, { filter_rules: { groups: "all" } })).toBeNull();
  expect(withEdits("s3", s3, { sampling_rate: "1" })).toBeNull();
});
