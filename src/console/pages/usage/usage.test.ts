import { describe, expect, it } from "vitest";
import type { ReportFigures, UsageReport } from "#contract/usage-report.ts";
import { fourDates } from "../../example-dates.ts";
import { repeatedNames } from "./labels.ts";
import { callsOf, linesOf, shareOf, sortedBy } from "./lines.ts";
import { periodOf, stretchWords } from "./periods.ts";
import { inOrder, reportCsv } from "./report-csv.ts";
import { periods, UsageSearch } from "./search.ts";
import { usageSentence } from "./usage-sentence.ts";

const now = new Date("2026-11-28T15:41:07Z");
const hour = (at: Date) => at.toISOString().slice(0, 13);
const stretch = ({ since, until }: { since: Date; until: Date }) => `${hour(since)} ${hour(until)}`;

describe("a period of usage", () => {
  it.each([
    ["today", "2026-11-28T00 2026-11-28T16", "2026-11-27T00 2026-11-27T16", "hour 16"],
    ["week", "2026-11-23T00 2026-11-28T16", "2026-11-16T00 2026-11-21T16", "hour 136"],
    ["month", "2026-11-01T00 2026-11-28T16", "2026-10-01T00 2026-10-28T16", "day 28"],
    ["last-month", "2026-10-01T00 2026-11-01T00", "2026-09-01T00 2026-10-01T00", "day 31"],
    // the overview's ranges, hour for hour
    ["24h", "2026-11-27T16 2026-11-28T16", "2026-11-26T16 2026-11-27T16", "hour 24"],
    ["7d", "2026-11-21T16 2026-11-28T16", "2026-11-14T16 2026-11-21T16", "hour 168"],
    ["30d", "2026-10-30T00 2026-11-28T16", "2026-09-30T00 2026-10-30T00", "day 30"],
  ] as const)("%s is %s, next to %s, by %s", (period, own, compared, by) => {
    const found = periodOf({ period }, now);
    expect([stretch(found), stretch(found.compared), `${found.by} ${found.last}`]).toEqual([own, compared, by]);
    expect(found.live).toBe(period !== "last-month");
  });

  it("never begins after its end, nor is next to a part of itself, at the ends of months and years", () => {
    for (const at of fourDates) {
      for (const period of periods) {
        const { since, until, compared } = periodOf({ period }, at);
        expect(since < until && compared.since <= compared.until && compared.until <= since).toBe(true);
      }
    }
  });

  it("is said in days, or in hours where it is not of whole days", () => {
    const words = (search: UsageSearch) => stretchWords(periodOf(search, now), now);
    expect(words({ period: "last-month" })).toBe("1 Oct to 31 Oct");
    expect(words({})).toBe("1 Nov to now");
    expect(words({ period: "24h" })).toBe("27 Nov, 16:00 to now");
    expect(words({ period: "custom", from: "2025-12-31", to: "2026-01-02" })).toBe("31 Dec 2025 to 2 Jan");
    expect(stretchWords(periodOf({}, now).compared, now)).toBe("1 Oct to 28 Oct, 16:00");
  });
});

const figures = (usage: number, requests: number): ReportFigures => ({
  usage,
  byok_usage: 0,
  requests,
  failures: 1,
  prompt_tokens: 30,
  cached_tokens: 20,
  completion_tokens: 10,
  reasoning_tokens: 5,
});
const row = (id: string, name: string | null, model: string, usage: number) => ({
  groups: [
    { id, name, label: "sk-gh-…1" },
    { id: model, name: model },
  ],
  total: figures(usage, 2),
  previous: figures(1, 2),
});
const report: UsageReport = {
  since: "2026-10-01T00:00:00.000Z",
  until: "2026-11-01T00:00:00.000Z",
  compared_since: "2026-09-01T00:00:00.000Z",
  compared_until: "2026-10-01T00:00:00.000Z",
  total: figures(4, 8),
  previous: figures(2, 4),
  row_count: 2,
  rows: [row("a", "=1+1", "acme/talk", 3), row("b", "prod, search", "acme/embed", 0.000000001)],
  uncounted: null,
  next_cursor: null,
};

describe("the report of a period", () => {
  it("as a file has every row with its names and ids, and runs nothing in a spreadsheet", () => {
    const [head, ...lines] = reportCsv(report, { by: "key", and: "model" }).slice(1).trimEnd().split("\r\n");
    expect(head).toBe(
      "since,until,key_hash,key_name,key_label,model,usage_usd,byok_usage_usd,share,usage_before_usd,requests,failures,prompt_tokens,cached_tokens,completion_tokens,reasoning_tokens",
    );
    const period = "2026-10-01T00:00:00.000Z,2026-11-01T00:00:00.000Z";
    expect(lines).toEqual([
      `${period},a,'=1+1,sk-gh-…1,acme/talk,3,0,0.75,1,2,1,30,20,10,5`,
      `${period},b,"prod, search",sk-gh-…1,acme/embed,0.000000001,0,0,1,2,1,30,20,10,5`,
    ]);
  });

  it("as a file says what its rows do not count", () => {
    const uncounted = { total: figures(1, 4), since: report.since };
    expect(reportCsv({ ...report, rows: [], uncounted }, { by: "session" })).toContain(
      ",(not counted by row),1,0,0.25,,4,",
    );
  });

  it("is in the file in the order of the table, although it is read by its ids", () => {
    const names = (search: UsageSearch) => inOrder(report.rows, search).map(({ groups: [key] }) => key?.id);
    expect([names({}), names({ order: "asc" }), names({ sort: "name" }), names({ sort: "change" })]).toEqual([
      ["a", "b"],
      ["b", "a"],
      ["a", "b"],
      ["a", "b"],
    ]);
  });

  it("begins with the total, and a line is a share of all cost, or of all calls where nothing costs", () => {
    const lines = linesOf(report);
    expect(lines.map(({ kind }) => kind)).toEqual(["total", "row", "row"]);
    expect(lines.map((line) => shareOf(line, report.total))).toEqual([1, 0.75, 0.000000001 / 4]);
    expect(shareOf({ total: figures(0, 2) }, figures(0, 8))).toBe(0.25);
    expect(shareOf({ total: figures(0, 0) }, figures(0, 0))).toBeNull();
  });

  it("leads to the calls of a line by all that calls can be found by", () => {
    const [total, first] = linesOf(report);
    const period = periodOf({ period: "last-month" }, now);
    const whole = { since: report.since, until: report.until };
    const of = (line: typeof total, search: UsageSearch) => line && callsOf(line, search, period);
    expect(of(total, {})).toEqual(whole);
    expect(of(first, { and: "model" })).toEqual({ ...whole, key: "a", model: "acme/talk" });
    expect(of(first, { by: "workspace", and: "model" })).toEqual({ ...whole, model: "acme/talk" });
    expect(of(first, { by: "app", and: "model" })).toEqual({ ...whole, app: "a", model: "acme/talk" });
    expect(of(first, { by: "creator", and: "model" })).toBeNull();
  });

  it("turns its order around at a second press on a head", () => {
    expect(sortedBy({}, "usage")).toEqual({ sort: undefined, order: "asc" });
    expect(sortedBy({}, "requests")).toEqual({ sort: "requests", order: undefined });
    expect(sortedBy({ sort: "name" }, "name")).toEqual({ sort: "name", order: "desc" });
  });

  it("is one sentence of its totals", () => {
    expect(usageSentence(report, 3, now)).toBe(
      "$4.00 for 8 calls, 1 of them failed. +100% on the $2.00 of 1 Sep to 30 Sep. 3 calls were refused before a model was called, of those in the last 30 days.",
    );
    expect(usageSentence({ ...report, total: figures(0, 0) }, 0, now)).toBe("No calls in this period.");
  });
});

it("only names that several have need more to tell them apart", () => {
  const named = (id: string, name: string | null) => ({ id, name });
  const groups = [named("1", "prod"), named("1", "prod"), named("2", "prod"), named("3", "staging"), named("4", null)];
  expect([...repeatedNames(groups)]).toEqual(["prod"]);
});

it("an address of anything else is this month by key", () => {
  expect(UsageSearch.parse({ period: "never", by: "color", sort: "id", from: "x" })).toEqual({});
});
