import { getWorkspaceBudget, listWorkspaceBudgets, upsertWorkspaceBudget } from "#contract/budgets.ts";
import { getCredits } from "#contract/credits.ts";
import { createKey, getKey } from "#contract/keys.ts";
import { getWorkspace } from "#contract/workspaces.ts";
import { paths } from "#console/paths.ts";
import { startGatewayProcess } from "#gateway/testing/process.ts";
import { apiOf } from "#gateway/testing/api-client.ts";
import { violations } from "./axe.ts";
import { chooseFromRow, expect, expectRow, expectToast, readOnlyAfterSaving, signIn, test, fill } from "./fixtures.ts";
import { loseAnswer, notKnown } from "./lost-answer.ts";

test("budgets and rates: set, changed and removed", async ({ signedIn: page, part, api }) => {
  await part("set, kept in order, changed and removed", async (workspace) => {
    const id = workspace.id;
    await page.goto(paths.workspaces("all"));
    await chooseFromRow(page, workspace.slug, "Budgets");
    await expect(page.getByRole("heading", { level: 1, name: `Budgets of ${workspace.name}` })).toBeVisible();
    await page.getByRole("link", { name: "Set the weekly budget" }).click();
    const panel = page.getByRole("dialog");
    await panel.getByLabel("Budget, USD").fill("50");
    await panel.getByLabel("Count calls with the workspace's own provider keys").check();
    await panel.getByRole("button", { name: /^Set budget/ }).click();
    await expectToast(page, "is $50.00");
    await expect(page.getByRole("meter", { name: "weekly budget spent" })).toBeVisible();
    await expect(page.getByText("provider keys count toward the budgets")).toBeVisible();

    await page.getByRole("link", { name: "Set the daily budget" }).click();
    await panel.getByLabel("Budget, USD").fill("50");
    await page.keyboard.press("Control+Enter");
    await expect(panel.getByText("Must be less than the weekly budget of $50.00").first()).toBeVisible();
    await panel.getByLabel("Budget, USD").fill("7.5");
    await page.keyboard.press("Control+Enter");
    await expect(page.getByText("of $7.50 spent")).toBeVisible();
    await expect(page.getByRole("link", { name: "Change the daily budget" })).toBeFocused();
    const stored = await api(listWorkspaceBudgets, { params: { id } });
    expect(stored.include_byok_in_budgets).toBe(true);
    expect(stored.data.map(({ limit_usd }) => limit_usd)).toEqual([50, 7.5]);

    // what somebody else changed meanwhile is shown, and bounds what was typed
    await page.getByRole("link", { name: "Change the daily budget" }).click();
    await panel.getByLabel("Budget, USD").fill("20");
    await panel.getByRole("checkbox", { name: /own provider keys/ }).uncheck();
    await readOnlyAfterSaving(page, `/workspaces/${id}/budgets`);
    await api(upsertWorkspaceBudget, { params: { id, interval: "weekly" }, body: { limit_usd: 10 } });
    await page.keyboard.press("Control+Enter");
    const notice = panel.getByRole("status").filter({ hasText: "Someone else changed this workspace’s budgets." });
    await expect(notice).toContainText("Weekly budget: $50.00 → $10.00");
    await expect(panel.getByLabel("Budget, USD")).toHaveValue("20.00");
    await page.keyboard.press("Control+Enter");
    await expect(panel.getByText(/must be less than the weekly budget of \$10/i).first()).toBeVisible();
    await page.keyboard.press("Escape");
    await panel.getByRole("button", { name: /Leave|Discard/ }).click();

    await page.getByRole("button", { name: "Remove the daily budget" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove budget" }).click();
    await expect(page.getByText("No daily budget.")).toBeVisible();
    await expect(api(getWorkspaceBudget, { params: { id, interval: "daily" } })).rejects.toThrow("404");
  });
  await part("of a key and of a workspace, and the words that a caller reads", async (workspace) => {
    const { data: key } = await api(createKey, { body: { name: "rated", workspace_id: workspace.id } });
    await page.goto(paths.editKey(workspace.slug, key.hash));
    const panel = page.getByRole("dialog");
    await panel.getByText("Advanced: rates").click();
    await fill(panel, { "Requests per minute": "ten", "Tokens per minute": "120,000" });
    await expect(panel.getByText("Enter a whole number")).toBeVisible();
    await panel.getByLabel("Requests per minute").fill("60");
    await page.keyboard.press("Control+Enter");
    await expect(page.getByText("“This key may use 60 requests a minute”")).toBeVisible();
    await expect(page.getByText("“This key may use 120,000 tokens a minute”")).toBeVisible();
    const { data: stored } = await api(getKey, { params: { hash: key.hash } });
    expect([stored.requests_per_minute, stored.tokens_per_minute]).toEqual([60, 120_000]);

    await page.goto(paths.editWorkspace("all", workspace.slug));
    await panel.getByText("Advanced: rates").click();
    await panel.getByLabel("Requests per minute").fill("600");
    await page.keyboard.press("Control+Enter");
    await expectToast(page, "was saved");
    const { data: rated } = await api(getWorkspace, { params: { id: workspace.id } });
    expect([rated.requests_per_minute, rated.tokens_per_minute]).toEqual([600, null]);
  });
});

test("credits: none, an entry, one taken away again", async ({ page }) => {
  // credits limit every key of the account, so this journey has a gateway of its own
  const gateway = await startGatewayProcess();
  try {
    await signIn(page, gateway.url, gateway.managementKey);
    await page.goto(gateway.url + paths.credits("all"));
    await expect(page.getByText("The account has no overall limit")).toBeVisible();
    await page.keyboard.press("c");
    const panel = page.getByRole("dialog", { name: "Add credits" });
    await fill(panel, { "Amount, USD": "100", Note: "invoice 7" });
    await page.keyboard.press("Control+Enter");
    await expectToast(page, "$100.00 was added.");
    await expectRow(page, "$100.00", "invoice 7");
    await expect(page.getByText("left of $100.00")).toBeVisible();
    await page.getByRole("link", { name: "Add credits" }).click();
    await panel.getByText("Remove").click();
    await panel.getByLabel("Amount, USD").fill("40");
    await page.keyboard.press("Control+Enter");
    await expectRow(page, "-$40.00", "–");
    await expect(page.getByText("left of $60.00")).toBeVisible();
    expect(await violations(page)).toEqual([]);
    expect((await apiOf(gateway)(getCredits)).data.total_credits).toBe(60);
    // An answer that is lost: saved again, it is still one entry.
    await loseAnswer(page, "/credits");
    await page.getByRole("link", { name: "Add credits" }).click();
    await panel.getByLabel("Amount, USD").fill("5");
    await page.keyboard.press("Control+Enter");
    await expect(panel.getByText(notKnown)).toBeVisible();
    await page.keyboard.press("Control+Enter");
    await expectToast(page, "$5.00 was added.");
    expect((await apiOf(gateway)(getCredits)).data.total_credits).toBe(65);
  } finally {
    await gateway.dispose();
  }
});
