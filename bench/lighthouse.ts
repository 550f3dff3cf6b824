// Lighthouse, desktop, against the real gateway in a real Chromium: the sign-in page and the keys page, signed in.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startGatewayProcess } from "#gateway/testing/process.ts";
import lighthouse, { desktopConfig } from "lighthouse";
import { chromium } from "playwright";
import { browserFlags, findBrowser } from "../setup/browser.js";
import { buildConsole } from "../setup/console.js";
import { printTable } from "./table.ts";

const asked = { performance: 98, accessibility: 100, "best-practices": 100 } as const;
type Category = keyof typeof asked;
const categories = Object.keys(asked) as Category[];

await buildConsole();
const gateway = await startGatewayProcess();
const profile = await mkdtemp(join(tmpdir(), "gatehouse-lighthouse-"));
const port = 20_000 + (process.pid % 20_000);
const executablePath = findBrowser();
const browser = await chromium.launchPersistentContext(profile, {
  ...(executablePath === undefined ? {} : { executablePath }),
  args: [...browserFlags, `--remote-debugging-port=${port}`],
});

const bearer = { authorization: `Bearer ${gateway.managementKey}` };
for (let key = 0; key < 40; key++) {
  await browser.request.post(`${gateway.url}/api/v1/keys`, {
    headers: bearer,
    data: { name: `service-${key}`, limit: 25 },
  });
}

const rows: (string | number)[][] = [];
let missed = 0;
try {
  await audit("sign-in", "/sign-in");
  await browser.request.post(`${gateway.url}/api/v1/session`, { data: { management_key: gateway.managementKey } });
  await audit("API keys", "/w/all/keys");
} finally {
  await browser.close();
  await gateway.dispose();
  await rm(profile, { recursive: true, force: true });
}
printTable(
  "Lighthouse, desktop",
  ["page", ...categories, "LCP ms", "TBT ms", "CLS"],
  [...rows, ["asked", ...categories.map((category) => asked[category]), "≤ 800", "≤ 150", "≤ 0.01"]],
);
process.exitCode = missed > 0 ? 1 : 0;

async function audit(name: string, path: string): Promise<void> {
  const result = await lighthouse(
    gateway.url + path,
    { port, output: "json", logLevel: "error", onlyCategories: categories, disableStorageReset: true },
    desktopConfig,
  );
  if (!result) throw new Error(`Lighthouse gave no result for ${path}`);
  const { lhr } = result;
  const scores = categories.map((category) => Math.round((lhr.categories[category]?.score ?? 0) * 100));
  const figure = (id: string) => Number((lhr.audits[id]?.numericValue ?? Number.NaN).toFixed(3));
  rows.push([
    name,
    ...scores,
    Math.round(figure("largest-contentful-paint")),
    Math.round(figure("total-blocking-time")),
    figure("cumulative-layout-shift"),
  ]);
  for (const [index, category] of categories.entries()) {
    if ((scores[index] ?? 0) >= asked[category]) continue;
    missed += 1;
    for (const { id } of lhr.categories[category]?.auditRefs ?? []) {
      const audited = lhr.audits[id];
      if (typeof audited?.score === "number" && audited.score < 0.9)
        console.log(`${name}: ${category}: ${id}: ${audited.title} ${audited.displayValue ?? ""}`);
    }
  }
}
