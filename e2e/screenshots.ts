// Makes the README's pictures: the overview after a month of calls, and the playground's map, of the real program.
// With a folder as argument it makes a picture of every page instead, at 390 and 1440 px in both themes, to be looked at.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { chromium, type Page } from "@playwright/test";
import { upsertWorkspaceBudget } from "#contract/budgets.ts";
import { createChatCompletion } from "#contract/chat.ts";
import { createDestination } from "#contract/destinations.ts";
import { createEmbeddings } from "#contract/embeddings.ts";
import { createGuardrail } from "#contract/guardrails.ts";
import { createKey, type CreateKeyBody, updateKey } from "#contract/keys.ts";
import { createProvider } from "#contract/providers.ts";
import { createWorkspace } from "#contract/workspaces.ts";
import { paths } from "#console/paths.ts";
import { type Api, apiOf } from "#gateway/testing/api-client.ts";
import { type FakeVendor, startFakeVendor } from "#gateway/testing/fake-vendor.ts";
import { startFakeSink } from "#gateway/testing/fake-sink.ts";
import { makeClock, type TestClock } from "#gateway/testing/clock.ts";
import { startGateway } from "#gateway/testing/gateway.ts";
import { launchOptions } from "../setup/browser.js";
import { buildConsole } from "../setup/console.js";
import { root } from "../setup/run.js";

const all = process.argv[2];
const folder = all ?? join(root, "docs", "screenshots");
const days = 30;
const dayMs = 86_400_000;

/** How many calls each key makes on a day, with which model. Those without a model's price spend nothing. */
const keys: (CreateKeyBody & { calls: number; model: string; workspace: string; off?: boolean })[] = [
  {
    name: "search-indexer",
    limit: 25,
    limit_reset: "monthly",
    calls: 6,
    model: "acme/embed-small",
    workspace: "search",
  },
  { name: "support-assistant", limit: 60, limit_reset: "monthly", calls: 5, model: "acme/talk", workspace: "support" },
  { name: "mobile-app", limit: 15, limit_reset: "weekly", calls: 3, model: "acme/talk", workspace: "default" },
  {
    name: "nightly-batch",
    limit: 120,
    limit_reset: "monthly",
    calls: 4,
    model: "brackwater/reason",
    workspace: "search",
  },
  { name: "contractor-alex", limit: 10, calls: 1, model: "acme/talk", workspace: "support" },
  { name: "notebook-maria", calls: 2, model: "acme/embed-small", workspace: "default" },
  { name: "old-prototype", limit: 2, calls: 0, model: "acme/talk", workspace: "default", off: true },
];
/** What only the pictures of all pages have: names and amounts that break layouts. */
const ugly: typeof keys = [
  {
    name: "W".repeat(64),
    limit: 987_654_321,
    limit_reset: "daily",
    calls: 1,
    model: "acme/talk",
    workspace: "default",
  },
  { name: "مفتاح الإنتاج لخدمة تصنيف الوثائق", limit: 0.000001, calls: 0, model: "acme/talk", workspace: "support" },
  { name: "🚢🚢 container 👩‍👩‍👧‍👦 search", limit: 5, calls: 1, model: "brackwater/reason", workspace: "search" },
  { name: "mobile-app", limit: 3, limit_reset: "daily", calls: 1, model: "acme/talk", workspace: "support" },
];

await buildConsole();
await mkdir(folder, { recursive: true });
const vendor = await startFakeVendor();
const sink = await startFakeSink();
const clock = makeClock(new Date(Date.now() - days * dayMs));
const gateway = await startGateway({ clock, consoleFolder: join(root, "dist", "console") });
const browser = await chromium.launch(launchOptions());
try {
  await fill(apiOf(gateway), vendor, clock);
  clock.set(new Date());
  await (all === undefined ? takeReadmePictures() : takeAllPictures());
} finally {
  await browser.close();
  await gateway.close();
  await vendor.close();
  await sink.close();
}
console.log(`Wrote pictures to ${folder}`);

async function fill(api: Api, { baseUrl, fail }: FakeVendor, { advance }: TestClock): Promise<void> {
  const workspaces = new Map<string, string | undefined>([["default", undefined]]);
  for (const [slug, name] of [
    ["search", "Search"],
    ["support", "Customer support"],
  ] as const) {
    const { data } = await api(createWorkspace, { body: { slug, name } });
    workspaces.set(slug, data.id);
    await api(upsertWorkspaceBudget, { params: { id: data.id, interval: "monthly" }, body: { limit_usd: 150 } });
  }
  await api(createProvider, {
    body: {
      slug: "acme",
      name: "Acme",
      kind: "openai-compatible",
      base_url: baseUrl,
      models: [
        {
          id: "acme/embed-small",
          upstream_id: "embed-small",
          type: "embedding",
          pricing: { prompt: "0", request: "0.11" },
        },
        { id: "acme/talk", upstream_id: "talk", type: "chat", pricing: { prompt: "0.0005", completion: "0.02" } },
      ],
    },
  });
  await api(createProvider, {
    body: {
      slug: "brackwater",
      name: "Brackwater",
      kind: "openai-compatible",
      base_url: baseUrl,
      models: [
        {
          id: "brackwater/reason",
          upstream_id: "reason",
          type: "chat",
          pricing: { prompt: "0.001", completion: "0.06" },
        },
      ],
    },
  });
  if (all !== undefined) {
    await api(createDestination, {
      body: { name: "Traces", type: "webhook", config: { url: `${sink.url}/hook` }, sampling_rate: 0.25 },
    });
  }
  await api(createGuardrail, { body: { name: "No training", enforce_zdr: true } });
  const made = await Promise.all(
    [...keys, ...(all === undefined ? [] : ugly)].map(async ({ calls, model, workspace, off = false, ...body }) => {
      const id = workspaces.get(workspace);
      const { data, key } = await api(createKey, {
        body: { ...body, ...(id === undefined ? {} : { workspace_id: id }) },
      });
      if (off) await api(updateKey, { params: { hash: data.hash }, body: { disabled: true } });
      return { name: body.name, calls: off ? 0 : calls, model, call: apiOf(gateway, key) };
    }),
  );
  for (let day = 0; day < days; day++) {
    const weekend = new Date(clock.now()).getUTCDay() % 6 === 0;
    for (const [index, { name, calls, model, call }] of made.entries()) {
      const count = Math.round(calls * (weekend ? 0.4 : 1) * (0.7 + ((day * 7 + index * 3) % 6) / 8));
      for (let nth = 0; nth < count; nth++) {
        if ((day + nth) % 11 === 0) fail({ type: "status", status: 503 }, 1);
        const done = model.includes("embed")
          ? call(createEmbeddings, { body: { model, input: `${name} ${day} ${nth}` } })
          : call(createChatCompletion, {
              body: { model, messages: [{ role: "user", content: `${name} ${nth}` }], max_tokens: 40 },
            });
        // refusals and failures are part of the picture
        await done.catch(() => undefined);
        advance((14 * 3_600_000) / 28);
      }
    }
    clock.set(new Date(Date.now() - (days - 1 - day) * dayMs));
  }
}

async function open(width: number, height: number, theme: "light" | "dark"): Promise<Page> {
  const page = await browser.newPage({ viewport: { width, height }, colorScheme: theme });
  await page.request.post(`${gateway.url}/api/v1/session`, { data: { management_key: gateway.managementKey } });
  return page;
}

async function show(page: Page, path: string): Promise<void> {
  await page.goto(gateway.url + path);
  // behind a panel the page's heading is there, and hidden from the accessibility tree
  await page.locator("h1").first().waitFor({ state: "attached" });
  await page.waitForLoadState("networkidle");
}

async function takeReadmePictures(): Promise<void> {
  const page = await open(1440, 900, "light");
  await show(page, paths.overview("all"));
  await page.screenshot({ path: join(folder, "overview-light.png") });
  await show(page, paths.playground("all"));
  await page.getByRole("img", { name: /map/i }).or(page.locator("canvas")).first().waitFor();
  await page.waitForTimeout(1_000);
  await page.screenshot({ path: join(folder, "map-light.png") });
}

async function takeAllPictures(): Promise<void> {
  const { data } = await gateway.call("GET", "/keys?include_disabled=true").then(({ json }) => json);
  const call = (await gateway.call("GET", "/generations?limit=1")).json?.data?.[0]?.id ?? "none";
  const workspace = "all";
  const pages: Record<string, string> = {
    overview: paths.overview(workspace),
    usage: paths.usage(workspace),
    keys: paths.keys(workspace),
    "new-key": paths.newKey(workspace),
    key: paths.key(workspace, data[0].hash),
    calls: paths.calls(workspace),
    call: paths.call(workspace, call),
    models: paths.models(workspace),
    model: paths.model(workspace, "acme/talk"),
    providers: paths.providers(workspace),
    provider: paths.provider(workspace, "acme"),
    destinations: paths.destinations(workspace),
    "new-destination": paths.newDestinationOf(workspace, "webhook"),
    workspaces: paths.workspaces(workspace),
    workspace: paths.oneWorkspace(workspace, "search"),
    chat: paths.playgroundChat(workspace),
    guardrails: paths.guardrails(workspace),
    playground: paths.playground(workspace),
    audit: paths.audit(workspace),
    credits: paths.credits(workspace),
  };
  for (const theme of ["light", "dark"] as const) {
    for (const [width, height] of [
      [390, 844],
      [1440, 900],
    ] as const) {
      const page = await open(width, height, theme);
      for (const [name, path] of Object.entries(pages)) {
        await show(page, path);
        await page.screenshot({ path: join(folder, `${name}-${width}-${theme}.png`), fullPage: name !== "playground" });
      }
      await page.close();
    }
  }
}
