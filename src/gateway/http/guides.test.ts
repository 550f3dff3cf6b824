import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { withGateway } from "../testing/describe-gateway.ts";
import { guidePage } from "./guides.ts";

const gateway = withGateway({ env: { GATEHOUSE_BASE_PATH: "/gate" } });
const read = (page: string) => gateway().call("GET", `/docs/${page}`, { key: null });

describe("the guides", () => {
  it("serves each page of docs/ to anyone, and its links lead to pages", async () => {
    const files = readdirSync(new URL("../../../docs/", import.meta.url)).filter((file) => file.endsWith(".md"));
    const pages = files.map((file) => (file === "README.md" ? "guides" : file.slice(0, -3)));
    const anchors: string[] = [];
    const ids = new Set<string>();
    for (const page of pages) {
      const { status, text, headers } = await read(page);
      for (const [, id = ""] of text.matchAll(/<h\d id="([^"]*)"/g)) ids.add(`${page}#${id}`);
      anchors.push(...Array.from(text.matchAll(/<a href="([\w-]+#[^"]+)"/g), ([, to = ""]) => to));
      expect([page, status]).toEqual([page, 200]);
      expect(headers.get("content-security-policy")).toContain("script-src 'self'");
      expect(text.match(/<h1/g)).toHaveLength(1);
      const links = [...text.matchAll(/<a href="([\w-]+)(?:#[^"]*)?"/g)].map(([, to = ""]) => to);
      expect(links.filter((to) => !pages.includes(to))).toEqual([]);
    }
    expect(anchors.filter((to) => !ids.has(to))).toEqual([]);
  });

  it.each(["README", "nothing", "..%2f..%2fpackage.json", "%2e%2e", "decisions"])(
    "has no page %s: 404",
    async (page) => {
      expect((await read(page)).status).toBe(404);
    },
  );

  it("makes no element from text in a page, and gives headings the ids that links name", () => {
    const page = guidePage(
      "x",
      "# A & b\n\n## What it *costs*, later?\n\n[x](chat.md#usage) [d](decisions/1.md)\n",
      "",
    );
    expect(page).toContain("<title>A &amp; b · Gatehouse</title>");
    expect(page).toContain('<h2 id="what-it-costs-later">What it <em>costs</em>, later?</h2>');
    expect(page).toContain('<a href="chat#usage">x</a> d');
  });
});
