import { expect, it } from "vitest";
import type { DestinationRecord } from "#contract/destinations.ts";
import { newDraft } from "./draft.ts";
import { saveConfirmation } from "./save-confirmation.ts";

const base = { privacy_mode: true, sampling_rate: 0.1 } as DestinationRecord;
const draft = { ...newDraft("webhook"), sampling_rate: 0.1 };

it("asks before bodies leave, with whose", () => {
  expect(saveConfirmation(base, { ...draft, privacy_mode: false })?.text).toContain("every key, including future ones");
  expect(saveConfirmation(null, { ...draft, privacy_mode: false, api_key_hashes: ["a"] })?.text).toContain(
    "from one key",
  );
  expect(saveConfirmation({ ...base, privacy_mode: false }, { ...draft, privacy_mode: false })).toBeNull();
});

it("asks before more than ten times as much, or less than a tenth", () => {
  expect(saveConfirmation({ ...base, sampling_rate: 0.01 }, { ...draft, sampling_rate: 0.5 })?.title).toMatch(
    /more than ten/,
  );
  expect(saveConfirmation(base, { ...draft, sampling_rate: 0.001 })?.title).toMatch(/less than a tenth/);
  expect(saveConfirmation(base, { ...draft, sampling_rate: 1 })).toBeNull();
  expect(saveConfirmation(null, { ...draft, sampling_rate: 0.0001 })).toBeNull();
});

it("asks about both where both change", () => {
  const asked = saveConfirmation(
    { ...base, sampling_rate: 0.5 },
    { ...draft, privacy_mode: false, sampling_rate: 0.01 },
  );
  expect(asked?.title).toBe("Send prompts and responses");
  expect(asked?.text).toMatch(/every key, including future ones\. Sampling goes from 50% to 1%\.$/);
});
