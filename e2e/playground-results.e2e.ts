import { readFile } from "node:fs/promises";
import { paths } from "#console/paths.ts";
import { type FakeVendor, startFakeVendor } from "#gateway/testing/fake-vendor.ts";
import type { Api } from "#gateway/testing/api-client.ts";
import { expect, test } from "./fixtures.ts";
import { addProvider } from "./provider.ts";
import { addPickyModel, openBatch, results, run, showInput, view, sentCalls } from "./playground-page.ts";

const texts = [
  "container held at customs",
  "customs holds the container",
  "invoice total differs from the quote",
  "the total on the invoice is wrong",
];

async function addEmbedding(api: Api, slug: string, name: string, model: string): Promise<FakeVendor> {
  const vendor = await startFakeVendor();
  await addProvider(api, {
    slug,
    name,
    base_url: vendor.baseUrl,
    models: [{ id: model, upstream_id: "embed", type: "embedding", pricing: { prompt: "0.0001" } }],
  });
  return vendor;
}

test("playground results: no vector, attempts, compared runs", async ({ signedIn: page, part, gateway, api }) => {
  await part("a row without a vector has no ranking, no neighbours and no numbers, and says why", async (workspace) => {
    const slug = `gaps-${workspace.slug.slice(-6)}`;
    const vendor = await addPickyModel(api, slug);
    vendor.refused.add("refused query");
    const url = `${paths.playground(workspace.slug)}?model=${slug}%2Fembed&view=search`;
    await openBatch(page, url, ["refused query", "good query", ...texts].join("\n"));
    for (const row of [1, 2])
      await page.getByRole("button", { name: `Row ${row} is a document; make it a query` }).click();
    await run(page);
    await expect(page.getByText("5 / 6 done, 1 failed")).toBeVisible();
    const refused = results(page).getByRole("region", { name: "Query: refused query" });
    await expect(refused).toContainText("Row 1 cannot be searched for. It has no vector: “");
    await expect(refused.getByRole("listitem")).toHaveCount(0);
    await expect(results(page).getByRole("region", { name: "Query: good query" }).getByRole("listitem")).toHaveCount(4);

    await view(page, "List");
    await results(page)
      .getByRole("button", { name: /^1 refused query/ })
      .click();
    await expect(results(page).getByText(/^It has no vector: “/)).toBeVisible();
    await expect(results(page).getByRole("list", { name: "Nearest by cosine" }).getByRole("listitem")).toHaveCount(0);
    await view(page, "Vectors");
    await expect(results(page).getByText(/^It has no vector: “/)).toBeVisible();
    await expect(results(page).getByRole("button", { name: "Copy the vector as JSON" })).toHaveCount(0);
    await vendor.close();
  });
  await part("all who answered a batch are named, with each attempt", async (workspace) => {
    const duo = `duo-${workspace.slug.slice(-6)}`;
    const alpha = await addEmbedding(api, `${duo}-alpha`, "Alpha", `${duo}/embed`);
    const beta = await addEmbedding(api, `${duo}-beta`, "Beta", `${duo}/embed`);
    const order = `${duo}-alpha%2C${duo}-beta`;
    const url = `${paths.playground(workspace.slug)}?model=${duo}%2Fembed&order=${order}`;
    await openBatch(page, url, Array.from({ length: 300 }, (_, index) => `parcel ${index}`).join("\n"));
    // the first call goes on to Beta, and the second one asks Beta alone: Alpha's vectors are of another space
    alpha.fail({ type: "status", status: 503 });
    const sent = sentCalls<{ provider?: { require_vector_space?: string } }>(page);
    await run(page, 300);
    await expect(results(page).getByText("Beta answered")).toBeVisible();
    expect(sent.map(({ provider }) => provider?.require_vector_space?.slice(0, 3))).toEqual([undefined, "vs_"]);
    await results(page).getByRole("button", { name: "1 call tried again" }).click();
    await expect(results(page).getByRole("list", { name: "Attempts" }).getByRole("listitem")).toHaveText(
      /^Call 1\s*\S*alpha 503 after .*then\s*Beta 200 after /,
    );
    await alpha.close();
    await beta.close();
  });
  await part("runs are compared by their own rows, in the dimensions that are looked at", async (workspace) => {
    await openBatch(page, `${paths.playground(workspace.slug)}?model=gatehouse%2Flexical`, texts.join("\n"));
    await run(page, 4);
    await run(page);
    await expect(page.getByRole("combobox", { name: "History" })).toHaveValue("2");
    await expect(page.getByText("4 / 4 rows")).toBeVisible();
    // a third run with more rows, and one of them chosen that the compared runs do not have
    await showInput(page);
    await page.getByRole("textbox", { name: "Row 4", exact: true }).press("Enter");
    await expect(page.getByRole("textbox", { name: "Row 5", exact: true })).toBeFocused();
    await page.keyboard.type("driver app does not accept my licence");
    await run(page, 5);
    await view(page, "List");
    await results(page).getByRole("button", { name: "5 driver app does not accept my licence", exact: true }).click();
    await view(page, "Compare");
    for (const id of [1, 2]) await page.getByRole("checkbox", { name: new RegExp(`^Run ${id}:`) }).check();
    const asked = page.getByRole("combobox", { name: "Ranked for" });
    await expect(asked.getByRole("option")).toHaveCount(4);
    await expect(asked).toHaveValue("0");
    await expect(page.getByRole("list", { name: "Ranked by run 1" }).getByRole("listitem").first()).toContainText(
      "customs holds the container",
    );
    await asked.selectOption("3");
    await expect(page.getByRole("list", { name: "Ranked by run 2" }).getByRole("listitem").first()).toContainText(
      "invoice total differs from the quote",
    );

    // the cut of a run that is compared goes along, and is said
    await page.getByRole("combobox", { name: "History" }).selectOption("2");
    await view(page, "Vectors");
    await page.getByRole("button", { name: "Use 16" }).click();
    await expect(page.getByText("16 numbers, length 1.0000")).toBeVisible();
    await expect(results(page).getByText("first 16 of 384 dimensions")).toBeVisible();
    await expect(results(page).getByText("all unit length")).toBeVisible();
    await view(page, "Compare");
    const cut = page.getByRole("row", { name: /Run 2:.*16 of 384/ });
    await expect(cut).toContainText("64 MB");
    await expect(cut).not.toContainText("1.000");
    await expect(page.getByRole("row", { name: /Run 1:.*384 reference/ })).toBeVisible();
  });
  await part("why two rows are similar follows the dimensions without a call", async (workspace) => {
    await openBatch(page, gateway.url + paths.playground(workspace.slug), texts.join("\n"));
    await run(page, 4);
    await results(page).getByRole("button", { name: "Pin rows 1, 2" }).click();
    const pinned = page.getByRole("region", { name: "Pinned pair" });
    await pinned.getByRole("button", { name: "Why are these similar" }).click();
    const why = pinned.getByRole("region", { name: "Why these are similar" });
    await expect(why).toBeVisible();
    let calls = 0;
    page.context().on("request", (request) => {
      if (request.url().endsWith("/api/v1/embeddings")) calls += 1;
    });
    const score = async () => /^-?\d\.\d\d/.exec((await pinned.textContent()) ?? "")?.[0];
    await expect.poll(score).toBeDefined();
    const whole = await score();
    await view(page, "Vectors");
    await page.getByRole("button", { name: "Use 16" }).click();
    await expect.poll(score).not.toBe(whole);
    await expect(why).toContainText(`What the similarity of ${await score()} loses`);
    expect(calls).toBe(0);
    await run(page);
    await expect(page.getByRole("combobox", { name: "History" })).toHaveValue("2");
  });
});

test("playground results: the map's colors, and fifty queries at a time", async ({ signedIn: page, part }) => {
  await part("more labels than colours stay apart, all in a legend and in its file", async (workspace) => {
    await page.setViewportSize({ width: 1440, height: 900 });
    const labels = Array.from({ length: 14 }, (_, at) => `warehouse ${at + 1}`);
    const table = labels.flatMap((label, at) => [`parcel ${at} left,${label}`, `parcel ${at} came back,${label}`]);
    await openBatch(page, `${paths.playground(workspace.slug)}?view=map`, ["text,label", ...table].join("\n"));
    await run(page, 28);
    const legend = results(page).getByRole("list", { name: "Legend" });
    await expect(legend.getByRole("listitem")).toHaveText(labels);
    const marks = await legend
      .locator("svg")
      .evaluateAll((drawn) => drawn.map((mark) => `${getComputedStyle(mark).color} ${mark.innerHTML}`));
    expect(new Set(marks).size).toBe(14);
    const bar = async () => (await legend.boundingBox())?.height ?? 0;
    await expect.poll(bar).toBeLessThan(30);
    await results(page)
      .getByRole("button", { name: /^\d+ more$/ })
      .click();
    await expect.poll(bar).toBeGreaterThan(40);
    await results(page).getByRole("button", { name: "Fewer" }).click();

    await page.getByRole("button", { name: "Export" }).click();
    const saving = page.waitForEvent("download");
    await page.getByRole("menuitem", { name: "Image (SVG)" }).click();
    const svg = await readFile(await (await saving).path(), "utf8");
    const fills = [...svg.matchAll(/ fill="([^"]*)"/g)].map(([, fill]) => fill ?? "");
    expect(fills.filter((fill) => !/^#[0-9a-f]{6}$/.test(fill))).toEqual([]);
    expect(svg.match(/<path transform="translate/g)).toHaveLength(28 + 14);
    for (const label of labels) expect(svg).toContain(`>${label}</text>`);

    await page.setViewportSize({ width: 390, height: 844 });
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  });
  await part("groups by likeness are compared with the labels, what lies elsewhere listed", async (workspace) => {
    const url = `${paths.playground(workspace.slug)}?view=map&model=gatehouse%2Flexical`;
    const rows = ["red red red,warm", "red red red red,warm", "red red,cold", "blue blue,cold", "blue blue blue,cold"];
    await openBatch(page, url, ["text,label", ...rows].join("\n"));
    await run(page, 5);
    await results(page).getByLabel("Color by").selectOption("cluster");
    const groups = results(page).getByRole("region", { name: "Groups" });
    await expect(groups.getByRole("heading")).toHaveText(
      "2 groups: 4 of 5 labeled rows have the label that most of their group have",
    );
    await expect(groups.getByRole("listitem")).toHaveText([
      /^red\s*2 of 3 are labeled warm\. The others:3/,
      /^blue\s*All 2 are labeled cold/,
    ]);
    await groups.getByRole("button", { name: "Row 3, labeled cold" }).click();
    await expect(results(page).getByText("Selected, row 3")).toBeVisible();
  });
  await part("the map is coloured by clusters, lengths and similarities, and says how", async (workspace) => {
    const url = `${paths.playground(workspace.slug)}?view=map&model=gatehouse%2Flexical`;
    const pasted = [
      "red red red",
      "red red red red",
      "blue blue blue",
      "blue blue blue blue",
      "blue blue blue blue blue",
    ];
    await openBatch(page, url, pasted.join("\n"));
    await run(page, 5);
    const by = results(page).getByLabel("Color by");
    await by.selectOption("cluster");
    const groups = results(page).getByRole("region", { name: "Groups" });
    await expect(groups.getByRole("listitem")).toHaveText(["blue3", "red2"]);
    await results(page).getByLabel("How many clusters").selectOption("3");
    await expect(groups.getByRole("listitem")).toHaveCount(3);
    await by.selectOption("length");
    await expect(results(page).getByText(/^11\s+to\s+24 characters$/)).toBeVisible();
    await by.selectOption("similarity");
    await expect(results(page).getByText("Choose a point first")).toBeVisible();
    const map = results(page).getByRole("application");
    await map.focus();
    await page.keyboard.press("ArrowLeft");
    await expect(results(page).getByText(/^-?\d\.\d\d\s+to\s+1\.00$/)).toBeVisible();
    await results(page).getByRole("button", { name: "How far to trust it" }).click();
    await expect(
      results(page).getByText(/Trust \d\.\d\d of 1: how many of each row’s nearest neighbors here are true/),
    ).toBeVisible();
    await map.focus();
    await page.keyboard.press("Escape");
    await expect(results(page).getByRole("tab", { name: "Map" })).toBeFocused();
  });
  await part("many queries are shown fifty at a time, and a chosen row is in sight", async (workspace) => {
    const url = `${paths.playground(workspace.slug)}?view=search`;
    await openBatch(page, url, Array.from({ length: 60 }, (_, at) => `where is parcel ${at + 1}`).join("\n"));
    await page.getByRole("button", { name: "Swap roles" }).click();
    await page.getByRole("button", { name: "Row 1 is a query; make it a document" }).click();
    await run(page, 60);
    await expect(results(page).getByText("These are the first 50 of 59 queries.")).toBeVisible();
    const queries = results(page).getByRole("region", { name: /^Query: / });
    await expect(queries).toHaveCount(50);
    await results(page).getByRole("button", { name: "Show 9 more" }).click();
    await expect(queries).toHaveCount(59);

    await view(page, "List");
    const list = results(page).getByRole("list", { name: "Rows with vectors" });
    await list.getByRole("button", { name: /^1 / }).click();
    await results(page).getByLabel("How many neighbors").selectOption("50");
    const far = results(page).getByRole("list", { name: "Nearest by cosine" }).getByRole("button", { name: /^60 / });
    await far.click();
    await page
      .getByRole("region", { name: "Pinned pair" })
      .getByRole("button", { name: /parcel 60$/ })
      .click();
    await expect(list.getByRole("button", { name: /^60 /, pressed: true })).toBeInViewport();
  });
});
