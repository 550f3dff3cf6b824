import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createBatch, getBatch, listBatches } from "#contract/batches.ts";
import { listGenerations } from "#contract/calls.ts";
import { createKey } from "#contract/keys.ts";
import { createMessageBatch } from "#contract/message-batches.ts";
import { paths } from "#console/paths.ts";
import { type Api, apiOf } from "#gateway/testing/api-client.ts";
import { startFakeVendor } from "#gateway/testing/fake-vendor.ts";
import { violations } from "./axe.ts";
import { comeBack, expect, expectToFit, expectRow, expectToast, pressEscape, test as base } from "./fixtures.ts";
import { addProvider } from "./provider.ts";

interface Sender {
  name: string;
  /** a chat model with a long id */
  model: string;
  own: Api;
  /** a key that makes one call a minute, so that a batch of 2,000 stays under way: how many are answered is the clock's */
  slow: Api;
}

const test = base.extend<{ sender: Sender }>({
  sender: async ({ gateway, api, workspace }, use) => {
    const vendor = await startFakeVendor();
    const slug = `b${randomBytes(4).toString("hex")}`;
    const model = `${slug}/a-model-whose-id-is-longer-than-any-column-has-room-for`;
    const pricing = { prompt: "0.001", completion: "0.002" };
    await addProvider(api, {
      slug,
      base_url: vendor.baseUrl,
      models: [{ id: model, upstream_id: "talk", type: "chat", context_length: 32_768, pricing }],
    });
    const name = `batches-${randomBytes(3).toString("hex")}`;
    const body = { name, workspace_id: workspace.id };
    const own = apiOf(gateway, (await api(createKey, { body })).key);
    const slow = { ...body, name: `${name}-slow`, requests_per_minute: 1 };
    await use({ name, model, own, slow: apiOf(gateway, (await api(createKey, { body: slow })).key) });
    await vendor.close();
  },
});

const ask = (content: string) => ({ messages: [{ role: "user", content }], max_tokens: 5 });
const chats = (model: string, count: number, refused = 0) => ({
  endpoint: "/v1/chat/completions" as const,
  model,
  requests: Array.from({ length: count }, (_, index) => ({
    custom_id: `c${index}`,
    body: index < refused ? { messages: [] } : ask(`question ${index}`),
  })),
});

/** Waits for a batch to have at least so many answers. */
async function answered(api: Api, { id }: { id: string }, count: number): Promise<void> {
  await expect
    .poll(async () => (await api(getBatch, { params: { id }, query: {} })).request_counts.completed)
    .toBeGreaterThanOrEqual(count);
}

test("batches: listed, opened, with its calls and results, canceled and deleted", async ({
  signedIn: page,
  api,
  workspace,
  sender: { name, model, own, slow },
}) => {
  await page.goto(paths.batches(workspace.slug));
  await expect(page.getByRole("heading", { name: `No batches in ${workspace.name} yet` })).toBeVisible();
  await expect(page.getByRole("region", { name: "A batch, with curl" })).toContainText("/api/v1/batches");
  expect(await violations(page)).toEqual([]);

  const made = await own(createBatch, { body: chats(model, 3, 1) });
  await answered(own, made, 2);
  const open = await slow(createBatch, { body: chats(model, 2_000) });
  await answered(slow, open, 1);
  const messages = { requests: [{ custom_id: "m", params: { model, ...ask("hello") } }] };
  await own(createMessageBatch, { body: messages });
  const { data } = await api(listBatches, { query: { workspace_id: workspace.id } });
  expect(data).toHaveLength(3);

  await page.reload();
  await expectRow(page, /Chat/, "Completed in part", /2 of 3 answered, 1 failed/, model);
  await expectRow(page, /Chat/, "In progress", /\d of 2,000 answered, 1,99\d to come/, /^expires in/);
  await expectRow(page, /Messages/, "Completed", /1 of 1 answered/, "one for each request");
  await page.getByRole("combobox", { name: "Status" }).selectOption("Completed");
  await expect(page).toHaveURL(/status=completed/);
  await expect(page.getByRole("row")).toHaveCount(3);
  await page.getByRole("combobox", { name: "Status" }).selectOption("Expired");
  await expect(page.getByRole("heading", { name: "No batch is expired" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page).not.toHaveURL(/status/);
  await expect(page.getByRole("row")).toHaveCount(4);

  // one that has ended: what it is, what it cost, its results and its calls
  const short = (id: string) => page.getByRole("link", { name: `…${id.slice(-8)}` });
  await short(made.id).click();
  const panel = page.getByRole("dialog", { name: "Batch" });
  await expect(panel.getByText("2 of 3 requests answered, 1 failed.")).toBeVisible();
  await expect(panel.getByText("The results say why each of those failed.")).toBeVisible();
  await expect(panel.getByText(made.id)).toBeVisible();
  await expect(panel.getByRole("link", { name, exact: true })).toBeVisible();
  const query = { workspace_id: workspace.id, batch_id: made.id };
  const calls = (await api(listGenerations, { query })).data;
  expect(calls).toHaveLength(2);
  const cost = calls.reduce((sum, call) => sum + call.cost, 0);
  await expect(panel.locator("dt", { hasText: "Charged" }).locator("+ dd")).toHaveText(`$${cost.toFixed(3)}`);
  const saved = page.waitForEvent("download");
  await panel.getByRole("link", { name: "Download results" }).click();
  const file = await saved;
  expect(file.suggestedFilename()).toBe(`${made.id}.json`);
  const { results } = JSON.parse(await readFile(await file.path(), "utf8")) as { results: { custom_id: string }[] };
  expect(results.map(({ custom_id: id }) => id)).toEqual(["c0", "c1", "c2"]);
  await panel.getByRole("link", { name: "Show its calls" }).click();
  await expect(page).toHaveURL(new RegExp(`/calls\\?batch=${made.id}$`));
  await expect(page.getByRole("table", { name: "Calls", exact: true }).locator("tbody tr")).toHaveCount(2);
  await page
    .getByRole("link", { name: /open the call/ })
    .first()
    .click();
  await page.getByRole("link", { name: made.id }).click();
  await expect(panel).toBeVisible();
  await pressEscape(panel);
  await expect(panel).toBeHidden();

  // one that is under way
  await short(open.id).click();
  await expect(panel.getByRole("button", { name: "Download results" })).toHaveAttribute("aria-disabled", "true");
  await panel.getByRole("button", { name: "Cancel batch" }).click();
  const asked = page.getByRole("alertdialog", { name: "Cancel this batch" });
  await expect(asked).toContainText(/1,99\d requests have no result yet\./);
  expect(await violations(page)).toEqual([]);
  await asked.getByRole("button", { name: "Cancel batch" }).click();
  await expectToast(page, "The batch is being canceled.");
  await expect(panel.getByText(/^\d of 2,000 requests answered, 1,99\d not made\.$/)).toBeVisible();
  await panel.getByRole("button", { name: "Delete batch" }).click();
  const sure = page.getByRole("alertdialog", { name: "Delete this batch" });
  await sure.getByRole("button", { name: "Delete batch" }).click();
  await expectToast(page, "The batch was deleted.");
  await expect(panel).toBeHidden();
  await expect(page.getByRole("row")).toHaveCount(3);
  await page.goto(paths.batch(workspace.slug, open.id));
  const gone = page.getByRole("dialog", { name: "It no longer exists" });
  await expect(gone).toContainText("No batch of this workspace has this id.");
  await pressEscape(gone);
});

test("batches: of all workspaces, and out of reach @long", async ({ signedIn: page, api, workspace, sender }) => {
  const { model, own, slow } = sender;
  const made = await own(createBatch, { body: chats(model, 12, 5) });
  await answered(own, made, 7);
  const failing = await own(createBatch, { body: chats(model, 2, 2) });
  const open = await slow(createBatch, { body: chats(model, 2_000) });
  await answered(slow, open, 1);
  await expect
    .poll(async () => (await api(getBatch, { params: failing, query: { workspace_id: workspace.id } })).status)
    .toBe("completed");
  await page.goto(paths.batches(workspace.slug));
  await expectRow(page, "All requests failed", /0 of 2 answered, 2 failed/);
  expect(await violations(page)).toEqual([]);
  await expectToFit(page, "the list");
  await page.goto(paths.batches("all"));
  const short = `…${made.id.slice(-8)}`;
  await expectRow(page, new RegExp(short), workspace.name, "Completed in part");
  await page.getByRole("link", { name: short }).click();
  await expect(page).toHaveURL(paths.batch(workspace.slug, made.id));
  await expect(page.getByText("7 of 12 requests answered, 5 failed.")).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await expectToFit(page, "the panel");

  // out of reach: what was read stays, and nothing can be changed
  await page.goto(paths.batch(workspace.slug, open.id));
  const panel = page.getByRole("dialog", { name: "Batch" });
  const cancel = panel.getByRole("button", { name: "Cancel batch" });
  await expect(cancel).toBeVisible();
  await page.route("**/api/**", (route) => route.abort("connectionrefused"));
  await comeBack(page, async () => (await cancel.getAttribute("aria-disabled")) === "true");
  await expect(panel.getByRole("link", { name: "Download results" })).toHaveCount(0);
  await expect(panel.getByText(/^\d of 2,000 requests answered/)).toBeVisible();
});
