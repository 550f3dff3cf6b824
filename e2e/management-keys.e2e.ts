import { randomBytes } from "node:crypto";
import type { Locator, Page } from "@playwright/test";
import {
  createManagementKey,
  deleteManagementKey,
  listManagementKeys,
  updateManagementKey,
  type ManagementKeyRecord,
} from "#contract/management-keys.ts";
import { paths } from "#console/paths.ts";
import {
  browserResidue,
  chooseFromRow,
  comeBack,
  expect,
  expectToast,
  readOnlyAfterSaving,
  row,
  signIn,
  test,
} from "./fixtures.ts";
import { randomPart, revealOf } from "./key-form.ts";

/** Presses the panel's button and waits for the once-only view; the key is read from the gateway's answer. */
async function shownAfter(page: Page, button: string | RegExp): Promise<{ panel: Locator; key: string }> {
  const answered = page.waitForResponse(
    (response) => response.request().method() === "POST" && response.url().includes("/management-keys"),
  );
  await page.getByRole("button", { name: button }).click();
  const { key } = (await (await answered).json()) as { key: string; data: ManagementKeyRecord };
  return { panel: await revealOf(page), key };
}

/** All journeys of a worker see the same management keys: each knows its own by its name. */
const ownName = (): string => randomBytes(4).toString("hex");

const signInStatus = async (page: Page, url: string, key: string): Promise<number> =>
  (await page.request.post(`${url}/api/v1/session`, { data: { management_key: key } })).status();

test("a management key signs in, until it is disabled", async ({ signedIn: page, gateway, browser }) => {
  const name = `Maria, on call ${ownName()}`;
  await page.goto(paths.overview("all"));
  await page.getByRole("button", { name: /^Account/ }).click();
  await page.getByRole("menuitem", { name: "Management keys" }).click();
  await page.getByRole("link", { name: "Create management key" }).click();
  const form = page.getByRole("dialog", { name: "Create a management key" });
  await form.getByLabel("Name").fill(name);
  const { panel, key } = await shownAfter(page, /^Create key/);
  expect(await page.content()).not.toContain(randomPart(key));
  await expect(panel.getByRole("region", { name: "A first call with curl" })).toContainText(
    "$GATEHOUSE_MANAGEMENT_KEY",
  );
  await panel.getByLabel("I have stored it").check();
  await panel.getByRole("button", { name: "Done" }).click();
  await expect(panel).toBeHidden();
  await expect(row(page, name)).toContainText("Never");
  await expect(row(page, /this session/)).toContainText("Now");
  expect(await browserResidue(page)).not.toContain(randomPart(key));

  const other = await browser.newContext();
  const hers = await other.newPage();
  await signIn(hers, gateway.url, key);
  await page.reload();
  await expect(row(page, name).getByRole("cell", { name: "1", exact: true })).toBeVisible();
  await chooseFromRow(page, name, "Disable");
  const dialog = page.getByRole("dialog", { name: `Disable ${name}` });
  await expect(dialog).toContainText("one session that is signed in with it ends");
  await expect(dialog.getByRole("button", { name: "Cancel" })).toBeFocused();
  await dialog.getByRole("button", { name: "Disable key" }).click();
  await expectToast(page, `${name} is disabled.`);
  await expect(row(page, name)).toContainText("Disabled");
  expect((await hers.request.get(`${gateway.url}/api/v1/keys`)).status()).toBe(401);
  expect(await signInStatus(hers, gateway.url, key)).toBe(401);
  await other.close();
});

test("a management key is replaced or disabled under its own session", async ({ page, part, gateway, api }) => {
  await part("a replaced one begins on the chosen radio, and its session goes on", async () => {
    const name = `weekly-report-${ownName()}`;
    const { data: old, key } = await api(createManagementKey, { body: { name } });
    await signIn(page, gateway.url, key);
    await page.goto(paths.managementKeys("all"));
    await expect(row(page, name)).toContainText("this session");
    await chooseFromRow(page, name, "Replace");
    const form = page.getByRole("dialog", { name: `Replace ${name}` });
    await expect(form.getByRole("radio", { name: "24 hours" })).toBeFocused();
    await expect(form).toContainText("You stay signed in");
    const { panel } = await shownAfter(page, /^Replace key/);
    await expect(panel.getByText(/^The old key works until/)).toBeVisible();
    await panel.getByRole("button", { name: "Close", exact: true }).click();
    const gate = page.getByRole("group", { name: /You have not saved this key/ });
    await expect(gate).toContainText("deleting it signs you out");
    await gate.getByRole("button", { name: "Close and keep the key" }).click();
    await expect(panel).toBeHidden();
    const { data } = await api(listManagementKeys);
    const successor = data.find(({ replaces }) => replaces === old.hash);
    await expect(row(page, name, /Replaced/)).toContainText("Works until");
    await expect(row(page, name, /Active/)).toContainText("this session");
    expect(successor?.sessions).toBe(1);
  });
  await part("who disables the key of this session is asked to sign in with another one", async () => {
    const name = `own-${ownName()}`;
    const { key } = await api(createManagementKey, { body: { name } });
    await signIn(page, gateway.url, key);
    await page.goto(paths.managementKeys("all"));
    await chooseFromRow(page, name, "Disable");
    await page
      .getByRole("dialog", { name: `Disable ${name}` })
      .getByRole("button", { name: "Disable key" })
      .click();
    const again = page.getByRole("dialog", { name: "Your session ended" });
    await expect(again).toContainText("no longer works. Sign in with another one");
    await again.getByLabel("Management key").fill(gateway.managementKey);
    await again.getByRole("button", { name: "Sign in" }).click();
    await expect(again).toBeHidden();
    await expect(row(page, name)).toContainText("Disabled");
  });
});

test("the last management key stays, and others are edited", async ({ signedIn: page, part, api }) => {
  await part("the last management key that works is not ended, and the dialog says why", async () => {
    const { data } = await api(listManagementKeys);
    const own = data.find(({ current }) => current);
    if (!own) throw new Error("the journey's own key is not listed");
    // what other journeys left behind could go on managing
    const others = data.filter(({ current, disabled }) => !current && !disabled);
    for (const { hash } of others) await api(updateManagementKey, { params: { hash }, body: { disabled: true } });
    await page.goto(paths.managementKeys("all"));
    await page
      .getByRole("button", { name: `Actions for ${own.name}` })
      .first()
      .click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    const dialog = page.getByRole("alertdialog", { name: `Delete ${own.name}` });
    await dialog.getByRole("textbox").fill(own.name);
    await dialog.getByRole("button", { name: "Delete key" }).click();
    await expect(dialog.getByRole("alert")).toContainText("last management key that works");
    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
  });
  await part("a management key deleted elsewhere takes no form with it that was filled in", async () => {
    const name = `edited-${ownName()}`;
    const { data } = await api(createManagementKey, { body: { name } });
    await page.goto(paths.editManagementKey("all", data.hash));
    const panel = page.getByRole("dialog", { name: `Edit ${name}` });
    await panel.getByLabel("Name").fill("half-done");
    await api(deleteManagementKey, { params: { hash: data.hash } });
    const notice = panel.getByRole("alert").filter({ hasText: "This key was deleted elsewhere" });
    await comeBack(page, () => notice.isVisible());
    await expect(panel.getByLabel("Name")).toHaveValue("half-done");
  });
  await part("what somebody else changed of a management key meanwhile is shown and kept", async () => {
    const name = `shared-${ownName()}`;
    const { data } = await api(createManagementKey, { body: { name } });
    const params = { hash: data.hash };
    await page.goto(paths.editManagementKey("all", data.hash));
    const panel = page.getByRole("dialog", { name: `Edit ${name}` });
    await panel.getByLabel("Name").fill(`${name}-mine`);
    await readOnlyAfterSaving(page, `/management-keys/${data.hash}`);
    await api(updateManagementKey, { params, body: { expires_at: "2300-01-01T00:00:00Z" } });
    await panel.getByRole("button", { name: /^Save changes/ }).click();
    const notice = panel.getByRole("status").filter({ hasText: "Someone else changed this key." });
    await expect(notice).toContainText("Never → ");
    await expect(panel.getByLabel("Name")).toHaveValue(`${name}-mine`);
    await panel.getByRole("button", { name: /^Save changes/ }).click();
    await expect(panel).toBeHidden();
    const { data: keys } = await api(listManagementKeys, {});
    expect(keys.find(({ hash }) => hash === data.hash)).toMatchObject({
      name: `${name}-mine`,
      expires_at: "2300-01-01T00:00:00.000Z",
    });
  });
  await part("a management key that is deleted leaves the focus to the next row", async () => {
    const name = `left-${ownName()}`;
    await api(createManagementKey, { body: { name } });
    await page.goto(paths.managementKeys("all"));
    await expect(row(page, name)).toBeVisible();
    const menus = page.getByRole("button", { name: /^Actions for/ });
    const labels = await menus.evaluateAll((all) => all.map((one) => one.getAttribute("aria-label") ?? ""));
    const at = labels.indexOf(`Actions for ${name}`);
    const next = labels[at + 1] ?? labels[at - 1] ?? "";
    await chooseFromRow(page, name, "Delete");
    const dialog = page.getByRole("alertdialog", { name: `Delete ${name}` });
    await dialog.getByRole("textbox").fill(name);
    await dialog.getByRole("button", { name: "Delete key" }).click();
    await expect(dialog).toBeHidden();
    await expect(row(page, name)).toHaveCount(0);
    await expect(page.getByRole("button", { name: next, exact: true }).and(page.locator(":focus"))).toHaveCount(1);
  });
});
