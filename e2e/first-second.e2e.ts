import type { Page, Request } from "@playwright/test";
import { createEmbeddings } from "#contract/embeddings.ts";
import { createKey } from "#contract/keys.ts";
import { createWorkspace } from "#contract/workspaces.ts";
import { paths } from "#console/paths.ts";
import { apiOf, type Api } from "#gateway/testing/api-client.ts";
import { type RunningGateway, startGatewayProcess } from "#gateway/testing/process.ts";
import { atRest, expect, row, signIn, test } from "./fixtures.ts";

async function usedKeys(api: Api, gateway: RunningGateway, workspaceId: string): Promise<void> {
  for (let index = 0; index < 6; index += 1) {
    const { key } = await api(createKey, { body: { name: `service-${index}`, limit: 25, workspace_id: workspaceId } });
    await apiOf(gateway, key)(createEmbeddings, { body: { model: "gatehouse/lexical", input: `text ${index}` } });
  }
}

/** What the page asks for from now on, as paths below the gateway's address. */
function requestsOf(page: Page, url: string): string[] {
  const asked: string[] = [];
  page.on("request", (request: Request) => {
    if (request.url().startsWith("http")) asked.push(request.url().replace(url, ""));
  });
  return asked;
}

const ofApi = (asked: readonly string[]) => asked.filter((path) => path.startsWith("/api/v1/"));
/** Whether the gateway is there is asked on every page, in a handful of bytes. */
const withoutHealth = (asked: readonly string[]) => ofApi(asked).filter((path) => path !== "/api/v1/health");

/**
 * Notes in the page, when text first shows, which requests were made before the answer that has it came: those that
 * could hold it up. What the page fetches while it draws the answer could not.
 */
async function countUntil(page: Page, text: string): Promise<() => Promise<string[]>> {
  await page.addInitScript((awaited) => {
    const noted: { requests?: string[] } = ((window as { firstRow?: object }).firstRow = {});
    new MutationObserver(() => {
      if (noted.requests !== undefined || !document.querySelector("main")?.textContent?.includes(awaited)) return;
      const fetched = performance.getEntriesByType("resource") as PerformanceResourceTiming[];
      const answered = fetched.find(({ name }) => name.includes("/api/v1/keys?"))?.responseEnd ?? Number.MAX_VALUE;
      const before = fetched.filter(({ startTime }) => startTime < answered);
      noted.requests = [location.href, ...before.map(({ name }) => name)];
    }).observe(document, { subtree: true, childList: true, characterData: true });
  }, text);
  return async () => page.evaluate(() => (window as { firstRow?: { requests: string[] } }).firstRow?.requests ?? []);
}

for (const which of ["all", "one"] as const) {
  test(`first second: at most 8 requests come before the first row of the keys of ${which}`, async ({
    signedIn: page,
    gateway,
    api,
    workspace,
  }) => {
    await usedKeys(api, gateway, workspace.id);
    const before = await countUntil(page, "service-5");
    const asked = requestsOf(page, gateway.url);
    const of = which === "all" ? "all" : workspace.slug;
    // not over the sidebar: a link under the pointer has its page's code fetched
    await page.mouse.move(700, 500);
    await page.goto(gateway.url + paths.keys(of));
    await expect(row(page, /service-5/)).toBeVisible();
    const requests = await before();
    expect(requests.length, requests.join("\n")).toBeLessThanOrEqual(8);
    expect(requests.length).toBeGreaterThan(3);
    // nothing that was asked for early is asked for again
    await atRest(page);
    const list = `/api/v1/keys?include_disabled=true&limit=100&workspace_id=${which === "all" ? "all" : workspace.id}`;
    for (const path of [list, "/api/v1/workspaces?limit=100&offset=0"]) {
      expect(asked.filter((one) => one === path)).toHaveLength(1);
    }
    expect(ofApi(asked)).not.toContain("/api/v1/session");
    // the frame is completed then
    await expect(page.getByRole("navigation").getByText(/^Gateway answers/)).toBeVisible();
    await expect(page.getByRole("navigation").getByRole("link", { name: /^API keys/ })).toContainText(/\d/);
  });
}

// On a gateway of its own: how much the lists of the frame hold is no matter of the overview.
test("first second: the overview makes at most 4 calls of 60 kB, also when it is renewed", async ({ page }) => {
  const gateway = await startGatewayProcess();
  try {
    const api = apiOf(gateway);
    const { data: workspace } = await api(createWorkspace, { body: { name: "Own", slug: "own" } });
    await usedKeys(api, gateway, workspace.id);
    await signIn(page, gateway.url, gateway.managementKey);
    await page.clock.install();
    const asked = requestsOf(page, gateway.url);
    const bodies: Promise<number>[] = [];
    page.on("response", (response) => {
      if (response.url().includes("/api/v1/")) bodies.push(response.body().then((body) => body.length));
    });
    await page.goto(gateway.url + paths.overview(workspace.slug));
    await expect(page.getByRole("row", { name: /^service-\d/ })).toHaveCount(5);
    await expect(page.getByRole("heading", { name: "Failing destinations" })).toBeVisible();
    await expect(page.getByRole("navigation").getByRole("link", { name: /^Providers/ })).toContainText(/\d/);
    await atRest(page);
    const bytes = async () => (await Promise.all(bodies)).reduce((sum, length) => sum + length, 0);
    expect(withoutHealth(asked).length, withoutHealth(asked).join("\n")).toBeLessThanOrEqual(4);
    expect(await bytes()).toBeLessThan(60_000);

    asked.length = 0;
    bodies.length = 0;
    await page.clock.fastForward(31_000);
    await expect
      .poll(() => withoutHealth(asked).filter((path) => path.includes("/overview")).length)
      .toBeGreaterThan(0);
    await page.waitForLoadState("networkidle");
    expect(withoutHealth(asked).length, withoutHealth(asked).join("\n")).toBeLessThanOrEqual(4);
    expect(await bytes()).toBeLessThan(60_000);
  } finally {
    await gateway.dispose();
  }
});

test("first second: nobody who is signed out asks for what would be refused, with an old cookie neither", async ({
  page,
  gateway,
}) => {
  const refused: string[] = [];
  page.on("response", (response) => {
    if (response.status() === 401) refused.push(response.url());
  });
  const asked = requestsOf(page, gateway.url);
  await page.goto(gateway.url + paths.keys("all"));
  await expect(page.getByLabel("Management key")).toBeVisible();
  await page.context().addCookies([{ name: "gatehouse_session", value: "ended", url: gateway.url }]);
  await page.goto(gateway.url + paths.overview("all"));
  await expect(page.getByLabel("Management key")).toBeVisible();
  expect(refused).toEqual([]);
  expect(withoutHealth(asked)).toEqual([]);
});

test("first second: an early answer that fails is asked for again, and nothing that ended is shown", async ({
  page,
  gateway,
  api,
  workspace,
}) => {
  await signIn(page, gateway.url, gateway.managementKey);
  await api(createKey, { body: { name: "asked-twice", workspace_id: workspace.id } });
  let lost = 0;
  await page.route("**/api/v1/keys?*", async (route) => {
    lost += 1;
    if (lost === 1) await route.abort();
    else await route.continue();
  });
  await page.goto(gateway.url + paths.keys(workspace.slug));
  await expect(row(page, /asked-twice/)).toBeVisible();
  expect(lost).toBeGreaterThan(1);
  await page.unroute("**/api/v1/keys?*");

  // the session ends between the page and its reads
  await page.route("**/api/v1/workspaces?*", async (route) => {
    const error = { code: 401, message: "Your session has ended", metadata: { error_type: "authentication" } };
    await route.fulfill({ status: 401, json: { error } });
  });
  await page.reload();
  await expect(page.getByRole("dialog", { name: "Your session ended" })).toBeVisible();
});
