// What the embeddings playground takes in a browser: time, memory and frames, on the built page and the real program.
// Usage: node bench/playground.ts
import { type Browser, type CDPSession, chromium, type Page } from "playwright";
import { createProvider } from "#contract/providers.ts";
import { apiOf } from "#gateway/testing/api-client.ts";
import { startFakeVendor } from "#gateway/testing/fake-vendor.ts";
import { launchOptions } from "../setup/browser.js";
import { buildConsole } from "../setup/console.js";
import { type Gate, median, printGates } from "./figures.ts";
import { signIn, startGateway } from "./harness.ts";

declare global {
  interface Window {
    playground: { tasks: number[]; frames: number[]; seen: Record<string, number> };
  }
}

const model = "bench/embed";
const dimensions = 1_536;
const gates: Gate[] = [];
const note = (what: string, measured: number, atMost: number, unit = "ms") =>
  gates.push({ what, measured, atMost, unit });

await buildConsole();
await using gateway = await startGateway();
const vendor = await startFakeVendor();
await using browser = await chromium.launch(launchOptions());
await apiOf(gateway)(createProvider, {
  body: {
    slug: "bench",
    name: "Bench",
    kind: "openai-compatible",
    base_url: vendor.baseUrl,
    models: [{ id: model, upstream_id: "embed-small", type: "embedding", pricing: { prompt: "0.00000002" } }],
  },
});
await oneThousand(await open(browser, "map"));
await matrix(await open(browser, "list"));
await tenThousand(await open(browser, "map"));
await vendor.close();
const missed = printGates("The embeddings playground in Chromium, on this machine as busy as it is", gates);
process.exitCode = missed === 0 ? 0 : 1;

async function oneThousand(page: Page): Promise<void> {
  await paste(page, 1_000);
  await page.evaluate(() => (window.playground.tasks = []));
  let answered = 0;
  page.context().on("requestfinished", (request) => {
    if (request.url().endsWith("/api/v1/embeddings")) answered = Date.now();
  });
  await watch(page, "map", 'canvas[aria-label^="Map of 1000 rows"]');
  await run(page, 1_000);
  const drawn = await seen(page, "map");
  note(`1,000 × ${dimensions}: last answer to map`, drawn - answered, 500);
  note("… longest main-thread task (0: none reached 50)", await longestTask(page), 50);
  await page.close();
}

async function matrix(page: Page): Promise<void> {
  await paste(page, 1_000);
  await run(page, 1_000);
  await watch(page, "matrix", '[role="gridcell"]');
  const began = Date.now();
  await page.getByRole("tab", { name: "Matrix" }).click();
  note(`1,000² × ${dimensions}: click to matrix, drawn`, (await seen(page, "matrix")) - began, 500);
  await page.close();
}

async function tenThousand(page: Page): Promise<void> {
  await paste(page, 10_000);
  note("paste of 10,000 lines: longest main-thread task (0: none reached 50)", await longestTask(page), 50);
  const worker = await workerHeap(page);
  await run(page, 10_000);
  const map = page.getByRole("application", { name: /^Map of 10000 rows/ });
  await map.waitFor({ timeout: 60_000 });
  await page.waitForTimeout(3_000);
  note(`10,000 × ${dimensions}: memory in the worker`, await worker(), 150, "MB");

  await map.focus();
  await page.keyboard.press("ArrowRight");
  await page.getByRole("list", { name: "Nearest by cosine" }).getByRole("listitem").first().waitFor();
  const queries: number[] = [];
  for (let index = 0; index < 10; index += 1) {
    queries.push(
      await page.evaluate(async () => {
        const list = document.querySelector('ol[aria-label="Nearest by cosine"]');
        const changed = new Promise<number>((resolve) =>
          new MutationObserver(() => resolve(performance.now())).observe(list ?? document.body, {
            subtree: true,
            childList: true,
            characterData: true,
          }),
        );
        const began = performance.now();
        document.querySelector("canvas[role=application]")?.dispatchEvent(
          new KeyboardEvent("keydown", {
            key: ["ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp"][Math.floor(began) % 4] ?? "",
            bubbles: true,
          }),
        );
        return (
          (await Promise.race([
            changed,
            new Promise<number>((resolve) => setTimeout(() => resolve(Number.NaN), 1_000)),
          ])) - began
        );
      }),
    );
    await page.waitForTimeout(100);
  }
  note("… key to neighbours in the list, median", median(queries.filter(Number.isFinite)), 50);

  const box = (await map.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  await page.evaluate(() => {
    window.playground.frames = [];
    let last = performance.now();
    const next = (now: number) => {
      window.playground.frames.push(now - last);
      last = now;
      requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
  });
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  for (let step = 0; step < 120; step += 1) {
    await page.mouse.move(
      box.x + box.width / 2 + Math.sin(step / 9) * 150,
      box.y + box.height / 2 + Math.cos(step / 7) * 120,
    );
  }
  await page.mouse.up();
  for (let step = 0; step < 60; step += 1) await page.mouse.wheel(0, step < 30 ? -60 : 60);
  const frames = await page.evaluate(() => window.playground.frames.slice(1));
  note(`… pan and zoom: longest of ${frames.length} frames`, Math.max(...frames), 33);
  await page.close();
}

async function open(from: Browser, view: string): Promise<Page> {
  const page = await from.newPage({ viewport: { width: 1440, height: 900 } });
  await page.addInitScript(() => {
    window.playground = { tasks: [], frames: [], seen: {} };
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) window.playground.tasks.push(duration);
    }).observe({ entryTypes: ["longtask"] });
  });
  await signIn(page, gateway);
  await page.goto(`${gateway.url}/w/all/playground?view=${view}&model=${encodeURIComponent(model)}`);
  await page.getByRole("tab", { name: /^Batch/ }).click();
  await page.waitForTimeout(500);
  return page;
}

/** Texts in forty groups of like wording, so that the vectors are many and the rows are not all one. */
async function paste(page: Page, rows: number): Promise<void> {
  const text = Array.from(
    { length: rows },
    (_, at) => `parcel ${at} of route ${at % 40} was left at door ${at * 7}`,
  ).join("\n");
  await page.evaluate(() => (window.playground.tasks = []));
  await page.getByRole("textbox", { name: "Row 1", exact: true }).evaluate((field, pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text", pasted);
    field.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }, text);
  await page.getByText(`${rows.toLocaleString("en-US")} rows, no duplicates`).waitFor();
  await page.waitForTimeout(500);
}

async function run(page: Page, rows: number): Promise<void> {
  const count = rows.toLocaleString("en-US");
  await page.getByRole("button", { name: /^Run/ }).click();
  await page.getByText(`${count} / ${count} rows`).waitFor({ timeout: 120_000 });
}

/** Notes when something is on the page and has been drawn. */
async function watch(page: Page, name: string, selector: string): Promise<void> {
  await page.evaluate(
    ([key, wanted]) => {
      const look = () => {
        if (!document.querySelector(wanted)) return;
        watching.disconnect();
        requestAnimationFrame(() => requestAnimationFrame(() => (window.playground.seen[key] = Date.now())));
      };
      const watching = new MutationObserver(look);
      watching.observe(document.body, { subtree: true, childList: true, attributes: true });
    },
    [name, selector] as const,
  );
}

async function seen(page: Page, name: string): Promise<number> {
  const handle = await page.waitForFunction((key) => window.playground.seen[key], name);
  return (await handle.jsonValue()) ?? Number.NaN;
}

async function longestTask(page: Page): Promise<number> {
  return Math.max(0, ...(await page.evaluate(() => window.playground.tasks)));
}

/** The worker's heap and what its arrays take outside of it, in megabytes, after a collection. */
async function workerHeap(page: Page): Promise<() => Promise<number>> {
  const session: CDPSession = await page.context().newCDPSession(page);
  const attached = Promise.withResolvers<string>();
  session.on("Target.attachedToTarget", ({ sessionId, targetInfo }) => {
    if (targetInfo.type === "worker") attached.resolve(sessionId);
  });
  await session.send("Target.setAutoAttach", { autoAttach: true, waitForDebuggerOnStart: false, flatten: false });
  const sessionId = await attached.promise;
  let last = 0;
  const ask = (method: string) =>
    new Promise<Record<string, number>>((resolve, reject) => {
      last += 1;
      const id = last;
      session.on("Target.receivedMessageFromTarget", ({ message }) => {
        const answer = JSON.parse(message) as { id?: number; result?: Record<string, number> };
        if (answer.id === id) resolve(answer.result ?? {});
      });
      session.send("Target.sendMessageToTarget", { sessionId, message: JSON.stringify({ id, method }) }).catch(reject);
    });
  return async () => {
    await ask("HeapProfiler.collectGarbage");
    const { usedSize = 0, backingStorageSize = 0 } = await ask("Runtime.getHeapUsage");
    return (usedSize + backingStorageSize) / 1e6;
  };
}
