import { randomBytes } from "node:crypto";
import type { Page, Request, Response } from "@playwright/test";
import { createEmbeddings } from "#contract/embeddings.ts";
import { createKey } from "#contract/keys.ts";
import { createWorkspace } from "#contract/workspaces.ts";
import { paths } from "#console/paths.ts";
import { apiOf, type Api } from "#gateway/testing/api-client.ts";
import { type RunningGateway, startGatewayProcess } from "#gateway/testing/process.ts";
import { atRest, expect, longRun, row, signIn, test } from "./fixtures.ts";

async function usedKeys(api: Api, gateway: RunningGateway, workspaceId: string, name = "service"): Promise<void> {
  for (let index = 0; index < 6; index += 1) {
    const { key } = await api(createKey, { body: { name: `${name}-${index}`, limit: 25, workspace_id: workspaceId } });
    await apiOf(gateway, key)(createEmbeddings, { body: { model: "gatehouse/lexical", input: `text ${index}` } });
  }
}

interface Asked {
  /** below the gateway's address */
  path: string;
  at: number;
  answer?: Response;
}

/** What the page asks for from now on. */
function requestsOf(page: Page, url: string): Asked[] {
  const asked: Asked[] = [];
  const of = new Map<Request, Asked>();
  page.on("request", (request) => {
    if (!request.url().startsWith("http")) return;
    const one: Asked = { path: request.url().replace(url, ""), at: Date.now() };
    asked.push(one);
    of.set(request, one);
  });
  page.on("response", (response) => {
    const one = of.get(response.request());
    if (one) one.answer = response;
  });
  return asked;
}

/** Every page renews what it shows, each part after 15 seconds or more, and takes no answer that is 10 seconds old. */
const renewedAfterMs = 9_000;

/** What was asked of the API, without what was renewed because the machine is so slow that the time for it came. */
const ofApi = (asked: readonly Asked[]) =>
  asked.filter(
    ({ path, at }, index) =>
      path.startsWith("/api/v1/") &&
      !asked.slice(0, index).some((before) => before.path === path && at - before.at > renewedAfterMs),
  );
/** Whether the gateway is there is asked on every page, in a handful of bytes. */
const withoutHealth = (asked: readonly Asked[]) =>
  ofApi(asked)
    .map(({ path }) => path)
    .filter((path) => path !== "/api/v1/health");

/**
 * Notes in the page, when text first shows, which requests were made before the answer that has it came: those that
 * could hold it up. What the page fetches while it draws the answer could not.
 */
async function countUntil(page: Page, text: string): Promise<() => Promise<string[]>> {
  await page.addInitScript((awaited) => {
    const noted: { requests?: string[] } = ((window as { firstRow?: object }).firstRow = {});
    const note = () => {
      const fetched = performance.getEntriesByType("resource") as PerformanceResourceTiming[];
      const answer = fetched.find(({ name }) => name.includes("/api/v1/keys?"));
      // its entry may come after its text
      if (answer === undefined) return void setTimeout(note);
      const before = fetched.filter(({ startTime }) => startTime < answer.responseEnd);
      noted.requests = [location.href, ...before.map(({ name }) => name)];
    };
    const looking = new MutationObserver(() => {
      if (!document.querySelector("main")?.textContent?.includes(awaited)) return;
      looking.disconnect();
      note();
    });
    looking.observe(document, { subtree: true, childList: true, characterData: true });
  }, text);
  const noted = () => page.evaluate(() => (window as { firstRow?: { requests?: string[] } }).firstRow?.requests);
  return async () => {
    await expect.poll(noted).toBeDefined();
    return (await noted()) ?? [];
  };
}

for (const which of longRun ? (["one", "all"] as const) : (["one"] as const)) {
  test(`first second: at most 8 requests for keys of ${which}`, async ({ signedIn: page, gateway, api, workspace }) => {
    // in the list of all workspaces there are the keys of other journeys
    const name = `service-${randomBytes(3).toString("hex")}`;
    await usedKeys(api, gateway, workspace.id, name);
    const before = await countUntil(page, `${name}-5`);
    const asked = requestsOf(page, gateway.url);
    const of = which === "all" ? "all" : workspace.slug;
    // not over the sidebar: a link under the pointer has its page's code fetched, and a new page begins at its corner
    await page.goto(paths.keys(of), { waitUntil: "commit" });
    await page.mouse.move(700, 500);
    await expect(row(page, new RegExp(`${name}-5`))).toBeVisible();
    const requests = await before();
    expect(requests.length, requests.join("\n")).toBeLessThanOrEqual(8);
    expect(requests.length).toBeGreaterThan(3);
    // nothing that was asked for early is asked for again
    await atRest(page);
    const list = `/api/v1/keys?include_disabled=true&limit=100&workspace_id=${which === "all" ? "all" : workspace.id}`;
    for (const path of [list, "/api/v1/workspaces?limit=100&offset=0"]) {
      expect(ofApi(asked).filter((one) => one.path === path)).toHaveLength(1);
    }
    expect(asked.map(({ path }) => path)).not.toContain("/api/v1/session");
    // the frame is completed then
    await expect(page.getByRole("navigation").getByText(/^Gateway answers/)).toBeVisible();
    await expect(page.getByRole("navigation").getByRole("link", { name: /^API keys/ })).toContainText(/\d/);
  });
}

// On a gateway of its own: how much the lists of the frame hold is no matter of the overview.
test("first second: the overview makes at most 4 calls of 60 kB, also when it is renewed @long", async ({ page }) => {
  const gateway = await startGatewayProcess();
  try {
    const api = apiOf(gateway);
    const { data: workspace } = await api(createWorkspace, { body: { name: "Own", slug: "own" } });
    await usedKeys(api, gateway, workspace.id);
    await signIn(page, gateway.url, gateway.managementKey);
    await page.clock.install();
    const asked = requestsOf(page, gateway.url);
    await page.goto(gateway.url + paths.overview(workspace.slug));
    await expect(page.getByRole("row", { name: /^service-\d/ })).toHaveCount(5);
    await expect(page.getByRole("heading", { name: "Failing destinations" })).toBeVisible();
    await expect(page.getByRole("navigation").getByRole("link", { name: /^Providers/ })).toContainText(/\d/);
    await atRest(page);
    const bytes = async () => {
      const lengths = await Promise.all(ofApi(asked).map(async ({ answer }) => (await answer?.body())?.length ?? 0));
      return lengths.reduce((sum, length) => sum + length, 0);
    };
    expect(withoutHealth(asked).length, withoutHealth(asked).join("\n")).toBeLessThanOrEqual(4);
    expect(await bytes()).toBeLessThan(60_000);

    asked.length = 0;
    await page.clock.fastForward(31_000);
    await expect
      .poll(() => withoutHealth(asked).filter((path) => path.includes("/overview")).length)
      .toBeGreaterThan(0);
    // every answer to what is renewed with it
    await expect.poll(() => ofApi(asked).every(({ answer }) => answer !== undefined)).toBe(true);
    expect(withoutHealth(asked).length, withoutHealth(asked).join("\n")).toBeLessThanOrEqual(4);
    expect(await bytes()).toBeLessThan(60_000);
  } finally {
    await gateway.dispose();
  }
});

test("first second: who is signed out asks for nothing", async ({ page, part, gateway, api }) => {
  await part("nobody who is signed out asks for what would be refused, with an old cookie neither", async () => {
    const refused: string[] = [];
    page.on("response", (response) => {
      if (response.status() === 401) refused.push(response.url());
    });
    const asked = requestsOf(page, gateway.url);
    await page.goto(paths.keys("all"));
    await expect(page.getByLabel("Management key")).toBeVisible();
    await page.context().addCookies([{ name: "gatehouse_session", value: "ended", url: gateway.url }]);
    await page.goto(paths.overview("all"));
    await expect(page.getByLabel("Management key")).toBeVisible();
    expect(refused).toEqual([]);
    expect(withoutHealth(asked)).toEqual([]);
  });
  await part("an early answer that fails is asked for again, and nothing that ended is shown", async (workspace) => {
    await signIn(page, gateway.url, gateway.managementKey);
    await api(createKey, { body: { name: "asked-twice", workspace_id: workspace.id } });
    let lost = 0;
    await page.route("**/api/v1/keys?*", async (route) => {
      lost += 1;
      if (lost === 1) await route.abort();
      else await route.continue();
    });
    await page.goto(paths.keys(workspace.slug));
    await expect(row(page, /asked-twice/)).toBeVisible();
    expect(lost).toBeGreaterThan(1);

    // the session ends between the page and its reads
    await page.route("**/api/v1/workspaces?*", async (route) => {
      const error = { code: 401, message: "Your session has ended", metadata: { error_type: "authentication" } };
      await route.fulfill({ status: 401, json: { error } });
    });
    await page.reload();
    await expect(page.getByRole("dialog", { name: "Your session ended" })).toBeVisible();
  });
});
