import { join } from "node:path";
import { paths } from "#console/paths.ts";
import { createChatCompletion } from "#contract/chat.ts";
import { createKey } from "#contract/keys.ts";
import { dayMs, startOfUtcMonth } from "#contract/time.ts";
import { apiOf } from "#gateway/testing/api-client.ts";
import { makeClock } from "#gateway/testing/clock.ts";
import { startFakeVendor } from "#gateway/testing/fake-vendor.ts";
import { startGateway } from "#gateway/testing/gateway.ts";
import { root } from "../setup/run.js";
import { expect, signIn, test, toBar } from "./fixtures.ts";
import { addProvider } from "./provider.ts";

test("usage: last month's spend by model and key, as a file for finance", async ({ page }) => {
  const monthBefore = startOfUtcMonth(new Date(startOfUtcMonth(new Date()).getTime() - 1));
  const clock = makeClock(new Date(monthBefore.getTime() + 14.5 * dayMs));
  const vendor = await startFakeVendor();
  const gateway = await startGateway({ clock, consoleFolder: join(root, "dist", "console") });
  const api = apiOf(gateway);
  const model = (id: string, price: string) =>
    ({ id, upstream_id: id, type: "chat", pricing: { prompt: price, completion: price } }) as const;
  await addProvider(api, {
    slug: "acme",
    base_url: vendor.baseUrl,
    models: [model("acme/talk", "0.001"), model("acme/reason", "0.0300000001")],
  });
  for (const name of ["=prod-search", "staging"]) {
    const { key } = await api(createKey, { body: { name } });
    for (const asked of ["acme/talk", "acme/talk", "acme/reason"]) {
      await apiOf(gateway, key)(createChatCompletion, {
        body: { model: asked, messages: [{ role: "user", content: "Hello" }], max_tokens: 5 },
      });
    }
  }
  const report = (until: Date) =>
    `/usage/report?since=${monthBefore.toISOString()}&until=${until.toISOString()}&group_by=app`;
  // a call counts when it is settled, which is after its answer
  const settled = async () => (await gateway.call("GET", report(startOfUtcMonth(new Date())))).json.data.total.requests;
  await expect.poll(settled).toBe(6);
  clock.set(new Date());

  await signIn(page, gateway.url, gateway.managementKey);
  await page.goto(gateway.url + paths.overview("all"));
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Overview");
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Search or jump to" }).fill("finance");
  await page.keyboard.press("Enter");
  await expect(page.getByText("No calls in this period.")).toBeVisible();
  await page.getByLabel("Period", { exact: true }).selectOption("Last month");
  await page.getByLabel("Rows by").selectOption("by model");
  await page.getByLabel("Then by").selectOption("and by key");
  const rows = page.getByRole("table", { name: "Usage" }).locator("tbody tr");
  await expect(rows).toHaveCount(5);
  await expect(rows.nth(0)).toContainText(/Total.*100%.*6/);
  await expect(rows.nth(1)).toContainText("acme/reason");

  const downloading = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export CSV" }).click();
  const chunks: Buffer[] = [];
  for await (const chunk of await (await downloading).createReadStream()) chunks.push(chunk as Buffer);
  const [head = "", ...lines] = Buffer.concat(chunks).toString("utf8").slice(1).trimEnd().split("\r\n");
  const cells = lines.map((line) => Object.fromEntries(line.split(",").map((cell, at) => [head.split(",")[at], cell])));
  expect(cells.map(({ model: id, key_name }) => `${id} ${key_name}`).toSorted()).toEqual([
    "acme/reason '=prod-search",
    "acme/reason staging",
    "acme/talk '=prod-search",
    "acme/talk staging",
  ]);
  const { json } = await gateway.call("GET", report(startOfUtcMonth(new Date())));
  const summed = cells.reduce((all, { usage_usd }) => all + Math.round(Number(usage_usd) * 1e9), 0);
  expect(summed).toBe(Math.round(json.data.total.usage * 1e9));
  expect(summed).toBeGreaterThan(0);

  // a bar's figures stay, and lead to its calls
  const chart = page.getByRole("slider", { name: /Spend per day/ });
  await toBar(chart, /acme\/reason \$0\.[1-9]/);
  await page.mouse.move(0, 0);
  await expect(page.getByRole("link", { name: "Show its calls" })).toBeVisible();
  await chart.press("Enter");
  await expect(page).toHaveURL(/\/w\/all\/calls\?since=.*T00%3A00%3A00.000Z&until=/);
  await expect(page.getByRole("table", { name: "Calls", exact: true }).locator("tbody tr")).toHaveCount(6);
  await page.close();
  await gateway.close();
  await vendor.close();
});
