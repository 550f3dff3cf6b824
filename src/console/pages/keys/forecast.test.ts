import { describe, expect, it } from "vitest";
import type { KeyRecord } from "#contract/keys.ts";
import { forecastLine, similarPace } from "./forecast.ts";

const now = new Date("2026-11-21T00:00:00Z");
const key = (name: string, usage: number, created = "2026-01-01T00:00:00Z") =>
  ({ name, usage_monthly: usage, byok_usage_monthly: 0, created_at: created }) as KeyRecord;

describe("similarPace", () => {
  it("is the mean of the keys whose names begin alike, by day of the UTC month", () => {
    const keys = [
      key("prod-quote-a", 40),
      key("prod-quote-b", 20),
      key("prod-search", 2000),
      key("staging-quote", 900),
    ];
    expect(similarPace("prod-quote-batch", keys.slice(0, 2), now)).toEqual({ keys: 2, usdPerDay: 1.5 });
    expect(similarPace("prod-quote-batch", keys, now)?.keys).toBe(3);
  });

  it("counts a young key from its creation", () => {
    expect(similarPace("prod-x", [key("prod-y", 10, "2026-11-16T00:00:00Z")], now)).toEqual({ keys: 1, usdPerDay: 2 });
  });

  it("says nothing without real figures", () => {
    expect(similarPace("prod-x", [], now)).toBeNull();
    expect(similarPace("prod-x", [key("prod-y", 0)], now)).toBeNull();
    expect(similarPace("prod-x", [key("other", 100)], now)).toBeNull();
    expect(similarPace("prod-x", [key("prod-y", 100, "2026-11-20T00:00:00Z")], now)).toBeNull();
  });
});

describe("forecastLine", () => {
  it("says that the limit lasts", () => {
    expect(forecastLine({ keys: 3, usdPerDay: 31 / 7 }, { limit: 50, reset: "weekly" }, now, "Europe/Berlin")).toBe(
      "The three most similar keys spend about $31.00 a week. At that pace $50.00 lasts.",
    );
  });

  it("says when it runs out, in both zones", () => {
    expect(forecastLine({ keys: 1, usdPerDay: 14 }, { limit: 50, reset: "weekly" }, now, "Europe/Berlin")).toBe(
      "The most similar key spends about $98.00 a week. At that pace $50.00 runs out on Thu around 13:00 UTC (14:00 here).",
    );
  });

  it("counts the days of a limit that does not reset", () => {
    expect(forecastLine({ keys: 2, usdPerDay: 2 }, { limit: 50, reset: null }, now, "UTC")).toMatch(
      /two most similar keys .* lasts about 25 days\.$/,
    );
  });
});
