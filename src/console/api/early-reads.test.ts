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
  search?: string;
  base?: string;
  session?: string;
  theme?: string | null;
  /** the answers to what is fetched; absent: none comes */
  workspaces?: readonly object[];
}

/** Runs public/start.js as a page at this address would. */
async function open(path: string, { search = "", base = "", theme = null, workspaces, ...more }: Opened = {}) {
  const asked: string[] = [];
  const linked: string[] = [];
  const metas: Record<string, string> = {
    "gatehouse-base": base,
    "gatehouse-session": more.session ?? session,
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
  it.each<[string, string, Opened, unknown[]]>([
    ["is what keys open with, and the workspaces", "/w/all/keys", {}, [firstReads("all")["keys"]]],
    ["is what calls open with", "/w/all/calls", {}, [firstReads("all")["calls"]]],
    ["is what the overview opens with", "/w/all/overview", {}, [firstReads("all")["overview"]]],
    ["waits for a workspace's name", "/w/acme/keys", { workspaces: [{ id, slug: "acme" }] }, [firstReads(id)["keys"]]],
    ["waits for a workspace's id", `/w/${id}/keys`, { workspaces: [{ id, slug: "acme" }] }, [firstReads(id)["keys"]]],
    ["is nothing of a workspace that is not there", "/w/gone/keys", { workspaces: [] }, []],
    ["is nothing of a workspace whose list does not come", "/w/acme/keys", {}, []],
    ["is left to the page where the address has a search", "/w/all/keys", { search: "?q=x" }, []],
    ["is left to the page where the section reads more than a list", "/w/all/audit", {}, []],
  ])("%s", async (_, path, more, reads) => expect((await open(path, more)).reads).toEqual([workspacesPath, ...reads]));

  it.each(["", "none"])("is nothing at all unless somebody is signed in: %j", async (none) =>
    expect(await open("/w/all/keys", { session: none })).toMatchObject({ asked: [], linked: [] }),
  );

  it.each(["/", "/sign-in", "/w/all/keys/new", "/w/all/keys/0123"])(
    "is nothing on a page without a list: %s",
    async (path) => expect((await open(path)).asked).toEqual([]),
  );

  it("is under the base path, as the files of the page are", async () => {
    const { asked, linked } = await open("/w/all/keys", { base: "/gate" });
    expect(asked).toEqual([workspacesPath, firstReads("all")["keys"]].map((path) => `/gate/api/v1${String(path)}`));
    expect(linked).toEqual(["/gate/assets/first-1.js", "/gate/assets/frame-2.js"]);
  });
});

it.each([
  ["dark", { theme: "dark" }],
  ["system", {}],
  [null, {}],
])("a theme of %j is there before the first paint", async (theme, dataset) =>
  expect((await open("/sign-in", { theme })).theme).toEqual(dataset),
);
