import { expect, it } from "vitest";
import type { KeyRecord } from "#contract/keys.ts";
import { keyFormOf, updateBody } from "./key-form.ts";
import { settingChanges } from "../../form/newer-version.ts";
import { mergeKeyForm, settingWords } from "./newer-key.ts";

const key = {
  name: "search",
  workspace_id: "00000000-0000-4000-8000-000000000000",
  limit: 10,
  limit_reset: "daily",
  include_byok_in_limit: false,
  expires_at: null,
  creator_user_id: null,
  disabled: false,
  requests_per_minute: null,
  tokens_per_minute: null,
} as KeyRecord;

it("says what somebody else changed, in words", () => {
  expect(settingChanges(settingWords(key), settingWords(key))).toEqual([]);
  const newer: KeyRecord = { ...key, limit: 5, limit_reset: "monthly", disabled: true, requests_per_minute: 60 };
  expect(settingChanges(settingWords(key), settingWords(newer))).toEqual([
    { label: "Spending limit", before: "$10.00 a day", after: "$5.00 a month" },
    { label: "Disabled", before: "No", after: "Yes" },
    { label: "Requests per minute", before: "None", after: "60" },
  ]);
});

it("keeps what was typed and follows the key in the rest", () => {
  const newer: KeyRecord = { ...key, name: "search-prod", limit: 5, limit_reset: "monthly" };
  const merged = mergeKeyForm({ ...keyFormOf(key), limit: "20" }, key, newer);
  expect(merged).toEqual({ ...keyFormOf(newer), limit: "20" });
  expect(updateBody(newer, merged)).toEqual({ limit: 20 });
});

it("keeps a typed limit or expiry where somebody else removed it", () => {
  const typed = { ...keyFormOf(key), limit: "20" };
  const unlimited: KeyRecord = { ...key, limit: null, limit_reset: null };
  expect(updateBody(unlimited, mergeKeyForm(typed, key, unlimited))).toEqual({ limit: 20 });
  const ending: KeyRecord = { ...key, expires_at: "2031-01-01T00:00:00.000Z" };
  const later = { ...keyFormOf(ending), expiresAt: { date: "2032-01-01", time: "00:00:00" } };
  expect(updateBody(key, mergeKeyForm(later, ending, key))).toEqual({ expires_at: "2032-01-01T00:00:00Z" });
});
