import type { Locator, Page, Response } from "@playwright/test";
import type { KeyRecord } from "#contract/keys.ts";
import { paths } from "#console/paths.ts";
import { expect } from "./fixtures.ts";

/** The panel that creates a key, from the address. */
export async function openNewKey(page: Page, base: string, workspace: string): Promise<Locator> {
  await page.goto(base + paths.newKey(workspace));
  const panel = page.getByRole("dialog", { name: "Create an API key" });
  await expect(panel).toBeVisible();
  return panel;
}

export interface Shown {
  panel: Locator;
  record: KeyRecord;
  /** the plaintext, as the gateway answered it; the journeys look for it where it must not be */
  key: string;
}

/** The next answer to a POST whose path ends so: a page may send others meanwhile, a question about a limit for one. */
export function answerToPost(page: Page, pathEnd: string): Promise<Response> {
  return page.waitForResponse(
    (response) => response.request().method() === "POST" && new URL(response.url()).pathname.endsWith(pathEnd),
  );
}

/** Presses Create and waits for the once-only view. The key is read from the gateway's answer, not from the page. */
export async function submitNewKey(page: Page): Promise<Shown> {
  const answered = answerToPost(page, "/keys");
  await page.getByRole("button", { name: /^Create key/ }).click();
  const { key, data } = (await (await answered).json()) as { key: string; data: KeyRecord };
  return { panel: await revealOf(page), record: data, key };
}

/** Creates a key by its name alone and stops at the once-only view. */
export async function showNewKey(page: Page, base: string, workspace: string, name: string): Promise<Shown> {
  const panel = await openNewKey(page, base, workspace);
  await panel.getByLabel("Name").fill(name);
  return submitNewKey(page);
}

/** The panel that shows a key once. */
export async function revealOf(page: Page): Promise<Locator> {
  const panel = page.getByRole("dialog", { name: "Save your key" });
  // last of all: by then the key is noted as unsaved, and leaving is guarded
  await expect(panel.getByRole("button", { name: "Copy key" })).toBeFocused();
  return panel;
}

/** The question at the panel's foot: leave with the key unsaved? */
export function gateOf(page: Page): Locator {
  return page.getByRole("group", { name: "You have not saved this key. It cannot be shown again." });
}

/** The part of a key that its label does not reveal: neither the prefix, the first three, nor the last four. */
export function randomPart(key: string): string {
  return key.slice(key.lastIndexOf("-") + 4, -4);
}

/** The last thing that was copied, read on a page of a secure origin: only there may a page read it. */
export async function clipboard(page: Page, secureUrl: string): Promise<string> {
  const context = page.context();
  await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: new URL(secureUrl).origin });
  const reader = await context.newPage();
  try {
    await reader.goto(secureUrl + paths.signIn());
    await reader.bringToFront();
    return await reader.evaluate(() => navigator.clipboard.readText());
  } finally {
    await reader.close();
    await page.bringToFront();
  }
}
