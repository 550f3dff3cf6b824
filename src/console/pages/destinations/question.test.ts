import { expect, it } from "vitest";
import type { DestinationRecord } from "#contract/destinations.ts";
import { newDraft } from "./draft.ts";
import { questionOf } from "./question.ts";

const base = { privacy_mode: true, sampling_rate: 0.1 } as DestinationRecord;
const draft = { ...newDraft("webhook"), sampling_rate: 0.1 };

it("asks before bodies leave, with whose", () => {
  expect(questionOf(base, { ...draft, privacy_mode: false })?.text).toContain("every key, future ones too");
  expect(questionOf(null, { ...draft, privacy_mode: false, api_key_hashes: ["a"] })?.text).toContain("from one key");
  expect(questionOf({ ...base, privacy_mode: false }, { ...draft, privacy_mode: false })).toBeNull();
});

it("asks before more than ten times as much, or less than a tenth", () => {
  expect(questionOf({ ...base, sampling_rate: 0.01 }, { ...draft, sampling_rate: 0.5 })?.title).toMatch(
    /more than ten/,
  );
  expect(questionOf(base, { ...draft, sampling_rate: 0.001 })?.title).toMatch(/less than a tenth/);
  expect(questionOf(base, { ...draft, sampling_rate: 1 })).toBeNull();
  expect(questionOf(null, { ...draft, sampling_rate: 0.0001 })).toBeNull();
});
