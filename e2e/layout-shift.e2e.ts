import type { BrowserContext, ViewportSize } from "@playwright/test";
import { listGenerations } from "#contract/calls.ts";
import { createDestination } from "#contract/destinations.ts";
import { createEmbeddings } from "#contract/embeddings.ts";
import { createKey } from "#contract/keys.ts";
import { listRefusedCalls } from "#contract/refused-calls.ts";
import type { WorkspaceRecord } from "#contract/workspaces.ts";
import { paths } from "#console/paths.ts";
import { apiOf, type Api } from "#gateway/testing/api-client.ts";
import { startFakeVendor } from "#gateway/testing/fake-vendor.ts";
import type { RunningGateway } from "#gateway/testing/process.ts";
import { animated, atRest, expect, longRun, test as base } from "./fixtures.ts";
import { addProvider } from "./provider.ts";
import { answerOneByOne, layoutShift, watchLayoutShift } from "./layout-shift.ts";

const words = "production customs classifier for the european freight team ";
const longest = words.repeat(5).slice(0, 255).trim();

interface Watched {
  address: string;
  /** what is on it once it is read */
  text: string;
  /** how much of it may move: a twentieth, or so much */
  most?: number;
  /** what the browser kept of an earlier visit */
  kept?: readonly [name: string, value: string];
}
type Pages = Record<string, Watched>;

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
  const { data: calls } = await api(listGenerations, { query: { workspace_id: id } });
  const done = ["gatehouse.first-steps", "done"] as const;
  const arrived = [`gatehouse.first-steps.${id}`, `called ${calls.at(-1)?.id}`] as const;
  const editor = paths.destination(slug, destination.id);
  return {
    close: () => vendor.close(),
    pages: {
      overview: { address: paths.overview(slug), text: "Keys by spend in the last 7 days", kept: done },
      "first call": { address: paths.overview(slug), text: " answered it in ", kept: arrived },
      keys: { address: paths.keys(slug), text: "spent", most: 0.02 },
      key: { address: paths.key(slug, key.hash), text: "2 calls were refused" },
      "spent key": { address: paths.key(slug, spent.hash), text: "12 calls were refused" },
      calls: { address: `${paths.calls(slug)}?status=succeeded`, text: priced },
      audit: { address: paths.audit(slug), text: "Created destination" },
      // only its own: other journeys' models may leave its rows beyond the screen, where a long table draws none
      models: { address: `${paths.models(slug)}?q=${slug}`, text: "/unpriced-2" },
      provider: { address: paths.provider(slug, slug), text: "2 models have no price" },
      destination: { address: editor, text: "pass the rules" },
      sampling: { address: `${editor}#sampling`, text: "pass the rules" },
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

/** What moves on a page that is opened by its address in a tab of its own, until its text is there and all is read. */
async function shiftOf(context: BrowserContext, size: ViewportSize, oneByOne: boolean, watched: Watched) {
  const page = await context.newPage();
  await page.setViewportSize(size);
  if (watched.kept) await page.addInitScript(([name, value]) => localStorage.setItem(name, value), watched.kept);
  await watchLayoutShift(page);
  if (oneByOne) await answerOneByOne(page);
  await page.goto(watched.address);
  await expect(page.locator("main").getByText(watched.text).filter({ visible: true }).first()).toBeVisible();
  // a part may ask for more when its first answer is there
  await atRest(page);
  const shift = await layoutShift(page);
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await page.close();
  return shift;
}

const sizes = [
  { width: 1440, height: 900 },
  { width: 768, height: 1024 },
  { width: 390, height: 844 },
  { width: 320, height: 720 },
];
/** Those that `npm test` looks at: the parts of the others are among their parts. */
const chosen = ["overview", "first call", "keys", "calls", "destination"];
/** The order in which answers come decides what can move: each comes later than the one before, or all come at once. */
const orders = longRun ? [true, false] : [true];

for (const size of longRun ? sizes : sizes.slice(0, 1)) {
  test(`layout shift: what is read stays where it is, at ${size.width} px`, async ({ signedIn, pages }) => {
    const moving: string[] = [];
    const all = Object.entries(pages);
    for (const [name, watched] of longRun ? all : all.filter(([each]) => chosen.includes(each))) {
      for (const oneByOne of orders) {
        const { score, moved } = await shiftOf(signedIn.context(), size, oneByOne, watched);
        const order = oneByOne ? "answers one by one" : "answers at once";
        if (score > (watched.most ?? 0.05))
          moving.push(`${name}, ${order}: ${score.toFixed(3)}\n  ${moved.join("\n  ")}`);
      }
    }
    expect(moving).toEqual([]);
  });
}
