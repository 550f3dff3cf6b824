import { paths } from "#console/paths.ts";
import { expect, test } from "./fixtures.ts";
import { clearExample, paste } from "./playground-page.ts";

test("playground: the input folds to a rail by key and by button, and stays so on the way to another page and back", async ({
  signedIn: page,
  gateway,
  workspace,
}) => {
  await page.setViewportSize({ width: 1024, height: 768 });
  await page.goto(`${gateway.url}${paths.playground(workspace.slug)}?view=map`);
  await page.getByRole("tab", { name: /^Batch/ }).click();
  await paste(page, "a parcel\nan invoice\na container");
  await page.getByRole("button", { name: "Run", exact: true }).click();
  const map = page.getByRole("application", { name: /^Map of 3 rows/ });
  await expect(map).toBeVisible();
  const narrow = (await map.boundingBox())?.width ?? 0;
  await page.getByRole("heading", { level: 1 }).focus();
  await page.keyboard.press("[");
  await expect(page.getByRole("region", { name: "Input" })).toHaveText("Batch, 3 rows");
  await expect.poll(async () => (await map.boundingBox())?.width).toBeGreaterThan(narrow);

  await page.getByRole("navigation").getByRole("link", { name: "Providers" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Providers" })).toBeVisible();
  await page.getByRole("navigation").getByRole("link", { name: "Playground" }).click();
  await page.getByRole("button", { name: "Show the input" }).click();
  await expect(page.getByRole("button", { name: "Hide the input" })).toBeFocused();
  await expect(page.getByRole("textbox", { name: "Row 2", exact: true })).toHaveValue("an invoice");
  // typed into a text it is a letter like any other
  await page.getByRole("textbox", { name: "Row 2", exact: true }).press("[");
  await expect(page.getByRole("button", { name: "Hide the input" })).toBeVisible();
});

test("playground: rows that are in are ready to be run, and how they were read is settled once they are", async ({
  signedIn: page,
  gateway,
  workspace,
}) => {
  await page.goto(gateway.url + paths.playground(workspace.slug));
  const results = page.getByRole("region", { name: "Results" });
  await clearExample(page);
  await page.getByRole("tab", { name: /^Batch/ }).click();
  await paste(page, Array.from({ length: 300 }, (_, at) => `parcel ${at}`).join("\n"));
  await expect(results.getByRole("heading", { name: "300 rows ready" })).toBeVisible();
  await expect(results.getByText("Press Run: gatehouse/semantic-en makes a vector of each.")).toBeVisible();
  await expect(page.getByRole("combobox", { name: "Read as" })).toBeVisible();
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await expect(page.getByText("300 / 300 rows")).toBeVisible();
  await expect(page.getByRole("combobox", { name: "Read as" })).toBeHidden();
});
