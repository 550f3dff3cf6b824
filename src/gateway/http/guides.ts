import { readdir, readFile } from "node:fs/promises";
import type { FastifyInstance } from "fastify";
import { Marked } from "marked";
import { compressedOnce, type SendKept } from "./compress.ts";
import { escape, framedPage } from "./docs-page.ts";
import { makeNonce, pageHeaders } from "./html-page.ts";

/** Its index is the page `guides`. */
const folder = new URL("../../../docs/", import.meta.url);
const indexFile = "README.md";
const indexName = "guides";

/**
 * The guides of docs/ as pages, each below the reference page: `/docs/limits` is docs/limits.md. A page is rendered and
 * compressed when it is first asked for.
 */
export function bindGuides(app: FastifyInstance): void {
  let names: Set<string> | null = null;
  const pages = new Map<string, SendKept>();
  app.get<{ Params: { page: string } }>("/docs/:page", async (request, reply) => {
    const { page } = request.params;
    names ??= await guideNames();
    if (!names.has(page)) return reply.callNotFound();
    const send = pages.get(page) ?? compressedOnce(await renderGuide(page));
    pages.set(page, send);
    reply.headers(pageHeaders(makeNonce()));
    return await send(request, reply);
  });
}

/** The names in addresses: the index, and each file of docs/ without its ending. */
async function guideNames(): Promise<Set<string>> {
  const files = await readdir(folder);
  const pages = files.filter((file) => file.endsWith(".md") && file !== indexFile);
  return new Set([indexName, ...pages.map((file) => file.slice(0, -3))]);
}

async function renderGuide(name: string): Promise<string> {
  const [text, index] = await Promise.all(
    [name === indexName ? indexFile : `${name}.md`, indexFile].map((file) => readFile(new URL(file, folder), "utf8")),
  );
  return guidePage(name, text ?? "", index ?? "");
}

/**
 * @param name of the page in its address
 * @param text the page in Markdown
 * @param index docs/README.md, whose links to pages become the navigation
 */
export function guidePage(name: string, text: string, index: string): string {
  const title = /^# (.+)$/m.exec(text)?.[1] ?? name;
  const pages = [...index.matchAll(/\[[\w.-]+\]\(([\w-]+)\.md\)/g)].map(([, page = ""]) => page);
  const entry = (page: string, label: string) =>
    `<li><a href="${page}"${page === name ? ' aria-current="page"' : ""}>${escape(label)}</a></li>`;
  return framedPage({
    title,
    up: "../",
    skip: "Skip to the page",
    id: "guide",
    label: "Guides",
    navigation: `<h2>Guides</h2>
<ul>${entry(indexName, "All guides")}${[...new Set(pages)].map((page) => entry(page, labelOf(page))).join("")}</ul>
<h2>Reference</h2>
<ul><li><a href="../docs">API reference</a></li></ul>`,
    main: markdown.parse(text, { async: false }),
  });
}

const spelled: Readonly<Record<string, string>> = { scim: "SCIM", oauth: "OAuth" };

function labelOf(page: string): string {
  const words = page.replaceAll("-", " ");
  return spelled[page] ?? words.charAt(0).toUpperCase() + words.slice(1);
}

/** Headings get the ids that links name; links between files of docs/ become links between pages. */
const markdown = new Marked({
  gfm: true,
  renderer: {
    heading({ tokens, depth, text }) {
      return `<h${depth} id="${headingId(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
    },
    link({ href, tokens }) {
      const words = this.parser.parseInline(tokens);
      const address = pageAddress(href);
      return address === null ? words : `<a href="${escape(address)}">${words}</a>`;
    },
    table({ header, rows }) {
      const cell = (tag: "th" | "td", tokens: (typeof header)[number]["tokens"]) =>
        `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`;
      const line = (cells: string[]) => `<tr>${cells.join("")}</tr>\n`;
      const head = line(header.map(({ tokens }) => cell("th", tokens)));
      const body = rows.map((row) => line(row.map(({ tokens }) => cell("td", tokens)))).join("");
      return `<div class="wide" tabindex="0"><table><thead>${head}</thead><tbody>${body}</tbody></table></div>\n`;
    },
  },
});

/** As GitHub makes them, so that the files' own links lead to them in both places. */
function headingId(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, "")
    .replaceAll(/\s/g, "-");
}

/** @returns null for a file that is not served here, such as a decision */
function pageAddress(href: string): string | null {
  if (/^(https?:|#)/.test(href)) return href;
  const [, page, anchor = ""] = /^([\w-]+)\.md(#.*)?$/.exec(href) ?? [];
  if (page !== undefined) return `${page === "README" ? indexName : page}${anchor}`;
  return null;
}
