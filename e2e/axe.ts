import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "@playwright/test";
import type axeCore from "axe-core";
import { longRun } from "./fixtures.ts";

declare global {
  interface Window {
    axe?: typeof axeCore;
  }
}

const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** In the second theme the page is the same but for its colors, so that only rules about color can find more. */
export const themes = { light: null, dark: ["color-contrast", "link-in-text-block"] } as const;

/** What `npm run test:long` finds on the page of any journey in both themes; `npm test` looks at a table of states. */
export async function violations(page: Page): Promise<string[]> {
  if (!longRun) return [];
  return [...(await violationsIn(page, "light")), ...(await violationsIn(page, "dark"))];
}

/**
 * Looks at the page in a theme, and leaves it in that one. The engine is called directly: the usual builder loads it again
 * and has every element that passes described, which takes twice the time of the journey around it.
 * @returns a line for each element that violates a rule
 */
export async function violationsIn(page: Page, theme: keyof typeof themes): Promise<string[]> {
  await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(source);
  const violated = await page.evaluate(async (only) => {
    if (window.axe === undefined) throw new Error("axe is not on the page");
    const options = { resultTypes: ["violations" as const], ...(only && { runOnly: [...only] }) };
    return (await window.axe.run(document, options)).violations;
  }, themes[theme]);
  return violated.flatMap(({ id, nodes }) =>
    nodes.map(({ target, html }) => `${theme}: ${id} at ${String(target)}: ${html.slice(0, 160)}`),
  );
}
