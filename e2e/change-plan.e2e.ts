import { readFile } from "node:fs/promises";
import { paths } from "#console/paths.ts";
import { createEmbeddings } from "#contract/embeddings.ts";
import { createKey } from "#contract/keys.ts";
import { apiOf } from "#gateway/testing/api-client.ts";
import { startFakeVendor } from "#gateway/testing/fake-vendor.ts";
import { expect, roomInThisHour, test, hold } from "./fixtures.ts";
import { addProvider } from "./provider.ts";

test("plan of a change: what it costs again, and the memory", async ({ signedIn: page, gateway, api, workspace }) => {
  const { slug } = workspace;
  const target = `${slug}/large`;
  await addProvider(api, {
    slug,
    name: "Dear",
    base_url: "http://127.0.0.1:9/v1",
    models: [
      {
        id: target,
        upstream_id: "large",
        type: "embedding",
        dimensions: 3072,
        dimensions_range: { minimum: 256, maximum: 3072 },
        // USD 1 a token: the plan's cost is the tokens that were counted
        pricing: { prompt: "1" },
      },
    ],
  });
  const { key } = await api(createKey, { body: { name: "indexer", workspace_id: workspace.id } });
  await roomInThisHour();
  const { usage } = await apiOf(gateway, key)(createEmbeddings, {
    body: { model: "gatehouse/lexical", input: ["container held at customs", "a loaf of bread"] },
  });
  const tokens = usage?.prompt_tokens ?? 0;
  expect(tokens).toBeGreaterThan(2);

  await page.goto(paths.model(slug, "gatehouse/lexical"));
  await page.getByRole("link", { name: "Plan a change of model" }).click();
  await expect(page.getByText(`1 key embedded ${tokens} tokens in 1 call with gatehouse/lexical.`)).toBeVisible();
  await page.getByLabel("Embed again with").selectOption(target);
  await expect(page).toHaveURL(/[?&]to=/);
  const said = page.getByText(`Embedding ${tokens} tokens in 1 call again with ${target} costs about $`);
  await expect(said).toContainText("how long it takes is not known, since none of the newest calls used it.");
  const row = page.getByRole("row").filter({ has: page.getByRole("link", { name: "indexer" }) });
  await expect(row.getByRole("cell").last()).toHaveText(`$${tokens}.00`);

  // two inputs were embedded: without a count of one's own the memory is that of two vectors
  await expect(page.getByRole("heading", { name: "Memory of about 2 vectors" })).toBeVisible();
  await page.getByLabel("Vectors in the index").fill("1,000,000");
  await expect(page.getByRole("heading", { name: "Memory of 1M vectors" })).toBeVisible();
  const memory = page.getByRole("region", { name: "Memory of" }).getByRole("listitem");
  await expect(memory.filter({ hasText: target })).toHaveText([
    `${target}3,07212 GB`,
    `${target}2,0488.2 GB`,
    `${target}1,0244.1 GB`,
    `${target}5122 GB`,
    `${target}2561 GB`,
  ]);
  // what is not known yet is neither said nor exported
  const prices = await hold(page, "**/provider-settings*");
  const figures = page.waitForResponse("**/api/v1/usage/model?*");
  await page.reload();
  await figures;
  await expect(page.getByLabel("Vectors in the index")).toHaveValue("1000000");
  await expect(page.getByRole("button", { name: "Export CSV" })).toBeHidden();
  await expect(page.getByText("No provider here offers")).toBeHidden();
  prices();

  const saved = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export CSV" }).click();
  const file = await saved;
  expect(file.suggestedFilename()).toMatch(/^plan_gatehouse-lexical_/);
  const lines = (await readFile(await file.path(), "utf8")).trim().split("\r\n");
  expect(lines).toHaveLength(2);
  expect(lines[1]).toMatch(new RegExp(`^indexer,\\w+,${workspace.id},${tokens},1,0,${tokens},${tokens}$`));
});

test("plan of a change: how long it takes, if used @long", async ({ signedIn: page, gateway, api, workspace }) => {
  const { key } = await api(createKey, { body: { name: "indexer", workspace_id: workspace.id } });
  await page.goto(paths.changePlan(workspace.slug, "gatehouse/lexical"));
  await expect(page.getByRole("heading", { name: "Nothing was embedded with it in these days" })).toBeVisible();
  for (const model of ["gatehouse/lexical", "gatehouse/lexical-visual"]) {
    await apiOf(gateway, key)(createEmbeddings, { body: { model, input: "container held at customs" } });
  }
  await page.goto(paths.changePlan(workspace.slug, "gatehouse/lexical") + "?to=gatehouse/lexical-visual");
  await expect(page.getByText(/is free, and takes about .+ with 4 calls at a time\.$/)).toBeVisible();
  await expect(page.getByText("The time is from its 1 call among the newest 2")).toBeVisible();
});

test("plan of a change: a model without dimensions @long", async ({ signedIn: page, gateway, api, workspace }) => {
  const { slug } = workspace;
  const models = ["from", "to"].map((name) => ({
    id: `${slug}/${name}`,
    upstream_id: name,
    type: "embedding" as const,
  }));
  const vendor = await startFakeVendor();
  await addProvider(api, { slug, name: "Silent", base_url: vendor.baseUrl, models });
  const { key } = await api(createKey, { body: { name: "indexer", workspace_id: workspace.id } });
  await roomInThisHour();
  await apiOf(gateway, key)(createEmbeddings, { body: { model: `${slug}/from`, input: "a loaf of bread" } });
  await page.goto(`${paths.changePlan(slug, `${slug}/from`)}?to=${slug}%2Fto`);
  const memory = page.getByRole("region", { name: "Memory of" });
  for (const { id } of models) {
    await expect(
      memory.getByText(`${id} is left out: its settings do not say how many dimensions it has.`),
    ).toBeVisible();
  }
  await page.getByLabel("Embed again with").selectOption("gatehouse/lexical");
  await expect(memory.getByRole("listitem").first()).toContainText("gatehouse/lexical");
  await expect(memory.getByText("is left out")).toHaveCount(1);
  await vendor.close();
});
