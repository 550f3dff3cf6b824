import { describe, expect, it } from "vitest";
import type { KeyRecord } from "#contract/keys.ts";
import { fourDates } from "../../example-dates.ts";
import { forecastLine, similarPace } from "./forecast.ts";

const now = new Date("2026-11-21T00:00:00Z");
const key = (name: string, usage: number, created = "2026-01-01T00:00:00Z") =>
  ({ hash: `of ${name}`, name, usage_monthly: usage, byok_usage_monthly: 0, created_at: created }) as KeyRecord;

describe("the pace of similar keys", () => {
  it("is that of the key whose name begins most alike, by day of the UTC month, from a young key's creation", () => {
    const alike = [
      key("prod-quote-a", 20),
      key("prod-quote-b", 40),
      key("prod-search", 2_000),
      key("staging-quote", 900),
    ];
    expect(similarPace("prod-quote-batch", alike, now)).toEqual({
      hash: "of prod-quote-b",
      name: "prod-quote-b",
      usdPerDay: 2,
    });
    expect(similarPace("prod-billing", alike, now)?.name).toBe("prod-search");
    // 20.5, 28.5 and 30.9997 days of the month are over; of the first day of a month, too few
    const days = fourDates.map((at) => 60 / (similarPace("prod-x", [key("prod-y", 60)], at)?.usdPerDay ?? 0));
    expect(days).toEqual([20.5, 28.5, expect.closeTo(30.9997, 4), Infinity]);
    expect(similarPace("prod-x", [key("prod-y", 10, "2026-11-16T00:00:00Z")], now)?.usdPerDay).toBe(2);
  });

  it.each([
    ["no key", []],
    ["a key that spent nothing", [key("prod-y", 0)]],
    ["a key of another name", [key("other", 100)]],
    ["a key of yesterday", [key("prod-y", 100, "2026-11-20T00:00:00Z")]],
  ])("is nothing without real figures: %s", (_, keys) => expect(similarPace("prod-x", keys, now)).toBeNull());
});

const pace = (usdPerDay: number) => ({ hash: "h", name: "prod-quote", usdPerDay });
const said = "prod-quote, the most similar key, spends about";
const limits = [
  [{ limit: 50, reset: "weekly" }, 31 / 7, `${said} $31.00 a week. At that pace $50.00 lasts.`],
  [{ limit: 50, reset: "weekly" }, 14, `${said} $98.00 a week. At that pace $50.00 lasts about 3 days of each week.`],
  [{ limit: 1, reset: "daily" }, 4, `${said} $4.00 a day. At that pace $1.00 lasts about 6 hours of each day.`],
  [{ limit: 50, reset: null }, 2, `${said} $62.00 a month. At that pace $50.00 lasts about 25 days.`],
  [
    { limit: 0.1, reset: "monthly" },
    4,
    `${said} $120.00 a month. At that pace $0.10 lasts less than an hour of each month.`,
  ],
] as const;

it.each(limits)("the forecast of %j at $%d a day", (limit, usdPerDay, line) => {
  const december = new Date("2026-12-21T00:00:00Z");
  expect(forecastLine(pace(usdPerDay), limit, limit.reset === null ? december : now)).toBe(line);
});

it("names no day, as the key begins now: neither one of the past nor any other", () => {
  for (const at of fourDates) {
    for (const [limit, usdPerDay] of limits) {
      expect(forecastLine(pace(usdPerDay), limit, at)).not.toMatch(/Jan|Feb|Mar|Nov|Dec|Jul|UTC|Mon|Thu/);
    }
  }
});
