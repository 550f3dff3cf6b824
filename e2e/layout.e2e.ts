import { createKey } from "#contract/keys.ts";
import { paths } from "#console/paths.ts";
import { atRest, expect, expectNoSidewaysScroll, row, test } from "./fixtures.ts";
import { showNewKey } from "./key-form.ts";

test.beforeEach(async ({ api, workspace }) => {
  await api(createKey, {
    body: {
      name: "a-key-with-a-rather-long-name-production-eu",
      limit: 1234.5,
      limit_reset: "weekly",
      workspace_id: workspace.id,
    },
  });
});

test("on a phone the menu leads everywhere", async ({ signedIn: page, gateway, workspace }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(paths.keys(workspace.slug));
  const region = page.getByRole("region", { name: "API keys" });
  await expect(region).toHaveAttribute("tabindex", "0");
  await page.getByRole("button", { name: "Menu" }).click();
  await page.getByRole("dialog", { name: "Menu" }).getByRole("link", { name: "Settings" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Audit log");
  await expect(page.getByRole("dialog", { name: "Menu" })).toHaveCount(0);
  const { panel } = await showNewKey(page, gateway.url, workspace.slug, "on-a-phone");
  await atRest(page);
  await expectNoSidewaysScroll(page);
  await panel.getByText("I have stored it").click();
  await panel.getByRole("button", { name: "Done" }).click();
  await expect(row(page, /on-a-phone/)).toBeVisible();
});

test("reduced motion, forced colours and the theme", async ({ signedIn: page, workspace }) => {
  await test.step("nothing moves, and nothing is missing for it", async () => {
    await page.emulateMedia({ reducedMotion: "reduce" });
    await page.goto(paths.newKey(workspace.slug));
    await expect(page.getByRole("dialog", { name: "Create an API key" })).toBeVisible();
    const moving = await page.evaluate(() =>
      document
        .getAnimations()
        .filter((animation) => Number(animation.effect?.getComputedTiming().duration) > 100)
        .map((animation) => (animation.effect as KeyframeEffect).target?.outerHTML.slice(0, 100)),
    );
    expect(moving).toEqual([]);
    const slow = await page.evaluate(() =>
      [...document.querySelectorAll("body *")]
        .filter((element) => {
          const style = getComputedStyle(element);
          return [style.animationDuration, style.transitionDuration].some((all) =>
            all.split(",").some((duration) => Number.parseFloat(duration) > 0.1),
          );
        })
        .map((element) => element.outerHTML.slice(0, 100)),
    );
    expect(slow).toEqual([]);
  });
  await test.step("what is chosen and what has the focus can still be told", async () => {
    await page.emulateMedia({ forcedColors: "active" });
    await page.goto(paths.keys(workspace.slug));
    await expect(row(page, /rather-long-name/)).toBeVisible();
    await page.keyboard.press("j");
    const link = page.getByRole("link", { name: /rather-long-name/ });
    await expect(link).toBeFocused();
    await expect
      .poll(() => link.evaluate((element) => Number.parseFloat(getComputedStyle(element).outlineWidth)))
      .toBeGreaterThanOrEqual(2);
  });
  await test.step("the theme is there before the first paint, follows the system, and a choice of one's own outlives a reload", async () => {
    const paper = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    const scheme = () => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme);
    await page.emulateMedia({ forcedColors: "none", colorScheme: "light" });
    await page.goto(paths.keys(workspace.slug));
    const light = await paper();
    await page.emulateMedia({ colorScheme: "dark" });
    await expect.poll(paper).not.toBe(light);
    await page.getByRole("button", { name: /^Account/ }).click();
    await page.getByRole("menuitemradio", { name: "Light" }).click();
    await expect.poll(paper).toBe(light);
    await page.reload({ waitUntil: "commit" });
    // nothing is painted before the style sheet is there
    await page.waitForFunction(() => document.body !== null && document.styleSheets.length > 0);
    expect(await paper()).toBe(light);
    expect(await scheme()).toBe("light");
  });
});
