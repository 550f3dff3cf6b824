import type { Page } from "@playwright/test";
import { listGenerations } from "#contract/calls.ts";
import { createEmbeddings } from "#contract/embeddings.ts";
import { createKey } from "#contract/keys.ts";
import { paths } from "#console/paths.ts";
import { apiOf, type Api } from "#gateway/testing/api-client.ts";
import { langfuse } from "./destination-form.ts";
import { animated, expect, row, test } from "./fixtures.ts";
import { answerOneByOne, layoutShift, watchLayoutShift } from "./layout-shift.ts";
import type { RunningGateway } from "#gateway/testing/process.ts";

test.use(animated);

/** Keys with and without a limit, all of them used. */
async function usedKeys(api: Api, gateway: RunningGateway, workspaceId: string): Promise<void> {
  for (const [name, limit] of [
    ["prod-search", 25],
    ["staging-quote-assistant", null],
    ["nightly-batch", 0.5],
  ] as const) {
    const { key } = await api(createKey, { body: { name, limit, workspace_id: workspaceId } });
    await apiOf(gateway, key)(createEmbeddings, { body: { model: "gatehouse/lexical", input: name } });
  }
}

const settled = (page: Page) => expect(page.locator("[aria-busy=true]")).toHaveCount(0);

for (const [width, height] of [
  [1440, 900],
  [1024, 768],
  [390, 844],
] as const) {
  test(`nothing on the overview moves while its figures arrive, at ${width} px`, async ({
    signedIn: page,
    gateway,
    api,
    workspace,
  }) => {
    await usedKeys(api, gateway, workspace.id);
    await page.setViewportSize({ width, height });
    await page.addInitScript(() => localStorage.setItem("gatehouse.first-steps", "done"));
    await watchLayoutShift(page);
    await answerOneByOne(page);
    await page.goto(gateway.url + paths.overview(workspace.slug));
    await expect(page.getByText("3 calls in the last 7 days, at no cost.")).toBeVisible();
    await expect(page.getByRole("heading", { name: "Failing destinations" })).toBeVisible();
    await expect(page.getByRole("row", { name: /nightly-batch/ })).toBeVisible();
    await settled(page);
    const { score, moved } = await layoutShift(page);
    expect(score, moved.join("\n")).toBeLessThanOrEqual(0.05);
  });
}

for (const [width, height] of [
  [1440, 900],
  [390, 844],
] as const) {
  test(`nothing moves while a destination's sampling comes, at ${width} px`, async ({
    signedIn: page,
    gateway,
    api,
    workspace,
  }) => {
    await usedKeys(api, gateway, workspace.id);
    const { id } = await langfuse(api, workspace.id, { sampling_rate: 0.1 });
    await page.setViewportSize({ width, height });
    await watchLayoutShift(page);
    await answerOneByOne(page);
    await page.goto(`${gateway.url}${paths.destination(workspace.slug, id)}#sampling`);
    await expect(page.getByText(/of 3 sessions, \d of 3 calls (is|are) kept at 10%/)).toBeVisible();
    await settled(page);
    const { score, moved } = await layoutShift(page);
    expect(score, moved.join("\n")).toBeLessThanOrEqual(0.05);
  });

  test(`nothing moves while the call that was waited for is read, at ${width} px`, async ({
    signedIn: page,
    gateway,
    api,
    workspace,
  }) => {
    await usedKeys(api, gateway, workspace.id);
    const { data } = await api(listGenerations, { query: { workspace_id: workspace.id } });
    const kept = [`gatehouse.first-steps.${workspace.id}`, `called ${data.at(-1)?.id}`] as const;
    await page.setViewportSize({ width, height });
    await page.addInitScript(([name, value]) => localStorage.setItem(name, value), kept);
    await watchLayoutShift(page);
    await answerOneByOne(page);
    await page.goto(gateway.url + paths.overview(workspace.slug));
    const arrived = page.getByRole("region", { name: "The first call arrived" });
    await expect(arrived.getByText(/ answered it in /)).toBeVisible();
    await expect(arrived.getByText("prod-search can spend $25.00.")).toBeVisible();
    await expect(page.getByText("3 calls in the last 7 days, at no cost.")).toBeVisible();
    await settled(page);
    const { score, moved } = await layoutShift(page);
    expect(score, moved.join("\n")).toBeLessThanOrEqual(0.05);
  });
}

test("rows stand where their skeletons stood", async ({ signedIn: page, gateway, api, workspace }) => {
  await usedKeys(api, gateway, workspace.id);
  await watchLayoutShift(page);
  await answerOneByOne(page);
  await page.goto(gateway.url + paths.keys(workspace.slug));
  await expect(row(page, /nightly-batch/)).toBeVisible();
  await settled(page);
  const { score, moved } = await layoutShift(page);
  expect(score, moved.join("\n")).toBeLessThanOrEqual(0.02);
});
