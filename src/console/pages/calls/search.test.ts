import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import type { CallRecord } from "#contract/calls.ts";
import { toCsv } from "../../csv.ts";
import { callPages } from "./call-pages.ts";
import { callsCsvHeader, callsCsvRow } from "./calls-csv.ts";
import { filterWords, type FilterNames } from "./filter-words.ts";
import { canBeRefused, filtersOfCallsMade, hasFilters, refusedStatus, withoutApart } from "./filters-in-use.ts";
import { mergeCalls, noArrivals, withArrivals } from "./live-calls.ts";
import { nothingFound, notToldSentence } from "./refused.ts";
import { CallsSearch } from "./search.ts";

const read = (search: object) => z.parse(CallsSearch, search);

describe("the filters of the calls", () => {
  it("drop from the address what is not of their shape, and are not how the list is grouped", () => {
    const odd = { key: "short", model: "", provider: "x".repeat(101), status: "lost", session: 7 };
    expect(Object.values(read(odd)).filter((value) => value !== undefined)).toEqual([]);
    expect([read({ group: "session" }).group, read({ group: "model" }).group]).toEqual(["session", undefined]);
    expect([hasFilters({ group: "session" }), hasFilters({ group: "session", model: "a" })]).toEqual([false, true]);
    expect(withoutApart({ group: "session", model: "a" })).toEqual({ group: "session" });
  });

  it("take a status as a word or as a number, and are asked of the gateway under its own names", () => {
    expect(["failed", "429", 502].map((status) => read({ status }).status)).toEqual(["failed", "429", "502"]);
    const { meta } = callPages({ session: "s-1", status: "failed" }, "all");
    expect(meta?.["path"]).toBe("/generations?workspace_id=all&status=failed&session_id=s-1&limit=50");
  });

  it("are told apart by whether refused calls can be found by them", () => {
    const search = { key: "k", model: "a/b", status: "402", provider: undefined, session: undefined };
    expect(filtersOfCallsMade(search)).toEqual(["model"]);
    expect(withoutApart(search)).toEqual({ key: "k", status: "402" });
    const statuses = [undefined, "failed", "402", "succeeded", "200"];
    expect(statuses.map(canBeRefused)).toEqual([true, true, true, false, false]);
    expect(statuses.map(refusedStatus)).toEqual([undefined, undefined, "402", undefined, undefined]);
  });

  const range = { since: "2026-11-22T10:30:00.000Z", until: "2026-11-22T11:00:05.250Z" };
  const ids = { key: "ab".repeat(32), provider: "acme" };
  it.each<[CallsSearch, string[], Partial<FilterNames>?]>([
    [{}, []],
    // what the address has the id of is named, by its id until the name is known
    [ids, ["Key abababababab…", "Provider acme"]],
    [ids, ["Key prod", "Provider Acme Inc."], { key: "prod", provider: "Acme Inc." }],
    // a status as the table says it
    [{ status: "failed" }, ["Failed"]],
    [{ status: "succeeded" }, ["Answered"]],
    [{ status: "429" }, ["Status 429 rate limited"]],
    [{ status: "418" }, ["Status 418"]],
    // each end of a range, with seconds only where there are any
    [range, ["From 22 Nov 2026 10:30 UTC", "Until 22 Nov 2026 11:00:05 UTC"]],
  ])("%j are the words %j", (search, words, names) => {
    const said = filterWords(search, { key: undefined, provider: undefined, ...names });
    expect(said.map(({ kind, value }) => `${kind} ${value}`.trim())).toEqual(words);
  });
});

type Refused = Parameters<typeof nothingFound>[1];
const found = (calls: number): Refused => ({
  found: { data: [], total: { calls, records: 1 }, since: "" },
  failed: false,
  words: "the last 30 days",
});
const failed: Refused = { found: undefined, failed: true, words: "the last 24 hours" };
const unsearched =
  /^No call on the ledger .* Refused calls were not searched: they are counted without their model and session\.$/;

const above = "Calls that were refused before a model was called are listed above.";
const listed = `No call on the ledger in Staging matches these filters | ${above}`;
const none = "No call in Staging matches these filters | None were refused in the last 30 days either.";
const like = (pattern: RegExp) => expect.stringMatching(pattern) as string;
it.each<[CallsSearch, Refused, string]>([
  [{ status: "402" }, found(66), listed],
  [{}, found(66), like(/^No call has reached a model yet/)],
  [{ status: "402", model: "a/b", session: "s" }, found(0), like(unsearched)],
  [{ key: "k" }, failed, like(/Refused calls could not be checked\.$/)],
  [{ status: "402" }, found(0), none],
  [{ status: "succeeded" }, found(0), like(/^(?!.*refused)/)],
  [{}, found(0), like(/^No call has been made yet/)],
])("an empty list of %j says whether calls were refused, and which were not looked through", (search, refused, words) =>
  expect(Object.values(nothingFound(search, refused, "Staging")).join(" | ")).toEqual(words),
);

it("counts what the filters leave out", () => {
  expect(notToldSentence(1, ["model"], "the last 24 hours")).toBe(
    "1 call was refused in the last 24 hours; it is counted without its model, so this list leaves it out.",
  );
  expect(notToldSentence(1_200, ["model", "provider", "session"], "the last 7 days")).toBe(
    "1,200 calls were refused in the last 7 days; they are counted without their model, provider and session, so this list leaves them out.",
  );
});

/** Calls that began a second after another, by the alphabet. */
const calls = (ids: string) =>
  [...ids].map((id) => ({ id, created_at: `2026-11-22T10:00:0${id.charCodeAt(0) - 96}.000Z` }) as CallRecord);
const ids = (found: readonly CallRecord[]) => found.map(({ id }) => id).join("");

describe("calls as they come", () => {
  it("are put by their beginning, so that a slow one comes after later ones, each once, whichever read found them", () => {
    expect(ids(mergeCalls(calls("bd"), calls("ca")))).toBe("dcba");
    const [a, b] = [calls("a"), calls("a").map((call) => ({ ...call, id: "b" }))];
    expect(ids(mergeCalls(a, [...a, ...b]))).toBe("ba");
  });

  it("are counted from what neither the list nor an earlier read had", () => {
    const known = { calls: calls("a"), more: false };
    const first = withArrivals(noArrivals, calls("ba"), known);
    expect([ids(first.calls), first.gap]).toEqual(["b", false]);
    expect(withArrivals(first, calls("ba"), known)).toBe(first);
    expect(ids(withArrivals(first, calls("cb"), known).calls)).toBe("cb");
  });

  it("are those that began long ago and ended now, not unread ones, and leave a gap where a read reaches nothing", () => {
    const arrived = (more: boolean) => ids(withArrivals(noArrivals, calls("cba"), { calls: calls("b"), more }).calls);
    expect([arrived(true), arrived(false)]).toEqual(["c", "ca"]);
    expect(withArrivals(noArrivals, calls("cb"), { calls: calls("a"), more: false }).gap).toBe(true);
    // an empty list has nothing to reach
    expect(withArrivals(noArrivals, calls("c"), { calls: [], more: false }).gap).toBe(false);
  });
});

it("a call is a record under the API's names, and no text of it runs as a formula", () => {
  const email = { label: "EMAIL", action: "redact", count: 2 };
  const content_filters = [email, { label: "FALCON", action: "flag", count: 1 }];
  const created_at = "2026-11-22T05:00:00.123Z";
  const call = { id: "gen-1", created_at, key_name: "=HYPERLINK(1)", cost: 0.000002, content_filters };
  const csv = toCsv(callsCsvHeader, [callsCsvRow(call as CallRecord)]);
  const [header = "", line = ""] = csv.slice(1).split("\r\n");
  const cell = (name: string) => line.split(",")[header.split(",").indexOf(name)];
  expect(["created_at", "key_name", "cost"].map(cell)).toEqual([created_at, "'=HYPERLINK(1)", "0.000002"]);
  expect(cell("content_filters")).toBe("EMAIL redact 2; FALCON flag 1");
  expect(new Set(callsCsvHeader).size).toBe(callsCsvHeader.length);
});
