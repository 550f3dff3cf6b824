import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { guideOf } from "./guide.ts";
import { navigation, sections } from "./navigation.ts";

const guide = (page: string) => new URL(`../../../docs/${page}.md`, import.meta.url);

describe("the sidebar", () => {
  it("has at most ten entries, and a letter of its own for each page", () => {
    expect(navigation.flatMap(({ entries }) => entries).length).toBeLessThanOrEqual(10);
    expect(new Set(sections.map(({ letter }) => letter)).size).toBe(sections.length);
  });

  it.each(sections.map(({ name, path }) => [name, path("all")]))("has a guide for %s", (_, path) => {
    const [page = "", heading] = guideOf(path).split("#");
    expect(page).not.toBe("guides");
    expect(existsSync(guide(page))).toBe(true);
    if (heading !== undefined)
      expect(readFileSync(guide(page), "utf8")).toContain(
        `## ${heading.replaceAll("-", " ").replace(/^./, (first) => first.toUpperCase())}`,
      );
  });

  it.each(["leak", "rotate", "budget", "members", "export", "cache", "dimension", "drift", "plan", "similar"])(
    "is found by the word %s",
    (word) => {
      expect(sections.filter(({ name, words = "" }) => `${name} ${words}`.toLowerCase().includes(word))).not.toEqual(
        [],
      );
    },
  );
});
