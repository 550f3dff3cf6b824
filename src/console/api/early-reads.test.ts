import { readFileSync } from "node:fs";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { listKeys } from "#contract/keys.ts";
import { listWorkspaces } from "#contract/workspaces.ts";
import { callPages } from "../pages/calls/call-pages.ts";
import { keysQuery } from "../pages/keys/use-keys.ts";
import { rangeOf } from "../pages/overview/ranges.ts";
import { overviewOf } from "../pages/overview/usage-reads.ts";
import { callPath } from "./call.ts";
import { pages } from "./query.ts";

const script = readFileSync(new URL("../../../public/start.js", import.meta.url), "utf8");
const session = JSON.stringify({ user: "admin", csrf_token: "t" });
const id = "0b0e3a35-5b6a-4a53-8c55-0d3a4a0c5b11";

interface Opened {
  path: string;
  search?: string;
  base?: string;
  session?: string;
  theme?: string | null;
  /** the answers to what is fetched; absent: none comes */
  workspaces?: readonly object[];
}

/** Runs public/start.js as a page at this address would. */
async function open({ path, search = "", base = "", session: told = session, theme = null, workspaces }: Opened) {
  const asked: string[] = [];
  const linked: string[] = [];
  const metas: Record<string, string> = {
    "gatehouse-base": base,
    "gatehouse-session": told,
    "gatehouse-chunks-keys": "assets/first-1.js assets/frame-2.js",
  };
  const window: { gatehouseEarlyReads?: Map<string, unknown> } = {};
  const documentElement = { dataset: {} as Record<string, string> };
  runInNewContext(script, {
    window,
    location: { pathname: base + path, search },
    localStorage: { getItem: () => theme },
    document: {
      documentElement,
      querySelector: (selector: string) => {
        const content = metas[/name="([^"]+)"/.exec(selector)?.[1] ?? ""];
        return content === undefined ? null : { content };
      },
      createElement: () => ({}),
      head: { append: ({ href }: { href: string }) => linked.push(href) },
    },
    fetch: async (address: string) => {
      asked.push(address);
      if (workspaces === undefined) throw new Error("no answer");
      return new Response(JSON.stringify({ data: workspaces }));
    },
  });
  await new Promise((resolve) => setTimeout(resolve));
  return { asked, linked, reads: [...(window.gatehouseEarlyReads?.keys() ?? [])], theme: documentElement.dataset };
}

const workspacesPath = callPath(listWorkspaces, { query: { limit: "100", offset: "0" } });
const firstReads = (of: string): Record<string, unknown> => ({
  keys: pages(listKeys, { query: keysQuery({}, of) }).meta?.["path"],
  calls: callPages({}, of).meta?.["path"],
  overview: overviewOf({ workspaceId: of, range: rangeOf({}, new Date()), group: "key", every: false }).meta?.["path"],
});

describe("what is asked for before the console's code is there", () => {
  it.each(["keys", "calls", "overview"])("is what %s opens with, and the workspaces", async (section) => {
    const { reads } = await open({ path: `/w/all/${section}` });
    expect(reads).toEqual([workspacesPath, firstReads("all")[section]]);
  });

  it.each(["acme", id])("waits for the workspaces where the address names one, by %s", async (name) => {
    const { reads } = await open({ path: `/w/${name}/keys`, workspaces: [{ id, slug: "acme" }] });
    expect(reads).toEqual([workspacesPath, firstReads(id)["keys"]]);
  });

  it("is nothing of a workspace that is not there, or whose list does not come", async () => {
    expect((await open({ path: "/w/gone/keys", workspaces: [] })).reads).toEqual([workspacesPath]);
    expect((await open({ path: "/w/acme/keys" })).reads).toEqual([workspacesPath]);
  });

  it("is left to the page where the address has a search, or the section reads more than a list", async () => {
    expect((await open({ path: "/w/all/keys", search: "?q=x" })).reads).toEqual([workspacesPath]);
    expect((await open({ path: "/w/all/audit" })).reads).toEqual([workspacesPath]);
  });

  it.each(["", "none"])("is nothing at all unless somebody is signed in: %j", async (told) => {
    expect((await open({ path: "/w/all/keys", session: told })).asked).toEqual([]);
    expect((await open({ path: "/w/all/keys", session: told })).linked).toEqual([]);
  });

  it("is nothing on a page without a section, and none of a page's parts", async () => {
    for (const path of ["/", "/sign-in", "/w/all/keys/new", "/w/all/keys/0123"]) {
      expect((await open({ path })).asked).toEqual([]);
    }
  });

  it("is under the base path, as the files of the page are", async () => {
    const { asked, linked } = await open({ path: "/w/all/keys", base: "/gate" });
    expect(asked).toEqual([workspacesPath, firstReads("all")["keys"]].map((path) => `/gate/api/v1${String(path)}`));
    expect(linked).toEqual(["/gate/assets/first-1.js", "/gate/assets/frame-2.js"]);
  });

  it.each([
    ["dark", { theme: "dark" }],
    ["system", {}],
    [null, {}],
  ])("a theme of %j is there before the first paint", async (theme, dataset) =>
    expect((await open({ path: "/sign-in", theme })).theme).toEqual(dataset),
  );
});
