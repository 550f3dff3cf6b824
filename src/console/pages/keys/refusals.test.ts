import { expect, it } from "vitest";
import type { KeyRecord } from "#contract/keys.ts";
import { refusalsOf } from "./refusals.ts";
import { statusView } from "./status.ts";

const limit = { limit: 5, limit_remaining: 0, limit_reset: "daily", limit_watch_only: false };
const spent = { include_byok_in_limit: true, usage_daily: 4.5, byok_usage_daily: 0.5 };
const ends = { limit_resets_at: "2026-11-22T00:00:00.000Z", expires_at: null };
const rates = { requests_per_minute: 60, tokens_per_minute: null };
const key = { status: "over_limit", disabled: false, ...limit, ...spent, ...ends, ...rates } as KeyRecord;
const active = { ...key, status: "active", requests_per_minute: null } as const;

it("what a key's calls are refused with is said in the API's words, with the figures that decide", () => {
  const words = "This key's limit leaves no room for this call: $5.00 of $5.00 spent today";
  expect(refusalsOf(key)).toEqual([
    { status: 402, when: "Paid calls", words },
    { status: 429, when: "Calls beyond its rate", words: "This key may use 60 requests a minute" },
  ]);
  expect(refusalsOf(active)).toEqual([]);
});

it("nothing is refused for a limit that is only watched, however much is spent: the status says so", () => {
  const watched = { ...active, limit_watch_only: true };
  const now = new Date("2026-11-21T18:00:00Z");
  expect(refusalsOf(watched)).toEqual([]);
  expect(statusView(watched, now)).toEqual({
    kind: "warning",
    word: "Over limit",
    note: "not refused",
    why: "It has spent $5.00 of $5.00. The limit is only watched: calls are not refused for it. It resets in 6 h (00:00 UTC).",
  });
  expect(statusView({ ...watched, limit_remaining: 1 }, now).word).toBe("Active");
});
