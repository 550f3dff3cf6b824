import { describe, expect, it } from "vitest";
import {
  counted,
  formatAgo,
  formatBytes,
  formatClock,
  formatCompact,
  formatCount,
  formatDay,
  formatDayTime,
  formatDuration,
  formatFull,
  formatLatency,
  formatLongDay,
  formatOffset,
  formatPercent,
  formatRelative,
  formatUsd,
  formatUsdRough,
  formatUsdShort,
  moneyParts,
  zoneName,
} from "./format.ts";

const now = new Date("2026-11-20T17:42:00Z");
const before = (ms: number) => new Date(now.getTime() - ms);
const hour = 3_600_000;

describe("money", () => {
  it.each([
    [0, "$0.00"],
    [5, "$5.00"],
    [1234.5, "$1,234.50"],
    [0.0094, "$0.0094"],
    [0.000007, "$0.000007"],
    [0.000000001, "$0.000000001"],
    [0.00123456789, "$0.00123457"],
    [-0.004, "-$0.004"],
    [14.9982, "$15.00"],
  ])("%d reads %s", (usd, text) => {
    expect(formatUsd(usd)).toBe(text);
  });

  it("keeps every digit when it must be exact", () => {
    expect(formatUsd(14.9982, { exact: true })).toBe("$14.9982");
    expect(formatUsd(400, { exact: true })).toBe("$400.00");
    expect(formatUsd(0.123456789, { exact: true })).toBe("$0.123456789");
  });

  it("never reads as nothing when something was spent", () => {
    for (let nano = 1; nano <= 1e9; nano *= 10) expect(formatUsd(nano / 1e9)).not.toBe("$0.00");
  });

  it.each([
    [0.00001, "<$0.0001"],
    [0.12345, "$0.1235"],
    [0.5, "$0.50"],
    [49.86920083, "$49.87"],
    [123_456.789, "$123,456.79"],
    [1_999_999.99, "$1,999,999.99"],
    [987_654_321.123456, "$987,654,321.12"],
    [12_345_678_901.2, "$12.35B"],
  ])("%d reads %s in a list", (usd, text) => {
    expect(formatUsdShort(usd)).toBe(text);
  });

  it("cuts at the point, and not at all under a cent", () => {
    expect(moneyParts(2846.19)).toEqual({ dollars: "$2,846", cents: ".19" });
    expect(moneyParts(0.0094)).toEqual({ dollars: "$0.0094", cents: "" });
    expect(moneyParts(14.9982, { exact: true })).toEqual({ dollars: "$14", cents: ".9982" });
    expect(moneyParts(0)).toEqual({ dollars: "$0", cents: ".00" });
  });
});

describe("estimated money", () => {
  it("has two digits that count, whatever the size", () => {
    const sums = [0.00286498, 0.00000008, 0.004, 0.147, 1.449, 9.96, 20, 1_234.5];
    expect(sums.map((usd) => formatUsdRough(usd))).toEqual([
      "$0.0029",
      "$0.00000008",
      "$0.004",
      "$0.15",
      "$1.40",
      "$10",
      "$20",
      "$1,200",
    ]);
    expect(formatUsdRough(0)).toBe("$0.00");
  });
});

describe("figures", () => {
  it("groups, shortens and rounds", () => {
    expect(formatCount(41200)).toBe("41,200");
    expect(formatCompact(412_000_000)).toBe("412M");
    expect(formatCompact(9999)).toBe("9,999");
    expect(formatPercent(0.0042)).toBe("0.42%");
    expect(formatPercent(0.885)).toBe("89%");
    expect(formatPercent(0.035)).toBe("3.5%");
    expect(formatPercent(1)).toBe("100%");
  });

  it("is 0% of nothing alone, and 100% of a whole alone", () => {
    expect(formatPercent(0)).toBe("0%");
    expect(formatPercent(0.000_001)).toBe("<0.01%");
    expect(formatPercent(0.996)).toBe("99.6%");
    expect(formatPercent(0.999_99)).toBe(">99.9%");
    expect(formatPercent(1.004)).toBe("100%");
  });

  it("counts one without an s", () => {
    expect([0, 1, 2_000].map((count) => counted(count, "duplicate"))).toEqual([
      "0 duplicates",
      "1 duplicate",
      "2,000 duplicates",
    ]);
    expect(counted(3, "try", "tries")).toBe("3 tries");
  });

  it.each([
    [0, "0 B"],
    [999, "999 B"],
    [4100, "4.1 kB"],
    [600, "600 B"],
    [999_600, "1 MB"],
    [25_000_000, "25 MB"],
  ])("%d bytes read %s", (bytes, text) => {
    expect(formatBytes(bytes)).toBe(text);
  });
});

describe("lengths of time", () => {
  it.each([
    [54 * hour, "2 d 6 h"],
    [6 * hour + 59, "6 h"],
    [48 * hour, "2 d"],
    [26 * 60_000, "26 min"],
    [41_900, "41 s"],
    [-5, "0 s"],
  ])("%d ms is %s", (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
  });

  it("measures calls finer", () => {
    expect(formatLatency(211.6)).toBe("212 ms");
    expect(formatLatency(1910)).toBe("1.91 s");
    expect(formatLatency(123_400)).toBe("2 min 3 s");
  });
});

describe("instants", () => {
  it.each([
    [before(500), "just now"],
    [before(38_000), "38 s ago"],
    [before(-6 * hour - 1), "in 6 h"],
    [before(8 * 24 * hour), "8 days ago"],
    [before(-24 * hour), "in 1 day"],
    [before(-90 * 24 * hour), "in 90 days"],
    [before(800 * 24 * hour), "2 years ago"],
  ])("%s is %s", (at, text) => {
    expect(formatRelative(at, now)).toBe(text);
  });

  it("becomes a day after a week", () => {
    expect(formatAgo(before(25 * hour), "UTC", now)).toBe("1 d ago");
    expect(formatAgo(before(2 * hour), "UTC", now)).toBe("2 h ago");
    expect(formatAgo(new Date("2026-11-09T10:00:00Z"), "UTC", now)).toBe("9 Nov");
  });

  it("calls a zone by the name it has today", () => {
    expect(["Asia/Calcutta", "Europe/Kiev", "Europe/Berlin"].map(zoneName)).toEqual([
      "Asia/Kolkata",
      "Europe/Kyiv",
      "Europe/Berlin",
    ]);
  });

  it("names the year only when it is another one, by the zone's own calendar", () => {
    expect(formatDay(new Date("2027-02-18T23:59:59Z"), "UTC", now)).toBe("18 Feb 2027");
    expect(formatDay(new Date("2026-12-31T23:30:00Z"), "UTC", now)).toBe("31 Dec");
    expect(formatDay(new Date("2026-12-31T23:30:00Z"), "Europe/Berlin", now)).toBe("1 Jan 2027");
  });

  it("says UTC and the local twin with its offset, summer and winter", () => {
    const winter = new Date("2026-11-20T23:18:04Z");
    expect(formatFull(winter, "UTC")).toBe("2026-11-20 23:18:04 UTC");
    expect(formatFull(winter, "Europe/Berlin")).toBe("2026-11-21 00:18:04 Europe/Berlin (UTC+1)");
    expect(formatFull(new Date("2026-07-01T12:00:00Z"), "Europe/Berlin")).toBe(
      "2026-07-01 14:00:00 Europe/Berlin (UTC+2)",
    );
    expect(formatOffset(winter, "Asia/Kolkata")).toBe("UTC+5:30");
    expect(formatOffset(winter, "Europe/London")).toBe("UTC+0");
  });

  it("writes midnight as 00", () => {
    expect(formatClock(new Date("2026-11-20T00:00:09Z"), "UTC", { seconds: true })).toBe("00:00:09");
    expect(formatDayTime(new Date("2027-02-18T23:59:59Z"), "UTC")).toBe("18 Feb 2027 23:59");
    expect(formatLongDay(new Date("2027-02-18T23:59:59Z"), "Europe/Berlin")).toBe("Fri 19 Feb 2027");
  });
});
