import type { Locator, Page } from "@playwright/test";
import { createKey } from "#contract/keys.ts";
import { paths } from "#console/paths.ts";
import { animated, expect, pressEscape, test } from "./fixtures.ts";
import { openNewKey, submitNewKey } from "./key-form.ts";

test.use(animated);

/** Enter would go there. */
const chosen = (page: Page, name: string) => expect(page.getByRole("option", { name, selected: true })).toBeVisible();

const ways: Record<string, (page: Page, panel: Locator) => Promise<unknown>> = {
  X: (_, panel) => panel.getByRole("button", { name: "Close", exact: true }).click(),
  Esc: (_, panel) => pressEscape(panel),
  Cancel: (_, panel) => panel.getByRole("button", { name: /^Cancel/ }).click(),
  Back: (page) => page.goBack(),
  "a page of the command menu": async (page) => {
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Search or jump to" }).fill("audit");
    await chosen(page, "Audit log");
    await page.keyboard.press("Enter");
  },
  "another workspace": async (page) => {
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Search or jump to" }).fill("all workspaces");
    await chosen(page, "All workspaces");
    await page.keyboard.press("Enter");
  },
};

test("leave guard: every way out of a changed form asks", async ({ signedIn: page, part, gateway, api }) => {
  for (const [name, leave] of Object.entries(ways)) {
    await part(name, async (workspace) => {
      await page.goto(paths.keys(workspace.slug));
      const create = page.getByRole("link", { name: /^Create key/ });
      const panel = page.getByRole("dialog", { name: "Create an API key" });
      const question = panel.getByRole("group", { name: "Leave without saving?" });
      await create.click();
      await panel.getByLabel("Name").fill("half-done");
      await leave(page, panel);
      await expect(question).toBeVisible();
      await expect(question.getByRole("button", { name: /^Keep editing/ })).toBeFocused();
      await page.keyboard.press("Escape");
      await expect(question).toBeHidden();
      await expect(panel.getByLabel("Name")).toHaveValue("half-done");
      // Back has moved the browser already, and is taken back
      await expect(page).toHaveURL(paths.newKey(workspace.slug));
      await leave(page, panel);
      await question.getByRole("button", { name: "Leave" }).click();
      await expect(panel).toBeHidden();

      await page.goto(paths.keys(workspace.slug));
      await create.click();
      await expect(panel.getByLabel("Name")).toHaveValue("");
      await leave(page, panel);
      await expect(panel).toBeHidden();
      await expect(question).toHaveCount(0);
    });
  }
  await part("signing out asks before a changed form is lost, and signs out only then", async (workspace) => {
    await page.goto(paths.newKey(workspace.slug));
    const panel = page.getByRole("dialog", { name: "Create an API key" });
    await panel.getByLabel("Name").fill("half-done");
    const signOut = async () => {
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox", { name: "Search or jump to" }).fill("sign out");
      await chosen(page, "Sign out");
      await page.keyboard.press("Enter");
    };
    await signOut();
    const question = panel.getByRole("group", { name: "Leave without saving?" });
    await expect(question.getByRole("button", { name: /^Keep editing/ })).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(question).toBeHidden();
    await expect(panel.getByLabel("Name")).toHaveValue("half-done");
    expect((await page.request.get(`${gateway.url}/api/v1/session`)).status()).toBe(200);
    await signOut();
    await question.getByRole("button", { name: "Leave" }).click();
    await expect(page.getByLabel("Management key")).toBeVisible();
    expect((await page.request.get(`${gateway.url}/api/v1/session`)).status()).toBe(401);
  });
  await part("signing out in another tab keeps a changed form under the sign-in dialog", async (workspace) => {
    const panel = await openNewKey(page, gateway.url, workspace.slug);
    await panel.getByLabel("Name").fill("half-done");
    const other = await page.context().newPage();
    await other.goto(paths.keys(workspace.slug));
    await other.getByRole("button", { name: /^Account/ }).click();
    await other.getByRole("menuitem", { name: "Sign out" }).click();
    await expect(other.getByLabel("Management key")).toBeVisible();
    const again = page.getByRole("dialog", { name: "Your session ended" });
    await again.getByLabel("Management key").fill(gateway.managementKey);
    await again.getByRole("button", { name: "Sign in" }).click();
    await expect(again).toBeHidden();
    await expect(page).toHaveURL(paths.newKey(workspace.slug));
    await expect(panel.getByLabel("Name")).toHaveValue("half-done");
    expect((await submitNewKey(page)).record).toMatchObject({ name: "half-done" });
  });
  await part("closing the tab gets the browser's question only while something would be lost", async (workspace) => {
    const { data: key } = await api(createKey, { body: { name: "edited", workspace_id: workspace.id } });
    const asked: string[] = [];
    page.on("dialog", (dialog) => {
      asked.push(dialog.type());
      void dialog.dismiss();
    });
    await page.goto(paths.editKey(workspace.slug, key.hash));
    const panel = page.getByRole("dialog", { name: "Edit edited" });
    await panel.getByLabel("Name").fill("edited-more");
    await page.close({ runBeforeUnload: true });
    await expect.poll(() => asked).toEqual(["beforeunload"]);
    await panel.getByLabel("Name").fill("edited");
    await expect(panel.getByText("No changes yet")).toBeVisible();
    const closed = page.waitForEvent("close");
    await page.close({ runBeforeUnload: true });
    await closed;
    expect(asked).toEqual(["beforeunload"]);
  });
});
