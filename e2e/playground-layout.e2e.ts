import { paths } from "#console/paths.ts";
import { expect, test } from "./fixtures.ts";
import { clearExample, openBatch, paste, run, showInput } from "./playground-page.ts";

test("playground: the input folds, and a phone has room", async ({ signedIn: page, part }) => {
  await part("the input folds to a strip that says what was run, and stays as it is left", async (workspace) => {
    await page.setViewportSize({ width: 1024, height: 768 });
    await openBatch(page, `${paths.playground(workspace.slug)}?view=map`, "a parcel\nan invoice\na container");
    const input = page.getByRole("region", { name: "Input" });
    const map = page.getByRole("application", { name: /^Map of 3 rows/ });
    // who runs by keyboard while writing goes on writing
    await page.getByRole("textbox", { name: "Row 2", exact: true }).press("Control+Enter");
    await expect(map).toBeVisible();
    await expect(page.getByRole("textbox", { name: "Row 2", exact: true })).toBeFocused();
    const narrow = (await map.boundingBox())?.width ?? 0;

    const run = page.getByRole("button", { name: "Run", exact: true });
    await run.click();
    await expect(input).toHaveText("Run 2: 3 rows, gatehouse/semantic-enShow the input");
    await expect(run).toBeFocused();
    await expect(map).toBeVisible();
    await expect.poll(async () => (await map.boundingBox())?.width).toBeGreaterThan(narrow);
    await page.getByRole("navigation").getByRole("link", { name: "Providers" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Providers" })).toBeVisible();
    await page.getByRole("navigation").getByRole("link", { name: "Playground" }).click();
    await expect(input).toContainText("Run 2: 3 rows");

    // opened by hand it stays open, after the next run as well; the two buttons hand the focus to each other
    await showInput(page);
    const hide = page.getByRole("button", { name: "Hide the input" });
    await expect(hide).toBeFocused();
    await expect(page.getByRole("textbox", { name: "Row 2", exact: true })).toHaveValue("an invoice");
    await run.click();
    await expect(page.getByRole("combobox", { name: "History" })).toHaveValue("3");
    await expect(hide).toBeVisible();
    // typed into a text it is a letter like any other
    await page.getByRole("textbox", { name: "Row 2", exact: true }).press("[");
    await expect(hide).toBeVisible();
    await page.getByRole("heading", { level: 1 }).click();
    await page.keyboard.press("[");
    await expect(input).toHaveText("Run 3: 3 rows, gatehouse/semantic-enShow the input");
    await page.keyboard.press("[");
    await expect(hide).toBeVisible();
  });
  await part("rows that are in are ready to be run, and how they were read is settled", async (workspace) => {
    await page.goto(paths.playground(workspace.slug));
    const results = page.getByRole("region", { name: "Results" });
    await clearExample(page);
    await page.getByRole("tab", { name: /^Batch/ }).click();
    await paste(page, Array.from({ length: 300 }, (_, at) => `parcel ${at}`).join("\n"));
    await expect(results.getByRole("heading", { name: "300 rows ready" })).toBeVisible();
    await expect(results.getByText("Press Run: gatehouse/semantic-en makes a vector of each.")).toBeVisible();
    await expect(page.getByRole("combobox", { name: "Read as" })).toBeVisible();
    await run(page, 300);
    await expect(page.getByRole("combobox", { name: "Read as" })).toBeHidden();
  });
  await part("on a phone the chosen view's tab is in sight, and no word widens a view", async (workspace) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${paths.playground(workspace.slug)}?model=gatehouse%2Flexical&view=code`);
    const results = page.getByRole("region", { name: "Results" });
    const tab = (name: string) => results.getByRole("tab", { name });
    await expect(tab("Code")).toBeInViewport({ ratio: 1 });
    await showInput(page);
    await page.getByRole("tab", { name: /^Batch/ }).click();
    await paste(page, `${"x".repeat(400)}\nan invoice\na container`);
    await run(page, 3);
    for (const view of ["Compare", "Vectors", "List"]) {
      await tab(view).click();
      await expect(tab(view)).toBeInViewport({ ratio: 1 });
      if (view === "List") {
        await results.getByRole("button", { name: /^1 xxx/ }).click();
        await expect(results.getByRole("list", { name: "Nearest by cosine" }).getByRole("listitem")).toHaveCount(2);
      }
      const panel = results.getByRole("tabpanel", { name: view });
      expect(await panel.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth), view).toBe(0);
    }
  });
  await part("on a phone a run's map has room below what is said of it", async (workspace) => {
    const height = 844;
    await page.setViewportSize({ width: 390, height });
    await page.goto(`${paths.playground(workspace.slug)}?view=map&model=gatehouse%2Flexical`);
    await clearExample(page);
    await page.getByRole("tab", { name: /^Batch/ }).click();
    await paste(page, "a parcel\nan invoice\na container");
    await run(page);
    await expect(page.getByRole("region", { name: "Input" })).toContainText("Run 1: 3 rows");
    const map = page.getByRole("application", { name: /^Map of 3 rows/ });
    await expect(map).toBeVisible();
    await expect.poll(async () => height - ((await map.boundingBox())?.y ?? height)).toBeGreaterThan(260);
    // the strip names the only run; of several one is chosen here
    const history = page.getByRole("combobox", { name: "History" });
    await expect(history).toBeHidden();
    await run(page);
    await expect(history).toBeVisible();
  });
});
