import type { Page } from "@playwright/test";
import { updateDestination } from "#contract/destinations.ts";
import { createEmbeddings } from "#contract/embeddings.ts";
import { createKey, deleteKey } from "#contract/keys.ts";
import { paths } from "#console/paths.ts";
import { type Api, apiOf } from "#gateway/testing/api-client.ts";
import { violations } from "./axe.ts";
import { expect, readOnlyAfterSaving, test, fill } from "./fixtures.ts";
import { langfuse, saveBar, section } from "./destination-form.ts";

const refusal = { status: 503, json: { error: { code: 503, message: "the store does not answer" } } };
const rules = {
  groups: [
    { logic: "or", rules: [{ field: "model", operator: "starts_with", value: "openai/" }] },
    { rules: [{ field: "input", operator: "contains", value: "customs" }] },
  ],
};

async function look(page: Page, state: string, found: string[]): Promise<void> {
  for (const violation of await violations(page)) found.push(`${state}, ${violation}`);
}

async function makeCall(api: Api, gateway: Parameters<typeof apiOf>[0], workspaceId: string): Promise<string> {
  const { key } = await api(createKey, { body: { name: "prod-search", workspace_id: workspaceId } });
  const body = { model: "gatehouse/lexical", input: "held back" };
  const { id = "" } = await apiOf(gateway, key)(createEmbeddings, { body });
  return id;
}

test("destinations: no state violates a rule @long", async ({ signedIn: page, gateway, workspace, api }) => {
  const found: string[] = [];
  const list = gateway.url + paths.destinations(workspace.slug);
  await page.goto(list);
  await expect(page.getByRole("heading", { name: "No destinations yet" })).toBeVisible();
  await look(page, "empty", found);
  const { data: lost } = await api(createKey, { body: { name: "lost", workspace_id: workspace.id } });
  const { id } = await langfuse(api, workspace.id, { filter_rules: rules, api_key_hashes: [lost.hash] });
  await api(deleteKey, { params: { hash: lost.hash } });
  await page.reload();
  await expect(page.getByRole("link", { name: "langfuse-prod" })).toBeVisible();
  await expect(page.getByRole("list", { name: "Destinations" }).getByText("Paused")).toBeVisible();
  await page.keyboard.press("j");
  await look(page, "list", found);
  await page.route("**/observability/health*", (route) => route.fulfill(refusal));
  await page.reload();
  await expect(page.getByText("Delivery health did not load")).toBeVisible();
  await expect(page.getByRole("list", { name: "Destinations" })).toContainText("Unknown");
  await look(page, "list without health", found);
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await page.goto(paths.newDestination(workspace.slug));
  await expect(page.getByRole("dialog", { name: "Add a destination" })).toBeVisible();
  await look(page, "gallery", found);
  await page.goto(paths.findEvent(workspace.slug));
  await expect(page.getByRole("dialog", { name: "Trace a call" })).toBeVisible();
  await look(page, "find", found);
  const call = await makeCall(api, gateway, workspace.id);
  await page.goto(`${paths.findEvent(workspace.slug)}?generation=${call}`);
  await expect(page.getByRole("list", { name: "Gates" })).toBeVisible();
  await look(page, "found", found);
  for (const path of [paths.deadLetters, paths.replayDestination, paths.deleteDestination]) {
    await page.goto(gateway.url + path(workspace.slug, id));
    await expect(page.getByRole("dialog").or(page.getByRole("alertdialog")).first()).toBeVisible();
    await look(page, path(workspace.slug, "id"), found);
  }
  expect(found).toEqual([]);
});

test("destination editor: no state violates a rule @long", async ({ signedIn: page, gateway, workspace, api }) => {
  const found: string[] = [];
  const { data: lost } = await api(createKey, { body: { name: "lost", workspace_id: workspace.id } });
  const { id } = await langfuse(api, workspace.id, { filter_rules: rules, api_key_hashes: [lost.hash] });
  await api(deleteKey, { params: { hash: lost.hash } });
  await api(createKey, { body: { name: "prod-search", workspace_id: workspace.id } });
  const editor = gateway.url + paths.destination(workspace.slug, id);
  await page.goto(editor);
  await expect(page.getByText("This call would be sent").or(page.getByText("Would not be sent"))).toBeVisible();
  await expect(section(page, "Keys")).toContainText("Unknown key");
  await look(page, "clean", found);

  await page.getByLabel("Name", { exact: true }).fill("");
  await fill(page, {
    "Base URL": "https://elsewhere.example.com",
    "Exactly, in percent": "ten",
    "Value of rule 1 of group 1": "",
  });
  await section(page, "Rules").getByRole("button", { name: "Add a rule to group 2" }).click();
  await saveBar(page).getByRole("button", { name: /^Save/ }).click();
  await expect(page.getByLabel("Name", { exact: true })).toHaveAccessibleDescription("Enter a name");
  await look(page, "wrong", found);
  await saveBar(page).getByRole("button", { name: "Discard" }).click();

  await page.getByRole("group", { name: "Secret key" }).getByRole("button", { name: "Replace" }).click();
  await page.getByLabel("New secret key").fill("sk-lf-another-one");
  await page.getByRole("radio", { name: "Include prompts and responses" }).check();
  await section(page, "Rules").getByText("JSON", { exact: true }).click();
  await look(page, "edited", found);
  await saveBar(page).getByRole("button", { name: "Review" }).click();
  await page.getByText("As an API call").click();
  await expect(page.getByRole("region", { name: "The API call" })).not.toContainText("sk-lf-another-one");
  await look(page, "review", found);
  await page.getByRole("button", { name: "Back to the form" }).click();
  await saveBar(page).getByRole("button", { name: /^Save/ }).click();
  await expect(page.getByRole("alertdialog")).toBeVisible();
  await look(page, "question", found);
  await page.getByRole("button", { name: "Go back" }).click();
  await page.getByRole("combobox", { name: "Keys whose calls are sent" }).click();
  await expect(page.getByRole("listbox", { name: "Keys whose calls are sent" })).toBeVisible();
  await look(page, "choosing keys", found);
  await page.keyboard.press("Escape");

  await page.route(/observability\/destinations\/(preview|estimate|try|sessions)/, (route) => route.fulfill(refusal));
  await page.route("**/health", (route) => route.fulfill(refusal));
  await saveBar(page).getByRole("button", { name: "Discard" }).click();
  await page.reload();
  // each part fails alone, and the form is there
  await expect(page.getByText("The preview did not load.")).toBeVisible();
  await expect(page.getByText("The counts did not load. You can still save.")).toBeVisible();
  await expect(page.getByText("The estimate did not load. You can still save.")).toBeVisible();
  await expect(page.getByText("The sessions did not load. You can still save.")).toBeVisible();
  await page.getByLabel("Name", { exact: true }).fill("still-saves");
  await saveBar(page).getByRole("button", { name: /^Save/ }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("still-saves");
  await look(page, "partial", found);
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await page.route("**/observability/destinations/*", (route) => route.fulfill(refusal));
  await page.reload();
  await expect(page.getByRole("alert").filter({ hasText: "The destination did not load" })).toBeVisible();
  await look(page, "failed", found);
  expect(found).toEqual([]);
});

test("destination edits from elsewhere violate no rule @long", async ({ signedIn: page, gateway, workspace, api }) => {
  const found: string[] = [];
  const { id } = await langfuse(api, workspace.id, { filter_rules: rules, enabled: true });
  const call = await makeCall(api, gateway, workspace.id);
  await page.goto(`${paths.findEvent(workspace.slug)}?generation=${call}`);
  await expect(page.getByRole("list", { name: "What would let it through" })).toBeVisible();
  await look(page, "held back", found);
  await page.getByRole("link", { name: "Make these changes" }).click();
  await expect(page.getByText("Changed but not saved")).toBeVisible();
  await look(page, "change made", found);
  await expect.poll(() => page.evaluate(() => JSON.stringify({ ...sessionStorage }))).toContain("gatehouse/lexical");
  page.once("dialog", (dialog) => void dialog.accept());
  await page.reload();
  await expect(page.getByRole("button", { name: "Restore draft" })).toBeVisible();
  await look(page, "draft offered", found);
  await readOnlyAfterSaving(page, `/observability/destinations/${id}`);
  await page.getByLabel("Base URL").fill("http://127.0.0.1:9/mine");
  await api(updateDestination, { params: { id }, body: { config: { baseUrl: "http://127.0.0.1:9/theirs" } } });
  await saveBar(page).getByRole("button", { name: /^Save/ }).click();
  await expect(page.getByRole("region", { name: "What both of you changed" })).toBeVisible();
  await look(page, "conflict", found);
  expect(found).toEqual([]);
});
