// Makes the README's pictures: the keys page in each theme, of the real program with a few keys in it.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { chromium } from "@playwright/test";
import { createEmbeddings } from "#contract/embeddings.ts";
import { createKey, type CreateKeyBody, updateKey } from "#contract/keys.ts";
import { createProvider } from "#contract/providers.ts";
import { createWorkspace } from "#contract/workspaces.ts";
import { startFakeVendor } from "#gateway/testing/fake-vendor.ts";
import { startGatewayProcess } from "#gateway/testing/process.ts";
import { paths } from "#console/paths.ts";
import { launchOptions } from "../setup/browser.js";
import { buildConsole } from "../setup/console.js";
import { root } from "../setup/run.js";
import { apiOf } from "#gateway/testing/api-client.ts";

const folder = join(root, "docs", "screenshots");
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().replace(/T.*/, "T23:59:59Z");

/** Each call costs half a dollar, so that the pictures show limits in use. */
const model = "acme/embed-small";
const keys: (CreateKeyBody & { calls: number; off?: boolean })[] = [
  { name: "evaluation", limit: 8, limit_reset: "monthly", calls: 16 },
  { name: "old-prototype", limit: 2, calls: 1, off: true },
  { name: "notebook-maria", calls: 12 },
  { name: "contractor-alex", limit: 10, expires_at: inDays(7), calls: 3 },
  { name: "nightly-batch", limit: 120, limit_reset: "weekly", expires_at: inDays(90), calls: 60 },
  { name: "support-assistant", limit: 5, limit_reset: "daily", calls: 9 },
  { name: "mobile-app-staging", limit: 15, limit_reset: "weekly", calls: 0 },
  { name: "search-indexer", limit: 25, limit_reset: "monthly", calls: 21 },
];

await buildConsole();
await mkdir(folder, { recursive: true });
const vendor = await startFakeVendor();
const gateway = await startGatewayProcess();
const browser = await chromium.launch(launchOptions());
try {
  const api = apiOf(gateway);
  await api(createWorkspace, { body: { name: "Research", slug: "research" } });
  await api(createProvider, {
    body: {
      slug: "acme",
      name: "Acme",
      kind: "openai-compatible",
      base_url: vendor.baseUrl,
      models: [{ id: model, upstream_id: "embed-small", type: "embedding", pricing: { prompt: "0", request: "0.5" } }],
    },
  });
  for (const { calls, off = false, ...body } of keys) {
    const { data, key } = await api(createKey, { body });
    for (let call = 0; call < calls; call++) {
      await apiOf(gateway, key)(createEmbeddings, { body: { model, input: `${body.name} ${call}` } });
    }
    if (off) await api(updateKey, { params: { hash: data.hash }, body: { disabled: true } });
  }
  for (const theme of ["light", "dark"] as const) {
    const page = await browser.newPage({
      viewport: { width: 1440, height: 720 },
      colorScheme: theme,
      deviceScaleFactor: 1,
    });
    await page.request.post(`${gateway.url}/api/v1/session`, { data: { management_key: gateway.managementKey } });
    await page.goto(gateway.url + paths.keys("all"));
    await page.getByRole("row", { name: /search-indexer/ }).waitFor();
    await page.waitForLoadState("networkidle");
    await page.screenshot({ path: join(folder, `keys-${theme}.png`) });
    await page.close();
  }
} finally {
  await browser.close();
  await gateway.dispose();
  await vendor.close();
}
console.log("Wrote docs/screenshots/keys-light.png and keys-dark.png");
