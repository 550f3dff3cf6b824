import { paths } from "#console/paths.ts";
import { expect, longRun, test, expectTexts } from "./fixtures.ts";
import { addPickyModel, openBatch, paste, run } from "./playground-page.ts";

const line = (at: number) => `parcel ${at} was left at door ${at * 7}`;
const count = longRun ? 10_000 : 3_000;
const said = count.toLocaleString("en-US");
const lines = Array.from({ length: count }, (_, at) => line(at));

test("playground: many rows, paused, resumed, refused and edited", async ({ signedIn: page, api, workspace }) => {
  // in the long run eighty calls and a list of ten thousand rows: on a busy machine they take many minutes
  test.setTimeout(2_400_000);
  const slug = `picky-${workspace.slug.slice(-6)}`;
  const vendor = await addPickyModel(api, slug);
  for (const at of [903, 1_400, count - 1]) vendor.refused.add(line(at));
  vendor.delayMs = 40;
  vendor.most = longRun ? 12 : 3;
  await openBatch(page, `${paths.playground(workspace.slug)}?model=${slug}/embed&view=list&ceiling=1000`, lines);
  await expect(page.getByText(`${said} rows, no duplicates`)).toBeVisible();
  await run(page);

  // while it runs: how far, how fast, how long still, what it cost; and what is there can be used
  const results = page.getByRole("region", { name: "Results" });
  await expect(results.getByRole("progressbar", { name: "Rows that have a vector" })).toBeVisible();
  await expect(results.getByText(/rows\/s, .+ left/)).toBeVisible();
  // three calls are made at a time
  await expect.poll(() => vendor.calls).toBe(vendor.most + 3);
  await results.getByRole("button", { name: "Pause" }).click();
  const status = results.getByText(new RegExp(`^[\\d,]+ / ${said} (running|paused|done|rows)`));
  const paused = new RegExp(`^[\\d,]+ / ${said} paused`);
  await expect(status).toHaveText(paused);
  await results.getByRole("button", { name: /^2 parcel 1 was/ }).click();
  await expect(results.getByRole("list", { name: "Nearest by cosine" }).getByRole("listitem")).toHaveCount(5);
  await expect(results.getByText(/\$\d+\.\d+/).first()).toBeVisible();
  // what was under way when it was paused is still answered, and nothing more is asked
  const asked = vendor.calls;
  const reached = await status.innerText();
  vendor.most = Number.POSITIVE_INFINITY;
  await expect.poll(() => vendor.waiting).toBe(0);
  await expect(status).not.toHaveText(reached);
  await expect(status).toHaveText(paused);
  expect(vendor.calls).toBe(asked);
  await results.getByRole("button", { name: "Resume" }).click();

  await expect(
    results.getByRole("alert").filter({ hasText: `3 of ${said} rows failed, the first is row 904` }),
  ).toBeVisible({ timeout: 900_000 });
  await expect(status).toHaveText(`${(count - 3).toLocaleString("en-US")} / ${said} done, 3 failed`);
  await expect(results.getByRole("alert")).toContainText("row 904, “parcel 903 was left at door 6321”");
  // what the provider refuses now it would refuse again
  await expect(results.getByRole("button", { name: /^Retry/ })).toHaveCount(0);
  await results.getByRole("button", { name: "Details" }).click();
  await results.getByText("The failed rows").click();
  const failed = results.getByRole("list", { name: "Failed rows" }).getByRole("listitem");
  await expect(failed).toHaveCount(3);
  await expectTexts(failed.last(), line(count - 1), "not acceptable");

  // who hears it is told with every eighth, not with every answer
  const log = results.getByRole("log", { name: "Progress" });
  await expect(log.getByRole("paragraph").last()).toHaveText(
    `Run 1 done: ${(count - 3).toLocaleString("en-US")} of ${said} vectors, 3 failed`,
  );
  expect(await log.getByRole("paragraph").count()).toBeLessThanOrEqual(10);

  await failed
    .last()
    .getByRole("button", { name: `Edit row ${count}` })
    .click();
  const field = page.getByRole("textbox", { name: `Row ${count}`, exact: true });
  await expect(field).toBeFocused();
  await field.fill("a parcel that is acceptable");
  await expect(failed.last().getByRole("button", { name: `Edit row ${count}` })).toBeHidden();
  await results.getByRole("button", { name: "Edit row 904", exact: true }).first().click();
  await expect(page.getByRole("textbox", { name: "Row 904", exact: true })).toBeFocused();

  // a matrix has no room for so many: it offers parts of them, and says which one it shows
  await results.getByRole("tab", { name: "Matrix" }).click();
  await expect(results.getByRole("heading", { name: `${said} rows are too many for one matrix` })).toBeVisible();
  await results.getByRole("button", { name: "A sample of 500 rows" }).click();
  await expect(results.getByRole("grid", { name: "Similarities" })).toHaveAttribute("aria-rowcount", "500");
  await expect(results.getByText(`of ${said}; other pairs are not compared`)).toBeVisible();
  expect(page.url()).not.toContain("parcel");
  await vendor.close();
});

test("playground: a ceiling, a vector space, another language", async ({ signedIn: page, part, api }) => {
  await part("what costs more than the ceiling is asked about first", async (workspace) => {
    const slug = `dear-${workspace.slug.slice(-6)}`;
    const vendor = await addPickyModel(api, slug);
    await page.goto(`${paths.playground(workspace.slug)}?model=${slug}/embed`);
    await page.getByRole("button", { name: /^Routing/ }).click();
    await page.getByLabel("Ask first above").fill("0.0005");
    await page.getByRole("button", { name: "Done" }).click();
    await expect(page).toHaveURL(/ceiling=0\.0005/);
    await page.getByRole("textbox", { name: "Text" }).fill("a text of some ten tokens or so, all told");
    await run(page);
    const asked = page.getByRole("alertdialog").or(page.getByRole("dialog"));
    await expect(asked).toContainText("This run costs about $0.001");
    expect(vendor.calls).toBe(0);
    await asked.getByRole("button", { name: "Run" }).click();
    await expect(page.getByText("1 / 1 row")).toBeVisible();
    expect(vendor.calls).toBe(1);
    await expect(page.getByRole("button", { name: "Copy the id of the vector space" })).toBeVisible();

    // the space of its vectors can be required from then on: the code says so, and another one is refused unsent
    await page.getByRole("button", { name: /^Routing/ }).click();
    await page.getByLabel("Ask first above").fill("");
    const required = page.getByLabel("Required vector space");
    await required.fill("acme");
    await expect(page.getByText("Enter an id such as vs_1f0a93c27be45d6680aa-1536, or nothing")).toBeVisible();
    await page.getByRole("button", { name: "The one of run 1" }).click();
    await expect(required).toHaveValue(/^vs_[0-9a-f]{20}-64$/);
    const space = await required.inputValue();
    await page.getByRole("button", { name: "Done" }).click();
    await expect(page).toHaveURL(new RegExp(`space=${space}`));
    await run(page);
    await expect(page.getByRole("combobox", { name: "History" })).toContainText("Run 2");
    await expect(page.getByText("1 / 1 row")).toBeVisible();
    await page.getByRole("tab", { name: "Code" }).click();
    await expect(page.getByRole("region", { name: "Results" })).toContainText(`"require_vector_space": "${space}"`);
    const calls = vendor.calls;
    await page.goto(
      page
        .url()
        .replace(space, `vs_${"0".repeat(20)}-64`)
        .replace("view=code", "view=vectors"),
    );
    await page.getByRole("textbox", { name: "Text" }).fill("a text for another index");
    await run(page);
    await expect(page.getByText("No provider fits the request").first()).toBeVisible();
    expect(vendor.calls).toBe(calls);
    await vendor.close();
  });
  await part("rows in a language that the built-in model does not know are named", async (workspace) => {
    await openBatch(page, `${paths.playground(workspace.slug)}?model=gatehouse/semantic-en&view=list`);
    const german = "Die Rechnung für den letzten Monat ist noch nicht bezahlt worden";
    await paste(page, ["The invoice of last month has not been paid yet", german, "Where is my parcel?"].join("\n"));
    await run(page);
    const results = page.getByRole("region", { name: "Results" });
    const notice = results.getByRole("status").filter({ hasText: "gatehouse/semantic-en does not know" });
    await expectTexts(notice, "1 of 3 rows looks like a language", "It is row 2, “Die Rechnung");
    await expect(results.getByRole("button", { name: /^2 Die Rechnung.* other language$/ })).toBeVisible();
    await expect(results.getByText("other language", { exact: true })).toHaveCount(1);
  });
});
