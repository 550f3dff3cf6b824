import { readFile } from "node:fs/promises";
import { paths } from "#console/paths.ts";
import { createKey, getKey, updateKey } from "#contract/keys.ts";
import { expect, expectToast, test } from "./fixtures.ts";

test("audit: a change is read member by member and taken back", async ({ signedIn: page, gateway, api, workspace }) => {
  const { data: key } = await api(createKey, { body: { name: "audited", limit: 5, workspace_id: workspace.id } });
  await api(updateKey, { params: { hash: key.hash }, body: { limit: 50, name: "audited again" } });

  await page.goto(gateway.url + paths.audit(workspace.slug));
  await page.getByRole("button", { name: "Changed key audited again, details" }).click();
  const limit = page.getByRole("row", { name: /^limit/ });
  await expect(limit.getByRole("cell").nth(0)).toHaveText("5");
  await expect(limit.getByRole("cell").nth(1)).toHaveText("50");

  await page.getByRole("button", { name: "Revert this change" }).click();
  await page.getByRole("button", { name: "Revert the change" }).click();
  await expectToast(page, "audited again is as it was before.");
  expect((await api(getKey, { params: { hash: key.hash } })).data).toMatchObject({ name: "audited", limit: 5 });
  await expect(page.getByRole("button", { name: /^Changed key/ })).toHaveCount(2);
});

test("audit: a change that was changed again since is not taken back", async ({
  signedIn: page,
  gateway,
  api,
  workspace,
}) => {
  const { data: key } = await api(createKey, { body: { name: "moving", workspace_id: workspace.id } });
  await api(updateKey, { params: { hash: key.hash }, body: { limit: 5 } });
  await api(updateKey, { params: { hash: key.hash }, body: { limit: 7 } });

  await page.goto(gateway.url + paths.audit(workspace.slug));
  await page
    .getByRole("button", { name: /^Changed key/ })
    .nth(1)
    .click();
  await page.getByRole("button", { name: "Revert this change" }).click();
  await expect(page.getByText("Changed again since, so it can't be taken back alone: limit.")).toBeVisible();
  expect((await api(getKey, { params: { hash: key.hash } })).data.limit).toBe(7);
});

test("audit: filters live in the address, and an export holds every change that matches them", async ({
  signedIn: page,
  gateway,
  api,
  workspace,
}) => {
  const made = 60;
  for (let index = 0; index < made; index += 1) {
    await api(createKey, { body: { name: `=cell-${index}`, workspace_id: workspace.id } });
  }
  await page.goto(gateway.url + paths.audit(workspace.slug));
  await page.getByLabel("What was done").selectOption("Created key");
  await expect(page).toHaveURL(/action=createKeys/);
  await expect(page.getByRole("button", { name: /^Created key/ })).toHaveCount(50);
  await page.getByRole("button", { name: "Show older changes" }).click();
  await expect(page.getByRole("button", { name: /^Created key/ })).toHaveCount(made);

  await page.reload();
  await expect(page.getByLabel("What was done")).toHaveValue("createKeys");
  await page.getByRole("button", { name: "Export" }).click();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("menuitem", { name: "As CSV" }).click(),
  ]);
  const lines = (await readFile(await download.path(), "utf8")).trim().split("\r\n");
  expect(lines).toHaveLength(made + 1);
  // a name that a spreadsheet would run as a formula is text in the file
  expect(lines.filter((line) => line.includes(",'=cell-"))).toHaveLength(made);

  await page.getByLabel("Made by").fill("nobody");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "No change matches these filters" })).toBeVisible();
  await page.getByRole("button", { name: "Clear filters" }).first().click();
  await expect(page).toHaveURL(gateway.url + paths.audit(workspace.slug));
  await expect(page.getByLabel("Made by")).toHaveValue("");
  await expect(page.getByRole("button", { name: /^Created key/ })).toHaveCount(50);
});

test("audit: changes made meanwhile wait above the list until they are asked for", async ({
  signedIn: page,
  gateway,
  api,
  workspace,
}) => {
  await page.clock.install();
  await page.goto(gateway.url + paths.audit(workspace.slug));
  await expect(page.getByRole("button", { name: /details/ })).toHaveCount(1);
  await api(createKey, { body: { name: "meanwhile", workspace_id: workspace.id } });
  await page.clock.runFor(31_000);
  await expect(page.getByText("1 new")).toBeVisible();
  await expect(page.getByRole("button", { name: /details/ })).toHaveCount(1);
  await page.getByRole("button", { name: "Show", exact: true }).click();
  await expect(page.getByRole("button", { name: "Created key meanwhile, details" })).toBeVisible();
});
