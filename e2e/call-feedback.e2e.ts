import { createEmbeddings } from "#contract/embeddings.ts";
import { createKey } from "#contract/keys.ts";
import { listGenerations } from "#contract/calls.ts";
import { paths } from "#console/paths.ts";
import { apiOf } from "#gateway/testing/api-client.ts";
import { violations } from "./axe.ts";
import { expect, expectToFit, test, expectTexts } from "./fixtures.ts";

test("feedback on a call: given, shown and replaced", async ({ signedIn: page, gateway, workspace, api }) => {
  const { key } = await api(createKey, { body: { name: "caller", workspace_id: workspace.id } });
  await apiOf(gateway, key)(createEmbeddings, { body: { model: "gatehouse/lexical", input: "hello" } });
  const query = { workspace_id: workspace.id };
  await expect.poll(async () => (await api(listGenerations, { query })).data.length).toBe(1);
  const id = (await api(listGenerations, { query })).data[0]?.id ?? "";
  await page.goto(paths.call(workspace.slug, id));
  const section = page.getByRole("region", { name: "Feedback", exact: true });
  await expect(section).toContainText("No feedback on this call yet.");

  await section.getByRole("button", { name: "Give feedback" }).click();
  const panel = page.getByRole("dialog", { name: "Give feedback" });
  await panel.getByLabel("What was wrong").selectOption("Too slow");
  await panel.getByLabel("Comment").fill("x".repeat(1_001));
  await panel.getByRole("button", { name: "Save feedback" }).click();
  await expect(panel.getByText("must have at most 1,000 characters")).toBeVisible();
  await panel.getByLabel("Comment").fill(`40 s for one word: ${"long".repeat(60)}`);
  expect(await violations(page)).toEqual([]);
  await panel.getByRole("button", { name: "Save feedback" }).click();
  await expect(panel).toHaveCount(0);
  await expectTexts(section.getByRole("listitem"), "Too slow", "40 s for one word");
  await expect(section.getByRole("button", { name: "Give feedback" })).toBeFocused();

  await section.getByRole("button", { name: "Give feedback" }).click();
  await panel.getByLabel("What was wrong").selectOption("Wrong charge");
  await panel.getByRole("button", { name: "Save feedback" }).click();
  await expect(section.getByRole("listitem")).toHaveCount(1);
  await expect(section.getByRole("listitem")).toContainText("Wrong charge");
  await expectToFit(page);
  expect(await violations(page)).toEqual([]);
});
