import * as fc from "fast-check";
import { expect, it } from "vitest";
import { ModelPricing } from "#contract/providers.ts";
import { dayMs, hourMs } from "#contract/time.ts";
import { fourDates } from "./example-dates.ts";
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
import { comparePrices, formatPrice, perMillion, perToken, readPrice } from "./token-price.ts";

const texts = <T>(format: (value: T) => string, ...values: T[]) => values.map((value) => format(value)).join(" | ");

it("money has two decimals, under a cent up to six digits that count, and every digit when it must be exact", () => {
  expect(texts(formatUsd, 0, 5, 1234.5, 14.9982)).toBe("$0.00 | $5.00 | $1,234.50 | $15.00");
  expect(texts(formatUsd, 0.0094, 0.000007, 0.00123456789)).toBe("$0.0094 | $0.000007 | $0.00123457");
  expect(texts(formatUsd, 0.000000001, -0.004)).toBe("$0.000000001 | -$0.004");
  const exact = (usd: number) => formatUsd(usd, { exact: true });
  expect(texts(exact, 14.9982, 400, 0.123456789)).toBe("$14.9982 | $400.00 | $0.123456789");
});

it("money never reads as nothing when something was spent, and is at most 15 characters wide in a list", () => {
  for (let nano = 1; nano <= 1e9; nano *= 10) expect(formatUsd(nano / 1e9)).not.toBe("$0.00");
  expect(texts(formatUsdShort, 0.00001, 0.12345, 0.5, 49.86920083)).toBe("<$0.0001 | $0.1235 | $0.50 | $49.87");
  expect(texts(formatUsdShort, 123_456.789, 1_999_999.99)).toBe("$123,456.79 | $1,999,999.99");
  expect(texts(formatUsdShort, 987_654_321.123456, 12_345_678_901.2)).toBe("$987,654,321.12 | $12.35B");
});

it("money is cut at the point, not at all under a cent, and has two digits that count where it is estimated", () => {
  const parts = (usd: number, exact = false) => Object.values(moneyParts(usd, { exact }));
  expect([parts(2846.19), parts(0)].join(" | ")).toBe("$2,846,.19,true | $0,.00,true");
  expect(parts(0.0094)).toEqual(["$0", ".0094", false]);
  expect(parts(12_345_678_901.2)).toEqual(["$12.35B", "", false]);
  expect(parts(14.9982, true)).toEqual(["$14", ".9982", true]);
  expect(texts(formatUsdRough, 0, 0.00286498, 0.00000008, 0.004)).toBe("$0.00 | $0.0029 | $0.00000008 | $0.004");
  expect(texts(formatUsdRough, 0.147, 1.449, 9.96, 20, 1_234.5)).toBe("$0.15 | $1.40 | $10 | $20 | $1,200");
});

it("figures are grouped, shortened and rounded: 0% of nothing alone, and 100% of a whole alone", () => {
  expect([formatCount(41200), texts(formatCompact, 412_000_000, 9999)]).toEqual(["41,200", "412M | 9,999"]);
  expect(texts(formatPercent, 0.0042, 0.885, 0.035, 1)).toBe("0.42% | 89% | 3.5% | 100%");
  expect(texts(formatPercent, 0, 0.000_001, 0.996, 0.999_99, 1.004)).toBe("0% | <0.01% | 99.6% | >99.9% | 100%");
});

it("figures count one without an s, bytes in decimal units, and time in two units, finer for calls", () => {
  const duplicates = (count: number) => counted(count, "duplicate");
  expect(texts(duplicates, 0, 1, 2_000)).toBe("0 duplicates | 1 duplicate | 2,000 duplicates");
  expect(counted(3, "try", "tries")).toBe("3 tries");
  expect(texts(formatBytes, 0, 600, 999, 4100)).toBe("0 B | 600 B | 999 B | 4.1 kB");
  expect(texts(formatBytes, 999_600, 25_000_000)).toBe("1 MB | 25 MB");
  expect(texts(formatDuration, 54 * hourMs, 6 * hourMs + 59, 48 * hourMs)).toBe("2 d 6 h | 6 h | 2 d");
  expect(texts(formatDuration, 26 * 60_000, 41_900, -5)).toBe("26 min | 41 s | 0 s");
  expect(texts(formatLatency, 211.6, 1910, 123_400)).toBe("212 ms | 1.91 s | 2 min 3 s");
});

it.each(fourDates)("instants are told relative to %s, whatever the date", (now) => {
  const at = (ms: number) => formatRelative(new Date(now.getTime() + ms), now);
  expect(texts(at, -500, -38_000, 6 * hourMs + 1)).toBe("just now | 38 s ago | in 6 h");
  expect(texts(at, -8 * dayMs, dayMs, 90 * dayMs)).toBe("8 days ago | in 1 day | in 90 days");
  expect(at(-800 * dayMs)).toBe("2 years ago");
  const ago = (ms: number) => formatAgo(new Date(now.getTime() - ms), "UTC", now);
  expect(texts(ago, 2 * hourMs, 25 * hourMs, 7 * dayMs - 1)).toBe("2 h ago | 1 d ago | 6 d ago");
});

it("instants become a day after a week, with the year only where it is another one by the zone's own calendar", () => {
  const ago = (days: number) => fourDates.map((now) => formatAgo(new Date(now.getTime() - days * dayMs), "UTC", now));
  expect(ago(7)).toEqual(["14 Nov", "22 Feb", "24 Dec", "24 Jun"]);
  expect(ago(60)).toEqual(["22 Sep", "31 Dec 2027", "1 Nov", "2 May"]);
  const day = (iso: string, zone: string) => fourDates.map((now) => formatDay(new Date(iso), zone, now)).join(" | ");
  expect(day("2028-12-31T23:30:00Z", "UTC")).toBe("31 Dec 2028 | 31 Dec | 31 Dec | 31 Dec 2028");
  expect(day("2028-12-31T23:30:00Z", "Europe/Berlin")).toBe("1 Jan 2029 | 1 Jan 2029 | 1 Jan | 1 Jan 2029");
});

it("instants have their own day, clock and offset on each date, in each zone", () => {
  const all = (format: (at: Date) => string) => texts(format, ...fourDates);
  expect(all((at) => formatLongDay(at, "UTC"))).toBe(
    "Sat 21 Nov 2026 | Tue 29 Feb 2028 | Sun 31 Dec 2028 | Sun 1 Jul 2035",
  );
  expect(all((at) => formatDayTime(at, "Europe/Berlin"))).toBe(
    "21 Nov 2026 13:00 | 29 Feb 2028 13:00 | 1 Jan 2029 00:59 | 1 Jul 2035 02:00",
  );
  expect(all((at) => formatClock(at, "UTC", { seconds: true }))).toBe("12:00:00 | 12:00:00 | 23:59:30 | 00:00:00");
  expect(all((at) => formatOffset(at, "Europe/Berlin"))).toBe("UTC+1 | UTC+1 | UTC+1 | UTC+2");
  expect(all((at) => formatOffset(at, "Australia/Lord_Howe"))).toBe("UTC+11 | UTC+11 | UTC+11 | UTC+10:30");
  expect(all((at) => formatFull(at, "UTC")).slice(-49)).toBe("2028-12-31 23:59:30 UTC | 2035-07-01 00:00:00 UTC");
  expect(formatFull(fourDates[2], "Europe/Berlin")).toBe("2029-01-01 00:59:30 Europe/Berlin (UTC+1)");
  expect(formatFull(fourDates[3], "Europe/Berlin")).toBe("2035-07-01 02:00:00 Europe/Berlin (UTC+2)");
  expect(all((at) => formatOffset(at, "Asia/Kolkata"))).toBe("UTC+5:30 | UTC+5:30 | UTC+5:30 | UTC+5:30");
  expect(all((at) => formatOffset(at, "Europe/London"))).toBe("UTC+0 | UTC+0 | UTC+0 | UTC+1");
});

it("instants call a zone by the name it has today", () =>
  expect(texts(zoneName, "Asia/Calcutta", "Europe/Kiev", "UTC")).toBe("Asia/Kolkata | Europe/Kyiv | UTC"));

it("a price by the token is one by the million, and back", () => {
  const byToken = "0.00000002 0.0000025 0 0.000001 1 0.0000000000001 0.000000000000000001 0.00012345";
  const byMillion = "0.02 2.5 0 1 1000000 0.0000001 0.000000000001 123.45";
  expect(byToken.split(" ").map(perMillion).join(" ")).toBe(byMillion);
  expect(byMillion.split(" ").map(perToken).join(" ")).toBe(byToken);
});

it("a price by the token and by the million loses no digit on the way there and back, and is what the API takes", () => {
  const parts = fc.tuple(fc.nat({ max: 999_999_999 }), fc.bigInt({ min: 0n, max: 10n ** 12n - 1n }));
  const price = parts.map(([whole, fraction]) => `${whole}.${fraction.toString().padStart(12, "0")}`);
  fc.assert(
    fc.property(price, (typed) => {
      const read = readPrice(typed, 12);
      if (!("price" in read)) throw new Error(read.problem);
      expect(perMillion(perToken(read.price))).toBe(read.price);
      expect(comparePrices(read.price, typed)).toBe(0);
      expect(ModelPricing.parse({ prompt: perToken(read.price) }).prompt).toBe(perToken(read.price));
    }),
  );
});

it("a price by the token and by the million is ordered by value, not by text", () =>
  expect(["10", "9.5", "0.02", "0.1", "0"].toSorted(comparePrices)).toEqual(["0", "0.02", "0.1", "9.5", "10"]));

it("a price is read as it is typed", () => {
  const read = ["0.02", "$1,234.50", " $ 2 ", ".5", "007.0", "0"].map((typed) => readPrice(typed, 12));
  expect(read).toEqual(["0.02", "1234.5", "2", "0.5", "7", "0"].map((price) => ({ price })));
});

it.each([
  [/Enter a price/, ["", ".", "free"]],
  [/negative/, ["-1"]],
  [/exponent/, ["2e-8"]],
  [/point for decimals/, ["1,5"]],
  [/12 decimals/, ["0.0000000000001"]],
  [/999,999,999/, ["1000000000"]],
])("a price is refused with %s: %j", (why, prices) => {
  for (const typed of prices) expect(readPrice(typed, 12)).toEqual({ problem: expect.stringMatching(why) });
});

it("shows prices by the million", () => {
  const shown = ["0.02", "2.5", "0", "1234", "0.0001"].map((price) => formatPrice(price));
  expect(shown).toEqual(["$0.02", "$2.50", "$0.00", "$1,234.00", "$0.0001"]);
});
