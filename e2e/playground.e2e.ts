import { paths } from "#console/paths.ts";
import { createProvider } from "#contract/providers.ts";
import { startFakeVendor } from "#gateway/testing/fake-vendor.ts";
import { makePicture } from "#gateway/testing/pictures.ts";
import { listKeys } from "#contract/keys.ts";
import { violations } from "./axe.ts";
import { expect, expectToast, longRun, test } from "./fixtures.ts";
import { openBatch, run, showInput } from "./playground-page.ts";

const texts = [
  "container held at customs",
  "customs holds the container",
  "invoice total differs from the quote",
  "the total on the invoice is wrong",
  "driver app does not accept my licence",
];

test("playground: texts and pictures, through a metered key", async ({ signedIn: page, part, gateway, api }) => {
  await part("a text becomes a vector, through a key that is listed and metered", async (workspace) => {
    await page.goto(`${paths.playground(workspace.slug)}?model=gatehouse%2Flexical`);
    await page.getByRole("textbox", { name: "Text" }).focus();
    await page.keyboard.press("Control+Enter");
    await expectToast(page, "Write or paste a text first");
    await page.getByRole("textbox", { name: "Text" }).fill("container held at customs");
    await expect(page.getByRole("button", { name: /^Run/ })).toBeEnabled();
    await page.keyboard.press("Control+Enter");
    await expect(page.getByText("1 / 1 row")).toBeVisible();
    await expect(page.getByText("all unit length")).toBeVisible();
    await expect(page.getByRole("img", { name: "The vector's numbers from first to last" })).toBeVisible();
    // most numbers of this model's vectors are zero: what is shown are those that are not
    await expect(page.getByText(/^384 numbers, length 1\.0000; \d+ of them \([\d.]+%\) are not zero$/)).toBeVisible();
    const largest = page.getByRole("list", { name: "Largest numbers" }).getByRole("listitem");
    await expect(largest).toHaveCount(8);
    expect((await largest.allInnerTexts()).filter((text) => /\s-?0\.0000$/.test(text))).toEqual([]);
    await expect(page.getByText("Copy as JSON", { exact: true })).toBeVisible();
    await expect(page.getByText("Copy as base64", { exact: true })).toBeVisible();
    await page.getByRole("button", { name: "Add texts to compare" }).click();
    await expect(page.getByRole("textbox", { name: "Row 1", exact: true })).toHaveValue("container held at customs");
    const { data } = await api(listKeys, { query: { workspace_id: workspace.id } });
    expect(data).toMatchObject([{ name: "Playground", limit: 10 }]);
    expect(page.url()).not.toContain("customs");
  });
  await part("one text that is too long fails alone, and can be cut", async (workspace) => {
    await openBatch(
      page,
      gateway.url + paths.playground(workspace.slug),
      [...texts, "word ".repeat(40_000).trim()].join("\n"),
    );
    await expect(
      page.getByText(
        /Row 6, “word word .*…” has more than the [\d,]+ tokens that the model takes, as estimated here: the gateway will refuse it\./,
      ),
    ).toBeVisible();
    await run(page);
    await expect(page.getByRole("alert").filter({ hasText: "1 of 6 rows failed, the first is row 6" })).toBeVisible();
    await expect(page.getByText("5 / 6 done")).toBeVisible();
    await page.getByRole("button", { name: "Details" }).click();
    await expect(page.getByText(/“Row 6 (?:has|must have) .*, or have it cut at the end”/)).toBeVisible();
    await expect(page.getByText(/input\.\d/)).toHaveCount(0);
    await showInput(page);
    await page.getByRole("button", { name: "Cut at the end" }).click();
    await run(page, 6);
  });
  await part("blocks of texts and pictures, in order, one vector each", async (workspace) => {
    const vendor = await startFakeVendor();
    const slug = `seeing-${workspace.slug.slice(-6)}`;
    await api(createProvider, {
      body: {
        slug,
        name: "Seeing",
        kind: "cohere",
        base_url: vendor.baseUrl,
        models: [
          {
            id: `${slug}/embed`,
            upstream_id: "embed-v4.0",
            type: "embedding",
            input_modalities: ["text", "image"],
            pricing: { prompt: "0" },
          },
        ],
      },
    });
    await page.goto(paths.playground(workspace.slug));
    await page.getByRole("tab", { name: "Multimodal" }).click();
    await page.getByRole("textbox", { name: "Text 1 of block 1" }).fill("a red square");
    const picture = Buffer.from(
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==",
      "base64",
    );
    await page
      .getByLabel("Join an image to block 1")
      .setInputFiles({ name: "red.png", mimeType: "image/png", buffer: picture });
    await expect(page.getByText("1 × 1, 70 B, sent with the call")).toBeVisible();
    await page.getByRole("combobox", { name: "Model" }).click();
    await expect(page.getByRole("option", { name: new RegExp(`${slug}/embed`) })).toBeEnabled();
    await vendor.close();
  });
  await part("pictures on a fresh install, with the built-in model", async (workspace) => {
    const [red, blue] = [
      await makePicture("png", 60, 40, () => [220, 20, 20]),
      await makePicture("webp", 40, 60, () => [20, 20, 220]),
    ];
    await page.goto(paths.playground(workspace.slug));
    await page.getByRole("tab", { name: "Multimodal" }).click();
    await expect(page.getByRole("combobox", { name: "Model" })).toHaveValue("gatehouse/lexical-visual");
    await page.getByRole("textbox", { name: "Text 1 of block 1" }).fill("something red");
    await page.getByLabel("Choose images").setInputFiles([
      { name: "red.png", mimeType: "image/png", buffer: red },
      { name: "blue.webp", mimeType: "image/webp", buffer: blue },
    ]);
    await expect(page.getByRole("img", { name: "blue.webp" })).toBeVisible();
    await run(page, 3);
  });
});

test("playground: a pasted batch in every view, by keyboard", async ({ signedIn: page, gateway, workspace }) => {
  await openBatch(page, gateway.url + paths.playground(workspace.slug), texts.join("\n"));
  await page.getByRole("button", { name: "Row 1 is a document; make it a query" }).click();
  await run(page, 5);
  const results = page.getByRole("region", { name: "Results" });

  const cell = results.getByRole("gridcell");
  await cell.focus();
  await page.keyboard.press("ArrowRight");
  await expect(cell).toHaveAccessibleName(/^row 1 × row 2, 0\.\d\d$/);
  await expect(results.getByRole("button", { name: /^Pin rows (1, 2|3, 4)$/ }).first()).toBeVisible();

  await page.keyboard.press("Enter");
  await results.getByRole("button", { name: "Why are these similar" }).click();
  await expect(results.getByRole("region", { name: "Why these are similar" })).toContainText(/customs 0\.[1-9]/);
  await expect(results.getByText(/answered/).first()).toBeVisible();

  const chooseView = (name: string) => results.getByRole("tab", { name }).click();
  await chooseView("Search");
  await expect(
    results
      .getByRole("region", { name: `Query: ${texts[0]}` })
      .getByRole("listitem")
      .first(),
  ).toContainText("customs holds the container");
  await chooseView("List");
  await results.getByRole("button", { name: "3 invoice total differs from the quote", exact: true }).click();
  await expect(results.getByRole("list", { name: "Nearest by cosine" }).getByRole("listitem").first()).toContainText(
    "the total on the invoice is wrong",
  );
  await chooseView("Map");
  await results.getByRole("application", { name: /^Map of 5 rows/ }).focus();
  await page.keyboard.press("ArrowLeft");
  await expect(results.getByText(/of the variance is shown/)).toBeVisible();
  await results.getByRole("button", { name: "How far to trust it" }).click();
  await expect(results.getByText(/Trust \d/)).toBeVisible();
  await chooseView("Vectors");
  await expect(results.getByRole("row", { name: /Use 64/ })).toBeVisible();
  await chooseView("Code");
  await expect(results.getByText("GATEHOUSE_API_KEY")).toBeVisible();

  for (const view of ["Matrix", "Map", "Vectors", "Search", "List", "Compare"]) {
    await chooseView(view);
    await expect(results.getByRole("tab", { name: view, selected: true })).toBeVisible();
    expect(await violations(page), view).toEqual([]);
  }
});

test("playground: many pasted lines, cancelled, and then the rest", async ({ signedIn: page, workspace }) => {
  // in the long run forty calls and the map of ten thousand rows: on a busy machine they take many minutes
  test.setTimeout(2_400_000);
  const count = longRun ? 10_000 : 2_500;
  const lines = Array.from({ length: count }, (_, index) => `parcel ${index} was left at door ${index * 7}`);
  await openBatch(page, `${paths.playground(workspace.slug)}?model=gatehouse%2Flexical`, lines);
  await expect(page.getByText(`${count.toLocaleString("en-US")} rows, no duplicates`)).toBeVisible();
  // the first calls are answered, and the others once the run is cancelled
  let made = 0;
  const cancelled = Promise.withResolvers<void>();
  await page.context().route("**/api/v1/embeddings", async (route) => {
    made += 1;
    if (made > 4) await cancelled.promise;
    await route.continue().catch(() => undefined);
  });
  await run(page);
  await page.getByRole("button", { name: "Cancel" }).click();
  const others = page.getByRole("button", { name: /^Run the other/ });
  await expect(others).toBeVisible();
  cancelled.resolve();
  await page.context().unroute("**/api/v1/embeddings");
  await others.click();
  const all = count.toLocaleString("en-US");
  await expect(page.getByText(`${all} / ${all} rows`)).toBeVisible({ timeout: 900_000 });
  const map = page.getByRole("application", { name: new RegExp(`^Map of ${count} rows`) });
  await expect(map).toBeVisible({ timeout: 900_000 });
});
