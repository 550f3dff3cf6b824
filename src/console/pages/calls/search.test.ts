import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { callPages } from "./call-pages.ts";
import { canBeRefused, filtersOfCallsMade, hasFilters, refusedStatus, withoutApart } from "./filters-in-use.ts";
import { CallsSearch } from "./search.ts";

const read = (search: object) => z.parse(CallsSearch, search);

describe("the filters of the calls", () => {
  it("drop from the address what is not of their shape", () => {
    const odd = { key: "short", model: "", provider: "x".repeat(101), status: "lost", session: 7 };
    expect(Object.values(read(odd)).filter((value) => value !== undefined)).toEqual([]);
  });

  it("are not how the list is grouped, which stays when they are left aside", () => {
    expect(read({ group: "session" }).group).toBe("session");
    expect(read({ group: "model" }).group).toBeUndefined();
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
    expect([undefined, "failed", "402", "succeeded", "200"].map(canBeRefused)).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
    expect([undefined, "failed", "402", "200"].map(refusedStatus)).toEqual([undefined, undefined, "402", undefined]);
  });
});
