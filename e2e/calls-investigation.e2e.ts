import { randomBytes } from "node:crypto";
import { countGenerations } from "#contract/call-counts.ts";
import { listGenerations } from "#contract/calls.ts";
import { createEmbeddings } from "#contract/embeddings.ts";
import { createKey } from "#contract/keys.ts";
import { listRefusedCalls } from "#contract/refused-calls.ts";
import { paths } from "#console/paths.ts";
import { type Api, apiOf } from "#gateway/testing/api-client.ts";
import { startFakeVendor } from "#gateway/testing/fake-vendor.ts";
import { violations } from "./axe.ts";
import { atRest, expect, expectNoSidewaysScroll, expectToFit, screens, test as base, type Page } from "./fixtures.ts";
import { addProvider, embeddingModel } from "./provider.ts";

interface Caller {
  hash: string;
  name: string;
  /** of the provider that answers */
  slug: string;
  /** makes one more call */
  call: (input: string, more?: object) => Promise<unknown>;
}

const test = base.extend<{ caller: Caller }>({
  /** a key with three answered calls, of which one came from the cache, and two refused ones */
  caller: async ({ gateway, api, workspace }, use) => {
    const vendor = await startFakeVendor();
    vendor.settings.dimensions = 4;
    const slug = `i${randomBytes(4).toString("hex")}`;
    const model = `${slug}/embed`;
    await addProvider(api, { slug, base_url: vendor.baseUrl, models: [embeddingModel(model)] });
    const name = `caller-${randomBytes(3).toString("hex")}`;
    const { data, key } = await api(createKey, { body: { name, workspace_id: workspace.id } });
    const own: Api = apiOf(gateway, key);
    const call = (input: string, more: object = {}) => own(createEmbeddings, { body: { model, input, ...more } });
    await call("one");
    await call("one");
    await call("two");
    for (let each = 0; each < 2; each += 1) await call("three", { model: "no/such" }).catch(() => undefined);
    const query = { workspace_id: workspace.id };
    await expect.poll(async () => (await api(listRefusedCalls, { query })).total.calls).toBe(2);
    await expect.poll(async () => (await api(listGenerations, { query })).data.length).toBe(3);
    await use({ hash: data.hash, name, slug, call });
    await vendor.close();
  },
});

const histogram = (page: Page) => page.getByRole("region", { name: "Calls over time", exact: true });
const brush = (page: Page) => page.getByRole("slider", { name: /Calls over time/ });
const anHourAgo = () => new Date(Math.floor(Date.now() / 60_000 - 60) * 60_000).toISOString();
const dataRows = (page: Page) => page.getByRole("table", { name: "Calls", exact: true }).locator("tbody tr");
/** Calls that were made; those that were refused may be one line or two, by the minute. */
const made = (page: Page) => dataRows(page).filter({ has: page.getByRole("link", { name: /open the call/ }) });

for (const width of screens) {
  test(`calls: a stretch by keyboard alone, at ${width} px`, async ({ signedIn: page, api, workspace, caller }) => {
    await page.setViewportSize({ width, height: 900 });
    const since = anHourAgo();
    const { total } = await api(countGenerations, { query: { workspace_id: workspace.id, since } });
    await page.goto(`${paths.calls(workspace.slug)}?since=${since}&key=${caller.hash}`);
    await expect(histogram(page)).toContainText(/^5 calls, .* One bar is (one minute|2 minutes)\./);
    for (const part of [
      `Answered ${total.answered}`,
      `From the cache ${total.cached ?? 0}`,
      "Failed 0",
      `Refused ${total.refused ?? 0}`,
    ]) {
      await expect(histogram(page).getByText(part, { exact: true })).toBeVisible();
    }
    expect([total.answered, total.cached, total.refused]).toEqual([2, 1, 2]);
    expect(await violations(page)).toEqual([]);

    await page.getByRole("radio", { name: "Table" }).click();
    const table = page.getByRole("region", { name: "Calls over time, as a table" });
    await expect(table.getByRole("columnheader")).toHaveText([
      "From, until",
      "Answered",
      "From the cache",
      "Failed",
      "Refused calls",
    ]);
    expect(await violations(page)).toEqual([]);
    await page.getByRole("radio", { name: "Chart" }).click();

    await brush(page).focus();
    await brush(page).press("Home");
    await expect(brush(page)).toHaveAttribute("aria-valuetext", /: 0$/);
    await brush(page).press("Shift+ArrowRight");
    await brush(page).press("Enter");
    await expect(page).toHaveURL(/until=/);
    await expect(page.getByRole("heading", { name: /matches these filters/ })).toBeVisible();
    await page.goBack();
    await expect(made(page)).toHaveCount(3);
    // until its own bars come, the histogram keeps those of the stretch
    await expect(histogram(page)).toContainText(/^5 calls/);

    // what was called in the last minutes is in the newest bars; the open end of the range stays open
    await brush(page).press("End");
    for (let bar = 0; bar < 9; bar += 1) await brush(page).press("Shift+ArrowLeft");
    await expect(brush(page)).toHaveAttribute("aria-valuetext", /Answered 2, From the cache 1, 2 calls refused/);
    await brush(page).press("Enter");
    await expect(page).not.toHaveURL(new RegExp(`since=${encodeURIComponent(since)}`));
    await expect(page).not.toHaveURL(/until=/);
    await expect(made(page)).toHaveCount(3);
    await expect(histogram(page)).toContainText(/^5 calls/);
  });
}

test("calls: dragged stretches, words of filters, half hours", async ({ signedIn: page, workspace, caller }) => {
  await test.step("a stretch of time is dragged over the bars, and Escape lets it go", async () => {
    const since = anHourAgo();
    await page.goto(`${paths.calls(workspace.slug)}?since=${since}&key=${caller.hash}`);
    await expect(histogram(page)).toContainText(/^5 calls/);
    await brush(page).focus();
    await brush(page).press("Home");
    await brush(page).press("Shift+ArrowRight");
    await brush(page).press("Escape");
    await expect(brush(page)).toHaveAttribute("aria-valuetext", /none chosen/);
    await expect(page).toHaveURL(new RegExp(caller.hash));
    await expect(made(page)).toHaveCount(3);
    await atRest(page);
    const box = await brush(page).boundingBox();
    if (box === null) throw new Error("the histogram is shown");
    const y = box.y + box.height / 2;
    // on the scale: a click there chooses no bar, a drag begins at the first one
    await page.mouse.move(box.x + 20, y);
    await page.mouse.down();
    await page.mouse.up();
    await expect(brush(page)).toHaveAttribute("aria-valuetext", /none chosen/);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.5, y, { steps: 4 });
    await page.mouse.up();
    await expect(page).toHaveURL(/until=/);
    await expect(page.getByRole("heading", { name: /matches these filters/ })).toBeVisible();
  });
  await test.step("each filter is a word that a click removes, and the address follows", async () => {
    const since = anHourAgo();
    await page.goto(`${paths.calls(workspace.slug)}?since=${since}&key=${caller.hash}&status=failed`);
    const word = (name: string | RegExp) => page.getByRole("button", { name });
    await expect(word(`Remove the filter of key ${caller.name}`)).toBeVisible();
    await expect(word(/^Remove the filter since \d/)).toBeVisible();
    await expect(dataRows(page)).toHaveText([/404 not found/]);
    await word("Remove the filter that failed").click();
    await expect(page).not.toHaveURL(/status=/);
    await expect(made(page)).toHaveCount(3);
    // the focus goes on to the next word
    await expect(word(/^Remove the filter since/)).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(page).not.toHaveURL(/since=/);
    await word(`Remove the filter of key ${caller.name}`).click();
    await expect(page).toHaveURL(paths.calls(workspace.slug));
    await expect(word(/^Remove the filter/)).toHaveCount(0);
  });
  await test.step("without a session, and without any call, the list of sessions says so once", async () => {
    await page.goto(`${paths.calls(workspace.slug)}?group=session`);
    await expect(page.getByRole("heading", { name: "3 calls have no session" })).toBeVisible();
    await expect(page.getByText(/have no session/)).toHaveCount(1);
    await expect(page.getByText("Drag over the bars")).toBeVisible();
    await page.goto(`${paths.calls(workspace.slug)}?group=session&key=${caller.hash}&model=no%2Fsuch`);
    await expect(page.getByRole("heading", { name: /matches these filters/ })).toBeVisible();
    await expect(page.getByText("Drag over the bars")).toBeHidden();
    await page
      .getByRole("button", { name: /^Clear filters/ })
      .first()
      .click();
    await expect(page.getByRole("heading", { name: "3 calls have no session" })).toBeVisible();
  });
  await test.step("a provider's day is 48 half hours of its calls", async () => {
    await page.goto(paths.provider(workspace.slug, caller.slug));
    const day = page.getByRole("region", { name: "Last 24 hours", exact: true });
    await expect(day).toContainText(
      "2 calls in the last 24 hours; it failed none of them. 1 more was answered from the cache.",
    );
    await expect(day.getByRole("slider")).toBeVisible();
    expect(await violations(page)).toEqual([]);
    await day.getByRole("radio", { name: "Table" }).click();
    // a head, and the half hours of which the last one is under way
    await expect(day.getByRole("row")).toHaveCount(49);
    await expectToFit(page);
  });
});

test("calls: followed ones come on top, and wait for a reader", async ({ signedIn: page, workspace, caller }) => {
  await page.setViewportSize({ width: 1440, height: 400 });
  await page.goto(paths.calls(workspace.slug));
  await expect(made(page)).toHaveCount(3);
  await page.getByRole("switch", { name: "Follow new calls" }).click();
  await expect(page.getByText("Waiting for new calls.")).toBeVisible();
  await caller.call("four");
  await expect(page.getByText("1 new call so far.")).toBeVisible();
  await expect(made(page)).toHaveCount(4);
  await expect(histogram(page)).toContainText(/^6 calls/);
  expect(await violations(page)).toEqual([]);
  await page.evaluate(() => window.scrollTo({ top: 300 }));
  await expect(page.getByText("1 new call so far. Paused while you read.")).toBeVisible();
  await caller.call("five");
  await caller.call("six");
  await expect(page.getByText("2 new calls above. Paused while you read.")).toBeVisible();
  await expect(made(page)).toHaveCount(4);
  await page.getByRole("button", { name: "Show", exact: true }).click();
  await expect(page.getByText("3 new calls so far.")).toBeVisible();
  await expect(made(page)).toHaveCount(6);
  await page.getByRole("switch", { name: "Follow new calls" }).click();
  await expect(page.getByText(/new calls so far/)).toHaveCount(0);
  await expect(made(page)).toHaveCount(6);
});

test("calls: the filters end where the page does @long", async ({ signedIn: page, workspace }) => {
  for (const width of [768, 1024, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto(paths.calls(workspace.slug));
    const end = async (name: string, role: "combobox" | "button") =>
      await page
        .getByRole(role, { name, exact: true })
        .locator(role === "button" ? "xpath=." : "xpath=..")
        .evaluate((element) => element.getBoundingClientRect().right);
    expect(await end("Time", "combobox")).toBeCloseTo(await end("Refresh", "button"), 0);
  }
});

for (const width of screens) {
  test(`calls: folded into their sessions, at ${width} px`, async ({ signedIn: page, workspace, caller }) => {
    await caller.call("hello", { session_id: "s-long" });
    await caller.call("again", { session_id: "s-long" });
    await caller.call("other", { session_id: `s-${"x".repeat(200)}` });
    await page.setViewportSize({ width, height: 900 });
    await page.goto(paths.calls(workspace.slug));
    await expect(made(page)).toHaveCount(6);
    await page.getByRole("radio", { name: "Sessions" }).click();
    await expect(page).toHaveURL(/group=session/);
    const sessions = page.getByRole("table", { name: "Sessions" }).locator("tbody tr");
    await expect(sessions).toHaveCount(2);
    await expect(page.getByText("2 sessions with 3 calls; 3 calls have no session.")).toBeVisible();
    await expect(page.getByRole("switch", { name: "Follow new calls" })).toHaveAttribute("aria-disabled", "true");
    expect(await violations(page)).toEqual([]);
    await expectNoSidewaysScroll(page);
    await caller.call("newer", { session_id: "s-newer" });
    await page.getByRole("button", { name: "Refresh" }).click();
    await expect(sessions).toHaveCount(3);
    await page.getByRole("link", { name: "s-long" }).click();
    await expect(page).toHaveURL(/session=s-long/);
    await expect(page).not.toHaveURL(/group=/);
    await expect(made(page)).toHaveCount(2);
    await page.goBack();
    await expect(sessions).toHaveCount(3);
  });
}
