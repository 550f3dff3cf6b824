import { describe, expect, it } from "vitest";
import { type KeyRecord, CreateKeyBody, UpdateKeyBody } from "#contract/keys.ts";
import { localLine } from "../../form/zone.ts";
import { presetParts } from "../../form/utc-instant.ts";
import { blocksNow, createBody, emptyKeyForm, keyFormOf, keyFormProblems, updateBody } from "./key-form.ts";

const now = new Date("2026-11-20T17:42:00Z");
const workspaceId = "7e0c5a70-0f9f-4f2e-9d4a-0d6a7a5b9c11";
const typed = { ...emptyKeyForm(workspaceId), name: " prod-search " };

const key = {
  name: "prod-search",
  disabled: false,
  limit: 50,
  limit_reset: "weekly",
  include_byok_in_limit: true,
  limit_watch_only: false,
  usage: 100,
  usage_daily: 4,
  usage_weekly: 30,
  usage_monthly: 60,
  byok_usage: 10,
  byok_usage_daily: 1,
  byok_usage_weekly: 2,
  byok_usage_monthly: 5,
  creator_user_id: null,
  workspace_id: workspaceId,
  expires_at: "2027-02-18T23:59:59.000Z",
  status: "active",
  requests_per_minute: null,
  tokens_per_minute: null,
} as KeyRecord;

describe("createBody", () => {
  it("sends null for a reset of none and no expiry, and a trimmed name", () => {
    expect(JSON.stringify(createBody(typed))).toBe(
      `{"name":"prod-search","workspace_id":"${workspaceId}","limit":null,"limit_reset":null,"include_byok_in_limit":false,"expires_at":null}`,
    );
    expect(createBody({ ...typed, limited: "yes", limit: "5" })).toMatchObject({ limit: 5, limit_reset: null });
  });

  it("sends the rates that are set, and leaves out those that are not", () => {
    const body = createBody({ ...typed, requests: "1,200", tokens: "" });
    expect(body.requests_per_minute).toBe(1_200);
    expect(body).not.toHaveProperty("tokens_per_minute");
    expect(keyFormProblems({ ...typed, requests: "0" }, now)).toHaveProperty("requests");
  });

  it("tells 0 from no limit", () => expect(createBody({ ...typed, limited: "yes", limit: "0" }).limit).toBe(0));

  it("says that a limit is only watched where it is, and where there is one", () => {
    expect(createBody({ ...typed, limited: "yes", limit: "5", watchOnly: true }).limit_watch_only).toBe(true);
    expect(createBody({ ...typed, limited: "no", watchOnly: true })).not.toHaveProperty("limit_watch_only");
  });

  it("drops a reset and BYOK counting that have no limit to act on", () =>
    expect(createBody({ ...typed, limited: "no", reset: "weekly", countByok: true })).toMatchObject({
      limit: null,
      limit_reset: null,
      include_byok_in_limit: false,
    }));

  it.each([
    ["UTC", "2026-11-20T17:42:00Z", "2027-02-18T23:59:59Z", "Thu 18 Feb 2027, 23:59"],
    // already the 21st there, still the 20th in UTC: the preset counts UTC days
    ["Pacific/Kiritimati", "2026-11-20T17:42:00Z", "2027-02-18T23:59:59Z", "Fri 19 Feb 2027, 13:59"],
    // still the 20th there, already the 21st in UTC
    ["Pacific/Honolulu", "2026-11-21T04:00:00Z", "2027-02-19T23:59:59Z", "Fri 19 Feb 2027, 13:59"],
    ["Australia/Lord_Howe", "2026-11-20T17:42:00Z", "2027-02-18T23:59:59Z", "Fri 19 Feb 2027, 10:59"],
  ])("sends a 90-day expiry in UTC with Z, and says what it is in %s", (zone, frozen, sent, local) => {
    const clock = new Date(frozen);
    const values = { ...typed, expires: "at", expiresAt: presetParts("90d", clock) } as const;
    const body = createBody(values);
    expect(body.expires_at).toBe(sent);
    expect(CreateKeyBody.safeParse(body).success).toBe(true);
    expect(keyFormProblems(values, clock)).toEqual({});
    expect(localLine(new Date(sent), clock, zone)).toContain(`= ${local} in ${zone}`);
  });
});

describe("updateBody", () => {
  const stored = keyFormOf(key);

  it("is empty where nothing changed", () => expect(updateBody(key, stored)).toEqual({}));

  it.each([
    ["name", { name: "prod-lookup" }, { name: "prod-lookup" }],
    ["limit", { limit: "75" }, { limit: 75 }],
    ["limit removed", { limited: "no" }, { limit: null, limit_reset: null, include_byok_in_limit: false }],
    ["reset", { reset: "monthly" }, { limit_reset: "monthly" }],
    ["reset removed", { reset: "none" }, { limit_reset: null }],
    ["BYOK", { countByok: false }, { include_byok_in_limit: false }],
    ["watching", { watchOnly: true }, { limit_watch_only: true }],
    ["expiry", { expiresAt: { date: "2027-03-01", time: "12:00" } }, { expires_at: "2027-03-01T12:00:00Z" }],
    ["expiry removed", { expires: "never" }, { expires_at: null }],
  ] as const)("carries only %s", (_, change, body) => {
    const made = updateBody(key, { ...stored, ...change });
    expect(made).toEqual(body);
    expect(UpdateKeyBody.safeParse(made).success).toBe(true);
  });
});

describe("problems", () => {
  it("are put on the field that has them", () => {
    const values = { ...typed, name: "  ", limited: "yes", limit: "1e3", expires: "at" } as const;
    expect(keyFormProblems(values, now)).toEqual({
      name: expect.stringMatching(/Enter a name/),
      limit: expect.stringMatching(/exponent/),
      expiresAt: expect.stringMatching(/date and a time/),
    });
  });

  it("do not include the past expiry of a key that is edited for something else", () => {
    const expired = keyFormOf({ ...key, expires_at: "2026-11-01T00:00:00.000Z" });
    expect(keyFormProblems(expired, now, expired.expiresAt)).toEqual({});
    expect(
      keyFormProblems({ ...expired, expiresAt: { ...expired.expiresAt, time: "01:00" } }, now, expired.expiresAt),
    ).toHaveProperty("expiresAt");
  });
});

describe("blocksNow", () => {
  const stored = keyFormOf(key);

  it("asks where the new limit is already spent in the new period", () => {
    expect(blocksNow(key, { ...stored, limit: "32" })).toMatch(/\$32\.00/);
    expect(blocksNow(key, { ...stored, limit: "32.01" })).toBeNull();
    expect(blocksNow(key, { ...stored, limit: "30", countByok: false })).toMatch(/\$30\.00/);
    expect(blocksNow(key, { ...stored, reset: "monthly" })).toMatch(/\$65\.00/);
    expect(blocksNow(key, { ...stored, limit: "0" })).not.toBeNull();
  });

  it("has nothing to ask where the key does not work anyway, or has no limit", () => {
    expect(blocksNow({ ...key, status: "disabled" }, { ...stored, limit: "1" })).toBeNull();
    expect(blocksNow(key, { ...stored, limited: "no" })).toBeNull();
    expect(blocksNow(key, { ...stored, limit: "1", watchOnly: true })).toBeNull();
  });
});
