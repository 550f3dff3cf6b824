import { describe, expect, it } from "vitest";
import type { KeyRecord } from "#contract/keys.ts";
import { fourDates } from "../../example-dates.ts";
import { forecastLine, similarPace } from "./forecast.ts";

const now = new Date("2026-11-21T00:00:00Z");
const key = (name: string, usage: number, created = "2026-01-01T00:00:00Z") =>
  ({ name, usage_monthly: usage, byok_usage_monthly: 0, created_at: created }) as KeyRecord;

describe("the pace of similar keys", () => {
  it("is the mean of the keys whose names begin alike, by day of the UTC month, from a young key's creation", () => {
    const alike = [key("prod-quote-a", 40), key("prod-quote-b", 20)];
    expect(similarPace("prod-quote-batch", alike, now)).toEqual({ keys: 2, usdPerDay: 1.5 });
    const more = [...alike, key("prod-search", 2000), key("staging-quote", 900)];
    expect(similarPace("prod-quote-batch", more, now)?.keys).toBe(3);
    // 20.5, 28.5 and 30.9997 days of the month are over; of the first day of a month, too few
    const days = fourDates.map((at) => 60 / (similarPace("prod-x", [key("prod-y", 60)], at)?.usdPerDay ?? 0));
    expect(days).toEqual([20.5, 28.5, expect.closeTo(30.9997, 4), Infinity]);
    expect(similarPace("prod-x", [key("prod-y", 10, "2026-11-16T00:00:00Z")], now)).toEqual({ keys: 1, usdPerDay: 2 });
  });

  it.each([
    ["no key", []],
    ["a key that spent nothing", [key("prod-y", 0)]],
    ["a key of another name", [key("other", 100)]],
    ["a key of yesterday", [key("prod-y", 100, "2026-11-20T00:00:00Z")]],
  ])("is nothing without real figures: %s", (_, keys) => expect(similarPace("prod-x", keys, now)).toBeNull());
});

const weekly = { limit: 50, reset: "weekly" } as const;
const runsOut = "The most similar key spends about $98.00 a week. At that pace $50.00 runs out on Thu around";
it.each([
  [3, 31 / 7, weekly, "The three most similar keys spend about $31.00 a week. At that pace $50.00 lasts."],
  [1, 14, weekly, `${runsOut} 13:00 UTC (14:00 here).`],
  [2, 2, { limit: 50, reset: null }, expect.stringMatching(/two most similar keys .* lasts about 25 days\.$/)],
] as const)("the forecast of %d keys at $%d a day says whether %j lasts", (keys, usdPerDay, limit, line) =>
  expect(forecastLine({ keys, usdPerDay }, limit, now, "Europe/Berlin")).toEqual(line),
);

it("the forecast says when it runs out on each date, in both zones", () => {
  const monthly = { limit: 50, reset: "monthly" } as const;
  const ends = fourDates.map((at) => {
    const line = forecastLine({ keys: 1, usdPerDay: 5 }, monthly, at, "Europe/Berlin");
    return /spends about (.*) a month\..* runs out on (.*)\.$/.exec(line)?.slice(1).join(": ");
  });
  const around = (day: string, here: string) => `${day} around 00:00 UTC (${here}:00 here)`;
  const [november, february] = [around("$150.00: 11 Nov", "01"), around("$150.00: 11 Feb", "01")];
  expect(ends).toEqual([november, february, around("$160.00: 11 Dec", "01"), around("$160.00: 11 Jul", "02")]);
});
