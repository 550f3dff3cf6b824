import type { Page } from "@playwright/test";

/** Lets the gateway do the next POST of this path, and loses its answer. */
export async function loseAnswer(page: Page, path: string): Promise<void> {
  let isLost = false;
  await page.route(`**/api/v1${path}`, async (route) => {
    if (route.request().method() !== "POST" || isLost) return route.continue();
    isLost = true;
    await route.fetch();
    return route.abort("connectionreset");
  });
}

/** What a form says after that. */
export const notKnown = "The change may or may not have been made. Sending it again is safe: it is made only once.";
