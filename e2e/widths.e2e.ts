import type { Page } from "@playwright/test";
import { addCredits } from "#contract/credits.ts";
import { upsertWorkspaceBudget } from "#contract/budgets.ts";
import { listGenerations } from "#contract/calls.ts";
import { createDestination } from "#contract/destinations.ts";
import { createEmbeddings } from "#contract/embeddings.ts";
import { bulkAssignKeysToGuardrail, bulkAssignMembersToGuardrail, createGuardrail } from "#contract/guardrails.ts";
import { createKey } from "#contract/keys.ts";
import { createManagementKey } from "#contract/management-keys.ts";
import { createProvider } from "#contract/providers.ts";
import { createPreset } from "#contract/presets.ts";
import { listRefusedCalls } from "#contract/refused-calls.ts";
import { createWorkspace } from "#contract/workspaces.ts";
import { paths } from "#console/paths.ts";
import { apiOf } from "#gateway/testing/api-client.ts";
import { startFakeVendor } from "#gateway/testing/fake-vendor.ts";
import { violations } from "./axe.ts";
import { atRest, expect, row, test, widths } from "./fixtures.ts";
import { layoutFaults } from "./layout-faults.ts";
import { addProvider, embeddingModel } from "./provider.ts";
import { showNewKey } from "./key-form.ts";
import { clearExample, paste, showInput } from "./playground-page.ts";

const long = "production-customs-classifier-for-the-european-freight-team-0001";
const rightToLeft = "مفتاح الإنتاج لخدمة تصنيف الوثائق الجمركية في أوروبا";
const emoji = "🚢🚢🚢 container 👩‍👩‍👧‍👦 search 🇪🇺 ".repeat(2).trim();
/** At most that long, without half a picture at its end. */
const cut = (text: string, most: number) =>
  [...new Intl.Segmenter().segment(text)].reduce(
    (kept, { segment }) => ((kept + segment).length > most ? kept : kept + segment),
    "",
  );
const s3 = { bucketName: long.slice(0, 63), accessKeyId: "AKIAEXAMPLE", secretAccessKey: "a-stored-secret-0123456789" };
/** Pages whose tables need no sideways scroll from 768 px on. */
const fitting = ["overview", "calls", "providers"];
/** And those that need none on a phone either. */
const fittingPhones = ["overview", "providers"];
const nineDigits = 987_654_321.123456;

test("widths: nothing overlaps and nothing is out of reach", async ({ signedIn: page, gateway, api }) => {
  // some thirty pages at nine widths beside other journeys
  test.slow();
  const slug = `widths-${Date.now().toString(36)}`;
  const { data: workspace } = await api(createWorkspace, {
    body: { slug, name: long.slice(0, 50), description: `${rightToLeft} ${emoji}` },
  });
  await api(createManagementKey, { body: { name: long, expires_at: "2031-02-28T23:59:59Z" } });
  const keys = await Promise.all(
    [long, rightToLeft, emoji, "spent"].map((name, index) =>
      api(createKey, {
        body: {
          name: cut(name, 64),
          workspace_id: workspace.id,
          limit: index === 3 ? 0 : nineDigits,
          limit_reset: "monthly",
          creator_user_id: `${long}@freight.example`,
          expires_at: "2031-02-28T23:59:59Z",
        },
      }),
    ),
  );
  const key = keys[0];
  if (!key) throw new Error("No key was made");
  await apiOf(gateway, key.key)(createEmbeddings, { body: { model: "gatehouse/lexical", input: "customs" } });
  await addProvider(api, {
    slug,
    name: cut(`${rightToLeft} ${emoji}`, 60),
    base_url: "http://127.0.0.1:9/v1",
    api_key: "sk-stored-0123456789",
    models: [embeddingModel(`${slug}/${long}`, { upstream_id: long, pricing: { prompt: "0.00000002" } })],
  });
  // calls that a provider answers: its latencies and counts come to the figures of its row
  const vendor = await startFakeVendor();
  vendor.settings.dimensions = 4;
  const answering = { id: `${slug}/answering`, pricing: { prompt: "0.00000002" } };
  await addProvider(api, {
    slug: `${slug}-answering`,
    name: long,
    base_url: vendor.baseUrl,
    models: [embeddingModel(answering.id, answering)],
  });
  for (let input = 0; input < 8; input += 1) {
    await apiOf(gateway, key.key)(createEmbeddings, { body: { model: answering.id, input: `${input}` } });
  }
  // and some that it is too busy for
  vendor.fail({ type: "status", status: 429, message: long });
  for (let input = 8; input < 12; input += 1) {
    const busy = { body: { model: answering.id, input: `${input}` } };
    await expect(apiOf(gateway, key.key)(createEmbeddings, busy)).rejects.toThrow();
  }
  // calls that are refused and calls that fail: they add words to figures and rows, and the longest names there are
  const spent = keys[3];
  if (!spent) throw new Error("No key was made");
  const priced = { body: { model: `${slug}/${long}`, input: "customs" } };
  for (let refused = 0; refused < 3; refused += 1) {
    await expect(apiOf(gateway, spent.key)(createEmbeddings, priced)).rejects.toThrow();
  }
  for (let failed = 0; failed < 6; failed += 1) {
    await expect(apiOf(gateway, key.key)(createEmbeddings, priced)).rejects.toThrow();
  }
  const { data: destination } = await api(createDestination, {
    body: {
      name: long,
      type: "webhook",
      workspace_id: workspace.id,
      enabled: false,
      privacy_mode: false,
      config: { url: `http://127.0.0.1:9/${long}` },
      sampling_rate: 0.333333,
      api_key_hashes: keys.slice(0, 3).map(({ data }) => data.hash),
      filter_rules: { groups: [{ rules: [{ field: "model", operator: "contains", value: long }] }] },
    },
  });
  await api(createDestination, {
    body: { name: rightToLeft, type: "s3", workspace_id: workspace.id, enabled: false, config: s3 },
  });
  const { data: guardrail } = await api(createGuardrail, {
    body: {
      name: `${long} ${rightToLeft}`,
      description: emoji,
      workspace_id: workspace.id,
      allowed_models: [`${slug}/${long}`, "gatehouse/lexical"],
      ignored_providers: [long],
      enforce_zdr_openai: true,
      limit_usd: nineDigits,
      reset_interval: "monthly",
      content_filters: [{ pattern: long.repeat(5), label: long, action: "redact" }],
      content_filter_builtins: [{ slug: "regex-prompt-injection", action: "flag" }],
    },
  });
  const byId = { params: { id: guardrail.id } };
  const assigned = keys.slice(0, 3).map(({ data }) => data.hash);
  await api(bulkAssignKeysToGuardrail, { ...byId, body: { key_hashes: assigned } });
  await api(bulkAssignMembersToGuardrail, { ...byId, body: { member_user_ids: [`${long}@freight.example`] } });
  await api(upsertWorkspaceBudget, { params: { id: slug, interval: "monthly" }, body: { limit_usd: nineDigits } });
  await api(addCredits, { body: { amount_usd: nineDigits, note: `${long} ${rightToLeft}` } });
  // no journey spends nine digits: the list's own answer tells of it
  await page.route(/\/api\/v1\/keys\?/, async (route) => {
    const response = await route.fetch();
    const json = (await response.json()) as { data: Record<string, unknown>[] };
    for (const [index, one] of json.data.entries()) {
      const usage = index % 2 === 0 ? nineDigits : 0.000012345;
      Object.assign(one, {
        usage,
        usage_daily: usage,
        usage_weekly: usage,
        usage_monthly: usage,
        byok_usage_weekly: usage,
      });
      if (one["limit"] !== null) Object.assign(one, { limit_remaining: index % 2 === 0 ? 49.86920083 : 99_999.994321 });
    }
    await route.fulfill({ response, json });
  });
  const prompt = `Be brief.\n${"y".repeat(400)}\n${"line\n".repeat(40)}`;
  const preset = { slug: "a-preset", workspace_id: workspace.id, name: "N".repeat(100), description: "d".repeat(200) };
  await api(createPreset, { body: { ...preset, config: { model: `${slug}/${long}` }, system_prompt: prompt } });
  const longAddress = `https://${"long-".repeat(11)}host.example.com/${"way/".repeat(30)}`;
  const pages: Record<string, string> = {
    overview: paths.overview(slug),
    keys: paths.keys(slug),
    "keys of all workspaces": paths.keys("all"),
    "new key": paths.newKey(slug),
    key: paths.key(slug, key.data.hash),
    calls: paths.calls(slug),
    providers: paths.providers(slug),
    provider: paths.provider(slug, slug),
    models: paths.models(slug),
    model: paths.model(slug, `${slug}/${long}`),
    canary: paths.canary(slug, `${slug}/${long}`, slug),
    "plan of a change": `${paths.changePlan(slug, "gatehouse/lexical")}?to=${slug}/${long}`,
    "management keys": paths.managementKeys(slug),
    workspaces: paths.workspaces(slug),
    budgets: paths.workspaceBudgets(slug, slug),
    "video notifications": paths.videoWebhook(slug, slug),
    guardrails: paths.guardrails(slug),
    "guardrails of all workspaces": paths.guardrails("all"),
    "new guardrail": paths.newGuardrail(slug),
    guardrail: paths.guardrail(slug, guardrail.id),
    "changed guardrail": paths.editGuardrail(slug, guardrail.id),
    "keys of a guardrail": paths.assignKeys(slug, guardrail.id),
    credits: paths.credits(slug),
    audit: paths.audit(slug),
    destinations: paths.destinations(slug),
    "kinds of destination": paths.newDestination(slug),
    "new destination": paths.newDestinationOf(slug, "s3"),
    destination: paths.destination(slug, destination.id),
    "where an event went": paths.findEvent(slug),
    presets: paths.presets("all"),
    preset: paths.preset(slug, "a-preset"),
    "changed preset": paths.editPreset(slug, "a-preset"),
    "changed provider": paths.editProvider("all", slug),
    "gone provider": paths.deleteProvider("all", slug),
    "new own key": paths.newByokKey("all", slug),
    "new model": paths.newModel("all", slug),
    "an app's request": `${paths.authorizeApp()}?${new URLSearchParams({ callback_url: longAddress })}`,
    "sign-in": paths.signIn(),
  };
  const wrong: string[] = [];
  for (const [name, path] of Object.entries(pages)) {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(gateway.url + path);
    // A dialog takes the page behind it out of reach, also one that asks before something is deleted.
    const dialog = page.getByRole("dialog").or(page.getByRole("alertdialog"));
    await expect(page.getByRole("heading", { level: 1 }).or(dialog).first()).toBeVisible();
    wrong.push(...(await faultsAtWidths(page, name)), ...(await violations(page)).map((each) => `${name}, ${each}`));
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  await showNewKey(page, gateway.url, slug, long);
  page.on("dialog", (dialog) => void dialog.accept());
  await page.reload();
  await expect(page.getByText("may not have saved it")).toBeVisible();
  wrong.push(...(await faultsAtWidths(page, "unsaved key")));
  expect(wrong).toEqual([]);
  await vendor.close();
});

test("widths: the first column keeps its width on a phone @long", async ({ signedIn: page, api }) => {
  const slug = `widths-rows-${Date.now().toString(36)}`;
  const { data: workspace } = await api(createWorkspace, { body: { slug, name: "Many keys" } });
  for (let index = 0; index < 60; index += 1)
    await api(createKey, { body: { name: `svc-${index}-nightly-batch`, workspace_id: workspace.id } });
  for (const width of [320, 600]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto(paths.keys(slug));
    const name = page.getByRole("columnheader").first();
    await expect(row(page, /svc-59-nightly-batch/)).toBeVisible();
    await atRest(page);
    const rows = page.getByRole("row");
    await expect.poll(() => rows.count(), "some rows are not drawn").toBeLessThan(60);
    await expect.poll(async () => (await name.boundingBox())?.width, `at ${width} px`).toBeGreaterThanOrEqual(166);
  }
});

test("widths: a name of one long word stays inside @long", async ({ signedIn: page, gateway, api, workspace }) => {
  const word = "productionclassifier".repeat(12);
  const model = `${workspace.slug}/costly`;
  const costly = { id: model, upstream_id: "costly", type: "embedding" as const, dimensions: 8 };
  const paid = { ...costly, id: `${workspace.slug}/paid`, pricing: { prompt: "0.001" } };
  const vendor = await startFakeVendor();
  vendor.settings.dimensions = 8;
  await addProvider(api, {
    slug: workspace.slug,
    name: word.slice(0, 100),
    base_url: vendor.baseUrl,
    models: [{ ...costly, pricing: { prompt: "0", request: "12345.678901" } }, paid],
  });
  const named = { name: word, workspace_id: workspace.id, limit: 1 };
  const { data: key, key: secret } = await api(createKey, { body: named });
  const caller = apiOf(gateway, secret);
  await caller(createEmbeddings, { body: { model: paid.id, input: "customs" } });
  await expect(caller(createEmbeddings, { body: { model, input: "customs" } })).rejects.toThrow(/402/);
  const refused = { workspace_id: workspace.id, api_key_hash: key.hash };
  // the list of providers tells of one whose calls fail
  vendor.fail({ type: "status", status: 500 });
  const failed = [1, 2, 3, 4, 5].map((input) =>
    caller(createEmbeddings, { body: { model: paid.id, input: `${input}` } }),
  );
  expect((await Promise.allSettled(failed)).map(({ status }) => status)).not.toContain("fulfilled");
  // counts are written about a second later
  await expect.poll(async () => (await api(listRefusedCalls, { query: refused })).total.calls).toBe(1);
  const [call] = (await api(listGenerations, { query: { api_key_hash: key.hash } })).data;
  const body = { name: word.slice(0, 100), workspace_id: workspace.id, enabled: false, config: s3 };
  const { data: destination } = await api(createDestination, { body: { ...body, type: "s3" } });
  const { slug } = workspace;
  const pages = [
    // its chart names the key in the legend
    paths.overview(slug),
    paths.key(slug, key.hash),
    paths.destination(slug, destination.id),
    paths.deadLetters(slug, destination.id),
    paths.provider(slug, slug),
    paths.providers(slug),
    `${paths.findEvent(slug)}?generation=${call?.id}`,
    // names the key, so that the refused calls are open
    `${paths.calls(slug)}?key=${key.hash}`,
  ];
  for (const path of pages) {
    await page.goto(gateway.url + path);
    const place = path === paths.overview(slug) ? page.locator("figure") : page;
    await expect(place.getByText(word.slice(0, 100)).first()).toBeAttached();
    for (const width of [320, 1024]) {
      await page.setViewportSize({ width, height: 900 });
      const over = () =>
        page.evaluate(() => {
          const panels = [
            document.documentElement,
            ...document.querySelectorAll("main, [role=dialog]:not([popover]), [role=dialog] ul"),
          ];
          const cut = [...document.querySelectorAll("figure, figure select")].filter(
            (each) => each.getBoundingClientRect().right > document.documentElement.clientWidth,
          );
          if (cut.length > 0) return cut.map((each) => each.getBoundingClientRect().right);
          return panels.map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth).filter((over) => over > 0);
        });
      await expect.poll(over, `${path} at ${width} px`).toEqual([]);
    }
  }
  await vendor.close();
});

test("widths: the API's reference needs no sideways scroll @long", async ({ page, gateway }) => {
  await page.goto(`${gateway.url}/api/v1/docs`);
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth), `at ${width} px`).toBe(width);
  }
});

test("widths: a provider's short name beside long ones @long", async ({ signedIn: page, api, workspace }) => {
  const id = `${workspace.slug}/embed`;
  const model = { id, upstream_id: "embed", type: "embedding" as const, dimensions: 8, pricing: { prompt: "0" } };
  for (const [index, name] of ["H", `Failing Inc. ${long}`, "Good"].entries()) {
    const slug = `${workspace.slug}-${index}`;
    const body = {
      slug,
      name,
      kind: "openai-compatible" as const,
      base_url: "http://127.0.0.1:9/v1",
      models: [model],
    };
    await api(createProvider, { body });
  }
  await page.goto(`${paths.models(workspace.slug)}?q=${workspace.slug}`);
  const cell = page.getByRole("row").filter({ hasText: id }).getByRole("cell").filter({ hasText: "Good" });
  for (const name of ["H", "Good"]) {
    const cut = () =>
      cell.getByText(name, { exact: true }).evaluate((element) => element.scrollWidth - element.clientWidth);
    await expect.poll(cut, name).toBeLessThanOrEqual(0);
  }
});

test("widths: the playground's views have room, its map above all", async ({ signedIn: page, workspace }) => {
  test.slow();
  await page.goto(paths.playground(workspace.slug));
  await expect(page.getByRole("application", { name: /^Map of 120 rows/ })).toBeVisible();
  const wrong = await faultsAtWidths(page, "playground, example");
  await clearExample(page);
  wrong.push(...(await faultsAtWidths(page, "playground, empty")));
  await page.getByRole("button", { name: "Try images" }).click();
  await page.getByRole("button", { name: "Block 2: red disc.png" }).click();
  wrong.push(...(await faultsAtWidths(page, "playground with pictures")));
  await page.getByRole("tab", { name: /^Batch/ }).click();
  const groups = [long, rightToLeft, emoji, "billing", "damage", "drivers"];
  await paste(
    page,
    `text,topic\n${groups.flatMap((group) => [`${group} one,${group}`, `two ${group},${group}`]).join("\n")}`,
  );
  await page.getByRole("combobox", { name: "Read as" }).selectOption("CSV");
  await page.getByRole("combobox", { name: "Label" }).selectOption("topic");
  await page.getByRole("button", { name: "Row 1 is a document; make it a query" }).click();
  wrong.push(...(await faultsAtWidths(page, "playground with a batch")));
  for (const run of [1, 2]) {
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await expect(page.getByRole("combobox", { name: "History" })).toHaveValue(String(run));
    await expect(page.getByText("12 / 12 rows")).toBeVisible();
  }
  const results = page.getByRole("region", { name: "Results" });
  const canvas = results.getByRole("application");
  for (const view of ["Search", "Matrix", "List", "Map", "Vectors", "Compare", "Code"]) {
    await page.setViewportSize({ width: 1440, height: 900 });
    // the first views beside a folded input, the others beside an open one
    if (view === "Map") await showInput(page);
    await results.getByRole("tab", { name: view }).click();
    await expect(results.getByRole("tab", { name: view, selected: true })).toBeVisible();
    if (view === "Matrix")
      await results
        .getByRole("button", { name: /^Pin rows/ })
        .first()
        .click();
    if (view === "List")
      await results.getByRole("list", { name: "Rows with vectors" }).getByRole("button").first().click();
    if (view === "Compare") for (const id of [1, 2]) await page.getByRole("checkbox", { name: `Run ${id}:` }).check();
    if (view === "Map") await expect(canvas).toBeVisible();
    wrong.push(...(await faultsAtWidths(page, `playground, ${view}`)));
    if (view !== "Map") continue;
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 });
      const size = async (side: "width" | "height") => (await canvas.boundingBox())?.[side];
      await expect.poll(() => size("width"), `the map at ${width} px`).toBeGreaterThan(Math.min(430, width - 40));
      await expect.poll(() => size("height"), `the map at ${width} px`).toBeGreaterThan(300);
    }
  }
  expect(wrong).toEqual([]);
});

/** What is still read or drawn may lie anywhere for a moment: a fault is what stays. */
async function lasting(look: () => Promise<string[]>): Promise<string[]> {
  let found: string[] = [];
  await expect
    .poll(async () => (found = await look()), { timeout: 20_000 })
    .toEqual([])
    .catch(() => undefined);
  return found;
}

async function faultsAtWidths(page: Page, name: string): Promise<string[]> {
  const found: string[] = [];
  const fitsFrom = fittingPhones.includes(name) ? 0 : fitting.includes(name) ? 768 : Number.POSITIVE_INFINITY;
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    await atRest(page);
    found.push(
      ...(await lasting(() => layoutFaults(page, fitsFrom))).map((fault) => `${name} at ${width} px: ${fault}`),
    );
    const shots = process.env["GATEHOUSE_SHOTS"];
    if (shots) await page.screenshot({ path: `${shots}/${name.replaceAll(/[ ,]+/g, "-")}-${width}.png` });
  }
  return found;
}
