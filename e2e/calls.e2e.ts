import { randomBytes } from "node:crypto";
import { AxeBuilder } from "@axe-core/playwright";
import { listGenerations } from "#contract/calls.ts";
import { createEmbeddings } from "#contract/embeddings.ts";
import { createKey, deleteKey } from "#contract/keys.ts";
import { createProvider } from "#contract/providers.ts";
import type { WorkspaceRecord } from "#contract/workspaces.ts";
import { paths } from "#console/paths.ts";
import { startFakeVendor } from "#gateway/testing/fake-vendor.ts";
import type { FakeVendor } from "#gateway/testing/fake-vendor.ts";
import { type Api, apiOf } from "./api.ts";
import { expect, expectNoRow, expectRow, row, test as base } from "./fixtures.ts";

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
    await api(createProvider, {
      body: {
        slug: `${name}-${index}`,
        name: `Vendor ${index}`,
        kind: "openai-compatible",
        base_url: vendor.baseUrl,
        api_key: "sk-stored-0123456789",
        models: [
          { id: model, upstream_id: "embed-small", type: "embedding", dimensions: 4, pricing: { prompt: "0.01" } },
        ],
      },
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

test("calls: newest first, filtered by what somebody asks for, and back", async ({
  signedIn: page,
  gateway,
  workspace,
  called,
}) => {
  await page.goto(gateway.url + paths.calls(workspace.slug));
  await expectRow(page, called.model, "Answered");
  await expectRow(page, /Vendor 1, 1 passed over/, "Answered", "$0.02");
  await expect(page.getByRole("row")).toHaveCount(3);
  await page.getByLabel("Status").selectOption("failed");
  await expectNoRow(page, "Answered");
  await expect(page).toHaveURL(/status=failed/);
  await page.keyboard.press("Escape");
  await expectRow(page, "Answered");
  await page.getByRole("combobox", { name: "Key" }).fill("call");
  await page.getByRole("option", { name: /caller/ }).click();
  await expect(page).toHaveURL(new RegExp(`key=${called.hash}`));
  await expect(page.getByRole("row")).toHaveCount(3);
  await page.getByLabel("Model").fill("nothing/like-it");
  await page.getByLabel("Model").press("Enter");
  await expect(page.getByRole("heading", { name: /matches these filters/ })).toBeVisible();
  await page
    .getByRole("button", { name: /^Clear filters/ })
    .first()
    .click();
  await expect(page.getByRole("row")).toHaveCount(3);
});

test("calls: one call says what was tried, what it cost, and why it is that", async ({
  signedIn: page,
  gateway,
  workspace,
  called,
}) => {
  await page.goto(gateway.url + paths.calls(workspace.slug));
  await row(page, "Answered")
    .getByRole("link", { name: /open the call/ })
    .click();
  await expect(page.getByRole("heading", { level: 1, name: "Call" })).toBeFocused();
  await expect(page).toHaveURL(gateway.url + paths.call(workspace.slug, called.answered));
  await expect(page.getByText("$0.02 was charged, by the vendor's count")).toBeVisible();
  const tried = page.getByRole("region", { name: "What was tried" }).getByRole("listitem");
  await expect(tried).toHaveCount(2);
  await expect(tried.nth(0)).toContainText(/500 after .*passed over for .*-1/);
  await expect(tried.nth(1)).toContainText("answered in");
  await page.getByRole("button", { name: "Show the bodies" }).click();
  await expect(page.getByText("They were not kept")).toBeVisible();
});

test("calls: found by the id that an answer carried; an unknown id says so", async ({
  signedIn: page,
  gateway,
  workspace,
  called,
}) => {
  await page.goto(gateway.url + paths.calls(workspace.slug));
  await expectRow(page, "Answered");
  await page.keyboard.press("/");
  await page.getByLabel("Find a call by its id").fill(` ${called.failed} `);
  await page.keyboard.press("Enter");
  await expect(page.getByText("what had been reserved for it was given back")).toBeVisible();
  await expect(page.getByText("nobody was left, so the call failed")).toBeVisible();
  await page.goto(gateway.url + paths.call(workspace.slug, "gen-1"));
  await expect(page.getByText("No call has this id.")).toBeVisible();
});

test("calls: a key's page shows its last calls and its errors, each a way to the call", async ({
  signedIn: page,
  gateway,
  api,
  workspace,
  called,
}) => {
  await page.goto(gateway.url + paths.key(workspace.slug, called.hash));
  await expect(page.getByRole("region", { name: "recent calls", exact: true }).getByRole("listitem")).toHaveCount(2);
  const errors = page.getByRole("region", { name: "recent errors", exact: true });
  await expect(errors.getByRole("listitem")).toHaveCount(1);
  await errors.getByRole("link", { name: /open the call/ }).click();
  await expect(page).toHaveURL(gateway.url + paths.call(workspace.slug, called.failed));
  await api(deleteKey, { params: { hash: called.hash } });
  await page.reload();
  await expect(page.getByText(`deleted, ${called.hash.slice(0, 12)}`)).toBeVisible();
});

test("calls: every state, in both themes and on a phone", async ({ signedIn: page, gateway, workspace, called }) => {
  const inspect = async () => {
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      const { violations } = await new AxeBuilder({ page }).analyze();
      expect(
        violations.map(({ id, nodes }) => `${id} at ${nodes.map((node) => String(node.target)).join("; ")}`),
      ).toEqual([]);
    }
  };
  const noSidewaysScroll = () =>
    expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  const at = gateway.url + paths.calls(workspace.slug);
  const generations = /\/api\/v1\/generations/;
  await page.goto(at);
  await expectRow(page, "Answered");
  await inspect();
  await page.goto(gateway.url + paths.call(workspace.slug, called.answered));
  await expect(page.getByRole("region", { name: "What was tried" })).toBeVisible();
  await inspect();
  await page.setViewportSize({ width: 390, height: 844 });
  await noSidewaysScroll();
  await page.goto(at);
  await expectRow(page, "Answered");
  await noSidewaysScroll();
  await inspect();
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.route(generations, () => undefined);
  await page.goto(at);
  await expect(page.locator("[aria-busy=true]").first()).toBeAttached();
  await inspect();
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await page.route(generations, (route) =>
    route.fulfill({
      status: 500,
      json: { error: { code: 500, message: "no store", metadata: { error_type: "server" } } },
    }),
  );
  await page.goto(at);
  await expect(page.getByRole("alert").filter({ hasText: "did not load" })).toBeVisible();
  await inspect();
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await page.getByRole("button", { name: "Retry" }).click();
  await expectRow(page, "Answered");
});
