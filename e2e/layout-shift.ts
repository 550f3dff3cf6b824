import type { Page } from "@playwright/test";

declare global {
  interface Window {
    layoutShift: { score: number; moved: string[] };
  }
}

/** From the next address that is opened, adds up what moves on the page without anybody having done anything. */
export async function watchLayoutShift(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.layoutShift = { score: 0, moved: [] };
    type Shift = PerformanceEntry & {
      value: number;
      hadRecentInput: boolean;
      sources: { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[];
    };
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as Shift[]) {
        if (entry.hadRecentInput) continue;
        window.layoutShift.score += entry.value;
        for (const { node, previousRect, currentRect } of entry.sources) {
          const text = node?.textContent?.slice(0, 40) ?? "";
          window.layoutShift.moved.push(
            `${text}: y ${previousRect.y} to ${currentRect.y}, x ${previousRect.x} to ${currentRect.x}`,
          );
        }
      }
    }).observe({ type: "layout-shift", buffered: true });
  });
}

/** The sum so far (Cumulative Layout Shift without its windows, so never less), and what moved. */
export async function layoutShift(page: Page): Promise<Window["layoutShift"]> {
  // entries are delivered after the frame that they are about
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  return page.evaluate(() => window.layoutShift);
}

/** Every answer of the API takes longer than the one before, so that the parts of a page come one by one. */
export async function answerOneByOne(page: Page, everyMs = 120): Promise<void> {
  let before = 0;
  await page.route("**/api/v1/**", async (route) => {
    before += 1;
    const waitMs = before * everyMs;
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    await route.continue().catch(() => undefined);
  });
}
