import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { callPages } from "./call-pages.ts";
import { CallsSearch } from "./search.ts";

const read = (search: object) => z.parse(CallsSearch, search);

describe("the filters of the calls", () => {
  it("drop from the address what is not of their shape", () => {
    const odd = { key: "short", model: "", provider: "x".repeat(101), status: "lost", session: 7 };
    expect(Object.values(read(odd)).filter((value) => value !== undefined)).toEqual([]);
  });

  it("take a status as a word or as a number", () => {
    expect(["failed", "429", 502].map((status) => read({ status }).status)).toEqual(["failed", "429", "502"]);
  });

  it("are asked of the gateway under its own names", () => {
    const { meta } = callPages({ session: "s-1", status: "failed" }, "all");
    expect(meta?.["path"]).toBe("/generations?workspace_id=all&status=failed&session_id=s-1&limit=50");
  });
});
