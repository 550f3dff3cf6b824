import { paths } from "#console/paths.ts";
import { expect, listenTo, test, enter } from "./fixtures.ts";
import { clipboard } from "./key-form.ts";
import { openBatch, run } from "./playground-page.ts";

test("playground sentences: each view says what it shows", async ({ signedIn: page, gateway, workspace }) => {
  const url = `${gateway.url}${paths.playground(workspace.slug)}?view=matrix&model=gatehouse%2Flexical`;
  const results = page.getByRole("region", { name: "Results" });
  const sentence = results.getByRole("group", { name: "In one sentence" });
  await openBatch(page, url, ["red apples", "red apples", "red pears", "blue whales", "blue sharks"].join("\n"));
  await run(page);
  await expect(sentence).toHaveText(
    /^One pair is nearly the same \(≥ 0\.95\); half of all pairs have -?0\.\d\d or less\.$/,
  );
  // it is read when somebody comes to it, not whenever what it is computed from changes
  expect(await sentence.evaluate((group) => group.closest("[aria-live], [role=status], [role=log]"))).toBeNull();
  const said = await listenTo(sentence);
  await sentence.getByRole("button", { name: "Copy the sentence" }).press("Enter");
  await expect.poll(said).toContain("Copied");
  expect(await clipboard(page, gateway.url)).toMatch(/^One pair is nearly the same .* or less\.$/);

  await results.getByRole("tab", { name: "List" }).click();
  await expect(sentence).toHaveText(
    /^Half of the rows have another at 0\.\d\d or more; the closest two are rows 1 and 2 with 1\.00\.$/,
  );
  await results.getByRole("button", { name: "Rank by row 1" }).click();
  await expect(sentence).toHaveText(
    /^Row 2 is nearest to row 1 with 1\.00, 0\.\d\d ahead of row 3; half of the others/,
  );
  await enter(results.getByRole("textbox", { name: "Question" }), "whales");
  await expect(sentence).toHaveText(/^Row 4 is nearest to the question with 0\.\d\d, 0\.\d\d ahead of row \d; half/);
  await results.getByRole("tab", { name: "Map" }).click();
  await expect(sentence).toHaveText(/^Row 4 is nearest to the question/);
  await results.getByRole("button", { name: "Clear the question" }).click();
  await expect(sentence).toHaveText(/^Two groups, with a silhouette of 0\.\d\d; shuffled vectors have -?0\.\d\d\.$/);
  const count = results.getByLabel("How many clusters");
  await expect(count.getByRole("option", { selected: true })).toHaveText("best fit, k 2");
  await count.selectOption("4");
  await expect(sentence).toHaveText(/^Four groups, as chosen, with a silhouette of -?0\.\d\d/);

  await results.getByRole("tab", { name: "Vectors" }).click();
  await expect(sentence).toHaveText(
    /^(\d+ dimensions keep \d+% of the nearest neighbors: .* per million vectors|No cut shown keeps .*)\.$/,
  );
});
