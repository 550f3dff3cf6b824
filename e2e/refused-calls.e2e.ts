import { randomBytes } from "node:crypto";
import { createEmbeddings } from "#contract/embeddings.ts";
import { createKey } from "#contract/keys.ts";
import { listRefusedCalls } from "#contract/refused-calls.ts";
import { paths } from "#console/paths.ts";
import { startFakeVendor } from "#gateway/testing/fake-vendor.ts";
import { apiOf } from "#gateway/testing/api-client.ts";
import { expect, roomInThisHour, test as base, toBar } from "./fixtures.ts";
import { addProvider, embeddingModel } from "./provider.ts";

interface Spent {
  hash: string;
  /** how often calls of the key were refused */
  times: number;
}

const test = base.extend<{ spent: Spent }>({
  /** a key of which one call was answered, and whose limit leaves no room for another */
  spent: async ({ gateway, api, workspace }, use) => {
    const vendor = await startFakeVendor();
    vendor.settings.dimensions = 4;
    const name = `r${randomBytes(4).toString("hex")}`;
    const model = `${name}/embed`;
    await addProvider(api, {
      slug: name,
      name: "Vendor",
      base_url: vendor.baseUrl,
      api_key: "sk-stored-0123456789",
      models: [embeddingModel(model, { pricing: { prompt: "0.01" } })],
    });
    const { data, key } = await api(createKey, { body: { name: "spender", workspace_id: workspace.id, limit: 2 } });
    const caller = apiOf(gateway, key);
    const times = 3;
    await roomInThisHour();
    await caller(createEmbeddings, { body: { model, input: "one two" } });
    const long = "word ".repeat(200);
    for (let call = 0; call < times; call += 1) {
      await expect(caller(createEmbeddings, { body: { model, input: long } })).rejects.toThrow(/402/);
    }
    const query = { workspace_id: workspace.id, api_key_hash: data.hash };
    // counts are written about a second later
    await expect.poll(async () => (await api(listRefusedCalls, { query })).total.calls).toBe(times);
    await use({ hash: data.hash, times });
    await vendor.close();
  },
});

test("refused calls: of their key, in Calls, and counted", async ({ signedIn: page, workspace, spent }) => {
  await test.step("a key over its limit says so on its page, with what was needed, what is left and the way out", async () => {
    await page.goto(paths.key(workspace.slug, spent.hash));
    const refused = page.getByRole("region", { name: "Refused calls" });
    await expect(refused).toContainText("3 calls were refused in the last 24 hours");
    await expect(refused.getByRole("listitem")).toHaveCount(1);
    await expect(refused.getByRole("listitem")).toContainText(/402 key limit.*3 times, .* UTC.*Raise limit/);
    await expect(refused.getByRole("listitem")).toContainText(
      /The last call needed up to \$[\d.]+, \$1\.98 was left\./,
    );
    await expect(page.getByText(/\$0\.02 for 4 calls in the last 7 days, 3 of them refused/)).toBeVisible();
    await expect(page.getByText("Refused calls, at most 3 in one hour")).toBeVisible();
    await toBar(page.getByRole("slider", { name: /Spend per hour/ }), /, 3 calls refused$/);
    await expect(page.getByText(/3 calls refused$/)).toBeVisible();
    await page.getByRole("radio", { name: "Table" }).click();
    const table = page.getByRole("region", { name: "Spend per hour, as a table" });
    await expect(table.getByRole("columnheader", { name: "Refused calls" })).toBeVisible();
    await refused.getByRole("radio", { name: "30 d" }).click();
    await expect(refused).toContainText("3 calls were refused in the last 30 days");
    await refused.getByRole("link", { name: "Raise limit" }).click();
    await expect(page).toHaveURL(paths.editKey(workspace.slug, spent.hash));
  });
  await test.step("lines of Calls by their time, found by every filter that can find them, and never denied", async () => {
    const line = page.getByRole("table", { name: "Calls" }).getByRole("row").filter({ hasText: "402 key limit" });
    await page.goto(paths.calls(workspace.slug));
    // three calls may be of two minutes: of one key and reason they are one line even so
    await expect(line).toHaveText(/refused 3 times.*The last call needed up to .*spender/);
    await expect(line.getByRole("link", { name: "spender", exact: true })).toHaveAttribute(
      "href",
      paths.key(workspace.slug, spent.hash),
    );
    await expect(page.getByRole("region", { name: "Sum of all calls found" })).toContainText(
      /made1.*Refused3.*\$0\.02/,
    );

    for (const search of [`status=402&key=${spent.hash}`, "status=failed", "status=refused", "reason=key"]) {
      await page.goto(`${paths.calls(workspace.slug)}?${search}`);
      await expect(line).toHaveCount(1);
    }
    await page.goto(`${paths.calls(workspace.slug)}?status=429`);
    await expect(page.getByText("Refused calls are listed for 30 days.")).toBeVisible();

    await page.goto(`${paths.calls(workspace.slug)}?status=402&model=nothing/like-it`);
    await expect(
      page.getByText("Refused calls were not searched: they are counted without their model."),
    ).toBeVisible();
    await page.getByRole("button", { name: "Show them" }).click();
    await expect(line).toHaveCount(1);
  });
  await test.step("requests, errors and the chart of the overview count them", async () => {
    await page.goto(paths.overview(workspace.slug));
    const figures = page.getByRole("region", { name: "the calls of the last 7 days" });
    await expect(figures.getByRole("link").nth(0)).toHaveText(String(spent.times + 1));
    await expect(figures).toContainText("3 of them refused");
    await expect(figures.getByRole("link", { name: "75%" })).toBeVisible();
    await expect(page.getByText(/3 calls were refused\./)).toBeVisible();
    await expect(page.getByText("Refused calls, at most 3 in 3 hours")).toBeVisible();
    await toBar(page.getByRole("slider", { name: /Spend per 3 hours/ }), /, 3 calls refused$/);
    await expect(page.getByText(/, 3 calls refused$/)).toBeVisible();
  });
});
