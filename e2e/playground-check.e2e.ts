import { sentencesByTopic } from "#gateway/testing/english-sentences.ts";
import { expect, test } from "./fixtures.ts";
import { openBatch, results, run, view } from "./playground-page.ts";

const planted = new Set([4, 41, 93, 150, 211]);
const topics = Object.keys(sentencesByTopic).slice(0, 6);

/** A table as a desk has it: the ids first, then the texts, some labels wrong, one text three times, one in Chinese. */
function table(): string {
  const rows = topics.flatMap((topic) => (sentencesByTopic[topic] ?? []).slice(0, 36).map((text) => ({ topic, text })));
  const lines = rows.map(({ topic, text }, at) => {
    const label = planted.has(at) ? topics[(topics.indexOf(topic) + 2) % topics.length] : topic;
    return `${10_000 + at},"${text.replaceAll('"', '""')}",${label}`;
  });
  const [copied] = rows;
  const further = [`${copied?.text}!`, `${copied?.text}.`].map(
    (text, at) => `${20_000 + at},"${text}",${copied?.topic}`,
  );
  return ["id,ticket_text,category", ...lines, ...further, "30000,发票错了,finance"].join("\n");
}

test("wrong labels, duplicates and unknown scripts are listed, shown, and removed with a way back", async ({
  signedIn: page,
  workspace,
}) => {
  await openBatch(page, `/w/${workspace.id}/playground`, table());
  // the text is the column of prose, not the first one
  await expect(page.getByRole("combobox", { name: "Text" })).toHaveValue("ticket_text");
  await expect(page.getByRole("combobox", { name: "Id" })).toHaveValue("id");
  await run(page, 219);
  await view(page, "Check");
  const labels = results(page).getByRole("region", { name: "Label unlike its neighbors’" });
  for (const at of planted)
    await expect(labels.getByRole("button", { name: new RegExp(`^${at + 1}\\D`) })).toBeVisible();
  const same = results(page).getByRole("region", { name: "Near-duplicates" });
  await expect(same.getByText("Set 1, 3 rows")).toBeVisible();
  await expect(results(page).getByRole("region", { name: /^Language or script/ })).toContainText("发票错了");

  await same.getByRole("button", { name: "Keep one of each" }).click();
  await expect(same).toContainText("No two rows are that alike.");
  await expect(results(page).getByText("2 rows removed from this run")).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(same.getByText("Set 1, 3 rows")).toBeVisible();

  await labels.getByRole("button", { name: "Show on the map" }).click();
  await expect(results(page).getByRole("tab", { name: "Map" })).toHaveAttribute("aria-selected", "true");
  await expect(
    results(page)
      .getByText(/rows picked/)
      .first(),
  ).toBeVisible();
});
