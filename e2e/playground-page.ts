import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { defaultSettings, openAiEmbeddings, openAiError } from "#gateway/testing/vendor-answers.ts";
import type { Api } from "#gateway/testing/api-client.ts";
import type { Locator } from "@playwright/test";
import { expect, type Page } from "./fixtures.ts";
import { addProvider } from "./provider.ts";

/** Takes the example map away, which a playground opens with. */
export async function clearExample(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Clear the example" }).click();
  await expect(page.getByRole("heading", { name: "See what a vector knows" })).toBeVisible();
}

/** Opens the input again, which folds once a run has taken several rows from it; from then on it stays open. */
export async function showInput(page: Page): Promise<void> {
  await page.getByRole("button", { name: /^Show the input/ }).click();
}

/** Pastes lines as a browser does: an event with the text on its clipboard. Waits for their rows: a worker reads them. */
export async function paste(page: Page, pasted: string): Promise<void> {
  const first = page.getByRole("textbox", { name: "Row 1", exact: true });
  const before = await first.inputValue();
  await first.evaluate((field, value) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text", value);
    field.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }, pasted);
  await expect(first).not.toHaveValue(before);
}

export const results = (page: Page): Locator => page.getByRole("region", { name: "Results" });
export const view = (page: Page, name: string): Promise<void> => results(page).getByRole("tab", { name }).click();

/** Presses Run; waits for the vectors of so many rows where it is told how many there are. */
export async function run(page: Page, rows?: number): Promise<void> {
  await page.getByRole("button", { name: /^Run(?! the other)/ }).click();
  if (rows === undefined) return;
  const count = rows.toLocaleString("en-US");
  await expect(page.getByText(`${count} / ${count} row${rows === 1 ? "" : "s"}`)).toBeVisible({ timeout: 900_000 });
}

/** Opens the playground at an address, with these rows in its batch. */
export async function openBatch(page: Page, address: string, lines?: readonly string[] | string): Promise<void> {
  await page.goto(address);
  await page.getByRole("tab", { name: /^Batch/ }).click();
  if (lines !== undefined) await paste(page, typeof lines === "string" ? lines : lines.join("\n"));
}

/** The same, and runs all of them. */
export async function runBatch(page: Page, address: string, lines: readonly string[]): Promise<void> {
  await openBatch(page, address, lines);
  await run(page, lines.length);
}

/** The bodies of all calls of the playground from now on, as they leave the browser. */
export function sentCalls<Body = Record<string, unknown>>(page: Page): Body[] {
  const sent: Body[] = [];
  page.context().on("request", (request) => {
    if (request.url().endsWith("/api/v1/embeddings")) sent.push(JSON.parse(request.postData() ?? "{}") as Body);
  });
  return sent;
}

export interface PickyVendor {
  /** refuses every request with one of these texts in it, with 400 */
  refused: Set<string>;
  /** milliseconds before each answer */
  delayMs: number;
  /** requests so far */
  calls: number;
  /** requests that wait for their answer */
  waiting: number;
  /** answers so many requests, and keeps the others waiting until it is raised */
  most: number;
  close(): Promise<void>;
}

/** A vendor that refuses certain texts as real ones do (the whole request, without saying which), and a model on it. */
export async function addPickyModel(api: Api, slug: string): Promise<PickyVendor> {
  const server = createServer((request, response) => {
    void (async () => {
      const body = JSON.parse(await text(request)) as { input: string[] };
      vendor.calls += 1;
      vendor.waiting += 1;
      const number = vendor.calls;
      do await new Promise((resolve) => setTimeout(resolve, vendor.delayMs));
      while (number > vendor.most);
      vendor.waiting -= 1;
      const bad = body.input.some((one) => vendor.refused.has(one));
      const answer = bad
        ? openAiError(400, "One of the inputs is not acceptable.")
        : openAiEmbeddings(
            { method: "POST", path: "/embeddings", headers: {}, body },
            { ...defaultSettings, dimensions: 64 },
          );
      response.writeHead(answer.type === "json" ? answer.status : 500, { "content-type": "application/json" });
      response.end(answer.type === "json" ? answer.json : "");
    })();
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const vendor: PickyVendor = {
    refused: new Set(),
    delayMs: 0,
    calls: 0,
    waiting: 0,
    most: Number.POSITIVE_INFINITY,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => void server.close(resolve));
    },
  };
  await addProvider(api, {
    slug,
    name: "Picky",
    base_url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    models: [{ id: `${slug}/embed`, upstream_id: "embed", type: "embedding", pricing: { prompt: "0.0001" } }],
  });
  return vendor;
}
