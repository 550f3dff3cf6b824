import { createKey } from "#contract/keys.ts";
import { paths } from "#console/paths.ts";
import { animated, expect, pressEscape, pressInRow, row, test } from "./fixtures.ts";

test.use(animated);

test.beforeEach(async ({ api, workspace }) => {
  for (const name of ["third-key", "second-key", "first-key"]) {
    await api(createKey, { body: { name, workspace_id: workspace.id } });
  }
});

test("shortcuts walk, go, create and list; menus by arrows", async ({ signedIn: page, workspace, api }) => {
  await test.step("rows are walked, selected, opened and edited by keys", async () => {
    await page.goto(paths.keys(workspace.slug));
    await expect(row(page, /first-key/)).toBeVisible();
    await page.keyboard.press("j");
    await expect(page.getByRole("link", { name: "first-key" })).toBeFocused();
    await page.keyboard.press("j");
    await expect(page.getByRole("link", { name: "second-key" })).toBeFocused();
    await page.keyboard.press("k");
    await page.keyboard.press("x");
    await expect(page.getByRole("checkbox", { name: "Select first-key" })).toBeChecked();
    await page.keyboard.press("j");
    await page.keyboard.press("e");
    await pressEscape(page.getByRole("dialog", { name: "Edit second-key" }));
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await page.goto(paths.keys(workspace.slug));
    await expect(row(page, /first-key/)).toBeVisible();
    await page.keyboard.press("j");
    await expect(page.getByRole("link", { name: "first-key" })).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("first-key");
    await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
  });
  await test.step("a filter keeps what is typed while its rows move, and a checkbox takes no letters", async () => {
    await page.goto(paths.keys(workspace.slug));
    await expect(row(page, /first-key/)).toBeVisible();
    for (const name of ["first-key", "second-key", "third-key"]) {
      await page.keyboard.press("j");
      await expect(page.getByRole("link", { name })).toBeFocused();
    }
    await page.keyboard.press("/");
    await page.keyboard.type("third-key", { delay: 30 });
    const filter = page.getByRole("searchbox");
    await expect(filter).toHaveValue("third-key");
    await expect(filter).toBeFocused();
    await expect(row(page, /first-key/)).toHaveCount(0);
    await page.getByRole("checkbox", { name: "Select third-key" }).check();
    await page.keyboard.press("j");
    await expect(page.getByRole("link", { name: "third-key" })).toBeFocused();
  });
  await test.step("g and a letter go places, c creates, Delete asks, ? lists them all", async () => {
    await page.goto(paths.overview(workspace.slug));
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Overview");
    for (const [letter, heading, path] of [
      ["k", "API keys", paths.keys],
      ["s", "Workspaces", paths.workspaces],
      ["a", "Audit log", paths.audit],
      ["b", "Batches", paths.batches],
      ["t", "Presets", paths.presets],
      ["f", "Files", paths.files],
      ["o", "Overview", paths.overview],
      ["k", "API keys", paths.keys],
    ] as const) {
      // asked in the page, which knows at once: a second `k` where the first one was taken would walk the rows
      const there = () => page.evaluate((wanted) => location.pathname === wanted, path(workspace.slug));
      await pressInRow(page, ["g", letter], there);
      await expect(page.getByRole("heading", { level: 1 })).toHaveText(heading);
      await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
      await expect(page).toHaveTitle(new RegExp(`^${heading}`));
    }
    await expect(row(page, /first-key/)).toBeVisible();
    await page.keyboard.press("?");
    const list = page.getByRole("dialog", { name: "Shortcuts on this page" });
    for (const label of ["Create a key", "Next row", "Filter the keys", "Go to API keys", "Search or jump to"]) {
      await expect(list.getByText(label, { exact: true })).toBeVisible();
    }
    await pressEscape(list);
    // what closes gives the focus back when it is gone
    await expect(list).toHaveCount(0);
    await page.keyboard.press("j");
    await expect(page.getByRole("link", { name: "first-key" })).toBeFocused();
    await page.keyboard.press("Delete");
    const question = page.getByRole("alertdialog", { name: "Delete first-key" });
    await pressEscape(question);
    await expect(question).toHaveCount(0);
    await page.keyboard.press("c");
    await expect(page.getByRole("dialog", { name: "Create an API key" })).toBeVisible();
    // typing is typing
    await expect(page.getByRole("dialog").getByLabel("Name")).toBeFocused();
    await page.keyboard.type("gkc?x");
    await expect(page.getByRole("dialog").getByLabel("Name")).toHaveValue("gkc?x");
  });
  await test.step("opens from a field, finds keys, pages and workspaces, and gives the focus back", async () => {
    await page.goto(paths.keys(workspace.slug));
    await expect(row(page, /first-key/)).toBeVisible();
    const filter = page.getByRole("searchbox");
    await filter.focus();
    await page.keyboard.press("Control+k");
    const field = page.getByRole("combobox", { name: "Search or jump to" });
    await expect(field).toBeFocused();
    await expect(field).toHaveAttribute("aria-expanded", "true");
    await page.keyboard.press("Escape");
    await expect(field).toHaveCount(0);
    await expect(filter).toBeFocused();
    await page.keyboard.press("Control+k");
    await field.fill("second-k");
    // those of other workspaces, which other journeys made, are named with their workspace
    const found = page.getByRole("option", { name: /^second-key \S+$/ });
    await expect(found).toHaveCount(1);
    await expect(found).toHaveAttribute("aria-selected", "true");
    await expect(field).toHaveAttribute("aria-activedescendant", (await found.getAttribute("id")) ?? "none");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("second-key");
    await page.keyboard.press("Control+k");
    await field.fill("audit");
    await expect(page.getByRole("option", { name: "Audit log", selected: true })).toBeVisible();
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(paths.audit(workspace.slug));
    await page.keyboard.press("Control+k");
    await field.fill("create an api");
    await expect(page.getByRole("option", { name: "Create an API key", selected: true })).toBeVisible();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("dialog", { name: "Create an API key" })).toBeVisible();
  });
  await test.step("skip link, one h1, menus by arrows", async () => {
    await page.goto(paths.keys(workspace.slug));
    await expect(row(page, /first-key/)).toBeVisible();
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    await page.keyboard.press("Tab");
    await expect(page.getByRole("link", { name: "Skip to the content" })).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(page.locator("#content")).toBeFocused();
    await expect(page.getByRole("heading", { level: 1 })).toHaveCount(1);
    const actions = page.getByRole("button", { name: "Actions for first-key" });
    await actions.focus();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("menuitem", { name: "Open" })).toBeFocused();
    await page.keyboard.press("ArrowDown");
    await expect(page.getByRole("menuitem", { name: "Edit" })).toBeFocused();
    await page.keyboard.press("End");
    await expect(page.getByRole("menuitem", { name: "Delete" })).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("menu")).toHaveCount(0);
    await expect(actions).toBeFocused();
  });
  await test.step("a menu opens on a row that has only just been scrolled into view, and closes once it moves away", async () => {
    for (let index = 0; index < 30; index++) {
      await api(createKey, { body: { name: `row-${index}`, workspace_id: workspace.id } });
    }
    await page.goto(paths.keys(workspace.slug));
    await expect(row(page, /row-29/)).toBeVisible();
    const region = page.getByRole("region", { name: "API keys" });
    // scrolled and opened in one go: the browser tells of the scroll when the menu is open already
    await page.evaluate(() => {
      const button = [...document.querySelectorAll<HTMLElement>("tbody [aria-haspopup=menu]")].at(-1);
      button?.scrollIntoView({ block: "center" });
      button?.click();
    });
    await expect(page.getByRole("menu")).toBeVisible();
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    await expect(page.getByRole("menu")).toBeVisible();
    await region.evaluate((element) => element.scrollBy({ top: -60 }));
    await expect(page.getByRole("menu")).toHaveCount(0);
  });
  await test.step("single keys can be switched off", async () => {
    await page.goto(paths.keys(workspace.slug));
    await page.getByRole("button", { name: /^Account/ }).click();
    await page.getByRole("menuitemcheckbox", { name: "Single-key shortcuts" }).click();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("menu")).toHaveCount(0);
    await page.getByRole("heading", { level: 1 }).click();
    await page.keyboard.press("c");
    await page.keyboard.press("Control+k");
    await expect(page.getByRole("combobox", { name: "Search or jump to" })).toBeVisible();
    await expect(page.getByRole("dialog", { name: "Create an API key" })).toHaveCount(0);
  });
});
