import type { Page } from "@playwright/test";
import { createKey } from "#contract/keys.ts";
import { paths } from "#console/paths.ts";
import { expect, pressEscape, test } from "./fixtures.ts";
import { submitNewKey } from "./key-form.ts";

const h1 = (page: Page) => page.getByRole("heading", { level: 1 });

/** What the browser's Back leads to, once a panel was opened from a page and closed again. */
async function goBack(page: Page): Promise<void> {
  await page.goBack();
  await expect(page.getByRole("dialog")).toHaveCount(0);
}

test("back: a panel that was left is no step, whatever way it was left", async ({ signedIn: page, part, api }) => {
  await part("a panel that was opened and closed leaves no step behind", async (workspace) => {
    const { data: key } = await api(createKey, { body: { name: "steady", workspace_id: workspace.id } });
    await page.goto(paths.workspaces(workspace.slug));
    await expect(h1(page)).toHaveText("Workspaces");
    await page.getByRole("link", { name: /^API keys/ }).click();
    await page.getByRole("link", { name: "steady" }).click();
    await expect(h1(page)).toHaveText("steady");

    for (const close of ["Escape", "Cancel", "Close", "Escape after a reload"]) {
      await page.getByRole("link", { name: "Edit", exact: true }).click();
      await expect(page.getByRole("dialog", { name: "Edit steady" })).toBeVisible();
      if (close.endsWith("reload")) await page.reload();
      await expect(page.getByRole("dialog", { name: "Edit steady" })).toBeVisible();
      if (close.startsWith("Escape")) await pressEscape(page.getByRole("dialog"));
      else await page.getByRole("button", { name: new RegExp(`^${close}`) }).click();
      await expect(page.getByRole("dialog")).toHaveCount(0);
      await expect(page).toHaveURL(paths.key(workspace.slug, key.hash));
      // the focus is never lost: after a reload nothing had it before
      const edit = page.getByRole("link", { name: "Edit", exact: true });
      await expect(close.endsWith("reload") ? h1(page) : edit).toBeFocused();
    }
    await goBack(page);
    await expect(h1(page)).toHaveText("API keys");

    await page.getByRole("link", { name: /^Create key/ }).click();
    await page.getByRole("dialog").getByLabel("Name").fill("made-once");
    const { panel } = await submitNewKey(page);
    await panel.getByText("I have stored it").click();
    await panel.getByRole("button", { name: "Done" }).click();
    await expect(page.getByRole("link", { name: "made-once" })).toBeFocused();
    await goBack(page);
    await expect(h1(page)).toHaveText("Workspaces");
  });
  await part("two steps are left in one; one opened by its address gives way to its page", async (workspace) => {
    await page.goto(paths.models(workspace.slug));
    await page.getByRole("link", { name: /^Providers/ }).click();
    await page.getByRole("link", { name: /^Add provider/ }).click();
    await page
      .getByRole("dialog")
      .getByRole("link", { name: /Ollama/ })
      .first()
      .click();
    await pressEscape(page.getByRole("dialog", { name: /Ollama/ }));
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await expect(h1(page)).toHaveText("Providers");
    await goBack(page);
    await expect(h1(page)).toHaveText("Models");

    await page.goto(paths.addCredits(workspace.slug));
    await pressEscape(page.getByRole("dialog"));
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await goBack(page);
    await expect(h1(page)).toHaveText("Models");
  });
  await part("with something typed, closing asks first, and leaving still leaves no step", async (workspace) => {
    await page.goto(paths.models(workspace.slug));
    await page.getByRole("link", { name: /^API keys/ }).click();
    await page.getByRole("link", { name: /^Create key/ }).click();
    await page.getByRole("dialog").getByLabel("Name").fill("half a thought");
    await page.keyboard.press("Escape");
    await expect(page.getByText("Leave without saving?")).toBeVisible();
    await page.getByRole("button", { name: /^Keep editing/ }).click();
    await expect(page.getByRole("dialog").getByLabel("Name")).toHaveValue("half a thought");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Leave" }).click();
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await goBack(page);
    await expect(h1(page)).toHaveText("Models");
  });
});
