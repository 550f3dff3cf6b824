import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import type { CallEntry } from "#contract/call-list.ts";
import type { CallRecord } from "#contract/calls.ts";
import { toCsv } from "../../csv.ts";
import { callPages } from "./call-pages.ts";
import { callsCsvHeader, callsCsvRow } from "./calls-csv.ts";
import { filterOptions, readChoice, readTyped, suggestedField } from "./filter-options.ts";
import { filterWords, type FilterNames } from "./filter-words.ts";
import { canBeRefused, filtersOfCallsMade, hasFilters, refusedStatus, withoutApart } from "./filters-in-use.ts";
import { foldRefused, idOf, mergeCalls, noArrivals, withArrivals } from "./live-calls.ts";
import { nextSort } from "./ListBar.tsx";
import { nothingFound, notToldSentence } from "./refused.ts";
import { CallsSearch } from "./search.ts";

const read = (search: object) => z.parse(CallsSearch, search);

describe("the filters of the calls", () => {
  it("drop from the address what is not of their shape, and are not how the list is grouped", () => {
    const odd = { key: "short", model: "", provider: "x".repeat(101), status: "lost", session: 7 };
    expect(Object.values(read(odd)).filter((value) => value !== undefined)).toEqual([]);
    expect([read({ group: "session" }).group, read({ group: "model" }).group]).toEqual(["session", undefined]);
    expect([hasFilters({ group: "session" }), hasFilters({ group: "session", model: "a" })]).toEqual([false, true]);
    expect(withoutApart({ group: "session", model: "a", sort: "cost" })).toEqual({ group: "session", sort: "cost" });
    expect(hasFilters({ sort: "cost", order: "asc" })).toBe(false);
  });

  it("take a status as a word or as a number, and are asked of the gateway under its own names", () => {
    expect(["failed", "429", 502].map((status) => read({ status }).status)).toEqual(["failed", "429", "502"]);
    const { meta } = callPages({ session: "s-1", status: "failed" }, "all");
    expect(meta?.["path"]).toBe("/calls?workspace_id=all&status=failed&session_id=s-1&limit=50");
  });

  it("are told apart by whether refused calls can be found by them", () => {
    const search = { key: "k", model: "a/b", status: "402", provider: undefined, session: undefined };
    expect(filtersOfCallsMade(search)).toEqual(["model"]);
    expect(withoutApart(search)).toEqual({ key: "k", status: "402" });
    const statuses = [undefined, "failed", "402", "succeeded", "200", "refused"];
    expect(statuses.map(canBeRefused)).toEqual([true, true, true, false, false, true]);
    expect(statuses.map(refusedStatus)).toEqual([undefined, undefined, "402", undefined, undefined, undefined]);
  });

  const range = { since: "2026-11-22T10:30:00.000Z", until: "2026-11-22T11:00:05.250Z" };
  const ids = { key: "ab".repeat(32), provider: "acme" };
  it.each<[CallsSearch, string, Partial<FilterNames>?]>([
    [{}, ""],
    // what the address has the id of is named, by its id until the name is known
    [ids, "of key abababababab… at acme"],
    [ids, "of key prod at Acme Inc.", { key: "prod", provider: "Acme Inc." }],
    // a status as the table says it
    [{ model: "acme/talk", status: "failed" }, "to model acme/talk that failed"],
    [{ status: "succeeded" }, "that were answered"],
    [{ status: "refused", reason: "key" }, "that were refused because of key limit"],
    [{ status: "429" }, "with status 429 rate limited"],
    [{ status: "418", user: "u-1", app: "Shop" }, "with status 418 for user u-1 from app Shop"],
    // each end of a range, with seconds only where there are any
    [range, "since 22 Nov 2026 10:30 UTC before 22 Nov 2026 11:00:05 UTC"],
  ])("%j are the sentence %j", (search, sentence, names) => {
    const said = filterWords(search, { key: undefined, provider: undefined, ...names });
    expect(said.map(({ lead, value }) => `${lead} ${value}`).join(" ")).toBe(sentence);
  });
});

describe("what is typed into the filter", () => {
  const hash = "ab".repeat(32);
  const known = [
    { field: "key", value: hash, label: "talker", detail: "…ulek", workspace_id: "w-1" },
    { field: "model", value: "acme/talk", label: "acme/talk", detail: null, workspace_id: null },
  ] as const;
  const optionsOf = (text: string, found: Parameters<typeof filterOptions>[1] = []) =>
    filterOptions(readTyped(text), found, (id) => (id === "w-1" ? "Production" : undefined));

  it("is a text to find in all there is, or the value of one filter, of which the gateway is asked", () => {
    expect(readTyped("model: talk ")).toEqual({ field: "model", text: "talk" });
    expect(readTyped("Session:a:b")).toEqual({ field: "session", text: "a:b" });
    expect(readTyped("https://x")).toEqual({ field: undefined, text: "https://x" });
    const asked = ["", "talk", "model: talk", "status: 4", "req-0123456789ab"].map(readTyped).map(suggestedField);
    expect(asked).toEqual([null, "any", "model", null, null]);
  });

  it("lists what can be asked for before anything is typed, and whom a part of a word fits", () => {
    const first = optionsOf("").map(({ value }) => value);
    expect(first.slice(0, 4)).toEqual(["field=key", "field=model", "field=provider", "field=status"]);
    expect(first).toContain("status=failed");
    const [key, model] = optionsOf("talk", known);
    expect([key?.label, key?.detail, key?.group]).toEqual(["talker", "…ulek, Production", "Key"]);
    expect(readChoice(model?.value ?? "")).toEqual({ kind: "filter", name: "model", value: "acme/talk" });
    expect(optionsOf("rate").map(({ value }) => value)).toEqual(["status=429", "reason=rate_limit_exceeded"]);
    expect(optionsOf("sess").map(({ value }) => readChoice(value))).toEqual([{ kind: "field", name: "session" }]);
  });

  it("can be a whole value that no suggestion has, with any sign in it", () => {
    expect(optionsOf("session: a=b").map(({ value }) => readChoice(value))).toEqual([
      { kind: "filter", name: "session", value: "a=b" },
    ]);
    // a key and a provider have no value that a person could know
    expect(optionsOf("key: nothing")).toEqual([]);
    expect(optionsOf("model: acme/talk", [known[1]])).toHaveLength(1);
  });

  it("opens the call of an id", () => {
    expect(optionsOf(" gen-vid-0123456789ab ").map(({ value }) => readChoice(value))).toEqual([
      { kind: "id", id: "gen-0123456789ab" },
    ]);
    expect(optionsOf("req-0123456789ab").map(({ value }) => readChoice(value))).toEqual([
      { kind: "id", id: "req-0123456789ab" },
    ]);
  });
});

it("a column sorts by the largest first, then by the smallest, and time always newest first", () => {
  expect(nextSort({}, "cost")).toEqual({ sort: "cost", order: undefined });
  expect(nextSort({ sort: "cost" }, "cost")).toEqual({ sort: "cost", order: "asc" });
  expect(nextSort({ sort: "cost", order: "asc" }, "cost")).toEqual({ sort: "cost", order: undefined });
  expect(nextSort({ sort: "cost", order: "asc" }, "tokens")).toEqual({ sort: "tokens", order: undefined });
  expect(nextSort({ sort: "cost" }, "time")).toEqual({ sort: undefined, order: undefined });
});

const like = (pattern: RegExp) => expect.stringMatching(pattern) as string;
it.each<[CallsSearch, string]>([
  [{ status: "402" }, like(/^No call in Staging matches .* Refused calls are listed for 30 days\.$/)],
  [{ model: "a/b", session: "s" }, like(/Refused calls were not searched: .* without their model and session\.$/)],
  [{ status: "succeeded" }, like(/^(?!.*efused)/)],
  [{}, like(/^No call has been made yet/)],
])("an empty list of %j says which calls were not looked through", (search, words) =>
  expect(Object.values(nothingFound(search, "Staging")).join(" | ")).toEqual(words),
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
  [...ids].map((id): CallEntry => {
    const call = { id, created_at: `2026-11-22T10:00:0${id.charCodeAt(0) - 96}.000Z` } as CallRecord;
    return { kind: "call", call };
  });
const ids = (found: readonly CallEntry[]) => found.map(idOf).join("");
const refusedAt = (id: string, count: number, key_hash = "k") => {
  const first_at = `2026-11-22T10:00:0${id.charCodeAt(0) - 96}.000Z`;
  return { kind: "refused", id, refused: { key_hash, reason: "key", status: 402, count, first_at } } as CallEntry;
};

describe("calls as they come", () => {
  it("are put by their beginning, so that a slow one comes after later ones, each once, whichever read found them", () => {
    expect(ids(mergeCalls(calls("bd"), calls("ca")))).toBe("dcba");
    expect(mergeCalls([refusedAt("a", 3)], [refusedAt("a", 2)])).toEqual([refusedAt("a", 3)]);
  });

  it("are counted from what neither the list nor an earlier read had", () => {
    const known = { calls: calls("a"), more: false };
    const first = withArrivals(noArrivals, calls("ba"), known);
    expect([ids(first.calls), first.gap]).toEqual(["b", false]);
    expect(withArrivals(first, calls("ba"), known)).toBe(first);
    expect(ids(withArrivals(first, calls("cb"), known).calls)).toBe("cb");
  });

  it("are refused ones of a line that grew, too", () => {
    const known = { calls: [refusedAt("a", 2)], more: false };
    expect(withArrivals(noArrivals, [refusedAt("a", 2)], known)).toBe(noArrivals);
    expect(withArrivals(noArrivals, [refusedAt("a", 5)], known)).toEqual({ calls: [refusedAt("a", 5)], gap: false });
  });

  it("are one line where one key is refused for one reason minute after minute", () => {
    const [c, b, a] = [refusedAt("c", 1), refusedAt("b", 2), refusedAt("a", 4, "other")];
    const folded = foldRefused([c, b, a, ...calls("a"), a]);
    expect(folded.map((entry) => (entry.kind === "call" ? 1 : entry.refused.count))).toEqual([3, 4, 1, 4]);
    expect(folded[0]).toMatchObject({ id: "c", refused: { first_at: "2026-11-22T10:00:02.000Z" } });
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
  const csv = toCsv(callsCsvHeader, [
    callsCsvRow({ kind: "call", call: call as CallRecord }),
    callsCsvRow(refusedAt("a", 7)),
  ]);
  const [header = "", line = "", other = ""] = csv.slice(1).split("\r\n");
  const cell = (name: string) => line.split(",")[header.split(",").indexOf(name)];
  expect(["created_at", "key_name", "cost"].map(cell)).toEqual([created_at, "'=HYPERLINK(1)", "0.000002"]);
  expect(cell("content_filters")).toBe("EMAIL redact 2; FALCON flag 1");
  expect(other.split(",")[header.split(",").indexOf("refused_calls")]).toBe("7");
  expect(new Set(callsCsvHeader).size).toBe(callsCsvHeader.length);
});
