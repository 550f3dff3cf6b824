import { describe, expect, it } from "vitest";
import type { DestinationHealth } from "#contract/forwarding.ts";
import type { KeyRecord } from "#contract/keys.ts";
import { failingDestinations, attention } from "./attention.ts";

const now = new Date("2026-11-20T17:42:00Z");

function key(changes: Partial<KeyRecord>): KeyRecord {
  const name = changes.name ?? "prod-search";
  return {
    hash: name,
    name,
    label: "sk-gh-v1-abc...wxyz",
    disabled: false,
    limit: null,
    limit_remaining: null,
    limit_reset: null,
    include_byok_in_limit: false,
    usage: 0,
    usage_daily: 0,
    usage_weekly: 0,
    usage_monthly: 0,
    byok_usage: 0,
    byok_usage_daily: 0,
    byok_usage_weekly: 0,
    byok_usage_monthly: 0,
    created_at: "2026-11-01T00:00:00.000Z",
    updated_at: null,
    creator_user_id: null,
    workspace_id: "0d9c2c1e-7b7e-4f0a-8a55-0a6f0d6f7a11",
    expires_at: null,
    external_user: null,
    status: "active",
    limit_resets_at: null,
    last_used_at: "2026-11-20T17:41:22.000Z",
    replaced_by: null,
    replaces: null,
    requests_per_minute: null,
    tokens_per_minute: null,
    ...changes,
  };
}

const weekly = { limit: 400, limit_reset: "weekly", limit_resets_at: "2026-11-23T00:00:00.000Z" } as const;
const titles = (...keys: KeyRecord[]) => attention(keys, now).map(({ title }) => title);

describe("what needs attention", () => {
  it("is nothing where all is well", () => {
    expect(titles(key({}), key({ ...weekly, limit_remaining: 81 }))).toEqual([]);
  });

  it("is a key over its limit, with the instant of the reset", () => {
    const [found] = attention([key({ ...weekly, status: "over_limit", limit_remaining: 0 })], now);
    expect(found).toMatchObject({
      kind: "trouble",
      title: "prod-search is over its limit",
      detail: "$400.00 spent, resets in 2 d 6 h (23 Nov 00:00 UTC)",
      action: { label: "Raise limit", edit: "prod-search" },
    });
  });

  it("does not say that a key with a limit of nothing has spent it", () => {
    const [found] = attention([key({ limit: 0, limit_remaining: 0, status: "over_limit" })], now);
    expect(found?.detail).toBe("its limit is $0.00: every paid call is refused");
  });

  it("is a key from four fifths of its limit on", () => {
    expect(titles(key({ ...weekly, limit_remaining: 80 }))).toEqual(["prod-search at 80% of its week"]);
    expect(titles(key({ limit: 400, limit_remaining: 46.12 }))).toEqual(["prod-search at 88% of its limit"]);
  });

  it("is a key that expires within a week, not one that did", () => {
    expect(titles(key({ expires_at: "2026-11-20T23:59:59Z" }))).toEqual(["prod-search expires in 6 h"]);
    expect(titles(key({ expires_at: "2026-11-27T17:42:00Z" }))).toEqual(["prod-search expires on 27 Nov"]);
    expect(titles(key({ expires_at: "2026-11-27T17:42:01Z" }))).toEqual([]);
    expect(titles(key({ expires_at: "2026-11-19T00:00:00Z", status: "expired" }))).toEqual([]);
  });

  it("says once how many keys were never used in thirty days", () => {
    const never = { last_used_at: null, created_at: "2026-08-03T00:00:00.000Z" };
    expect(
      attention(
        [key({ ...never, name: "a" }), key({ ...never, name: "b", created_at: "2026-09-01T00:00:00.000Z" })],
        now,
      ),
    ).toMatchObject([
      {
        kind: "off",
        title: "2 keys were never used",
        detail: "the oldest, a, was created 3 Aug",
        action: { list: "unused" },
      },
    ]);
    expect(titles(key({ ...never, name: "a" }))).toEqual(["a was never used"]);
    expect(titles(key({ last_used_at: null, created_at: "2026-11-01T00:00:00.000Z" }))).toEqual([]);
    expect(titles(key({ ...never, disabled: true, status: "disabled" }))).toEqual([]);
  });

  it("puts the most pressing first", () => {
    const order = titles(
      key({ name: "unused", last_used_at: null, created_at: "2026-08-03T00:00:00.000Z" }),
      key({ name: "near", ...weekly, limit_remaining: 10 }),
      key({ name: "late", expires_at: "2026-11-26T00:00:00Z" }),
      key({ name: "today", expires_at: "2026-11-20T23:59:59Z" }),
      key({ name: "over", ...weekly, status: "over_limit", limit_remaining: 0 }),
    );
    expect(order.map((title) => title.split(" ")[0])).toEqual(["over", "today", "late", "near", "unused"]);
  });
});

describe("destinations that fail", () => {
  const health = (destination_id: string, status: DestinationHealth["status"], failing_since: string | null) => ({
    destination_id,
    status,
    failing_since,
    last_success_at: null,
    last_error: null,
    attempt: 3,
    next_try_at: null,
    lag_ms: 0,
    backlog: 1_204,
    dead: 0,
    top_errors: [],
    bodies_kept_hours: 24,
    hours: [],
  });

  it("come with since when, what waits, and the way there; those that deliver do not", () => {
    const failing = failingDestinations(
      [
        health("a", "delivering", null),
        health("b", "failing", "2026-11-20T17:19:00.000Z"),
        health("c", "failing", "2026-11-20T16:00:00.000Z"),
      ],
      new Map([["b", "audit-archive"]]),
      new Date("2026-11-20T18:19:00Z"),
    );
    expect(failing.map(({ title, detail, action }) => [title, detail, action])).toEqual([
      ["c is failing", "since 16:00 UTC, 2 h ago; 1,204 calls wait", { label: "Look", destination: "c" }],
      ["audit-archive is failing", "since 17:19 UTC, 1 h ago; 1,204 calls wait", { label: "Look", destination: "b" }],
    ]);
  });
});
