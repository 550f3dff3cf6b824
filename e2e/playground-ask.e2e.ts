import { listKeys } from "#contract/keys.ts";
import { paths } from "#console/paths.ts";
import { expect, type Page, test, enter } from "./fixtures.ts";
import { addPickyModel, paste, results, run, runBatch, view, sentCalls } from "./playground-page.ts";

const texts = [
  "forklift broke a pallet",
  "invoice total differs from the quote",
  "customs holds the container",
  "the driver app does not accept my password",
];
const calls = "**/api/v1/embeddings";
const field = (page: Page) => page.getByRole("textbox", { name: "Question" });

test("playground question: asked, paid, refused and reranked", async ({ signedIn: page, part, api }) => {
  await part("one call ranks the list, colors the map, marks the matrix; arrows walk them", async (workspace) => {
    await runBatch(page, `${paths.playground(workspace.slug)}?view=list`, texts);
    const sent = sentCalls<{ input: string[]; input_type?: string }>(page);
    const rows = results(page).getByRole("list", { name: "Rows with vectors" }).getByRole("listitem");
    await expect(rows.first()).toContainText("forklift");
    await page.locator("body").press("/");
    await expect(field(page)).toBeFocused();
    await expect(results(page).getByText("One call, free")).toBeVisible();
    await page.keyboard.type("container at customs");
    await page.keyboard.press("Enter");
    await expect(results(page).getByText("By cosine with the question")).toBeVisible();
    await expect(rows.first()).toContainText(/3\s*0\.\d\d\s*customs holds the container/);
    await expect(rows).toHaveCount(4);
    const said = results(page).getByRole("search").getByRole("status");
    await expect(said).toContainText(/^Nearest of 4 to “container at customs”: 0\.\d\d, row 3 customs holds/);
    await page.keyboard.press("ArrowDown");
    await expect(said).toContainText(/^1 of 4 to .*row 3/);
    await expect(results(page).getByRole("button", { pressed: true })).toContainText("customs holds the container");
    await page.keyboard.press("ArrowDown");
    await expect(said).toContainText(/^2 of 4 to /);
    await page.keyboard.press("ArrowUp");
    await expect(said).toContainText(/^1 of 4 to /);

    await view(page, "Map");
    await expect(results(page).getByText(/^-?0\.\d\d\s+to\s+0\.\d\d with the question$/)).toBeVisible();
    await view(page, "Matrix");
    await expect(results(page).getByText(/^#1 customs holds/)).toBeAttached();
    await view(page, "Search");
    const asked = results(page).getByRole("region", { name: "Question: container at customs" });
    await expect(asked.getByRole("listitem").first()).toContainText("customs holds the container");
    await expect.poll(() => sent.map(({ input }) => input)).toEqual([["container at customs"]]);

    await field(page).press("Escape");
    await expect(field(page)).toHaveValue("");
    await expect(asked).toBeHidden();
    await expect(results(page).getByText(/^Ask a question above to rank all rows by it/)).toBeVisible();
    await view(page, "List");
    await expect(rows.first()).toContainText("forklift");
    // without a question the list can be ranked by one of its rows
    await results(page).getByRole("button", { name: "Rank by row 3" }).click();
    await expect(results(page).getByText("By cosine with row 3")).toBeVisible();
    await expect(rows.first()).toContainText(/3\s*1\.00\s*customs/);
    expect(sent).toHaveLength(1);
  });
  await part("it goes as the run's queries do, its price is said, and the key pays it", async (workspace) => {
    const slug = `asked-${workspace.slug.slice(-6)}`;
    const vendor = await addPickyModel(api, slug);
    const url = `${paths.playground(workspace.slug)}?model=${slug}%2Fembed&roles=true&view=list`;
    await page.goto(url);
    await page.getByRole("button", { name: /^Routing/ }).click();
    await page.getByLabel("Put before each query").fill("query: ");
    await page.getByRole("button", { name: "Done" }).click();
    await page.getByRole("tab", { name: /^Batch/ }).click();
    await paste(page, texts.join("\n"));
    await run(page, 4);
    const spent = async () => (await api(listKeys, { query: { workspace_id: workspace.id } })).data[0]?.usage ?? 0;
    await expect.poll(spent).toBeGreaterThan(0);
    const before = await spent();
    const sent = sentCalls<{ input: string[]; input_type?: string }>(page);
    await field(page).fill("pallets");
    // "query: pallets" is about four tokens of $0.0001
    await expect(results(page).getByText("One call, ≈ $0.0004")).toBeVisible();
    await field(page).press("Enter");
    await expect(results(page).getByRole("search").getByRole("status")).toContainText(/tokens, \$0\.0\d+\./);
    await expect.poll(() => sent).toMatchObject([{ input: ["query: pallets"], input_type: "search_query" }]);
    await expect.poll(spent).toBeGreaterThan(before);
    await vendor.close();
  });
  await part("a refusal says what helps, a pause is counted down, and the rows stay", async (workspace) => {
    await runBatch(page, `${paths.playground(workspace.slug)}?view=list`, texts);
    await page.context().route(calls, (route) =>
      route.fulfill({
        status: 402,
        json: { error: { code: 402, message: "The key is out of credits", metadata: { limit_kind: "key" } } },
      }),
    );
    await enter(field(page), "customs");
    const alert = results(page).getByRole("alert");
    await expect(alert).toContainText("The question was not answered. Out of credits.");
    await expect(alert.getByRole("link", { name: "Raise the key’s limit" })).toBeVisible();
    await page.context().unrouteAll({ behavior: "wait" });
    await page.context().route(calls, (route) =>
      route.fulfill({
        status: 429,
        headers: { "retry-after": "600" },
        json: { error: { code: 429, message: "Too many calls", metadata: { error_type: "rate_limit_exceeded" } } },
      }),
    );
    await field(page).press("Enter");
    await expect(results(page).getByText(/^Slow down, trying again in/)).toBeVisible();
    await field(page).press("Escape");
    await expect(results(page).getByText(/^Slow down, trying again in/)).toBeHidden();
    await expect(results(page).getByRole("list", { name: "Rows with vectors" }).getByRole("listitem")).toHaveCount(4);
    await page.context().unrouteAll({ behavior: "wait" });
    await enter(field(page), "customs");
    await expect(results(page).getByText("By cosine with the question")).toBeVisible();
  });
  await part("its rows are reranked, each with both ranks, and a lost call is said", async (workspace) => {
    await runBatch(page, `${paths.playground(workspace.slug)}?view=search`, texts);
    await enter(field(page), "which pallet was broken by the forklift, and what does customs hold?");
    const asked = results(page).getByRole("region", { name: /^Question: which pallet/ });
    await expect(asked.getByRole("listitem")).toHaveCount(4);
    const byCosine = await asked.getByRole("listitem").allInnerTexts();

    await page.route("**/api/v1/rerank", (route) => route.abort());
    await asked.getByLabel("Model that reranks").selectOption("gatehouse/lexical");
    await expect(asked.getByText("One call, free")).toBeVisible();
    await asked.getByRole("button", { name: "Rerank these 4" }).click();
    await expect(asked.getByRole("alert")).toBeVisible();
    await page.unroute("**/api/v1/rerank");
    await asked.getByRole("button", { name: "Rerank these 4" }).click();
    await expect(asked.getByRole("alert")).toBeHidden();
    await expect(asked.getByRole("status")).toContainText(/^gatehouse\/lexical (keeps|puts) .*\. \d+ tokens, free\./);
    await expect(asked.getByRole("listitem").filter({ hasText: /by cosine [1-4]/ })).toHaveCount(4);
    const ranks = (await asked.getByRole("listitem").allTextContents()).map((text) => /by cosine (\d)/.exec(text)?.[1]);
    expect(ranks.toSorted()).toEqual(["1", "2", "3", "4"]);

    await asked.getByRole("button", { name: "Show the order by cosine" }).click();
    await expect.poll(() => asked.getByRole("listitem").allInnerTexts()).toEqual(byCosine);
    // another question is another list: what was reranked is not said of it
    await asked.getByRole("button", { name: "Rerank these 4" }).click();
    await expect(asked.getByRole("status")).toBeVisible();
    await enter(field(page), "who cannot sign in?");
    const next = results(page).getByRole("region", { name: "Question: who cannot sign in?" });
    await expect(next.getByRole("listitem")).toHaveCount(4);
    await expect(next.getByText("by cosine")).toHaveCount(0);
  });
});
