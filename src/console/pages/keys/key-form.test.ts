import { describe, expect, it } from "vitest";
import { type KeyRecord, CreateKeyBody, UpdateKeyBody } from "#contract/keys.ts";
import { fourDates } from "../../example-dates.ts";
import { settingChanges } from "../../form/newer-version.ts";
import { presetParts } from "../../form/utc-instant.ts";
import { localLine } from "../../form/zone.ts";
import { blocksNow, createBody, emptyKeyForm, keyFormOf, keyFormProblems, updateBody } from "./key-form.ts";
import { mergeKeyForm, settingWords } from "./newer-key.ts";

const now = new Date("2026-11-20T17:42:00Z");
const workspaceId = "7e0c5a70-0f9f-4f2e-9d4a-0d6a7a5b9c11";
const typed = { ...emptyKeyForm(workspaceId), name: " prod-search " };

const usage = { usage: 100, usage_daily: 4, usage_weekly: 30, usage_monthly: 60 };
const byok = { byok_usage: 10, byok_usage_daily: 1, byok_usage_weekly: 2, byok_usage_monthly: 5 };
const limits = { limit: 50, limit_reset: "weekly", include_byok_in_limit: true, limit_watch_only: false };
const expires_at = "2027-02-18T23:59:59.000Z";
const rest = {
  disabled: false,
  status: "active",
  creator_user_id: null,
  requests_per_minute: null,
  tokens_per_minute: null,
};
const named = { name: "prod-search", workspace_id: workspaceId };
const key = { ...named, ...limits, ...usage, ...byok, ...rest, expires_at } as KeyRecord;
const stored = keyFormOf(key);

describe("the body that creates a key", () => {
  const bare = { limit: null, limit_reset: null, include_byok_in_limit: false, expires_at: null };
  const created = { name: "prod-search", workspace_id: workspaceId, ...bare };
  const limited = { ...typed, limited: "yes", limit: "5" } as const;
  it.each([
    ["null for a reset of none and no expiry, and a trimmed name", typed, {}],
    ["the limit", limited, { limit: 5 }],
    ["the rates that are set", { ...typed, requests: "1,200", tokens: "" }, { requests_per_minute: 1_200 }],
    ["0, which is not no limit", { ...limited, limit: "0" }, { limit: 0 }],
    ["that a limit is only watched", { ...limited, watchOnly: true }, { limit: 5, limit_watch_only: true }],
    [
      "no reset, watching and BYOK counting that have no limit to act on",
      { ...limited, limited: "no", reset: "weekly", countByok: true, watchOnly: true },
      {},
    ],
  ] as const)("has %s", (_, values, body) => {
    expect(JSON.parse(JSON.stringify(createBody(values)))).toEqual({ ...created, ...body });
    expect(CreateKeyBody.safeParse({ ...created, ...body }).success).toBe(true);
  });

  it.each([
    ["UTC", "2026-11-20T17:42:00Z", "2027-02-18T23:59:59Z", "Thu 18 Feb 2027, 23:59"],
    // already the 21st there, still the 20th in UTC: the preset counts UTC days
    ["Pacific/Kiritimati", "2026-11-20T17:42:00Z", "2027-02-18T23:59:59Z", "Fri 19 Feb 2027, 13:59"],
    // still the 20th there, already the 21st in UTC
    ["Pacific/Honolulu", "2026-11-21T04:00:00Z", "2027-02-19T23:59:59Z", "Fri 19 Feb 2027, 13:59"],
    ["Australia/Lord_Howe", "2026-11-20T17:42:00Z", "2027-02-18T23:59:59Z", "Fri 19 Feb 2027, 10:59"],
    ["Europe/Berlin", "2028-02-29T12:00:00Z", "2028-05-29T23:59:59Z", "Tue 30 May 2028, 01:59"],
    ["Europe/Berlin", "2028-12-31T23:59:30Z", "2029-03-31T23:59:59Z", "Sun 1 Apr 2029, 01:59"],
    ["Europe/Berlin", "2035-07-01T00:00:00Z", "2035-09-29T23:59:59Z", "Sun 30 Sep 2035, 01:59"],
  ])("sends a 90-day expiry in UTC with Z, and says what it is in %s from %s", (zone, frozen, sent, local) => {
    const clock = new Date(frozen);
    const values = { ...typed, expires: "at", expiresAt: presetParts("90d", clock) } as const;
    const body = createBody(values);
    expect(body.expires_at).toBe(sent);
    expect(CreateKeyBody.safeParse(body).success).toBe(true);
    expect(keyFormProblems(values, clock)).toEqual({});
    expect(localLine(new Date(sent), clock, zone)).toContain(`= ${local} in ${zone}`);
  });
});

it.each([
  ["nothing where nothing changed", {}, {}],
  ["name", { name: "prod-lookup" }, { name: "prod-lookup" }],
  ["limit", { limit: "75" }, { limit: 75 }],
  ["limit removed", { limited: "no" }, { limit: null, limit_reset: null, include_byok_in_limit: false }],
  ["reset", { reset: "monthly" }, { limit_reset: "monthly" }],
  ["reset removed", { reset: "none" }, { limit_reset: null }],
  ["BYOK", { countByok: false }, { include_byok_in_limit: false }],
  ["watching", { watchOnly: true }, { limit_watch_only: true }],
  ["expiry", { expiresAt: { date: "2027-03-01", time: "12:00" } }, { expires_at: "2027-03-01T12:00:00Z" }],
  ["expiry removed", { expires: "never" }, { expires_at: null }],
] as const)("the body that updates a key carries only %s", (_, change, body) => {
  expect(updateBody(key, { ...stored, ...change })).toEqual(body);
  expect(UpdateKeyBody.safeParse(body).success).toBe(true);
});

describe("problems", () => {
  it("are put on the field that has them", () => {
    const values = { ...typed, name: "  ", limited: "yes", limit: "1e3", expires: "at", requests: "0" } as const;
    expect(keyFormProblems(values, now)).toEqual({
      name: expect.stringMatching(/Enter a name/),
      limit: expect.stringMatching(/exponent/),
      expiresAt: expect.stringMatching(/date and a time/),
      requests: expect.anything(),
    });
  });

  it.each(fourDates)("do not include the past expiry of a key that is edited for something else: on %s", (clock) => {
    const expired = keyFormOf({ ...key, expires_at: "2026-11-01T00:00:00.000Z" });
    expect(keyFormProblems(expired, clock, expired.expiresAt)).toEqual({});
    const moved = { ...expired, expiresAt: { ...expired.expiresAt, time: "01:00" } };
    expect(keyFormProblems(moved, clock, expired.expiresAt)).toHaveProperty("expiresAt");
  });
});

it.each([
  ["spends $32 a week", {}, { limit: "32" }, expect.stringMatching(/\$32\.00/)],
  ["spends less", {}, { limit: "32.01" }, null],
  ["spends it without BYOK", {}, { limit: "30", countByok: false }, expect.stringMatching(/\$30\.00/)],
  ["spends more in the new period", {}, { reset: "monthly" }, expect.stringMatching(/\$65\.00/)],
  ["spends anything", {}, { limit: "0" }, expect.anything()],
  ["does not work anyway", { status: "disabled" }, { limit: "1" }, null],
  ["has no limit", {}, { limited: "no" }, null],
  ["is only watched", {}, { limit: "1", watchOnly: true }, null],
] as const)("asks where the new limit is already spent: a key that %s", (_, record, change, question) =>
  expect(blocksNow({ ...key, ...record }, { ...stored, ...change })).toEqual(question),
);

describe("a key that somebody else changed meanwhile", () => {
  const newer: KeyRecord = { ...key, name: "search-prod", limit: 5, limit_reset: "monthly" };

  it("has its changes in words", () => {
    expect(settingChanges(settingWords(key), settingWords(key))).toEqual([]);
    const changed: KeyRecord = { ...newer, name: key.name, disabled: true, requests_per_minute: 60 };
    expect(settingChanges(settingWords(key), settingWords(changed))).toEqual([
      { label: "Spending limit", before: "$50.00 a week, BYOK counted", after: "$5.00 a month, BYOK counted" },
      { label: "Disabled", before: "No", after: "Yes" },
      { label: "Requests per minute", before: "None", after: "60" },
    ]);
  });

  it("is followed but for what was typed", () => {
    const merged = mergeKeyForm({ ...stored, limit: "20" }, key, newer);
    expect(merged).toEqual({ ...keyFormOf(newer), limit: "20" });
    expect(updateBody(newer, merged)).toEqual({ limit: 20 });
  });

  it("keeps a typed limit or expiry where somebody else removed it", () => {
    const unlimited: KeyRecord = { ...key, limit: null, limit_reset: null, include_byok_in_limit: false };
    const merged = mergeKeyForm({ ...stored, limit: "20" }, key, unlimited);
    expect(updateBody(unlimited, merged)).toMatchObject({ limit: 20 });
    const endless: KeyRecord = { ...key, expires_at: null };
    const later = { ...stored, expiresAt: { date: "2032-01-01", time: "00:00:00" } };
    expect(updateBody(endless, mergeKeyForm(later, key, endless))).toEqual({ expires_at: "2032-01-01T00:00:00Z" });
  });
});
