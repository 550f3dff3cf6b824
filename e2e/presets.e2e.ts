import { listGenerations } from "#contract/calls.ts";
import { createEmbeddings } from "#contract/embeddings.ts";
import { createKey } from "#contract/keys.ts";
import { createPreset, createPresetVersion, getPreset, updatePreset } from "#contract/presets.ts";
import { paths } from "#console/paths.ts";
import { apiOf } from "#gateway/testing/api-client.ts";
import {
  chooseFromRow,
  comeBack,
  expect,
  expectRow,
  expectToast,
  readOnlyAfterSaving,
  test,
  expectTexts,
  fill,
} from "./fixtures.ts";

test("presets: made, used, changed, taken back and deleted", async ({ signedIn: page, part, gateway, api }) => {
  await part("made, used by a call, changed, compared, taken back, disabled and deleted", async (workspace) => {
    const { key } = await api(createKey, { body: { name: "caller", workspace_id: workspace.id } });
    await page.goto(paths.presets(workspace.slug));
    await expect(page.getByRole("heading", { name: `No presets in ${workspace.name} yet` })).toBeVisible();
    await page.keyboard.press("c");
    const panel = page.getByRole("dialog", { name: "Create a preset" });
    await panel.getByLabel("Slug").fill("Help Desk");
    await page.keyboard.press("Control+Enter");
    await expect(panel.getByText(/Slug must be lowercase letters and digits/).first()).toBeVisible();
    await fill(panel, { Slug: "help-desk", Name: "Help desk" });
    await panel.getByRole("combobox", { name: "Model" }).fill("lexical");
    await page.getByRole("option", { name: /^gatehouse\/lexical Lexical/ }).click();
    await fill(panel, { "System prompt": "Be brief.\nBe kind.", Temperature: "warm" });
    await page.keyboard.press("Control+Enter");
    await expect(panel.getByText("Temperature must be a number, such as 0.7").first()).toBeVisible();
    await panel.getByLabel("Temperature").fill("0.2");
    await panel.getByText("Further settings", { exact: true }).click();
    await panel.getByLabel("Further settings, as JSON").fill('{"temperature": 1}');
    await page.keyboard.press("Control+Enter");
    await expect(panel.getByText("temperature has a field of its own above").first()).toBeVisible();
    await panel.getByLabel("Further settings, as JSON").fill('{"seed": 7}');
    await page.keyboard.press("Control+Enter");
    await expectToast(page, "Help desk was created.");
    await expect(page.getByRole("heading", { level: 1, name: "Help desk" })).toBeVisible();
    const input = { params: { slug: "help-desk" }, query: { workspace_id: workspace.id } };
    expect((await api(getPreset, input)).data.designated_version).toMatchObject({
      version: 1,
      config: { model: "gatehouse/lexical", temperature: 0.2, seed: 7 },
      system_prompt: "Be brief.\nBe kind.",
    });

    // a call names it, and says so
    await apiOf(gateway, key)(createEmbeddings, { body: { model: "@preset/help-desk", input: "one" } });
    await page.getByRole("link", { name: "Show the calls that used it" }).click();
    await expect(page).toHaveURL(/\/calls\?preset=help-desk$/);
    await expect(page.getByText("preset help-desk 1")).toBeVisible();
    await page.getByRole("link", { name: /open the call/ }).click();
    await expect(page.getByText("help-desk, version 1")).toBeVisible();

    // changed: a new version, and what differs
    await page.goto(paths.preset(workspace.slug, "help-desk"));
    await expect(page.getByRole("heading", { level: 1, name: "Help desk" })).toBeVisible();
    await page.keyboard.press("e");
    const edit = page.getByRole("dialog", { name: "Edit Help desk" });
    await expect(edit.getByLabel("Temperature")).toHaveValue("0.2");
    await fill(edit, { "System prompt": "Be brief.\nBe exact.", Temperature: "" });
    await page.keyboard.press("Control+Enter");
    await expectToast(page, "Version 2 of Help desk was saved: calls use it now.");
    await expectRow(page, "2 In use", "system prompt, temperature");
    await expectRow(page, "1", "The first version");
    const prompts = page.getByRole("region", { name: "The system prompts of version 1 and version 2" });
    await expectTexts(prompts, "removed: Be kind.", "added: Be exact.");
    const settings = page.getByRole("region", { name: "The settings of version 1 and version 2" });
    await expect(settings).toContainText('removed:   "temperature": 0.2');
    await page.getByLabel("From").selectOption("Version 2");
    await expect(page.getByText("Both have the same settings and system prompt.")).toBeVisible();
    await expect(page).toHaveURL(/from=2/);

    // what is asked for far above it comes into view
    await page.getByLabel("From").selectOption("Version 1");
    await page.setViewportSize({ width: 1280, height: 500 });
    await page.evaluate(() => scrollTo({ top: 0 }));
    await expect(page.getByRole("heading", { name: "Compare versions" })).not.toBeInViewport();
    await chooseFromRow(page, "The first version", "Compare with the version in use");
    await expect(page).toHaveURL(/from=2&to=1|to=1&from=2/);
    await expect(page.getByRole("heading", { name: "Compare versions" })).toBeFocused();
    await expect(page.getByRole("heading", { name: "Compare versions" })).toBeInViewport();
    await page.getByLabel("From").selectOption("Version 1");
    await expect(page).toHaveURL(/from=1/);
    await expect(page.getByText("Both have the same settings and system prompt.")).toBeInViewport();
    await page.setViewportSize({ width: 1280, height: 720 });

    // taken back
    await chooseFromRow(page, "The first version", "Use this version");
    await expectToast(page, "Calls to Help desk use version 1 now.");
    await expectRow(page, "1 In use", "The first version");

    // disabled
    await page.locator("main").getByRole("link", { name: "Settings" }).click();
    const own = page.getByRole("dialog", { name: "Settings of Help desk" });
    await own.getByLabel("Name").fill("Help desk, old");
    await own.getByLabel("Status").selectOption("Disabled");
    await own.getByRole("button", { name: /^Save changes/ }).click();
    await expectToast(page, "Help desk, old was saved.");
    await expect(page.getByText("Calls that name it are refused with 404 until it is active again.")).toBeVisible();
    const refused = apiOf(gateway, key)(createEmbeddings, { body: { model: "@preset/help-desk", input: "one" } });
    await expect(refused).rejects.toThrow("The preset help-desk is disabled");

    // deleted; the call keeps its name
    await page.getByRole("link", { name: "Delete preset" }).click();
    const asked = page.getByRole("alertdialog", { name: "Delete Help desk, old" });
    await asked.getByRole("textbox").fill("help-desk");
    await asked.getByRole("button", { name: "Delete preset" }).click();
    await expectToast(page, "Help desk, old was deleted.");
    await expect(page.getByRole("heading", { name: `No presets in ${workspace.name} yet` })).toBeVisible();
    const { data } = await api(listGenerations, { query: { workspace_id: workspace.id, preset: "help-desk" } });
    expect(data).toHaveLength(1);
  });
  await part("what somebody else changed is shown before it is overwritten", async (workspace) => {
    const body = { slug: "shared", config: { temperature: 0.1 }, workspace_id: workspace.id };
    await api(createPreset, { body });
    const input = { params: { slug: "shared" }, query: { workspace_id: workspace.id } };
    await page.goto(paths.editPreset(workspace.slug, "shared"));
    const panel = page.getByRole("dialog", { name: "Edit shared" });
    await panel.getByLabel("System prompt").fill("Be brief.");
    await readOnlyAfterSaving(page, "/presets/shared");
    await api(createPresetVersion, { ...input, body: { config: { temperature: 0.9 } } });
    await page.keyboard.press("Control+Enter");
    const notice = panel.getByRole("status").filter({ hasText: "Someone else changed this preset." });
    await expect(notice).toContainText("Temperature: 0.1 → 0.9");
    await expect(panel.getByLabel("System prompt")).toHaveValue("Be brief.");
    await page.keyboard.press("Control+Enter");
    await expectToast(page, "Version 3 of shared was saved");
    expect((await api(getPreset, input)).data.designated_version).toMatchObject({
      config: { temperature: 0.9 },
      system_prompt: "Be brief.",
    });
  });
});

test("presets: of all workspaces, archived, out of reach @long", async ({ signedIn: page, api, workspace }) => {
  const input = { params: { slug: workspace.slug }, query: { workspace_id: workspace.id } };
  const config = { model: "acme/gone" };
  await api(createPreset, { body: { ...input.params, workspace_id: workspace.id, config } });
  await page.goto(paths.presets("all"));
  await expectRow(page, workspace.name, "acme/gone", "Active");
  await page.keyboard.press("/");
  await expect(page.getByRole("searchbox")).toBeFocused();
  await page.keyboard.type("ACME/gone");
  await expectRow(page, workspace.name, "acme/gone", "Active");
  await expect(page).toHaveURL(/q=ACME/);
  await page.getByRole("combobox", { name: "Status" }).selectOption("Archived");
  await expect(page.getByRole("heading", { name: "No preset matches these filters" })).toBeVisible();
  await page.getByRole("button", { name: "Clear filters" }).click();
  await expectRow(page, workspace.name, "acme/gone", "Active");
  await page.goto(paths.newPreset("all"));
  await expect(page.getByRole("dialog").getByLabel("Workspace")).toBeVisible();

  await api(updatePreset, { ...input, body: { status: "archived" } });
  await page.goto(paths.preset(workspace.slug, workspace.slug));
  await expect(page.getByText("Archived", { exact: true })).toBeVisible();
  await expect(page.getByRole("button", { name: /^Edit/ })).toHaveAttribute("aria-disabled", "true");
  // out of reach: what was read stays, and nothing can be changed
  await page.goto(paths.presets(workspace.slug));
  await expectRow(page, "acme/gone", "Archived");
  await page.route("**/api/**", (route) => route.abort("connectionrefused"));
  const create = page.getByRole("button", { name: /^Create preset/ });
  await comeBack(page, () => create.isVisible());
  await expect(create).toHaveAttribute("aria-disabled", "true");
  await expectRow(page, "acme/gone", "Archived");
});
