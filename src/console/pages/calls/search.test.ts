import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { callPages } from "./call-pages.ts";
import { filterWords, type FilterNames } from "./filter-words.ts";
import { canBeRefused, filtersOfCallsMade, hasFilters, refusedStatus, withoutApart } from "./filters-in-use.ts";
import { CallsSearch } from "./search.ts";

const read = (search: object) => z.parse(CallsSearch, search);

describe("the filters of the calls", () => {
  it("drop from the address what is not of their shape", () => {
    const odd = { key: "short", model: "", provider: "x".repeat(101), status: "lost", session: 7 };
    expect(Object.values(read(odd)).filter((value) => value !== undefined)).toEqual([]);
  });

  it("are not how the list is grouped, which stays when they are left aside", () => {
    expect([read({ group: "session" }).group, read({ group: "model" }).group]).toEqual(["session", undefined]);
    expect([hasFilters({ group: "session" }), hasFilters({ group: "session", model: "a" })]).toEqual([false, true]);
    expect(withoutApart({ group: "session", model: "a" })).toEqual({ group: "session" });
  });

  it("take a status as a word or as a number", () =>
    expect(["failed", "429", 502].map((status) => read({ status }).status)).toEqual(["failed", "429", "502"]));

  it("are asked of the gateway under its own names", () => {
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
