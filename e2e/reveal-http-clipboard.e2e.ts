import { paths } from "#console/paths.ts";
import { expect, stopClock, test } from "./fixtures.ts";
import { clipboard, gateOf, openNewKey, randomPart, showNewKey, submitNewKey } from "./key-form.ts";

test.use({ onNetwork: true });

test.beforeEach(async ({ page, gateway }) => {
  await page.clock.install();
  await page.goto(gateway.lanUrl + paths.signIn());
  expect(await page.evaluate(() => [isSecureContext, "clipboard" in navigator])).toEqual([false, false]);
  await page.getByLabel("Management key").fill(gateway.managementKey);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("navigation").getByRole("link", { name: "API keys" })).toBeVisible();
});

test("reveal-http-clipboard: Copy works, and what it says is true", async ({ page, gateway, workspace }) => {
  const { panel, key } = await showNewKey(page, gateway.lanUrl, workspace.slug, "plain-http");
  // no promise to clear what a page of this origin may not touch later
  await expect(panel.getByRole("switch", { name: "Clear clipboard after 60 s" })).toHaveCount(0);
  const copy = panel.getByRole("button", { name: "Copy key" });
  await expect(copy).toBeFocused();
  await stopClock(page);
  await page.keyboard.press("Enter");
  const copied = panel.getByRole("button", { name: "Copied" });
  await expect(copied).toBeVisible();
  await expect(copied).toBeFocused();
  expect(await page.content()).not.toContain(randomPart(key));
  expect(await clipboard(page, gateway.url)).toBe(key);
  await page.clock.resume();
  await page.keyboard.press("Escape");
  await expect(panel).toBeHidden();
});

test("reveal-http-clipboard: snippets with the real key copy there too", async ({ page, gateway, workspace }) => {
  const { panel, key } = await showNewKey(page, gateway.lanUrl, workspace.slug, "plain-snippet");
  await panel.getByRole("switch", { name: "Copy with the real key" }).click();
  await stopClock(page);
  await panel.getByRole("button", { name: /^Copy the \w+ snippet$/ }).click();
  await expect(
    panel
      .getByRole("status")
      .filter({ hasText: /copied/i })
      .or(panel.getByText("Copied")),
  ).toBeAttached();
  const taken = await clipboard(page, gateway.url);
  expect(taken).toContain(key);
  expect(taken).toContain(`${gateway.lanUrl}/api/v1/`);
});

test("reveal-http-clipboard: where both ways fail Ctrl+C takes it", async ({ page, gateway, workspace }) => {
  await page.addInitScript(() => {
    document.execCommand = () => false;
  });
  const form = await openNewKey(page, gateway.lanUrl, workspace.slug);
  await form.getByLabel("Name").fill("both-fail");
  const { panel, key } = await submitNewKey(page);
  await stopClock(page);
  await panel.getByRole("button", { name: "Copy key" }).click();
  await expect(panel.getByRole("alert")).toContainText(/press (Ctrl\+C|⌘C)/);
  await expect(panel.getByRole("button", { name: "Copied" })).toHaveCount(0);
  await page.keyboard.press("Escape");
  await expect(gateOf(page).getByRole("button", { name: /^Go back/ })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(gateOf(page)).toBeHidden();
  await panel.getByRole("button", { name: "Copy key" }).click();
  const selected = () => page.evaluate(() => getSelection()?.toString());
  await expect.poll(selected).toBe(key);
  await page.keyboard.press("Control+c");
  await expect(panel.getByRole("button", { name: "Copied" })).toBeVisible();
  expect(await clipboard(page, gateway.url)).toBe(key);
});
