import { deleteCanary, listCanaries } from "#contract/canaries.ts";
import { createWorkspace } from "#contract/workspaces.ts";
import { paths } from "#console/paths.ts";
import { apiOf } from "#gateway/testing/api-client.ts";
import { startFakeVendor } from "#gateway/testing/fake-vendor.ts";
import { startGateway } from "#gateway/testing/gateway.ts";
import { violations } from "./axe.ts";
import { expect, expectNoSidewaysScroll, expectToast, signIn, test } from "./fixtures.ts";
import { addProvider } from "./provider.ts";

/** A gateway of its own: its clock can be moved on, where a check would otherwise be a minute away. */
test("drift: a watched model whose vendor changes it", async ({ page }, info) => {
  const vendor = await startFakeVendor();
  vendor.settings.dimensions = 64;
  const gateway = await startGateway();
  try {
    const api = apiOf(gateway);
    await api(createWorkspace, { body: { name: "Search", slug: "search" } });
    await addProvider(api, {
      slug: "acme",
      name: "Acme",
      base_url: vendor.baseUrl,
      models: [{ id: "acme/embed", upstream_id: "embed", type: "embedding", pricing: { prompt: "0.00002" } }],
    });
    await signIn(page, gateway.url, gateway.managementKey);
    await page.goto(gateway.url + paths.model("search", "acme/embed"));
    const drift = page.getByRole("region", { name: "Drift" });
    await expect(drift.getByText("Not watched")).toBeVisible();
    await drift.getByRole("link", { name: "Watch Acme" }).click();
    const panel = page.getByRole("dialog", { name: "Watch acme/embed at Acme" });
    await expect(panel.getByText("That is about $0.01 a check, and $0.30 a month.")).toBeVisible();
    await panel.getByLabel("Check").selectOption("Every hour");
    await expect(panel.getByText("and $7.20 a month.")).toBeVisible();
    await expect(panel.getByLabel("Charged to").locator("option:checked")).toHaveText("Search");
    await panel.getByRole("button", { name: /^Watch it/ }).click();
    await expectToast(page, "acme/embed at Acme is watched: its baseline is being measured.");
    await expect(panel).toBeHidden();

    const watched = drift.getByRole("article", { name: "Drift of Acme" });
    await expect(watched.getByText("Not checked yet")).toBeVisible();
    await expect(watched.getByText("No check yet.")).toBeVisible();
    await watched.getByRole("button", { name: "Check now" }).click();
    await expectToast(page, "Its last run is less than a minute ago");

    const check = async (minutes: number, word: string) => {
      gateway.clock.advance(minutes * 60_000);
      await watched.getByRole("button", { name: "Check now" }).click();
      await expect(watched.getByText(word, { exact: true })).toBeVisible();
    };
    for (let checks = 1; checks <= 3; checks += 1) {
      await check(50, "No drift");
      await expect(
        watched.getByText(`${checks} check${checks === 1 ? "" : "s"}, none beyond the noise.`),
      ).toBeVisible();
    }
    vendor.settings.drift = 0.05;
    await check(50, "Suspected");
    await expect(watched.getByText("A second check runs within minutes to confirm.")).toBeVisible();
    await check(2, "Drifted");
    await expect(watched).toContainText("The same texts have other vectors: they moved by");
    await expect(watched.getByText("5 checks, 2 beyond the noise.")).toBeVisible();
    await watched.getByText("Table", { exact: true }).click();
    await expect(watched.getByRole("row")).toHaveCount(7);
    await watched.getByText("Chart", { exact: true }).click();

    for (const [width, scheme] of [
      [320, "light"],
      [390, "dark"],
      [768, "light"],
      [1280, "dark"],
      [1280, "light"],
    ] as const) {
      await page.setViewportSize({ width, height: 1_000 });
      await page.emulateMedia({ colorScheme: scheme });
      await watched.scrollIntoViewIfNeeded();
      await expectNoSidewaysScroll(page, `at ${width} px`);
      await info.attach(`drift-${width}-${scheme}`, { body: await page.screenshot(), contentType: "image/png" });
    }
    expect(await violations(page)).toEqual([]);

    await page.goto(gateway.url + paths.overview("search"));
    const row = page.getByRole("listitem").filter({ hasText: "The vectors of acme/embed at Acme changed" });
    await expect(row).toContainText("they moved by a cosine distance of");
    await row.getByRole("link", { name: /^Show/ }).click();

    await watched.getByRole("button", { name: "Accept as baseline" }).click();
    const question = page.getByRole("dialog", { name: "Accept the vectors of Acme as they are now" });
    await expect(question).toContainText("The drift is no longer reported");
    await question.getByRole("button", { name: "Accept as baseline" }).click();
    await expect(watched.getByText("Not checked yet")).toBeVisible();
    await expect(watched.getByRole("button", { name: "Accept as baseline" })).toBeHidden();

    vendor.fail({ type: "status", status: 500, message: "out of memory" });
    await check(50, "Last check failed");
    await expect(watched).toContainText("The last check failed, which is not drift:");

    await watched.getByRole("button", { name: "Actions for the canary of Acme" }).click();
    await page.getByRole("menuitem", { name: "Change", exact: true }).click();
    const change = page.getByRole("dialog", { name: "Change the canary of acme/embed at Acme" });
    await expect(change.getByLabel("Check")).toHaveValue("1");
    await change.getByLabel("Check").selectOption("Every week");
    await change.getByRole("button", { name: /^Save changes/ }).click();
    await expect(watched.getByText(/^Every week/)).toBeVisible();

    await watched.getByRole("button", { name: "Actions for the canary of Acme" }).click();
    await page.getByRole("menuitem", { name: "Stop watching" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Stop watching" }).click();
    await expect(drift.getByText("Not watched")).toBeVisible();
    await test.step("from all workspaces together the default one pays, which is listed once", async () => {
      for (const { id } of (await api(listCanaries, { query: {} })).data) await api(deleteCanary, { params: { id } });
      await page.goto(gateway.url + paths.model("all", "acme/embed"));
      await drift.getByRole("link", { name: "Watch Acme" }).click();
      await expect(panel.getByLabel("Charged to").locator("option")).toHaveText(["The default workspace", "Search"]);
      await panel.getByRole("button", { name: /^Watch it/ }).click();
      await expectToast(page, "acme/embed at Acme is watched: its baseline is being measured.");
    });
  } finally {
    await gateway.close();
    await vendor.close();
  }
});
