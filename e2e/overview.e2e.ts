import { paths } from "#console/paths.ts";
import { createEmbeddings } from "#contract/embeddings.ts";
import { createKey } from "#contract/keys.ts";
import { apiOf, type Api } from "./api.ts";
import { expect, test } from "./fixtures.ts";

const hourMs = 3_600_000;

test("overview: what needs attention, with the one thing to do about it", async ({
  signedIn: page,
  gateway,
  api,
  workspace,
}) => {
  const body = { workspace_id: workspace.id };
  await api(createKey, { body: { ...body, name: "spent", limit: 0 } });
  const expires_at = new Date(Date.now() + 5.5 * hourMs).toISOString();
  const { data: ending } = await api(createKey, { body: { ...body, name: "ending", expires_at } });
  await api(createKey, { body: { ...body, name: "calm" } });

  await page.goto(gateway.url + paths.overview(workspace.slug));
  const items = page.getByRole("listitem").filter({ has: page.getByRole("link", { name: /: (spent|ending|calm) / }) });
  await expect(items).toHaveCount(2);
  await expect(items.nth(0)).toContainText("spent is over its limit");
  await expect(items.nth(1)).toContainText("ending expires in 5 h");
  await page.getByRole("link", { name: /^Extend/ }).click();
  await expect(page).toHaveURL(gateway.url + paths.editKey(workspace.slug, ending.hash));
});

test("overview: the figures lead to what they count", async ({ signedIn: page, gateway, api, workspace }) => {
  await api(createKey, { body: { name: "over", limit: 0, workspace_id: workspace.id } });
  await page.goto(gateway.url + paths.overview(workspace.slug));
  const figures = page.getByRole("region", { name: "the keys by status" });
  await expect(figures.getByRole("link")).toHaveText(["0", "1", "0", "0"]);
  await figures.getByRole("link").nth(1).click();
  await expect(page).toHaveURL(/\/keys\?status=over_limit/);
});

test("overview: the three first steps tick themselves and go for good", async ({
  signedIn: page,
  gateway,
  api,
  workspace,
}) => {
  await page.goto(gateway.url + paths.overview("all"));
  const { key } = await api(createKey, { body: { name: "first", workspace_id: workspace.id } });
  await page.reload();
  const steps = page.getByRole("region", { name: "Three steps to the first answer" });
  // another journey on this gateway may have made the first call already
  if (await steps.isVisible()) await expect(steps.getByRole("listitem").nth(1)).toContainText("done");

  const caller: Api = apiOf(gateway, key);
  await caller(createEmbeddings, { body: { model: "gatehouse/lexical", input: "hello" } });
  await page.reload();
  await expect(page.getByRole("heading", { name: "Overview" })).toBeVisible();
  await expect(steps).toHaveCount(0);
  expect(await page.evaluate(() => localStorage.getItem("gatehouse.first-steps"))).toBe("done");
});

test("overview: a part that fails does not take the others with it", async ({ signedIn: page, gateway, workspace }) => {
  await page.route("**/api/v1/keys/count*", (route) =>
    route.fulfill({
      status: 503,
      json: { error: { code: 503, message: "the store does not answer", metadata: { error_type: "unavailable" } } },
    }),
  );
  await page.goto(gateway.url + paths.overview(workspace.slug));
  await expect(page.getByText("“the store does not answer”")).toBeVisible();
  await expect(page.getByRole("heading", { name: /Spent this month/ })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Needs attention" })).toBeVisible();
  await page.unroute("**/api/v1/keys/count*");
  await page.getByRole("button", { name: "Retry" }).click();
  await expect(page.getByRole("heading", { name: "Active keys" })).toBeVisible();
});
