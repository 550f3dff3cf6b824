import { readFile } from "node:fs/promises";
import { paths } from "#console/paths.ts";
import { expect, screens, test, enter, hold } from "./fixtures.ts";
import { layoutShift, watchLayoutShift } from "./layout-shift.ts";
import { clearExample, paste, run } from "./playground-page.ts";

const exampleMap = new URL("../src/console/pages/playground/example-map.json", import.meta.url);

test("playground example: a map without a click, and on a phone", async ({ signedIn: page, part }) => {
  await part("a map is there, a sentence drops where it belongs, one button clears it", async (workspace) => {
    await page.goto(paths.playground(workspace.slug));
    const results = page.getByRole("region", { name: "Results" });
    await expect(
      results.getByRole("heading", { name: "Six topics, found without labels. Type a sentence." }),
    ).toBeVisible();
    await expect(results.getByRole("application", { name: /^Map of 120 rows/ })).toBeVisible();
    await expect(results.getByText("UMAP keeps neighbors together")).toBeVisible();
    await expect(results.getByRole("combobox", { name: "History" })).toBeHidden();

    const groups = results.getByRole("region", { name: "Groups" }).getByRole("listitem");
    await expect(groups).toHaveCount(6);
    await expect(groups.filter({ hasText: "astronauts" })).toHaveCount(1);

    await page.keyboard.press("/");
    await expect(results.getByRole("textbox", { name: "Question" })).toBeFocused();
    await page.keyboard.type("The keeper let the ball slip through his hands");
    await page.keyboard.press("Enter");
    const nearest = results.getByRole("list", { name: "Nearest to the question" }).getByRole("listitem");
    await expect(nearest).toHaveCount(5);
    // the second topic of the file is football: rows 21 to 40
    const { texts } = JSON.parse(await readFile(exampleMap, "utf8")) as { texts: string[] };
    for (const item of await nearest.all()) {
      const said = (await item.textContent()) ?? "";
      expect(
        texts.slice(20, 40).filter((text) => said.includes(text)),
        said,
      ).toHaveLength(1);
    }
    const said = results.getByRole("search").getByRole("status");
    await expect(said).toContainText(/^Nearest of 120 .* tokens, free\.$/);
    // its place says little of a language that the model does not know
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type("Der Torwart ließ den Ball durch die Finger gleiten");
    await page.keyboard.press("Enter");
    await expect(said).toContainText(/^Other language: this says little\. Nearest of 120/);

    await clearExample(page);
    await expect(results.getByText("English texts that mean the same lie close together.")).toBeVisible();
    await expect(results.getByText(/on the left|compare wording/)).toHaveCount(0);
    await page.reload();
    await expect(results.getByRole("heading", { name: "See what a vector knows" })).toBeVisible();
    await results.getByRole("button", { name: "Show the example map" }).click();
    await expect(results.getByRole("application", { name: /^Map of 120 rows/ })).toBeVisible();

    await page.getByRole("textbox", { name: "Text" }).fill("my own text");
    await run(page);
    // it falls onto the map as a question does; in another view it gets a run of its own
    await expect(page.getByRole("textbox", { name: "Question" })).toHaveValue("my own text");
    await expect(said).toContainText(/^Nearest of 120/);
    await results.getByRole("tab", { name: "Vectors" }).click();
    await run(page);
    await expect(results.getByText("1 / 1 row")).toBeVisible();
    await expect(results.getByRole("combobox", { name: "History" }).getByRole("option")).toHaveCount(1);
  });
  await part("a question pays with the key of the workspace that is looked at", async (workspace) => {
    await page.goto(paths.playground(workspace.slug));
    const asked = page.waitForRequest((request) => request.url().endsWith("/embeddings"));
    await page.getByRole("textbox", { name: "Question" }).fill("a bread oven");
    await page.getByRole("button", { name: "Ask" }).click();
    const headers = await (await asked).allHeaders();
    expect(headers["x-gatehouse-playground"]).toBe(workspace.id);
    expect((await asked).postDataJSON()).toMatchObject({ model: "gatehouse/semantic-en", input: ["a bread oven"] });
  });
  await part("a question can be asked where the workspace is known only after the example came", async (workspace) => {
    const held = await hold(page, "**/example-map*.json");
    await page.goto(paths.playground(workspace.slug));
    // the page knows its workspace, and the file is still on its way
    await expect(page.getByRole("combobox", { name: "Model" })).toHaveValue(/semantic-en/);
    held();
    await enter(page.getByRole("textbox", { name: "Question" }), "a bread oven");
    await expect(page.getByRole("list", { name: "Nearest to the question" }).getByRole("listitem")).toHaveCount(5);
  });
  await part("on a phone the first screen shows more than half of the map", async (workspace) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(paths.playground(workspace.slug));
    const map = page.getByRole("application", { name: /^Map of 120 rows/ });
    await expect(map).toBeVisible();
    // a worker finds the groups, by code that is not optimized here: on a busy machine that takes minutes
    const sentence = page.getByRole("group", { name: "In one sentence" });
    await expect(sentence).toContainText("groups", { timeout: 400_000 });
    const middle = async () => {
      const box = await map.boundingBox();
      return (box?.y ?? 844) + (box?.height ?? 0) / 2;
    };
    await expect.poll(middle).toBeLessThan(844);
    expect(await page.evaluate(() => scrollY)).toBe(0);
    // the input is a press away, and open once the example is gone
    await expect(page.getByRole("button", { name: /^Show the input/ })).toBeVisible();
    await page.getByRole("button", { name: "Clear the example" }).click();
    await expect(page.getByRole("textbox", { name: "Text" })).toBeVisible();
  });
});

for (const width of screens) {
  test(`playground example: at ${width} px no answer moves the map`, async ({ signedIn: page, workspace }) => {
    await page.setViewportSize({ width, height: 900 });
    await watchLayoutShift(page);
    const { texts } = JSON.parse(await readFile(exampleMap, "utf8")) as { texts: string[] };
    await page.goto(`${paths.playground(workspace.slug)}?model=gatehouse/lexical&view=map`);
    const map = page.getByRole("application", { name: /^Map of/ });
    await expect(map).toBeVisible();
    await clearExample(page);
    await page.getByRole("tab", { name: /^Batch/ }).click();
    // in two calls: the second one comes while the first one's map is there
    await paste(page, Array.from({ length: 400 }, (_, at) => `${texts[at % 120]} ${at}`).join("\n"));
    const held = Promise.withResolvers<void>();
    let calls = 0;
    await page.context().route("**/api/v1/embeddings", async (route) => {
      calls += 1;
      if (calls === 1) return route.continue();
      await held.promise;
      return route.fulfill({ status: 402, json: { error: { code: 402, message: "The key is out of credits" } } });
    });
    await run(page);
    await expect(map).toBeVisible();
    const top = async () => (await map.boundingBox())?.y;
    const before = await top();
    held.resolve();
    await expect(page.getByRole("alert").filter({ hasText: "rows failed, the first is row" })).toBeVisible();
    expect(await top()).toBe(before);
    await enter(page.getByRole("textbox", { name: "Question" }), "a bread oven");
    await expect(page.getByRole("alert").filter({ hasText: "The question was not answered." })).toBeVisible();
    expect(await top()).toBe(before);
    await page.context().unroute("**/api/v1/embeddings");
    await page.getByRole("textbox", { name: "Question" }).press("Enter");
    await expect(page.getByText(/^Nearest of/)).toBeVisible();
    expect(await top()).toBe(before);
    expect((await layoutShift(page)).moved.filter((moved) => moved.startsWith("Map"))).toEqual([]);
  });
}
