import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "@playwright/test";
import type axeCore from "axe-core";

declare global {
  interface Window {
    axe?: typeof axeCore;
  }
}

const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** In the second theme the page is the same but for its colors, so that only rules about color can find more. */
const themes = { light: null, dark: ["color-contrast", "link-in-text-block"] } as const;

/**
 * Looks at the page in both themes, and leaves it in the dark one. The engine is called directly: the usual builder loads
 * it again and has every element that passes described, which takes twice the time of the journey around it.
 * @returns a line for each element that violates a rule
 */
export async function violations(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const [theme, runOnly] of Object.entries(themes)) {
    await page.emulateMedia({ colorScheme: theme as "light" | "dark", reducedMotion: "reduce" });
    if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(source);
    const violated = await page.evaluate(async (only) => {
      if (window.axe === undefined) throw new Error("axe is not on the page");
      const options = { resultTypes: ["violations" as const], ...(only && { runOnly: [...only] }) };
      return (await window.axe.run(document, options)).violations;
    }, runOnly);
    for (const { id, nodes } of violated)
      for (const { target, html } of nodes) found.push(`${theme}: ${id} at ${String(target)}: ${html.slice(0, 160)}`);
  }
  return found;
}
