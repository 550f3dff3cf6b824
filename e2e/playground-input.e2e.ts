import { readFile } from "node:fs/promises";
import { createProvider } from "#contract/providers.ts";
import { makePicture } from "#gateway/testing/pictures.ts";
import { paths } from "#console/paths.ts";
import { expect, type Page, test, enter } from "./fixtures.ts";
import { clearExample, openBatch, paste, results, run, sentCalls, showInput } from "./playground-page.ts";

const rowTexts = (page: Page) =>
  page
    .getByRole("textbox", { name: /^Row \d+$/ })
    .evaluateAll((fields) => fields.map((field) => (field as HTMLInputElement).value));

test("playground input: rows, labels, costs and the code", async ({ signedIn: page, part, gateway, api }) => {
  await part("what pictures cost is in the estimate, and asked about", async (workspace) => {
    const slug = `seen-${workspace.slug.slice(-6)}`;
    await api(createProvider, {
      body: {
        slug,
        name: "Seen",
        kind: "cohere",
        base_url: "http://127.0.0.1:9",
        models: [
          {
            id: `${slug}/embed`,
            upstream_id: "embed-v4.0",
            type: "embedding",
            input_modalities: ["text", "image"],
            pricing: { prompt: "0.0000001", image: "5" },
          },
        ],
      },
    });
    const sent = sentCalls(page);
    await page.goto(`${paths.playground(workspace.slug)}?model=${slug}/embed`);
    await clearExample(page);
    await page.getByRole("button", { name: "Try images" }).click();
    await expect(page.getByText(/tokens of text and 4 images, at least \$20$/)).toBeVisible();
    await run(page);
    await expect(page.getByRole("dialog")).toContainText("This run may cost more than $20");
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
    expect(sent).toEqual([]);
  });
  await part("another column of a paste leaves the rows around it, and every step is undone", async (workspace) => {
    await openBatch(page, gateway.url + paths.playground(workspace.slug));
    const first = page.getByRole("textbox", { name: "Row 1", exact: true });
    await enter(first, "mine one");
    await page.getByRole("textbox", { name: "Row 2", exact: true }).fill("mine two");
    await paste(page, "utterance;purpose\nwhere is it;tracking\nit is broken;damage\n");
    const lines = ["utterance;purpose", "where is it;tracking", "it is broken;damage"];
    await expect.poll(() => rowTexts(page)).toEqual([...lines, "mine one", "mine two"]);

    await page.getByRole("combobox", { name: "Read as" }).selectOption("CSV");
    await page.getByRole("checkbox", { name: "The first line names the columns" }).click();
    await expect.poll(() => rowTexts(page)).toEqual(["where is it", "it is broken", "mine one", "mine two"]);
    await page.getByRole("textbox", { name: "Row 2", exact: true }).fill("it is in pieces");
    await page.getByRole("combobox", { name: "Label" }).selectOption("purpose");
    await expect(page.getByRole("textbox", { name: "Label of row 2" })).toHaveValue("damage");
    await expect.poll(() => rowTexts(page)).toEqual(["where is it", "it is in pieces", "mine one", "mine two"]);
    await page.getByRole("combobox", { name: "Text" }).selectOption("purpose");
    await expect.poll(() => rowTexts(page)).toEqual(["tracking", "it is in pieces", "mine one", "mine two"]);

    const undo = page.getByRole("button", { name: "Undo" });
    for (let steps = 0; steps < 3; steps += 1) await undo.click();
    await expect.poll(() => rowTexts(page)).toEqual(["where is it", "it is broken", "mine one", "mine two"]);
    for (let steps = 0; steps < 3; steps += 1) await undo.click();
    await expect.poll(() => rowTexts(page)).toEqual(["mine one", "mine two"]);
  });
  await part("rows are labelled by hand, and what is sent twice is told from what is not", async (workspace) => {
    await openBatch(page, gateway.url + paths.playground(workspace.slug), "a parcel\na parcel\nan invoice");
    await expect(page.getByText("3 rows, 1 duplicate (each text is sent once)")).toBeVisible();
    await page.getByRole("button", { name: "Labels" }).click();
    await page.getByRole("textbox", { name: "Label of row 3" }).fill("billing");
    await page.getByRole("button", { name: "Row 1 is a document; make it a query" }).click();
    await expect(page.getByText("same as row 1")).toBeVisible();
    await page.getByRole("button", { name: /^Routing/ }).click();
    await page.getByRole("switch", { name: /role as input_type/ }).click();
    await page.getByRole("button", { name: "Done" }).click();
    await expect(page.getByText("same as row 1")).toBeHidden();
    const sent = sentCalls(page);
    await run(page, 3);
    await expect
      .poll(() => sent.map(({ input, input_type: type }) => [type, input]))
      .toEqual([
        ["search_query", ["a parcel"]],
        ["search_document", ["a parcel", "an invoice"]],
      ]);
  });
  await part("the code makes the calls that the run made", async (workspace) => {
    await openBatch(
      page,
      `${paths.playground(workspace.slug)}?roles=true&model=gatehouse%2Flexical&dimensions=64&view=code`,
      Array.from({ length: 300 }, (_, at) => `row ${at} isn't "plain"`).join("\n"),
    );
    await expect(page.getByText("300 rows")).toBeVisible();
    await page.getByRole("button", { name: "Row 1 is a document; make it a query" }).click();
    const sent = sentCalls(page);
    await run(page, 300);
    const saving = page.waitForEvent("download");
    await results(page)
      .getByRole("button", { name: /^Save calls\.jsonl/ })
      .click();
    const lines = (await readFile(await (await saving).path(), "utf8")).trimEnd().split("\n");
    await expect.poll(() => sent).toHaveLength(3);
    const { model, dimensions, encoding_format } = sent[0] ?? {};
    const bodies = lines.map((line) => ({ model, dimensions, encoding_format, ...(JSON.parse(line) as object) }));
    expect(bodies).toHaveLength(3);
    expect(bodies.map((body) => JSON.stringify(body)).toSorted()).toEqual(
      sent
        .map(({ input, input_type }) => JSON.stringify({ model, dimensions, encoding_format, input, input_type }))
        .toSorted(),
    );
    const code = results(page).getByRole("region", { name: /^This request/ });
    await expect(code).toContainText('"dimensions": 64');
    await results(page).getByRole("button", { name: "Wrap" }).click();
    await expect.poll(() => code.evaluate((block) => block.scrollWidth - block.clientWidth)).toBe(0);
  });
});

test("playground input: pictures, examples, and what is chosen", async ({ signedIn: page, part, gateway }) => {
  await part("a picture is made smaller only where that saves bytes", async (workspace) => {
    // a page of sharp letters, whose edges shrinking blurs into many grays; and noise, which it takes most of away
    await page.goto(`${gateway.url}/docs`);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    const letters = await page.screenshot();
    const noise = await makePicture("jpeg", 2_000, 1_500, (x, y) => {
      const grey = (x * 7_919 + y * 104_729) % 256;
      return [grey, (grey * 31) % 256, (grey * 17) % 256];
    });
    await page.goto(paths.playground(workspace.slug));
    await page.getByRole("tab", { name: "Multimodal" }).click();
    await page.getByLabel("Choose images").setInputFiles([
      { name: "letters.png", mimeType: "image/png", buffer: letters },
      { name: "noise.jpg", mimeType: "image/jpeg", buffer: noise },
    ]);
    await page.getByRole("checkbox", { name: "Choose block 1" }).check();
    await page.getByRole("checkbox", { name: "Choose block 2" }).check();
    await page.getByRole("button", { name: "Join into one vector" }).click();
    await page.getByRole("button", { name: "Block 1: letters.png noise.jpg", exact: true }).click();
    const kept = page.getByText(/^PNG, 1,440 × 900, .+ sent with the call as it is: at 1,024 px it would be/);
    await expect(kept).toBeVisible();
    await expect(page.getByText(/^JPEG, 1,024 × 768, .+ made /)).toBeVisible();
    const sent = sentCalls(page);
    await run(page, 1);
    await page.getByRole("switch", { name: /^Shrink images/ }).click();
    await expect(page.getByText(/^JPEG, 2,000 × 1,500, .+, sent with the call; at 1,024 px it would be/)).toBeVisible();
    await run(page);
    await expect(page.getByRole("combobox", { name: "History" })).toHaveValue("2");
    await expect(page.getByText("1 / 1 row")).toBeVisible();
    await expect.poll(() => sent).toHaveLength(2);
    const urls = sent.map(({ input }) =>
      (input as { content: { image_url?: { url: string } }[] }[])[0]?.content.flatMap(
        ({ image_url }) => image_url?.url ?? [],
      ),
    );
    const whole = [
      `data:image/png;base64,${letters.toString("base64")}`,
      `data:image/jpeg;base64,${noise.toString("base64")}`,
    ];
    expect(urls[0]?.[0] === whole[0]).toBe(true);
    expect(urls[0]?.[1]?.length).toBeLessThan(whole[1]?.length ?? 0);
    expect(urls[1]?.[1] === whole[1]).toBe(true);
  });
  await part("each example stands after what is there, and shows what it is for once it is run", async (workspace) => {
    await openBatch(page, gateway.url + paths.playground(workspace.slug));
    await clearExample(page);
    await expect(page.getByRole("link", { name: "How to request embeddings" })).toHaveAttribute(
      "href",
      /\/docs#createEmbeddings$/,
    );
    // on this system the modifier is Ctrl, as the top bar has it
    await expect(page.getByRole("button", { name: /^Run/ })).toHaveText(/RunCtrl ↵/);
    await page.getByRole("textbox", { name: "Row 1", exact: true }).fill("my own text");
    await page.getByRole("button", { name: "Try a search" }).click();
    await expect(page.getByText("The example is in the input.")).toBeVisible();
    await expect(page.getByRole("textbox", { name: "Row 1", exact: true })).toHaveValue("my own text");
    await run(page);
    const query = results(page).getByRole("region", { name: "Query: my parcel arrived broken" });
    await expect(query.getByRole("listitem").first()).toContainText("how to file a claim");
    await page.getByRole("button", { name: /^Discard run/ }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Discard" }).click();

    await showInput(page);
    await page.getByRole("button", { name: "Clear" }).click();
    await page.getByRole("button", { name: "Try pairs of texts" }).click();
    await run(page);
    await expect(
      results(page)
        .getByRole("button", { name: /^Pin rows (1, 2|3, 4|7, 8)$/ })
        .first(),
    ).toBeVisible();
    await page.getByRole("button", { name: /^Discard run/ }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Discard" }).click();

    await page.getByRole("button", { name: "Try images" }).click();
    await expect(page.getByRole("img", { name: "red disc.png" })).toBeVisible();
    await run(page, 5);
  });
  await part("what is chosen in a picture is brought into sight in the list", async (workspace) => {
    await openBatch(
      page,
      `${paths.playground(workspace.slug)}?view=map`,
      Array.from({ length: 300 }, (_, at) => `parcel ${at} was left at door ${at * 7}`).join("\n"),
    );
    await run(page, 300);
    await showInput(page);
    await results(page).getByRole("application").focus();
    for (let presses = 0; presses < 3; presses += 1) {
      await page.keyboard.press(presses === 0 ? "ArrowLeft" : "ArrowDown");
      const said = await results(page)
        .getByText(/^Selected, row \d+$/)
        .innerText();
      const number = /\d+/.exec(said)?.[0];
      await expect(page.getByRole("textbox", { name: `Row ${number}`, exact: true })).toBeInViewport();
    }
  });
});

test("playground input: before vectors find no room @long", async ({ signedIn: page, workspace }) => {
  // twelve thousand vectors of this length beside other journeys: on a busy machine they take many minutes
  test.setTimeout(2_400_000);
  await openBatch(
    page,
    `${paths.playground(workspace.slug)}?model=gatehouse%2Flexical&dimensions=3072&view=list`,
    Array.from({ length: 12_000 }, (_, at) => `parcel ${at}`).join("\n"),
  );
  await expect(page.getByText("12,000 rows, no duplicates")).toBeVisible();
  await run(page, 12_000);
  const sent = sentCalls(page);
  await showInput(page);
  await page.getByRole("tab", { name: "Text" }).first().click();
  await page.getByRole("textbox", { name: "Text" }).fill("one more");
  await run(page, 1);
  await page.getByRole("tab", { name: /^Batch/ }).click();
  await run(page);
  const asked = page.getByRole("dialog");
  await expect(asked).toContainText(
    "This run’s vectors take 141 MB, and 116 MB of 256 MB are free. Run 1 will be discarded",
  );
  expect(sent).toHaveLength(1);
  // not answered, so that it is under way until it is canceled
  await page.context().route("**/api/v1/embeddings", () => undefined);
  await asked.getByRole("button", { name: "Discard and run" }).click();
  await expect(page.getByRole("combobox", { name: "History" }).getByRole("option")).toHaveText([/^Run 3/, /^Run 2/]);
  await page.getByRole("button", { name: "Cancel", exact: true }).click();

  await openBatch(
    page,
    `${paths.playground(workspace.slug)}?model=gatehouse%2Flexical&dimensions=100000`,
    Array.from({ length: 700 }, (_, at) => `parcel ${at}`).join("\n"),
  );
  await expect(page.getByRole("button", { name: /^Run/ })).toHaveAttribute("aria-disabled", "true");
});
