import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { CreateWorkspaceBody } from "#contract/workspaces.ts";
import { slugOf } from "./slug.ts";

describe("a slug made from a name", () => {
  it.each([
    ["Research & Development", "research-development"],
    ["  Zürich – Büro 3 ", "zurich-buro-3"],
    ["研究", ""],
    ["All", ""],
    ["a".repeat(49) + " b", "a".repeat(49)],
  ])("of %j is %j", (name, slug) => expect(slugOf(name)).toBe(slug));

  it("is one that the gateway takes, or nothing", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (name) => {
        const slug = slugOf(name);
        if (slug !== "") expect(z.safeParse(CreateWorkspaceBody, { name: "x", slug }).success).toBe(true);
      }),
    );
  });
});
