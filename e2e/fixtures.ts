import { randomBytes } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { test as base, type BrowserContext, expect, type Locator, type Page } from "@playwright/test";
import { dayMs, hourMs } from "#contract/time.ts";
import { basePath } from "#contract/api.ts";
import { type WorkspaceRecord, createWorkspace } from "#contract/workspaces.ts";
import { type Api, apiOf } from "#gateway/testing/api-client.ts";
import { type RunningGateway, startGatewayProcess } from "#gateway/testing/process.ts";
import { answerLate } from "./late-answers.ts";

export { expect, type Page } from "@playwright/test";

interface WorkerFixtures {
  /** true where the gateway has to answer to a name that is not this machine's own, as it does on a network */
  onNetwork: boolean;
  /** the real gateway on its embedded store, one for each worker */
  gateway: RunningGateway;
}

interface Fixtures {
  /** the API with the management key */
  api: Api;
  /** a workspace of this journey's own, so that its tables hold its own rows only */
  workspace: WorkspaceRecord;
  /** the page, signed in; its address has not been opened yet */
  signedIn: Page;
  /** a part of a journey, on a workspace of its own: what the part before it kept, answered and heard is gone */
  part: (title: string, walk: (workspace: WorkspaceRecord) => Promise<void>) => Promise<void>;
  /** what the page must never do, in any journey: break its Content-Security-Policy, or throw */
  wellBehaved: void;
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  onNetwork: [false, { option: true, scope: "worker" }],
  gateway: [
    async ({ onNetwork }, use) => {
      const gateway = await startGatewayProcess({
        longLived: true,
        ...(onNetwork ? { env: { HOST: "0.0.0.0" } } : {}),
      });
      await use(gateway);
      await gateway.dispose();
    },
    { scope: "worker" },
  ],
  baseURL: async ({ gateway }, use) => use(gateway.url),
  api: async ({ gateway }, use) => use(apiOf(gateway)),
  workspace: async ({ api }, use) => use(await makeWorkspace(api)),
  signedIn: async ({ page, gateway }, use) => {
    await signIn(page, gateway.url, gateway.managementKey);
    await use(page);
  },
  part: async ({ page, context, api, gateway }, use) => {
    let first = true;
    await use((title, walk) =>
      test.step(title, async () => {
        if (!first) await startAfresh(page, context);
        // somebody may have signed out
        if (!first && (await context.cookies()).length === 0) await signIn(page, gateway.url, gateway.managementKey);
        first = false;
        await walk(await makeWorkspace(api));
      }),
    );
  },
  wellBehaved: [
    async ({ page, context, gateway }, use, info) => {
      await context.addInitScript(noteToasts);
      await context.addInitScript(noteClick);
      await answerLate(context);
      const wrong: string[] = [];
      context.on("weberror", (error) => wrong.push(String(error.error().stack ?? error.error())));
      context.on("console", (message) => {
        if (/Content.Security.Policy|Trusted Type/i.test(message.text())) wrong.push(message.text());
      });
      const before = gateway.printed().length;
      await use();
      // A request that a journey answers may still be on its way when the journey is over.
      if (!page.isClosed()) await page.unrouteAll({ behavior: "ignoreErrors" });
      await context.unrouteAll({ behavior: "ignoreErrors" });
      if (info.status !== info.expectedStatus) {
        await info.attach("what the gateway printed", { body: gateway.printed().slice(before) });
      }
      expect(wrong).toEqual([]);
    },
    { auto: true },
  ],
});

async function makeWorkspace(api: Api): Promise<WorkspaceRecord> {
  const slug = `journey-${randomBytes(5).toString("hex")}`;
  return (await api(createWorkspace, { body: { name: slug, slug } })).data;
}

async function startAfresh(page: Page, context: BrowserContext): Promise<void> {
  for (const event of ["dialog", "request", "response"]) page.removeAllListeners(event);
  for (const other of context.pages()) if (other !== page) await other.close();
  await page.evaluate(() => [sessionStorage, localStorage].forEach((storage) => storage.clear()));
  // leaves the page, whatever was unsaved; to another one of the same site, whose renderer the next one goes on with
  await page.goto("/favicon.svg");
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await context.unrouteAll({ behavior: "ignoreErrors" });
  await page.setViewportSize({ width: 1440, height: 900 });
}

/** True in `npm run test:long`, which looks at length at what `npm test` looks at once. */
export const longRun = process.env["GATEHOUSE_TEST_LONG"] === "1";

/** The widths that pages are looked at in, in CSS pixels. */
export const widths = longRun ? [320, 390, 720, 768, 1024, 1180, 1280, 1440, 1920] : [390, 768, 1440];

/** The widths of journeys that are made on a phone too in the long run. */
export const screens = longRun ? [1440, 390] : [1440];

/** The page needs no sideways scroll at any of the widths; it is left at the widest of them that most people have. */
export async function expectToFit(page: Page, what = "the page"): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    await expectNoSidewaysScroll(page, `${what} at ${width} px`);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
}

/** For journeys in which what moves could matter: the others ask for reduced motion. */
export const animated = { contextOptions: { reducedMotion: "no-preference" } } as const;

/** Gives the page's browser a session cookie without going through the sign-in page. */
export async function signIn(page: Page, url: string, managementKey: string): Promise<void> {
  const response = await page.request.post(`${url}/api/v1/session`, { data: { management_key: managementKey } });
  expect(response.status(), await response.text()).toBe(201);
}

/** The one row of the page's table that has all of these texts, in cells of their own. */
export function row(page: Page, ...cells: (string | RegExp)[]): Locator {
  return cells.reduce(
    (rows, cell) =>
      rows.filter({ has: page.getByRole("cell", { name: cell }).or(page.getByRole("rowheader", { name: cell })) }),
    page.getByRole("row"),
  );
}

export async function expectRow(page: Page, ...cells: (string | RegExp)[]): Promise<void> {
  await expect(row(page, ...cells)).toHaveCount(1);
}

export async function expectNoRow(page: Page, ...cells: (string | RegExp)[]): Promise<void> {
  await expect(row(page, ...cells)).toHaveCount(0);
}

/** A toast with this text is shown, or was since the page was loaded, whatever its tone: it goes away by itself. */
export async function expectToast(page: Page, text: string | RegExp): Promise<void> {
  const matching = typeof text === "string" ? expect.stringContaining(text) : expect.stringMatching(text);
  const live = page.getByRole("status").or(page.getByRole("alert"));
  await expect
    .poll(async () => [...(await page.evaluate(() => window.toastsShown)), ...(await live.allTextContents())])
    .toContainEqual(matching);
}

/**
 * Refuses what this names until something is clicked: a page that reads again by itself would mend it before the click
 * and take Retry away.
 */
export async function failUntilClick(
  page: Page,
  url: string | RegExp,
  failure: { status: number; headers?: Record<string, string>; json: unknown },
): Promise<void> {
  await page.route(url, async (route) => {
    // what the page before this one still asks for comes while there is no page to look at
    if (await page.evaluate(() => window.clicked).catch(() => false)) await route.continue();
    else await route.fulfill(failure);
  });
}

/** Keeps what the page asks for of this address waiting, until what this answers is called. */
export async function hold(page: Page, url: string | RegExp): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(url, async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}

/**
 * Comes back to the tab, which reads again what may have changed meanwhile: again and again until that is noticed, since
 * a read that was already on its way answers what was there before.
 */
export async function comeBack(page: Page, noticed: () => boolean | Promise<boolean>): Promise<void> {
  await expect
    .poll(async () => {
      await page.evaluate(() => void window.dispatchEvent(new Event("visibilitychange")));
      return noticed();
    })
    .toBe(true);
}

/** From now on toasts stay, as under a pointer: their buttons can be pressed however late that is. */
export async function holdToasts(page: Page): Promise<void> {
  await page.evaluate(() => (window.toastsHeld = true));
}

/**
 * Stops the page's clock, so that what is shown for some seconds is there until it was looked at. Until
 * `page.clock.resume()` no read comes in. `page.clock.install()` comes before the page is opened.
 */
export async function stopClock(page: Page): Promise<void> {
  // it stops at a time that has not come yet
  const later = await page.evaluate(() => Date.now() + 60_000);
  await page.clock.pauseAt(later);
}

/**
 * From now on the page reads the record of this path again only once it has tried to change it. A form does so by itself
 * every 15 seconds, and would then show what somebody else saved before the gateway refuses its own change.
 * @param path below the API's, such as `/keys/…`
 */
export async function readOnlyAfterSaving(page: Page, path: string): Promise<void> {
  const tried = Promise.withResolvers<void>();
  const below = basePath + path;
  page.on("request", (request) => {
    if (request.method() !== "GET" && new URL(request.url()).pathname.includes(below)) tried.resolve();
  });
  await page.route(
    ({ pathname }) => pathname.endsWith(below),
    async (route) => {
      if (route.request().method() === "GET") await tried.promise;
      await route.continue();
    },
  );
}

/** Presses Escape in a dialog, which hears it once it has the focus: that is after it is first seen. */
export async function pressEscape(dialog: Locator): Promise<void> {
  await expect.poll(() => dialog.evaluate((element) => element.contains(document.activeElement))).toBe(true);
  await dialog.page().keyboard.press("Escape");
}

/** What the live regions in a place say from now on, be it for a moment only. */
export async function listenTo(place: Locator): Promise<() => Promise<string[]>> {
  const said = await place.evaluateHandle((element) => {
    const texts: string[] = [];
    const note = () => {
      for (const live of element.querySelectorAll("[role=status], [role=alert]")) texts.push(live.textContent ?? "");
    };
    new MutationObserver(note).observe(element, { subtree: true, childList: true, characterData: true });
    return texts;
  });
  return () => said.jsonValue();
}

/** Two keys as one shortcut, which have to follow each other soon: pressed again until `done` says that they did. */
export async function pressInRow(page: Page, keys: readonly [string, string], done: () => Promise<unknown>) {
  await expect
    .poll(async () => {
      for (const key of keys) await page.keyboard.press(key);
      return done();
    })
    .toBeTruthy();
}

/** Nothing is being read, and nothing moves any more: only then can the page be measured. */
export async function atRest(page: Page): Promise<void> {
  // what is read is marked as busy only after a moment: the first reads of a page are waited for by themselves
  await page.waitForLoadState("networkidle");
  await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
  await page.evaluate(async () => {
    const ending = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY);
    await Promise.all(ending.map(({ finished }) => finished.catch(() => undefined)));
  });
}

declare global {
  interface Window {
    toastsShown: string[];
    toastsHeld: boolean;
    /** true once the page has had a click since it was loaded */
    clicked: boolean;
  }
}

/** Runs in the page before its own scripts: notes what each toast says, and holds it where that is asked for. */
function noteToasts(): void {
  window.toastsShown = [];
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes) {
      for (const node of addedNodes) {
        const toast = node.parentElement?.closest("[role=region][aria-label^=Notifications]");
        if (toast == null) continue;
        window.toastsShown.push(node.textContent ?? "");
        if (window.toastsHeld) toast.dispatchEvent(new PointerEvent("pointerover", { bubbles: true }));
      }
    }
  }).observe(document, { subtree: true, childList: true });
}

/**
 * Runs in the page before its own scripts. Noted when the page has had the click, not while it is captured: Playwright
 * takes a click back that would hit something else since the page moved, and makes another.
 */
function noteClick(): void {
  window.clicked = false;
  addEventListener("click", () => (window.clicked = true));
}

/** Fills in the fields that have these labels. */
export async function fill(form: Page | Locator, values: Record<string, string>): Promise<void> {
  for (const [label, value] of Object.entries(values)) await form.getByLabel(label).fill(value);
}

/** Fills in a field, and takes what is in it with Enter. */
export async function enter(field: Locator, value: string): Promise<void> {
  await field.fill(value);
  await field.press("Enter");
}

export async function expectTexts(place: Locator, ...texts: (string | RegExp)[]): Promise<void> {
  for (const text of texts) await expect(place).toContainText(text);
}

/** Opens a row's menu and chooses an item of it. */
export async function chooseFromRow(page: Page, rowText: string | RegExp, item: string | RegExp): Promise<void> {
  await row(page, rowText)
    .getByRole("button", { name: /^(More|Actions)/ })
    .click();
  await page.getByRole("menuitem", { name: item }).click();
}

/** The page, as wide as the window is now, needs no sideways scroll once it has taken in that width. */
export async function expectNoSidewaysScroll(page: Page, message = "sideways scroll"): Promise<void> {
  const over = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  await expect.poll(over, { message }).toBeLessThanOrEqual(0);
}

/** For journeys that look at the last hour of a chart: close to its end they begin in the next one. */
export async function roomInThisHour(): Promise<void> {
  await roomIn(hourMs);
}

/** Moves a chart's cursor from the newest bar back to the one that says this: the hour may have turned since. */
export async function toBar(slider: Locator, says: RegExp): Promise<void> {
  await slider.press("End");
  await expect
    .poll(async () => {
      const bar = (await slider.getAttribute("aria-valuetext")) ?? "";
      if (!says.test(bar)) await slider.press("ArrowLeft");
      return bar;
    })
    .toMatch(says);
}

/** The same for those that count days. */
export async function roomInThisDay(): Promise<void> {
  await roomIn(dayMs);
}

async function roomIn(stretchMs: number): Promise<void> {
  const left = stretchMs - (Date.now() % stretchMs);
  if (left < 180_000) await wait(left);
}

/**
 * Makes what ends soon: `make` gets the time at which it is to end. That time is put off where the gateway found that it
 * had come already when it heard of it.
 */
export async function endingSoon<T>(make: (expiresAt: string) => Promise<T>, firstTry = 10_000): Promise<T> {
  for (let inMs = firstTry; ; inMs *= 3) {
    try {
      return await make(`${new Date(Date.now() + inMs).toISOString().slice(0, 19)}Z`);
    } catch (error) {
      if (inMs > 180_000 || !String(error).includes("400")) throw error;
    }
  }
}

/** All text that the browser keeps for this origin: storages, cookies that scripts see, history state. */
export async function browserResidue(page: Page): Promise<string> {
  return page.evaluate(() =>
    JSON.stringify({
      local: Object.entries(localStorage),
      session: Object.entries(sessionStorage),
      cookie: document.cookie,
      history: history.state as unknown,
      address: location.href,
      name: window.name,
    }),
  );
}
