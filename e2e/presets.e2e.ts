import { listGenerations } from "#contract/calls.ts";
import { createEmbeddings } from "#contract/embeddings.ts";
import { createKey } from "#contract/keys.ts";
import { createPreset, createPresetVersion, getPreset, updatePreset } from "#contract/presets.ts";
import { paths } from "#console/paths.ts";
import { apiOf } from "#gateway/testing/api-client.ts";
import { violations } from "./axe.ts";
import {
  chooseFromRow,
  comeBack,
  expect,
  expectNoSidewaysScroll,
  expectRow,
  expectToast,
  failUntilClick,
  pressEscape,
  pressInRow,
  readOnlyAfterSaving,
  test,
} from "./fixtures.ts";

test("presets: made, used by a call, changed, compared, taken back, disabled and deleted", async ({
  signedIn: page,
  gateway,
  api,
  workspace,
}) => {
  const { key } = await api(createKey, { body: { name: "caller", workspace_id: workspace.id } });
  await page.goto(gateway.url + paths.presets(workspace.slug));
  await expect(page.getByRole("heading", { name: `No presets in ${workspace.name} yet` })).toBeVisible();
  await page.keyboard.press("c");
  const panel = page.getByRole("dialog", { name: "Create a preset" });
  await panel.getByLabel("Slug").fill("Help Desk");
  await page.keyboard.press("Control+Enter");
  await expect(panel.getByText(/Slug must be lowercase letters and digits/).first()).toBeVisible();
  await panel.getByLabel("Slug").fill("help-desk");
  await panel.getByLabel("Name").fill("Help desk");
  await panel.getByRole("combobox", { name: "Model" }).fill("lexical");
  await page.getByRole("option", { name: /^gatehouse\/lexical Lexical/ }).click();
  await panel.getByLabel("System prompt").fill("Be brief.\nBe kind.");
  await panel.getByLabel("Temperature").fill("warm");
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
  await page.goto(gateway.url + paths.preset(workspace.slug, "help-desk"));
  await expect(page.getByRole("heading", { level: 1, name: "Help desk" })).toBeVisible();
  await page.keyboard.press("e");
  const edit = page.getByRole("dialog", { name: "Edit Help desk" });
  await expect(edit.getByLabel("Temperature")).toHaveValue("0.2");
  await edit.getByLabel("System prompt").fill("Be brief.\nBe exact.");
  await edit.getByLabel("Temperature").fill("");
  await page.keyboard.press("Control+Enter");
  await expectToast(page, "Version 2 of Help desk was saved: calls use it now.");
  await expectRow(page, "2 In use", "system prompt, temperature");
  await expectRow(page, "1", "The first version");
  const prompts = page.getByRole("region", { name: "The system prompts of version 1 and version 2" });
  await expect(prompts).toContainText("removed: Be kind.");
  await expect(prompts).toContainText("added: Be exact.");
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
  await page.getByRole("link", { name: "Settings" }).click();
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

test("presets: what somebody else changed is shown before it is overwritten", async ({
  signedIn: page,
  gateway,
  api,
  workspace,
}) => {
  const body = { slug: "shared", config: { temperature: 0.1 }, workspace_id: workspace.id };
  await api(createPreset, { body });
  const input = { params: { slug: "shared" }, query: { workspace_id: workspace.id } };
  await page.goto(gateway.url + paths.editPreset(workspace.slug, "shared"));
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

test("presets: every state, in both themes and at every width", async ({
  signedIn: page,
  gateway,
  api,
  workspace,
}, info) => {
  const long = "a-very-long-slug-for-a-preset-that-nobody-would-ever-type-by-hand";
  const input = { params: { slug: long.slice(0, 64) }, query: { workspace_id: workspace.id } };
  await api(createPreset, {
    body: {
      ...input.params,
      workspace_id: workspace.id,
      name: "N".repeat(100),
      description: `${"d".repeat(200)} in one word`,
      config: {
        model: "gatehouse/lexical",
        tools: [{ type: "function", function: { name: "look_up", description: "x".repeat(300) } }],
      },
      system_prompt: `Be brief.\n${"y".repeat(400)}\n${"line\n".repeat(40)}`,
    },
  });
  await api(createPresetVersion, { ...input, body: { config: { model: "acme/gone" }, system_prompt: "Be brief." } });
  const at = gateway.url + paths.preset(workspace.slug, input.params.slug);
  const inspect = async (name: string) => {
    expect(await violations(page)).toEqual([]);
    for (const width of [320, 390, 768, 1440, 1920]) {
      await page.setViewportSize({ width, height: 900 });
      await expectNoSidewaysScroll(page, `${name} at ${width} px`);
      if (width === 320 || width === 1440) {
        await info.attach(`${name} ${width}`, {
          body: await page.screenshot({ fullPage: true, path: info.outputPath(`${name}-${width}.png`) }),
        });
      }
    }
    await page.setViewportSize({ width: 1440, height: 900 });
  };
  await page.goto(at);
  await expect(page.getByRole("heading", { name: "Compare versions" })).toBeVisible();
  await inspect("preset");
  await page.goto(gateway.url + paths.editPreset(workspace.slug, input.params.slug));
  await expect(page.getByRole("dialog").getByLabel("System prompt")).toBeVisible();
  await inspect("edit");
  await page.goto(gateway.url + paths.presets("all"));
  await expectRow(page, workspace.name, "acme/gone", "Active");
  await page.keyboard.press("/");
  await expect(page.getByRole("searchbox")).toBeFocused();
  await page.keyboard.type("ACME/gone");
  await expectRow(page, workspace.name, "acme/gone", "Active");
  await expect(page).toHaveURL(/q=ACME/);
  await inspect("list");
  await page.getByRole("combobox", { name: "Status" }).selectOption("Archived");
  await expect(page.getByRole("heading", { name: "No preset matches these filters" })).toBeVisible();
  await page.getByRole("button", { name: "Clear filters" }).click();
  await expectRow(page, workspace.name, "acme/gone", "Active");
  await page.goto(gateway.url + paths.newPreset("all"));
  await expect(page.getByRole("dialog").getByLabel("Workspace")).toBeVisible();
  await inspect("new");

  await api(updatePreset, { ...input, body: { status: "archived" } });
  await page.goto(at);
  await expect(page.getByText("Archived", { exact: true })).toBeVisible();
  await expect(page.getByRole("button", { name: /^Edit/ })).toHaveAttribute("aria-disabled", "true");
  await page.goto(gateway.url + paths.preset(workspace.slug, "nobody-has-this"));
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("It no longer exists");
  await page.goto(gateway.url + paths.preset("all", input.params.slug));
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("A preset belongs to one workspace");

  const failure = { error: { code: 500, message: "no store", metadata: { error_type: "server" } } };
  await failUntilClick(page, /\/api\/v1\/presets\?/, { status: 500, json: failure });
  await page.goto(gateway.url + paths.presets(workspace.slug));
  await expect(page.getByRole("alert").filter({ hasText: "The presets did not load" })).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await page.getByRole("button", { name: /^Retry/ }).click();
  await expectRow(page, "acme/gone", "Archived");

  // out of reach: what was read stays, and nothing can be changed
  await page.route("**/api/**", (route) => route.abort("connectionrefused"));
  const create = page.getByRole("button", { name: /^Create preset/ });
  await comeBack(page, () => create.isVisible());
  await expect(create).toHaveAttribute("aria-disabled", "true");
  await expectRow(page, "acme/gone", "Archived");
});

test("presets: reached by the keyboard and the command menu", async ({ signedIn: page, gateway, workspace }) => {
  await page.goto(gateway.url + paths.keys(workspace.slug));
  await expect(page.getByRole("heading", { level: 1, name: "API keys" })).toBeVisible();
  const there = () => page.evaluate((path) => location.pathname === path, paths.presets(workspace.slug));
  await pressInRow(page, ["g", "t"], there);
  await expect(page.getByRole("heading", { level: 1, name: "Presets" })).toBeVisible();
  await page.keyboard.press("ControlOrMeta+k");
  const menu = page.getByRole("dialog", { name: "Search or jump to" });
  await menu.getByRole("combobox").fill("create a preset");
  await expect(menu.getByRole("option", { name: "Create a preset", selected: true })).toBeVisible();
  await page.keyboard.press("Enter");
  await pressEscape(page.getByRole("dialog", { name: "Create a preset" }));
  await expect(page.getByRole("dialog")).toHaveCount(0);
});
