import { getKey } from "#contract/keys.ts";
import { paths } from "#console/paths.ts";
import { browserResidue, expect, expectToast, test } from "./fixtures.ts";
import { gateOf, randomPart, showNewKey, submitNewKey } from "./key-form.ts";

test("reveal-gate: Esc, a click outside, a tick taken back", async ({ signedIn: page, part, gateway }) => {
  await part("no number of Escs closes it; each second one goes back", async (workspace) => {
    const { panel } = await showNewKey(page, gateway.url, workspace.slug, "esc");
    const gate = gateOf(page);
    for (let press = 0; press < 3; press++) {
      await page.keyboard.press("Escape");
      await expect(gate).toBeVisible();
      await expect(gate.getByRole("button", { name: /^Go back/ })).toBeFocused();
      await page.keyboard.press("Escape");
      await expect(gate).toBeHidden();
      await expect(panel).toBeVisible();
    }
    await expect(panel.getByRole("button", { name: "Copy key" })).toBeFocused();
  });
  await part("a click outside does nothing at all", async (workspace) => {
    const { panel } = await showNewKey(page, gateway.url, workspace.slug, "outside");
    await page.mouse.click(300, 400);
    await page.mouse.dblclick(20, 20);
    await expect(panel).toBeVisible();
    await expect(gateOf(page)).toHaveCount(0);
    await panel.getByText("I have stored it").click();
    await page.mouse.click(300, 400);
    await expect(panel).toBeVisible();
  });
  await part("ticking “I have stored it” opens it, and taking the tick back closes it again", async (workspace) => {
    const { panel } = await showNewKey(page, gateway.url, workspace.slug, "ticked");
    const tick = panel.getByRole("checkbox", { name: "I have stored it" });
    await tick.check();
    await tick.uncheck();
    await page.keyboard.press("Escape");
    await expect(gateOf(page).getByRole("button", { name: /^Go back/ })).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(gateOf(page)).toBeHidden();
    await tick.check();
    await page.keyboard.press("Escape");
    await expect(panel).toBeHidden();
  });
});

test("reveal-gate: kept or deleted on every way out", async ({ signedIn: page, part, gateway, api }) => {
  for (const way of ["Done", "Close"] as const) {
    await part(`${way} asks first, answers are reached by Tab, and keeping it keeps it`, async (workspace) => {
      const { panel, record } = await showNewKey(page, gateway.url, workspace.slug, "done");
      await panel.getByRole("button", { name: way, exact: true }).click();
      const gate = gateOf(page);
      // one dialog, no second one over it
      await expect(page.getByRole("dialog")).toHaveCount(1);
      for (const answer of [/^Go back/, "Close and delete the key", "Close and keep the key", /^Go back/]) {
        await expect(gate.getByRole("button", { name: answer })).toBeFocused();
        await page.keyboard.press("Tab");
      }
      await page.keyboard.press("Shift+Tab");
      await expect(gate.getByRole("button", { name: /^Go back/ })).toBeFocused();
      await page.keyboard.press("Enter");
      await expect(gate).toBeHidden();
      await expect(panel).toBeVisible();
      await panel.getByRole("button", { name: way, exact: true }).click();
      await gate.getByRole("button", { name: "Close and keep the key" }).click();
      await expect(panel).toBeHidden();
      await expect(page.getByRole("link", { name: "done" })).toBeFocused();
      expect((await api(getKey, { params: { hash: record.hash } })).data.status).toBe("active");
    });
  }
  await part("an unsaved key can be deleted on the way out", async (workspace) => {
    const { panel, record } = await showNewKey(page, gateway.url, workspace.slug, "unsaved");
    await panel.getByRole("button", { name: "Done" }).click();
    await gateOf(page).getByRole("button", { name: "Close and delete the key" }).click();
    await expect(panel).toBeHidden();
    await expectToast(page, "unsaved was deleted.");
    await expect(page.getByRole("link", { name: "unsaved" })).toHaveCount(0);
    await expect(page.getByRole("link", { name: /^Create key/ })).toBeFocused();
    await expect(api(getKey, { params: { hash: record.hash } })).rejects.toThrow("404");
  });
  await part("a deletion that fails says so and leaves the key in reach", async (workspace) => {
    const { panel } = await showNewKey(page, gateway.url, workspace.slug, "undeletable");
    await page.route("**/api/v1/keys/*", (route) =>
      route.request().method() === "DELETE"
        ? route.fulfill({ status: 500, json: { error: { code: 500, message: "The store is full." } } })
        : route.continue(),
    );
    await panel.getByRole("button", { name: "Done" }).click();
    await gateOf(page).getByRole("button", { name: "Close and delete the key" }).click();
    await expect(gateOf(page).getByRole("alert")).toHaveText("The key was not deleted. The store is full.");
    await gateOf(page)
      .getByRole("button", { name: /^Go back/ })
      .click();
    await expect(panel.getByRole("button", { name: "Copy key" })).toBeVisible();
  });
  await part("Back asks too; going back to the key keeps it, leaving leaves", async (workspace) => {
    await page.goto(paths.keys(workspace.slug));
    await page.getByRole("link", { name: /^Create key/ }).click();
    await page.getByRole("dialog").getByLabel("Name").fill("back");
    const { panel } = await submitNewKey(page);
    await page.goBack();
    await expect(gateOf(page)).toBeVisible();
    await gateOf(page)
      .getByRole("button", { name: /^Go back/ })
      .click();
    await expect(panel).toBeVisible();
    await expect(page).toHaveURL(paths.newKey(workspace.slug));
    await page.goBack();
    await gateOf(page).getByRole("button", { name: "Close and keep the key" }).click();
    await expect(panel).toBeHidden();
    await expect(page).toHaveURL(paths.keys(workspace.slug));
    await expect(page.getByRole("link", { name: "back", exact: true })).toBeVisible();
    // the once-only view is in no entry of the history
    await page.goForward();
    await expect(panel).toHaveCount(0);
  });
  await part("R-16: after a reload the key is gone, and the list asks once about it", async (workspace) => {
    const { key, record } = await showNewKey(page, gateway.url, workspace.slug, "reloaded");
    page.on("dialog", (dialog) => void dialog.accept());
    await page.reload();
    await expect(page).toHaveURL(paths.keys(workspace.slug));
    const notice = page.getByRole("alert").filter({ hasText: /You created reloaded .* and may not have saved it/ });
    await expect(notice).toBeVisible();
    await expect(page.getByRole("dialog")).toHaveCount(0);
    expect(await page.content()).not.toContain(randomPart(key));
    expect(await browserResidue(page)).not.toContain(randomPart(key));
    await notice.getByRole("button", { name: "Delete it" }).click();
    await expect(notice).toBeHidden();
    await expect(api(getKey, { params: { hash: record.hash } })).rejects.toThrow("404");
    await page.reload();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("API keys");
    await expect(notice).toHaveCount(0);
  });
  await part("a key that was taken leaves no notice behind", async (workspace) => {
    const { panel } = await showNewKey(page, gateway.url, workspace.slug, "taken");
    await panel.getByText("I have stored it").click();
    await page.reload();
    await page.goto(paths.keys(workspace.slug));
    await expect(page.getByRole("link", { name: "taken" })).toBeVisible();
    await expect(page.getByRole("alert").filter({ hasText: "may not have saved it" })).toHaveCount(0);
  });
});
