import { paths } from "#console/paths.ts";
import { violations } from "./axe.ts";
import { expect, type Page, test } from "./fixtures.ts";
import { openBatch, run } from "./playground-page.ts";

const texts = ["container held at customs", "customs holds the container", "the invoice is wrong", "a wrong invoice"];

/** Presses Tab until what is asked for has the focus; fails where it cannot be reached. */
async function tabTo(page: Page, role: Parameters<Page["getByRole"]>[0], name: string | RegExp): Promise<void> {
  const wanted = page.getByRole(role, { name }).first();
  await expect(wanted).toBeVisible();
  for (let presses = 0; presses < 90; presses += 1) {
    if (await wanted.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab does not reach ${role} ${String(name)}`);
}

test("playground: by keyboard, to runs compared in fewer dimensions", async ({ signedIn: page, part }) => {
  await part("from a row to a picked group, by keyboard", async (workspace) => {
    await page.goto(paths.playground(workspace.slug));
    await page.getByRole("textbox", { name: "Text" }).waitFor();
    await tabTo(page, "tab", /^Text/);
    await page.keyboard.press("ArrowRight");
    await page.getByRole("textbox", { name: "Row 1", exact: true }).waitFor();
    await tabTo(page, "textbox", "Row 1");
    for (const [index, line] of texts.entries()) {
      if (index > 0) await page.keyboard.press("Enter");
      await expect(page.getByRole("textbox", { name: `Row ${index + 1}`, exact: true })).toBeFocused();
      await page.keyboard.type(line);
    }
    await page.keyboard.press("ArrowUp");
    await expect(page.getByRole("textbox", { name: "Row 3", exact: true })).toBeFocused();
    await expect(page.getByRole("button", { name: /^Run/ })).toBeEnabled();
    await page.keyboard.press("Control+Enter");
    await expect(page.getByText("4 / 4 rows")).toBeVisible();

    // matrix: one cell that arrows move, Enter pins, the pair is named with its place
    await tabTo(page, "gridcell", /^row 1 × row 1/);
    await page.keyboard.press("ArrowRight");
    await expect(page.getByRole("gridcell")).toHaveAccessibleName(/^row 1 × row 2, 0\.\d\d$/);
    await page.keyboard.press("Enter");
    await expect(page.getByRole("region", { name: "Pinned pair" })).toContainText("2 is the nearest of 3");
    await page.keyboard.press("Shift+Tab");
    await tabTo(page, "button", "As table");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("row", { name: /customs holds the container/ }).first()).toBeVisible();

    // map: arrows choose, Enter goes to the neighbors, Escape leaves; a frame drawn with arrows picks
    await page.keyboard.press("Shift+Tab");
    await page.getByRole("tab", { name: "Matrix" }).focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    await tabTo(page, "application", /^Map of 4 rows/);
    await page.keyboard.press("ArrowLeft");
    const neighbours = page.getByRole("list", { name: "Nearest by cosine" });
    await expect(neighbours.getByRole("listitem")).toHaveCount(3);
    // Enter right behind an arrow, before the neighbors of the new row can be there
    await page.getByRole("application").evaluate(async (map) => {
      for (const key of ["ArrowRight", "Enter"]) {
        map.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
        await Promise.resolve();
      }
    });
    await expect(neighbours.getByRole("button").first()).toBeFocused();
    await page.keyboard.press("Enter");
    await tabTo(page, "button", "Pick points");
    await page.keyboard.press("Space");
    await tabTo(page, "application", /^Map of 4 rows/);
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    await expect(page.getByText("1 row picked")).toBeVisible();
    await tabTo(page, "button", "See them in the list");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("list", { name: "Rows with vectors" }).getByRole("listitem")).toHaveCount(1);
    await expect(page).toHaveURL(/view=list/);

    // what a screen reader is told on the way
    await expect(page.getByRole("region", { name: "Results" })).toMatchAriaSnapshot(`
    - tablist "View":
      - tab "List" [selected]
      - tab "Search"
      - tab "Matrix"
      - tab "Map"
      - tab "Vectors"
      - tab "Compare"
      - tab "Code"
    - combobox "History"
    - button "Export"
    - tabpanel "List":
      - log "Progress"
      - status: /1 row picked/
      - list "Rows with vectors"
  `);
  });
  await part("two runs compared, and fewer dimensions", async (workspace) => {
    await openBatch(page, `${paths.playground(workspace.slug)}?view=compare&model=gatehouse%2Flexical`);
    await page.getByRole("textbox", { name: "Row 1", exact: true }).focus();
    for (const [index, line] of texts.entries()) {
      if (index > 0) await page.keyboard.press("Enter");
      await expect(page.getByRole("textbox", { name: `Row ${index + 1}`, exact: true })).toBeFocused();
      await page.keyboard.type(line);
    }
    await expect(page.getByRole("button", { name: /^Run/ })).toBeEnabled();
    await page.keyboard.press("Control+Enter");
    await expect(page.getByText("4 / 4 rows")).toBeVisible();
    await page.getByRole("button", { name: /^Routing/ }).click();
    await page.getByLabel("Dimensions").fill("64");
    await page.getByRole("button", { name: "Done" }).click();
    await expect(page).toHaveURL(/dimensions=64/);
    await run(page);
    await expect(page.getByRole("combobox", { name: "History" })).toHaveValue("2");
    await expect(page.getByText("4 / 4 rows")).toBeVisible();
    for (const id of [1, 2]) await page.getByRole("checkbox", { name: new RegExp(`^Run ${id}:`) }).check();
    await expect(page.getByRole("row", { name: /Run 1:.*384 reference/ })).toBeVisible();
    await expect(page.getByRole("row", { name: /Run 2:/ })).toContainText("64");
    for (const id of [1, 2]) {
      const ranked = page.getByRole("list", { name: `Ranked by run ${id}` }).getByRole("listitem");
      await expect(ranked.first()).toContainText("customs holds the container");
    }
    await page.getByRole("combobox", { name: "Ranked for" }).selectOption({ label: "3: the invoice is wrong" });
    await expect(page.getByRole("list", { name: "Ranked by run 2" }).getByRole("listitem").first()).toContainText(
      "a wrong invoice",
    );
    await expect(page.getByRole("region", { name: "Maps aligned to the first" }).getByRole("figure")).toHaveCount(2);
    expect(await violations(page)).toEqual([]);

    // the trade-off: no call is made for it, all views follow
    let calls = 0;
    page.context().on("request", (request) => {
      if (request.url().endsWith("/api/v1/embeddings")) calls += 1;
    });
    await page.getByRole("combobox", { name: "History" }).selectOption("1");
    await page.getByRole("tab", { name: "Vectors" }).click();
    await page.getByRole("slider", { name: "Dimensions in use" }).fill("32");
    await expect(page.getByText("32 numbers, length")).toBeVisible();
    await page.getByRole("button", { name: "Use 128" }).click();
    await expect(page.getByText("128 numbers, length")).toBeVisible();
    await expect(page.getByRole("row", { name: /^384 100% 1\.000/ })).toBeVisible();
    expect(calls).toBe(0);
    expect(await violations(page)).toEqual([]);
  });
});
