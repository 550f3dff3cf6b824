import { type KeyRecord, createKey } from "#contract/keys.ts";
import { paths } from "#console/paths.ts";
import { expect, test, hold } from "./fixtures.ts";

const total = 10_000;
const nameOf = (index: number) => `key-${String(index).padStart(5, "0")}`;
/** larger than the console asks for, so that ten answers bring all of them */
const pageSize = 1_000;

test("table-10k: every row is in reach, and the page stays small", async ({ signedIn: page, workspace, api }) => {
  const { data: model } = await api(createKey, { body: { name: "model", limit: 10, workspace_id: workspace.id } });
  // Ten thousand of them are told by the list's own answer: making them one by one would take longer than the journey.
  const key = (index: number): KeyRecord => ({
    ...model,
    name: nameOf(index),
    hash: index.toString(16).padStart(64, "0"),
  });
  await page.route(/\/api\/v1\/keys\?/, (route) => {
    const query = new URL(route.request().url()).searchParams;
    const wanted = Array.from({ length: total }, (_, index) => key(index)).filter(({ name }) =>
      name.includes(query.get("q") ?? ""),
    );
    const from = Number(query.get("cursor") ?? 0);
    return route.fulfill({
      json: {
        data: wanted.slice(from, from + pageSize),
        next_cursor: from + pageSize < wanted.length ? String(from + pageSize) : null,
      },
    });
  });
  const count = (all: number) => ({ count: all, more: false });
  await page.route(/\/api\/v1\/keys\/count/, (route) =>
    route.fulfill({
      json: {
        data: { all: count(total), active: count(total), over_limit: count(0), expired: count(0), disabled: count(0) },
      },
    }),
  );
  await page.goto(paths.keys(workspace.slug));
  const region = page.getByRole("region", { name: "API keys" });
  const table = page.getByRole("table", { name: "API keys" });
  await expect(table).toHaveAttribute("aria-rowcount", String(total + 1));
  const small = async () => {
    expect(await page.locator("tbody tr[aria-rowindex]").count()).toBeLessThanOrEqual(60);
    expect(await page.evaluate(() => document.querySelectorAll("*").length)).toBeLessThanOrEqual(2_500);
  };
  await expect(page.getByRole("link", { name: "key-00000" })).toBeVisible();
  await small();
  // load all of it: scrolling to the end brings the next page each time
  const last = page.getByRole("link", { name: nameOf(total - 1) });
  await expect
    .poll(
      async () => {
        await region.evaluate((element) => element.scrollTo({ top: element.scrollHeight }));
        return last.isVisible();
      },
      // ten answers and a thousand rows of each: only to end a journey that hangs
      { timeout: 300_000, intervals: [20] },
    )
    .toBe(true);
  await small();
  await expect(page.locator(`tr[aria-rowindex="${total + 1}"]`)).toBeVisible();
  await region.focus();
  await page.keyboard.press("Home");
  await expect(page.getByRole("link", { name: "key-00000" })).toBeVisible();
  await page.keyboard.press("PageDown");
  await expect(page.getByRole("link", { name: "key-00000" })).not.toBeInViewport();
  await page.keyboard.press("End");
  await expect(last).toBeVisible();
  await small();
  await page.getByRole("searchbox").fill("key-0999");
  await expect(page.locator("tbody tr[aria-rowindex]")).toHaveCount(10);
  await expect(page.getByRole("link", { name: "key-09990" })).toBeVisible();
  await small();
});

test("a skeleton comes for a slow answer, never beside the rows @long", async ({ signedIn: page, workspace, api }) => {
  await api(createKey, { body: { name: "slow-to-come", workspace_id: workspace.id } });
  await page.addInitScript(() => {
    const seen = { busy: false, both: false };
    Object.assign(window, { seen });
    const look = () => {
      const region = document.querySelector("[role=region][aria-busy=true]");
      seen.busy ||= region !== null;
      seen.both ||= region?.querySelector("tbody tr[aria-rowindex]") != null;
      requestAnimationFrame(look);
    };
    look();
  });
  const answer = await hold(page, /\/api\/v1\/keys\?/);
  await page.goto(paths.keys(workspace.slug));
  await expect(page.getByRole("region", { name: "API keys" })).toHaveAttribute("aria-busy", "true");
  await expect.poll(() => page.evaluate("seen.busy")).toBe(true);
  answer();
  await expect(page.getByRole("link", { name: "slow-to-come" })).toBeVisible();
  expect(await page.evaluate("seen")).toEqual({ busy: true, both: false });
});
