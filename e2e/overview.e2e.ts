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

test("overview: the figures come from the ledger, and lead to what they count", async ({
  signedIn: page,
  gateway,
  api,
  workspace,
}) => {
  const { key } = await api(createKey, { body: { name: "caller", workspace_id: workspace.id } });
  const caller: Api = apiOf(gateway, key);
  for (const input of ["one two", "three"]) {
    await caller(createEmbeddings, { body: { model: "gatehouse/lexical", input } });
  }
  await page.goto(gateway.url + paths.overview(workspace.slug));
  for (const label of ["Spend today", "This week, since Mon 00:00 UTC", "This month"]) {
    await expect(page.getByRole("heading", { name: label })).toBeVisible();
  }
  const calls = page.getByRole("region", { name: "the calls of the last 7 days" });
  await expect(calls.getByRole("link").nth(0)).toHaveText("2");
  await expect(page.getByText("2 calls in the last 7 days, at no cost.")).toBeVisible();
  await expect(page.getByRole("region", { name: "how long calls took" }).getByRole("link")).toHaveText(/ m?s$/);
  await page.getByRole("slider", { name: /Calls per hour/ }).press("ArrowLeft");
  await expect(page.getByText(/: 2$/)).toBeVisible();
  await calls.getByRole("link", { name: "0%" }).click();
  await expect(page).toHaveURL(/\/calls\?status=failed/);
});

test("overview: the range and what it is told apart by live in the address", async ({
  signedIn: page,
  gateway,
  workspace,
}) => {
  await page.goto(gateway.url + paths.overview(workspace.slug));
  await page.getByRole("radio", { name: "Custom" }).click();
  await page.getByLabel("From", { exact: true }).fill("2026-11-03");
  await page.getByLabel("to", { exact: true }).fill("2026-11-09");
  await page.getByLabel("to", { exact: true }).press("Enter");
  await expect(page).toHaveURL(/range=custom.*from=2026-11-03.*to=2026-11-09/);
  await expect(page.getByText(/No calls in 3 Nov/)).toBeVisible();
  await page.getByLabel("Tell the spend apart").selectOption("model");
  await expect(page).toHaveURL(/group=model/);
  await page.keyboard.press("Escape");
  await page.getByRole("heading", { level: 1 }).click();
  await page.keyboard.press("3");
  await expect(page).toHaveURL(/range=30d/);
  await expect(page.getByText("No calls in the last 30 days.")).toBeVisible();
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
  await page.route("**/api/v1/usage/latency*", (route) =>
    route.fulfill({
      status: 503,
      json: { error: { code: 503, message: "the store does not answer", metadata: { error_type: "unavailable" } } },
    }),
  );
  await page.goto(gateway.url + paths.overview(workspace.slug));
  await expect(page.getByText("How long calls took did not load.")).toBeVisible();
  await expect(page.getByRole("heading", { name: "This month" })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Needs attention" })).toBeVisible();
  await page.unroute("**/api/v1/usage/latency*");
  await page.getByRole("button", { name: "Retry" }).click();
  await expect(page.getByRole("heading", { name: "p95, 24 h" })).toBeVisible();
});
