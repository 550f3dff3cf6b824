import { paths } from "#console/paths.ts";
import { expect, type Page, test } from "./fixtures.ts";
import { openBatch, results, run, showInput } from "./playground-page.ts";

/** The color in the middle of a cell, as the canvas shows it. */
const colorAt = (page: Page, row: number, column: number, size: number) =>
  results(page)
    .getByRole("grid", { name: "Similarities" })
    .locator("canvas")
    .evaluate(
      (element: HTMLCanvasElement, [down = 0, across = 0, count = 1]) => {
        const cell = element.width / count;
        const context = element.getContext("2d");
        return [...(context?.getImageData((across + 0.3) * cell, (down + 0.3) * cell, 1, 1).data ?? [])].join(" ");
      },
      [row, column, size],
    );

test("playground matrix: no color of 1.00 for less than that", async ({ signedIn: page, gateway, workspace }) => {
  const texts = [
    "container held at customs",
    "customs holds the container",
    "the invoice is wrong",
    "the invoice is wrong",
  ];
  await openBatch(page, `${gateway.url}${paths.playground(workspace.slug)}?view=matrix`, texts.slice(0, 3).join("\n"));
  await run(page, 3);
  await expect(results(page).getByText(/median of all 3 pairs/)).toBeVisible();
  const cell = results(page).getByRole("gridcell");
  await expect(cell).toHaveAccessibleName("row 1 × row 1, the same row");
  await expect.poll(() => colorAt(page, 0, 1, 3)).toMatch(/ 255$/);
  const anchored = await colorAt(page, 0, 1, 3);
  await results(page).getByRole("button", { name: "Stretch the scale" }).click();
  await expect(results(page).getByText(/^Stretched to the pairs shown:/)).toBeVisible();
  await expect.poll(() => colorAt(page, 0, 1, 3)).not.toBe(anchored);
  const stretched = await colorAt(page, 0, 1, 3);
  await results(page).getByRole("button", { name: "As table" }).click();
  await expect(results(page).getByText(/The colors are stretched from -?0\.\d\d to 0\.\d\d\.$/)).toBeVisible();
  await results(page).getByRole("button", { name: "End the scale at 1.00" }).click();
  await expect(results(page).getByText(/The colors go from -?0\.\d\d to 1\.00\.$/)).toBeVisible();

  // the next run is shown as a picture again; with the same text twice there is a pair of 1.00, which has the color that the stretched scale gave to another
  await showInput(page);
  await page.getByRole("textbox", { name: "Row 3", exact: true }).press("Enter");
  await expect(page.getByRole("textbox", { name: "Row 4", exact: true })).toBeFocused();
  await page.keyboard.type(texts[3] ?? "");
  await run(page, 4);
  await expect.poll(() => colorAt(page, 2, 3, 4)).toBe(stretched);
  expect(await colorAt(page, 0, 1, 4)).not.toBe(stretched);
});
