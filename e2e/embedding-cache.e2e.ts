import { getWorkspace } from "#contract/workspaces.ts";
import { paths } from "#console/paths.ts";
import { chooseFromRow, expect, expectToast, holdToasts, test } from "./fixtures.ts";

test("the embedding cache is turned on, and says what it holds", async ({ signedIn: page, part, api }) => {
  await part("it is turned on in its settings, and its page says what it holds and saved", async (workspace) => {
    await page.goto(paths.workspaceCache("all", workspace.slug));
    await expect(page.getByText("It is off.")).toBeVisible();
    await expect(page.getByRole("button", { name: "Empty the cache" })).toBeHidden();
    await page.getByRole("link", { name: "Its settings" }).click();
    const panel = page.getByRole("dialog", { name: `Edit ${workspace.name}` });
    await panel.getByText("Advanced: embedding cache").click();
    await panel.getByLabel(/^Cache size, MB/).fill("0");
    await panel.getByRole("button", { name: /^Save changes/ }).click();
    await expect(panel.getByLabel(/^Cache size, MB/)).toHaveAttribute("aria-invalid", "true");
    await panel.getByLabel(/^Cache size, MB/).fill("64");
    await panel.getByLabel(/^Oldest vector, days/).fill("");
    await holdToasts(page);
    await panel.getByRole("button", { name: /^Save changes/ }).click();
    await expectToast(page, `${workspace.name} was saved.`);
    expect((await api(getWorkspace, { params: { id: workspace.id } })).data).toMatchObject({
      embedding_cache_mb: 64,
      embedding_cache_days: null,
    });
    await page.goto(paths.workspaceCache("all", workspace.slug));
    await expect(page.getByRole("heading", { name: `Embedding cache of ${workspace.name}` })).toBeVisible();
    await expect(page.getByText("0 vectors")).toBeVisible();
    await expect(page.getByText("As long as there is room")).toBeVisible();
    await expect(page.getByText("In the last 30 days it answered no input.")).toBeVisible();
    await expect(page.getByRole("button", { name: "Empty the cache" })).toHaveAttribute("aria-disabled", "true");
  });
  await part("a workspace's embedding cache opens from its row", async (workspace) => {
    await page.goto(paths.workspaces(workspace.slug));
    await chooseFromRow(page, workspace.slug, "Embedding cache");
    await expect(page).toHaveURL(paths.workspaceCache(workspace.slug, workspace.slug));
  });
});
