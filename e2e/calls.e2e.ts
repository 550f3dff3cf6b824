import { randomBytes } from "node:crypto";
import { listGenerations } from "#contract/calls.ts";
import { createEmbeddings } from "#contract/embeddings.ts";
import { createKey, deleteKey } from "#contract/keys.ts";
import type { WorkspaceRecord } from "#contract/workspaces.ts";
import { paths } from "#console/paths.ts";
import { startFakeVendor, type FakeVendor } from "#gateway/testing/fake-vendor.ts";
import { type Api, apiOf } from "#gateway/testing/api-client.ts";
import { violations } from "./axe.ts";
import {
  expect,
  expectNoRow,
  expectNoSidewaysScroll,
  expectRow,
  expectToast,
  row,
  test as base,
  enter,
} from "./fixtures.ts";
import { addProvider, embeddingModel } from "./provider.ts";

interface Called {
  model: string;
  hash: string;
  /** of the call that was answered after a candidate had failed, and of the one that failed */
  answered: string;
  failed: string;
}

const test = base.extend<{ vendors: [FakeVendor, FakeVendor]; called: Called }>({
  vendors: async ({}, use) => {
    const vendors: [FakeVendor, FakeVendor] = [await startFakeVendor(), await startFakeVendor()];
    for (const { settings } of vendors) settings.dimensions = 4;
    await use(vendors);
    for (const vendor of vendors) await vendor.close();
  },
  called: async ({ gateway, api, workspace, vendors }, use) => {
    await use(await twoCalls(gateway, api, workspace, vendors));
  },
});

/** Two providers of one model; the first answers 500 to the first call, both do to the second. */
async function twoCalls(
  gateway: Parameters<typeof apiOf>[0],
  api: Api,
  workspace: WorkspaceRecord,
  vendors: readonly FakeVendor[],
): Promise<Called> {
  const name = `c${randomBytes(4).toString("hex")}`;
  const model = `${name}/embed`;
  for (const [index, vendor] of vendors.entries()) {
    await addProvider(api, {
      slug: `${name}-${index}`,
      name: `Vendor ${index}`,
      base_url: vendor.baseUrl,
      api_key: "sk-stored-0123456789",
      models: [embeddingModel(model, { pricing: { prompt: "0.01" } })],
    });
  }
  const { data, key } = await api(createKey, { body: { name: "caller", workspace_id: workspace.id } });
  const caller = apiOf(gateway, key);
  const provider = { order: [`${name}-0`, `${name}-1`] };
  vendors[0]?.fail({ type: "status", status: 500 });
  await caller(createEmbeddings, { body: { model, input: "one two", provider } });
  vendors[0]?.fail({ type: "status", status: 500 });
  vendors[1]?.fail({ type: "status", status: 503 });
  await caller(createEmbeddings, { body: { model, input: "three", provider } }).catch(() => undefined);
  // A call that cost nothing is recorded after its caller was answered.
  const recorded = async () => (await api(listGenerations, { query: { workspace_id: workspace.id } })).data;
  await expect.poll(async () => (await recorded()).length).toBe(2);
  const [failed, answered] = await recorded();
  if (!failed || !answered) throw new Error("two calls were made");
  return { model, hash: data.hash, answered: answered.id, failed: failed.id };
}

test("calls: found, exported, and each with what was tried", async ({ signedIn: page, workspace, called, api }) => {
  await test.step("newest first, filtered by what somebody asks for, and back", async () => {
    await page.goto(paths.calls(workspace.slug));
    await expectRow(page, called.model, "Answered");
    await expectRow(page, /Vendor 1, 1 passed over/, "Answered", "$0.02");
    await expect(page.getByRole("row")).toHaveCount(3);
    const filter = page.getByRole("combobox", { name: "Filter the calls" });
    await filter.fill("failed");
    await filter.press("Enter");
    await expectNoRow(page, "Answered");
    await expect(page).toHaveURL(/status=failed/);
    // the sentence loses its last part
    await filter.press("Backspace");
    await expectRow(page, "Answered");
    await filter.fill("call");
    await page.getByRole("option", { name: /^caller/ }).click();
    await expect(page).toHaveURL(new RegExp(`key=${called.hash}`));
    await expect(page.getByRole("row")).toHaveCount(3);
    // a part of a model's id finds it, and Enter takes the first
    await filter.pressSequentially(`model: ${called.model.slice(2)}`);
    await filter.press("Enter");
    await expect(page.getByRole("button", { name: `Remove the filter to model ${called.model}` })).toBeVisible();
    await expect(page.getByRole("region", { name: "Sum of all calls found" })).toContainText(/made2.*failed1.*\$0\.02/);
    await page.getByRole("button", { name: "Took" }).click();
    await expect(page).toHaveURL(/sort=duration/);
    await expect(page.getByRole("columnheader", { name: "Took" })).toHaveAttribute("aria-sort", "descending");
    await expect(page.getByText("2 calls, all that match.")).toBeVisible();
    await page.getByRole("button", { name: "When, UTC" }).click();
    await expect(page).not.toHaveURL(/sort=/);
    await filter.pressSequentially("session: nothing-like-it");
    await filter.press("Enter");
    await expect(page.getByRole("heading", { name: /matches these filters/ })).toBeVisible();
    await page
      .getByRole("button", { name: /^Clear filters/ })
      .first()
      .click();
    await expect(page.getByRole("row")).toHaveCount(3);
  });
  await test.step("of a stretch of time that stands in the address, exported as a file", async () => {
    const { data } = await api(listGenerations, { query: { id: called.failed } });
    const at = data[0]?.created_at ?? "";
    await page.goto(paths.calls(workspace.slug));
    await expect(page.getByRole("row")).toHaveCount(3);
    await page.getByLabel("Time", { exact: true }).selectOption("Last hour");
    await expect(page).toHaveURL(/since=\d{4}-/);
    await expect(page.getByText(/^2 calls since /)).toBeVisible();
    await enter(page.getByLabel("Until, UTC"), "tomorrow");
    await expect(page.getByRole("alert").filter({ hasText: "Until must be like" })).toBeVisible();

    // before the call that failed, which was the second one
    await page.goto(`${paths.calls(workspace.slug)}?until=${encodeURIComponent(at)}`);
    await expect(page.getByRole("row")).toHaveCount(2);
    await expectRow(page, "Answered");
    const downloading = page.waitForEvent("download");
    await page.getByRole("button", { name: "Export CSV" }).click();
    const chunks: Buffer[] = [];
    for await (const chunk of await (await downloading).createReadStream()) chunks.push(chunk as Buffer);
    const lines = Buffer.concat(chunks).toString("utf8").trimEnd().split("\r\n");
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain(called.answered);
    await expectToast(page, "Exported 1 call.");
    await page
      .getByRole("button", { name: /^Clear filters/ })
      .first()
      .click();
    await expect(page.getByRole("row")).toHaveCount(3);
  });
  await test.step("one call says what was tried, what it cost, and why it is that", async () => {
    await page.goto(paths.calls(workspace.slug));
    await row(page, "Answered")
      .getByRole("link", { name: /open the call/ })
      .click();
    await expect(page.getByRole("heading", { level: 1, name: "Call" })).toBeFocused();
    await expect(page).toHaveURL(paths.call(workspace.slug, called.answered));
    await expect(page.getByText("$0.02 was charged, by the provider's count")).toBeVisible();
    const attempts = page.getByRole("region", { name: "Attempts" });
    await expect(attempts).toContainText("Nothing was reserved: no limit counts this call. Charged at the end: $0.02.");
    await expect(attempts.getByText(/^Began at .* ended at /)).toHaveCount(2);
    const tried = page.getByRole("region", { name: "Attempts" }).getByRole("listitem");
    await expect(tried).toHaveCount(2);
    await expect(tried.nth(0)).toContainText(/^Vendor 0 .*500 after .*passed over for Vendor 1$/);
    await expect(tried.nth(1)).toContainText("answered in");
    await page.getByRole("button", { name: "Show the bodies" }).click();
    await expect(page.getByText("The bodies were not kept")).toBeVisible();
    await expect(page.getByRole("definition").filter({ hasText: workspace.name })).toBeVisible();
    await expect(page.getByRole("definition").getByRole("link", { name: called.model })).toBeVisible();
    await expect(page.getByRole("region", { name: "Forwarded to" })).toContainText("has no destination");
    await expect(page.getByRole("definition").filter({ hasText: /\d\d:\d\d:\d\d UTC/ })).toBeVisible();

    // a link may lead to a call of another workspace than the one of the address
    await page.goto(paths.call("default", called.answered));
    await expect(page.getByText(`This call was made in ${workspace.name}, not in Default.`)).toBeVisible();
  });
  await test.step("found by the id that an answer carried; an unknown id says so", async () => {
    await page.goto(paths.calls(workspace.slug));
    await expectRow(page, "Answered");
    await page.keyboard.press("/");
    await page.keyboard.type(` ${called.failed} `);
    await expect(page.getByRole("option", { name: "Open this call" })).toBeVisible();
    await page.keyboard.press("Enter");
    await expect(page.getByText("Nothing was charged: the call failed.")).toBeVisible();
    await expect(page.getByText("no other provider was tried after it, so the call failed")).toBeVisible();
    // nothing was counted, and no vector was made
    await expect(page.getByText("Inputs", { exact: true })).toBeVisible();
    await expect(page.getByText(/^(Counted by|Vectors)$/)).toHaveCount(0);
    // the answer's other id, and the one of a call that was refused
    const { data } = await api(listGenerations, { query: { id: called.failed } });
    await page.goto(paths.calls(workspace.slug));
    await enter(page.getByLabel("Filter the calls"), data[0]?.request_id ?? "");
    await expect(page).toHaveURL(paths.call(workspace.slug, called.failed));
    await page.goto(paths.calls(workspace.slug));
    await enter(page.getByLabel("Filter the calls"), "req-00000000000000000000");
    await expectToast(page, "No call has this request id.");
    await page.goto(paths.call(workspace.slug, "gen-1"));
    await expect(page.getByText("No call has this id.")).toBeVisible();
  });
  await test.step("a key's page shows its last calls and its errors, each a way to the call", async () => {
    await page.goto(paths.key(workspace.slug, called.hash));
    await expect(page.getByRole("region", { name: "recent calls", exact: true }).getByRole("listitem")).toHaveCount(2);
    const errors = page.getByRole("region", { name: "recent errors", exact: true });
    await expect(errors.getByRole("listitem")).toHaveCount(1);
    await errors.getByRole("link", { name: /open the call/ }).click();
    await expect(page).toHaveURL(paths.call(workspace.slug, called.failed));
    await api(deleteKey, { params: { hash: called.hash } });
    await page.reload();
    await expect(page.getByText(`deleted, ${called.hash.slice(0, 12)}`)).toBeVisible();
  });
});

test("calls: on a phone the chart has the first screen @long", async ({ signedIn: page, workspace, called }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(paths.calls(workspace.slug));
  await expectRow(page, called.model, "Answered");
  await expectNoSidewaysScroll(page);
  const chart = await page.getByRole("slider", { name: /Calls over time/ }).boundingBox();
  expect((chart?.y ?? 844) + (chart?.height ?? 0)).toBeLessThan(844 * 0.6);
  // what came of a call is in sight
  await expect(row(page, called.model).getByText("Answered").first()).toBeVisible();
  await expectNoSidewaysScroll(page);
  expect(await violations(page)).toEqual([]);
  await page.goto(paths.call(workspace.slug, called.answered));
  await expect(page.getByRole("region", { name: "Attempts" })).toBeVisible();
  await expectNoSidewaysScroll(page);
  expect(await violations(page)).toEqual([]);
});

test("calls: Enter takes the first of what is typed, never of the search before @long", async ({
  signedIn: page,
  api,
  workspace,
}) => {
  const body = { workspace_id: workspace.id };
  const { data: second } = await api(createKey, { body: { ...body, name: "second" } });
  await api(createKey, { body: { ...body, name: "first" } });
  const answers: (() => void)[] = [];
  await page.route(
    (url) => url.pathname.endsWith("/calls/suggestions") && url.searchParams.get("q") === "second",
    async (route) => {
      await new Promise<void>((resolve) => answers.push(resolve));
      await route.continue();
    },
  );
  await page.goto(paths.calls(workspace.slug));
  const field = page.getByRole("combobox", { name: "Filter the calls" });
  await field.fill("first");
  await expect(page.getByRole("listbox").getByRole("option")).toHaveText([/first/]);
  await field.fill("second");
  await expect.poll(() => answers.length).toBe(1);
  await field.press("Enter");
  answers[0]?.();
  await expect(page).toHaveURL(new RegExp(`key=${second.hash}`));
});
