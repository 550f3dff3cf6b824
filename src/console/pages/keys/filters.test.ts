import { expect, it } from "vitest";
import type { KeyRecord } from "#contract/keys.ts";
import { filterWords, hasOwnFilters, passes } from "./filters.ts";
import type { KeysSearch } from "./search.ts";

const now = new Date("2026-11-20T17:42:00Z");
const key = (change: Partial<KeyRecord>) =>
  ({ limit: null, limit_remaining: null, expires_at: null, creator_user_id: null, ...change }) as KeyRecord;
const limited = (limit: number, left: number) => key({ limit, limit_remaining: left });
const until = (expires_at: string) => key({ expires_at });

it.each<[KeysSearch, KeyRecord, boolean]>([
  [{ limit: "none" }, key({}), true],
  [{ limit: "none" }, limited(5, 5), false],
  [{ limit: "some" }, limited(5, 5), true],
  [{ limit: "near" }, limited(10, 2), true],
  [{ limit: "near" }, limited(10, 2.01), false],
  [{ limit: "near" }, limited(0, 0), true],
  [{ limit: "near" }, key({}), false],
  [{ expires: "never" }, key({}), true],
  [{ expires: "never" }, until("2026-12-01T00:00:00Z"), false],
  [{ expires: "7d" }, until("2026-11-27T17:42:00Z"), true],
  [{ expires: "7d" }, until("2026-11-27T17:42:01Z"), false],
  [{ expires: "30d" }, until("2026-11-27T17:42:01Z"), true],
  [{ expires: "30d" }, until("2026-11-19T00:00:00Z"), false],
  [{ expires: "30d" }, key({}), false],
  [{ creator: "ana" }, key({ creator_user_id: "ana" }), true],
  [{ creator: "ana" }, key({}), false],
  [{ creator: "ana", limit: "none" }, key({ creator_user_id: "ana" }), true],
  [{}, key({}), true],
])("%j", (search, candidate, passed) => {
  expect(passes(candidate, search, now)).toBe(passed);
});

it("knows which filters the gateway does not", () => {
  expect(hasOwnFilters({ status: "active", q: "a" })).toBe(false);
  expect(hasOwnFilters({ limit: "near" })).toBe(true);
});

it("names the filters", () => {
  expect(filterWords({ status: "over_limit", expires: "7d", creator: "ana" })).toBe(
    "status over limit, expires within 7 days, creator ana",
  );
  expect(filterWords({ q: "a" })).toBe("");
});
