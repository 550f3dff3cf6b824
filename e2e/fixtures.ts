import { randomBytes } from "node:crypto";
import { test as base, expect, type Locator, type Page } from "@playwright/test";
import type { WorkspaceRecord } from "#contract/workspaces.ts";
import { createWorkspace } from "#contract/workspaces.ts";
import { type Api, apiOf } from "./api.ts";
import { type RunningGateway, startGatewayProcess } from "#gateway/testing/process.ts";

export { expect, type Page } from "@playwright/test";

interface WorkerFixtures {
  /** the real gateway on its embedded store, one for each worker */
  gateway: RunningGateway;
}

interface Fixtures {
  /** the API with the management key */
  api: Api;
  /** a workspace of this journey's own, so that its tables hold its own rows only */
  workspace: WorkspaceRecord;
  /** the page, signed in; its address has not been opened yet */
  signedIn: Page;
  /** what the page must never do, in any journey: break its Content-Security-Policy, or throw */
  wellBehaved: void;
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  gateway: [
    async ({}, use) => {
      const gateway = await startGatewayProcess();
      await use(gateway);
      await gateway.dispose();
    },
    { scope: "worker" },
  ],
  baseURL: async ({ gateway }, use) => use(gateway.url),
  api: async ({ gateway }, use) => use(apiOf(gateway)),
  workspace: async ({ api }, use) => {
    const slug = `journey-${randomBytes(5).toString("hex")}`;
    const { data } = await api(createWorkspace, { body: { name: slug, slug } });
    await use(data);
  },
  signedIn: async ({ page, gateway }, use) => {
    await signIn(page, gateway.url, gateway.managementKey);
    await use(page);
  },
  wellBehaved: [
    async ({ page, gateway }, use, info) => {
      const wrong: string[] = [];
      page.on("pageerror", (error) => wrong.push(String(error.stack ?? error)));
      page.on("console", (message) => {
        if (/Content.Security.Policy|Trusted Type/i.test(message.text())) wrong.push(message.text());
      });
      const before = gateway.printed().length;
      await use();
      if (info.status !== info.expectedStatus) {
        await info.attach("what the gateway printed", { body: gateway.printed().slice(before) });
      }
      expect(wrong).toEqual([]);
    },
    { auto: true },
  ],
});

/** Gives the page's browser a session cookie without going through the sign-in page. */
export async function signIn(page: Page, url: string, managementKey: string): Promise<void> {
  const response = await page.request.post(`${url}/api/v1/session`, { data: { management_key: managementKey } });
  expect(response.status(), await response.text()).toBe(201);
}

/** The one row of the page's table that has all of these texts, in cells of their own. */
export function row(page: Page, ...cells: (string | RegExp)[]): Locator {
  return cells.reduce(
    (rows, cell) =>
      rows.filter({ has: page.getByRole("cell", { name: cell }).or(page.getByRole("rowheader", { name: cell })) }),
    page.getByRole("row"),
  );
}

export async function expectRow(page: Page, ...cells: (string | RegExp)[]): Promise<void> {
  await expect(row(page, ...cells)).toHaveCount(1);
}

export async function expectNoRow(page: Page, ...cells: (string | RegExp)[]): Promise<void> {
  await expect(row(page, ...cells)).toHaveCount(0);
}

/** A toast with this text is shown, whatever its tone. */
export async function expectToast(page: Page, text: string | RegExp): Promise<void> {
  await expect(page.getByRole("status").or(page.getByRole("alert")).filter({ hasText: text }).first()).toBeVisible();
}

/** Opens a row's menu and chooses an item of it. */
export async function chooseFromRow(page: Page, rowText: string | RegExp, item: string | RegExp): Promise<void> {
  await row(page, rowText)
    .getByRole("button", { name: /^(More|Actions)/ })
    .click();
  await page.getByRole("menuitem", { name: item }).click();
}

/** All text that the browser keeps for this origin: storages, cookies that scripts see, history state. */
export async function browserResidue(page: Page): Promise<string> {
  return page.evaluate(() =>
    JSON.stringify({
      local: Object.entries(localStorage),
      session: Object.entries(sessionStorage),
      cookie: document.cookie,
      history: history.state as unknown,
      address: location.href,
      name: window.name,
    }),
  );
}
