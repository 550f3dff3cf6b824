import { createKey, listKeys } from "#contract/keys.ts";
import { paths } from "#console/paths.ts";
import { comeBack, expect, failUntilClick, row, test, expectTexts } from "./fixtures.ts";
import { openNewKey, submitNewKey } from "./key-form.ts";

test("gateway-on-lan-while-browser-offline: it reads and creates", async ({ signedIn: page, gateway, workspace }) => {
  await page.addInitScript(() => Object.defineProperty(navigator, "onLine", { get: () => false }));
  await page.goto(paths.keys(workspace.slug));
  await page.evaluate(() => window.dispatchEvent(new Event("offline")));
  await expect(page.getByRole("heading", { name: "No keys yet" })).toBeVisible();
  await expect(page.getByText("The gateway cannot be reached.")).toHaveCount(0);
  const panel = await openNewKey(page, gateway.url, workspace.slug);
  await page.evaluate(() => window.dispatchEvent(new Event("offline")));
  await panel.getByLabel("Name").fill("without-internet");
  const { record } = await submitNewKey(page);
  expect(record.name).toBe("without-internet");
});

test("offline-no-writes: what was read stays, changes are off", async ({ signedIn: page, workspace, api }) => {
  await api(createKey, { body: { name: "still-there", workspace_id: workspace.id } });
  await page.clock.install();
  await page.goto(paths.keys(workspace.slug));
  await expect(row(page, /still-there/)).toBeVisible();
  const changes: string[] = [];
  page.on("request", (request) => {
    if (request.method() !== "GET") changes.push(`${request.method()} ${request.url()}`);
  });
  await page.route("**/api/**", (route) => route.abort("connectionrefused"));
  // coming back to the tab reads the list and the counts again: two reads in a row that get no answer
  await page.clock.runFor(60_000);
  const bar = page.getByRole("status").filter({ hasText: "The gateway cannot be reached." });
  await comeBack(page, () => bar.isVisible());
  await expect(bar).toContainText(/It last answered at \d\d:\d\d UTC/);
  // the table gives way to the bar, so that its foot stays in the window
  await expect
    .poll(() => page.evaluate(() => document.documentElement.scrollHeight - document.documentElement.clientHeight))
    .toBe(0);
  await expect(row(page, /still-there/)).toBeVisible();
  const create = page.getByRole("button", { name: /^Create key/ });
  await expect(create).toHaveAttribute("aria-disabled", "true");
  await create.hover();
  await expect(page.getByRole("tooltip")).toContainText("Changes are disabled until it answers");
  await create.click({ force: true });
  await page.keyboard.press("c");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await page.getByRole("button", { name: "Actions for still-there" }).click();
  // by its beginning: its reason, which says "disabled" too, belongs to its name
  for (const item of [/^Edit/, /^Disable/, /^Lost the key\? Replace it/, /^Delete/]) {
    await expect(page.getByRole("menuitem", { name: item })).toHaveAttribute("aria-disabled", "true");
  }
  await expect(page.getByRole("menuitem", { name: "Open" })).not.toHaveAttribute("aria-disabled", "true");
  await page.keyboard.press("Escape");
  expect(changes).toEqual([]);
  // it answers from the click on, and not to the page's own probes: they would take the bar away, and the button with it
  await page.evaluate(() => (window.clicked = false));
  await page.route("**/api/**", async (route) => {
    if (await page.evaluate(() => window.clicked).catch(() => false)) await route.continue();
    else await route.abort("connectionrefused");
  });
  await bar.getByRole("button", { name: "Try now" }).click();
  await expect(bar).toHaveCount(0);
  await expect(page.getByRole("link", { name: /^Create key/ })).toBeVisible();
  expect(changes).toEqual([]);
  expect((await api(listKeys, { query: { workspace_id: workspace.id } })).data).toHaveLength(1);
});

test("offline at submit, and a read that fails", async ({ signedIn: page, part, gateway, api }) => {
  await part("a read that fails says what, why and how to name it, and Retry mends it", async (workspace) => {
    await api(createKey, { body: { name: "behind-an-error", workspace_id: workspace.id } });
    await failUntilClick(page, /\/api\/v1\/keys\?/, {
      status: 500,
      headers: { "x-request-id": "req-journey" },
      json: { error: { code: 500, message: "The store is full" } },
    });
    await page.goto(paths.keys(workspace.slug));
    const alert = page.getByRole("alert").filter({ hasText: "The key list did not load" });
    await expectTexts(alert, "The gateway had a problem", "“The store is full”", "HTTP 500", "req-journey");
    await expect(page.getByRole("searchbox")).toBeVisible();
    await alert.getByRole("button", { name: "Retry" }).click();
    await expect(row(page, /behind-an-error/)).toBeVisible();
    await expect(alert).toHaveCount(0);
  });
  await part("the form says why it cannot be sent, keeps it, and works again by itself", async (workspace) => {
    const panel = await openNewKey(page, gateway.url, workspace.slug);
    await panel.getByLabel("Name").fill("typed-offline");
    // from the click on: reads that fail before it would disable the button
    await page.evaluate(() => (window.clicked = false));
    // not unrouted at the end: Playwright lets a request go on whose handler is still asking the page, and then it is handled twice
    let away = true;
    await page.route("**/api/**", async (route) => {
      const clicked = await page.evaluate(() => window.clicked).catch(() => false);
      if (away && clicked) await route.abort("connectionrefused");
      else await route.continue();
    });
    const create = panel.getByRole("button", { name: /^Create key/ });
    await create.click();
    const unknown = page.getByRole("dialog", { name: "Was the key created?" });
    await expect(unknown.getByText("The gateway is not answering yet. Checking every few seconds.")).toBeVisible();
    await expect(unknown.getByRole("button", { name: "Try again" })).toHaveAttribute("aria-disabled", "true");
    await unknown.getByRole("button", { name: "Back to the form" }).click();
    await expect(panel.getByLabel("Name")).toHaveValue("typed-offline");
    await expect(create).toHaveAttribute("aria-disabled", "true");
    await page.keyboard.press("Control+Enter");
    away = false;
    // the probe of every five seconds finds it
    await expect(create).not.toHaveAttribute("aria-disabled", "true");
    expect((await api(listKeys, { query: { workspace_id: workspace.id } })).data).toHaveLength(0);
    await submitNewKey(page);
  });
});
