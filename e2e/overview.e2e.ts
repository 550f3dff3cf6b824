import { paths } from "#console/paths.ts";
import { createEmbeddings } from "#contract/embeddings.ts";
import { createKey, updateKey } from "#contract/keys.ts";
import { hourMs } from "#contract/time.ts";
import { apiOf, type Api } from "#gateway/testing/api-client.ts";
import { expect, failUntilClick, roomInThisHour, test, toBar, enter, expectTexts } from "./fixtures.ts";

test("overview: what needs attention, figures, ranges, failures", async ({ signedIn: page, part, gateway, api }) => {
  await part("what needs attention, with the one thing to do about it", async (workspace) => {
    const body = { workspace_id: workspace.id };
    await api(createKey, { body: { ...body, name: "spent", limit: 0 } });
    const expires_at = new Date(Date.now() + 5.5 * hourMs).toISOString();
    const { data: ending } = await api(createKey, { body: { ...body, name: "ending", expires_at } });
    await api(createKey, { body: { ...body, name: "calm" } });

    await page.goto(paths.overview(workspace.slug));
    const items = page
      .getByRole("listitem")
      .filter({ has: page.getByRole("link", { name: /: (spent|ending|calm) / }) });
    await expect(items).toHaveCount(2);
    await expect(items.nth(0)).toContainText("spent is over its limit");
    await expect(items.nth(1)).toContainText("ending expires in 5 h");
    await page.getByRole("link", { name: /^Extend/ }).click();
    await expect(page).toHaveURL(paths.editKey(workspace.slug, ending.hash));
  });
  await part("the figures come from the ledger, and lead to what they count", async (workspace) => {
    const { key } = await api(createKey, { body: { name: "caller", workspace_id: workspace.id } });
    const caller: Api = apiOf(gateway, key);
    await roomInThisHour();
    for (const input of ["one two", "three"]) {
      await caller(createEmbeddings, { body: { model: "gatehouse/lexical", input } });
    }
    await page.goto(paths.overview(workspace.slug));
    for (const label of ["Spend today", "This week, since Mon 00:00 UTC", "This month"]) {
      await expect(page.getByRole("heading", { name: label })).toBeVisible();
    }
    const calls = page.getByRole("region", { name: "the calls of the last 7 days" });
    await expect(calls.getByRole("link").nth(0)).toHaveText("2");
    await expect(page.getByText("2 calls in the last 7 days, at no cost.")).toBeVisible();
    await expect(page.getByRole("region", { name: "how long calls took" }).getByRole("link")).toHaveText(/ m?s$/);
    await toBar(page.getByRole("slider", { name: /Calls per 3 hours/ }), /: 2$/);
    await expect(page.getByText(/: 2$/)).toBeVisible();
    await calls.getByRole("link", { name: "0%" }).click();
    await expect(page).toHaveURL(/\/calls\?status=failed&since=2/);
    await page.goBack();
    const spend = page.getByRole("region", { name: "the spend so far" });
    await spend.getByRole("link").last().click();
    await expect(page).toHaveURL(paths.usage(workspace.slug));
    await expect(page.getByRole("row", { name: /^Total/ })).toContainText("2");
  });
  await part("the range and what it is told apart by live in the address", async (workspace) => {
    const { key } = await api(createKey, { body: { name: "caller", workspace_id: workspace.id } });
    await apiOf(gateway, key)(createEmbeddings, { body: { model: "gatehouse/lexical", input: "one" } });
    await page.goto(paths.overview(workspace.slug));
    await page.getByRole("radio", { name: "Custom" }).click();
    await page.getByLabel("From", { exact: true }).fill("2026-11-03");
    await enter(page.getByLabel("to", { exact: true }), "2026-11-09");
    await expect(page).toHaveURL(/range=custom.*from=2026-11-03.*to=2026-11-09/);
    await expect(page.getByText(/No calls in 3 Nov/)).toBeVisible();
    await page.getByLabel("Group the spend").selectOption("model");
    await expect(page).toHaveURL(/group=model/);
    await page.keyboard.press("Escape");
    await page.getByRole("heading", { level: 1 }).click();
    await page.keyboard.press("3");
    await expect(page).toHaveURL(/range=30d/);
    await expect(page.getByText("1 call in the last 30 days, at no cost.")).toBeVisible();
  });
  await part("what fails is said, and tried again", async (workspace) => {
    const { key } = await api(createKey, { body: { name: "caller", workspace_id: workspace.id } });
    await apiOf(gateway, key)(createEmbeddings, { body: { model: "gatehouse/lexical", input: "one" } });
    const failure = {
      status: 503,
      json: { error: { code: 503, message: "the store does not answer", metadata: { error_type: "unavailable" } } },
    };
    await failUntilClick(page, "**/api/v1/counts*", failure);
    await page.goto(paths.overview(workspace.slug));
    await expect(page.getByText("The health of the destinations did not load.")).toBeVisible();
    await expect(page.getByRole("heading", { name: "This month" })).toBeVisible();
    await expect(page.getByRole("heading", { name: "Needs attention" })).toBeVisible();
    await page.getByRole("button", { name: "Retry" }).click();
    await expect(page.getByRole("heading", { name: "Failing destinations" })).toBeVisible();

    // a browser that does not know yet whether there were calls says so as well, and takes no first steps
    await page.evaluate(() => localStorage.clear());
    await failUntilClick(page, "**/api/v1/overview?*", failure);
    await page.reload();
    await expect(page.getByText("The overview did not load")).toBeVisible();
    await expect(page.getByRole("region", { name: /Three steps/ })).toHaveCount(0);
    await page.getByRole("button", { name: "Retry" }).click();
    await expect(page.getByRole("heading", { name: "p95, 24 h" })).toBeVisible();
  });
});

test("overview: three steps, then the figures, by itself", async ({ signedIn: page, gateway, api, workspace }) => {
  await page.goto(paths.overview(workspace.slug));
  const steps = page.getByRole("region", { name: `Three steps to the first answer in ${workspace.name}` });
  await expect(steps.getByRole("listitem").nth(0)).toContainText("done");
  await expect(steps.getByRole("listitem").nth(1)).toContainText("to do");
  await expect(steps.getByRole("link", { name: "Create a key" })).toHaveAttribute("href", paths.newKey(workspace.slug));
  await expect(page.getByRole("heading", { name: "Needs attention" })).toBeVisible();
  const { key } = await api(createKey, { body: { name: "first", workspace_id: workspace.id } });
  await expect(steps.getByRole("listitem").nth(1)).toContainText("done");
  await expect(steps.getByText("Waiting for the first call")).toBeVisible();
  const command = steps.getByRole("region", { name: "The first call, curl" });
  await expectTexts(command, `curl ${gateway.url}/api/v1/`, "$GATEHOUSE_API_KEY");
  await expect(steps.getByRole("button", { name: "Copy the curl snippet" })).toBeVisible();
  await steps.getByRole("tab", { name: "Python" }).click();
  await expect(steps.getByRole("region", { name: "The first call, Python" })).toContainText("import json");
  await expect(steps.getByRole("link", { name: "try a model in the playground" })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Spend today" })).toHaveCount(0);
  await expect(page.getByRole("slider")).toHaveCount(0);

  await apiOf(gateway, key)(createEmbeddings, { body: { model: "gatehouse/lexical", input: "hello" } });
  await expect(page.getByRole("heading", { name: "Spend today" })).toBeVisible();
  await expect(steps).toHaveCount(0);
  const kept = (id: string) => page.evaluate((name) => localStorage.getItem(name), `gatehouse.first-steps${id}`);
  await expect.poll(() => kept(`.${workspace.id}`)).toMatch(/^called /);

  // other journeys of this gateway make calls: as if there had been none, the installation has the steps alone
  const calls = (url: URL) => url.pathname.endsWith("/api/v1/generations");
  let called = false;
  await page.route(calls, (route) =>
    called ? route.continue() : route.fulfill({ json: { data: [], next_cursor: null, looked_back_to: null } }),
  );
  await page.route("**/api/v1/overview?*", async (route) => {
    const json = (await (await route.fetch()).json()) as { data: object };
    await route.fulfill({ json: { data: { ...json.data, used: false, called: false } } });
  });
  await page.goto(paths.overview("all"));
  await expect(page.getByRole("region", { name: "Three steps to the first answer", exact: true })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Needs attention" })).toHaveCount(0);
  called = true;
  await expect(page.getByRole("heading", { name: "Spend today" })).toBeVisible();
  await expect.poll(() => kept("")).toMatch(/^called /);
});

test("overview: the first call, and what is missing next", async ({ signedIn: page, gateway, api, workspace }) => {
  let looked = 0;
  await page.route("**/api/v1/provider-settings/detected", (route) => {
    looked += 1;
    const ollama = {
      preset: "ollama",
      name: "Ollama",
      base_url: "http://127.0.0.1:11434/v1",
      models: ["llama", "nomic"],
    };
    return route.fulfill({ json: { data: [ollama] } });
  });
  // other journeys of this gateway add providers
  const everyProvider = (url: URL) => url.pathname.endsWith("/api/v1/provider-settings");
  await page.route(everyProvider, async (route) => {
    const json = (await (await route.fetch()).json()) as { data: { kind: string }[] };
    await route.fulfill({ json: { ...json, data: json.data.filter(({ kind }) => kind === "builtin") } });
  });
  // the playground's own call is not the one that the steps wait for
  await page.goto(paths.playground(workspace.slug));
  await enter(page.getByRole("textbox", { name: "Question" }), "Which planet has rings?");
  await expect(page.getByRole("list", { name: "Nearest to the question" })).toBeVisible();
  await page.goto(paths.overview(workspace.slug));
  await expect(page.getByText("1 call in the last 7 days, at no cost.")).toBeVisible();
  await expect(page.getByRole("link", { name: "Create a key" })).toBeVisible();
  const { key, data } = await api(createKey, { body: { name: "first", workspace_id: workspace.id } });
  await expect(page.getByText("Waiting for the first call")).toBeVisible();
  await apiOf(gateway, key)(createEmbeddings, { body: { model: "gatehouse/lexical", input: "hello there" } });

  const arrived = page.getByRole("region", { name: "The first call arrived" });
  await expect(arrived.getByRole("status").first()).toHaveText(
    /^gatehouse\/lexical answered it in [\d.]+ m?s\. The key works/,
  );
  await expect(arrived.getByText("free", { exact: true })).toBeVisible();
  await expect(arrived.getByText(/^\d+ in$/)).toBeVisible();
  await expect(arrived.getByRole("link", { name: "first", exact: true })).toHaveAttribute(
    "href",
    paths.key(workspace.slug, data.hash),
  );
  // the figures below count it, although they were read before it came
  await expect(page.getByText("2 calls in the last 7 days, at no cost.")).toBeVisible();

  const steps = arrived.getByRole("listitem");
  await expect(steps.nth(1)).toContainText("first can spend any amount.");
  await expect(steps.nth(2).getByRole("link", { name: "Add a destination" })).toHaveAttribute(
    "href",
    paths.newDestination(workspace.slug),
  );
  // without a provider of one's own, this machine is looked at, once
  await expect(steps.nth(0)).toContainText("Ollama is running here too. It answers at 127.0.0.1:11434 with 2 models");
  await expect(steps.nth(0).getByRole("link", { name: "Add Ollama" })).toBeVisible();
  expect(looked).toBe(1);

  // it is there after a reload, and knows what was done meanwhile
  await api(updateKey, { params: { hash: data.hash }, body: { limit: 5 } });
  await page.reload();
  await expectTexts(steps.nth(1), "first can spend $5.00.", "done");
  await arrived.getByRole("link", { name: "Show the call" }).click();
  await expect(page).toHaveURL(/\/calls\/gen-/);
  await page.goBack();
  await arrived.getByRole("button", { name: "Hide" }).click();
  await expect(arrived).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole("heading", { name: "Spend today" })).toBeVisible();
  await expect(arrived).toHaveCount(0);
});
