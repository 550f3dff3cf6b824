import type { BrowserContext, ViewportSize } from "@playwright/test";
import { createDestination } from "#contract/destinations.ts";
import { createEmbeddings } from "#contract/embeddings.ts";
import { createKey } from "#contract/keys.ts";
import { listRefusedCalls } from "#contract/refused-calls.ts";
import type { WorkspaceRecord } from "#contract/workspaces.ts";
import { paths } from "#console/paths.ts";
import { apiOf, type Api } from "#gateway/testing/api-client.ts";
import { startFakeVendor } from "#gateway/testing/fake-vendor.ts";
import type { RunningGateway } from "#gateway/testing/process.ts";
import { animated, atRest, expect, test as base } from "./fixtures.ts";
import { addProvider } from "./provider.ts";
import { answerOneByOne, layoutShift, watchLayoutShift } from "./layout-shift.ts";

const words = "production customs classifier for the european freight team ";
const longest = words.repeat(5).slice(0, 255).trim();

/** The address of each page, and what is on it once it is read. */
type Pages = Record<string, readonly [address: string, text: string]>;

/**
 * What makes pages long: names of the greatest length, calls refused for two reasons, a provider that fails with a long
 * message, models without a price, and many changes on the audit log.
 */
async function hardData(api: Api, gateway: RunningGateway, { id, slug }: WorkspaceRecord) {
  const vendor = await startFakeVendor();
  vendor.settings.dimensions = 4;
  const model = { upstream_id: "embed", type: "embedding" as const, dimensions: 4 };
  const priced = `${slug}/priced`;
  await addProvider(api, {
    slug,
    name: words.slice(0, 50).trim(),
    base_url: vendor.baseUrl,
    api_key: "sk-stored-0123456789",
    models: [
      { ...model, id: priced, pricing: { prompt: "0.01" } },
      ...[1, 2].map((index) => ({ ...model, id: `${slug}/unpriced-${index}` })),
    ],
  });
  const named = { name: longest, workspace_id: id, limit: 2, limit_reset: "monthly" as const };
  const { data: key, key: secret } = await api(createKey, { body: named });
  const { data: spent, key: spentSecret } = await api(createKey, { body: { ...named, name: "spent", limit: 0 } });
  const caller = apiOf(gateway, secret);
  await caller(createEmbeddings, { body: { model: priced, input: "one two" } });
  const refused = [
    { model: priced, input: "word ".repeat(200) },
    { model: `${slug}/unpriced-1`, input: "customs" },
  ];
  for (const body of refused) await expect(caller(createEmbeddings, { body })).rejects.toThrow(/402/);
  const spender = apiOf(gateway, spentSecret);
  for (let call = 0; call < 12; call += 1) {
    await expect(spender(createEmbeddings, { body: { model: priced, input: "one" } })).rejects.toThrow(/402/);
  }
  for (const [hash, calls] of [
    [key.hash, 2],
    [spent.hash, 12],
  ] as const) {
    const query = { workspace_id: id, api_key_hash: hash };
    // counts are written about a second later
    await expect.poll(async () => (await api(listRefusedCalls, { query })).total.calls).toBe(calls);
  }
  vendor.fail({ type: "status", status: 500 });
  const { key: unlimited } = await api(createKey, { body: { name: `${words}two`, workspace_id: id } });
  const failed = [1, 2, 3, 4, 5].map((input) =>
    apiOf(gateway, unlimited)(createEmbeddings, { body: { model: priced, input: `${input}` } }),
  );
  expect((await Promise.allSettled(failed)).map(({ status }) => status)).not.toContain("fulfilled");
  const { data: destination } = await api(createDestination, {
    body: {
      name: longest.slice(0, 100),
      type: "webhook",
      workspace_id: id,
      enabled: false,
      config: { url: `http://127.0.0.1:9/${words.replaceAll(" ", "-")}` },
      sampling_rate: 0.333333,
      api_key_hashes: [key.hash, spent.hash],
      filter_rules: { groups: [{ rules: [{ field: "model", operator: "contains", value: words.trim() }] }] },
    },
  });
  return {
    close: () => vendor.close(),
    pages: {
      overview: [paths.overview(slug), "Keys by spend in the last 7 days"],
      keys: [paths.keys(slug), "spent"],
      key: [paths.key(slug, key.hash), "2 calls were refused"],
      "spent key": [paths.key(slug, spent.hash), "12 calls were refused"],
      audit: [paths.audit(slug), "Created destination"],
      // only its own: other journeys' models may leave its rows beyond the screen, where a long table draws none
      models: [`${paths.models(slug)}?q=${slug}`, "/unpriced-2"],
      provider: [paths.provider(slug, slug), "2 models have no price"],
      destination: [paths.destination(slug, destination.id), "pass the rules"],
    } satisfies Pages,
  };
}

const test = base.extend<{ pages: Pages }>({
  pages: async ({ api, gateway, workspace }, use) => {
    const { pages, close } = await hardData(api, gateway, workspace);
    await use(pages);
    await close();
  },
});

test.use(animated);

interface Opened {
  size: ViewportSize;
  address: string;
  text: string;
  /** each answer comes later than the one before */
  oneByOne: boolean;
}

/** What moves on a page that is opened by its address in a tab of its own, until `text` is there and all is read. */
async function shiftOf(context: BrowserContext, { size, address, text, oneByOne }: Opened) {
  const page = await context.newPage();
  await page.setViewportSize(size);
  await page.addInitScript(() => localStorage.setItem("gatehouse.first-steps", "done"));
  await watchLayoutShift(page);
  if (oneByOne) await answerOneByOne(page);
  await page.goto(address);
  await expect(page.locator("main").getByText(text).filter({ visible: true }).first()).toBeVisible();
  // a part may ask for more when its first answer is there
  await atRest(page);
  const shift = await layoutShift(page);
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await page.close();
  return shift;
}

for (const [width, height] of [
  [1440, 900],
  [768, 1024],
  [320, 720],
] as const) {
  test(`layout shift: what is read on a page opened by its address stays where it is, at ${width} px`, async ({
    signedIn,
    gateway,
    pages,
  }) => {
    const context = signedIn.context();
    const moving: string[] = [];
    for (const [name, [path, text]] of Object.entries(pages)) {
      // the order in which answers come decides what can move
      for (const oneByOne of [false, true]) {
        const opened = { size: { width, height }, address: gateway.url + path, text, oneByOne };
        const { score, moved } = await shiftOf(context, opened);
        const order = oneByOne ? "answers one by one" : "answers at once";
        if (score > 0.05) moving.push(`${name}, ${order}: ${score.toFixed(3)}\n  ${moved.join("\n  ")}`);
      }
    }
    expect(moving).toEqual([]);
  });
}
