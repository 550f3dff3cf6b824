import { listAudit } from "#contract/audit.ts";
import { listGenerations } from "#contract/calls.ts";
import { createEmbeddings } from "#contract/embeddings.ts";
import { createKey } from "#contract/keys.ts";
import { createPreset } from "#contract/presets.ts";
import { listRefusedCalls } from "#contract/refused-calls.ts";
import { paths } from "#console/paths.ts";
import { apiOf } from "#gateway/testing/api-client.ts";
import { expect, test } from "./fixtures.ts";

test("the command menu finds records, calls and changes", async ({ signedIn: page, part, gateway, api }) => {
  await part("it finds providers, models and a call by its id, and keeps what was gone to", async (workspace) => {
    const { data: made, key } = await api(createKey, { body: { name: "menu", workspace_id: workspace.id } });
    await apiOf(gateway, key)(createEmbeddings, { body: { model: "gatehouse/lexical", input: "customs" } });
    const [call] = (await api(listGenerations, { query: { api_key_hash: made.hash } })).data;
    if (!call) throw new Error("the call is not listed");
    const slug = "help-desk";
    await api(createPreset, { body: { slug, name: "First line", workspace_id: workspace.id, config: {} } });
    await page.goto(paths.models("all"));
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();

    const menu = page.getByRole("dialog", { name: "Search or jump to" });
    const type = async (text: string) => {
      await page.keyboard.press("ControlOrMeta+k");
      await menu.getByRole("combobox").fill(text);
    };
    await type("gatehouse/lexical");
    await menu
      .getByRole("group", { name: "Models" })
      .getByRole("option", { name: /^Lexical gatehouse/ })
      .click();
    await expect(page).toHaveURL(new RegExp(`${paths.model("all", "gatehouse/lexical")}$`));

    await type("gatehouse");
    await expect(menu.getByRole("group", { name: "Providers" }).getByRole("option")).toHaveCount(1);
    await menu.getByRole("combobox").fill(call.id);
    await expect(menu.getByRole("status")).toHaveText("1 result");
    await menu.getByRole("option", { name: call.id }).click();
    await expect(page).toHaveURL(new RegExp(`${paths.call("all", call.id)}$`));

    await type(call.request_id ?? "");
    await expect(menu.getByRole("status")).toHaveText("1 result");
    await expect(menu.getByRole("group", { name: "Calls" }).getByRole("option")).toHaveText([new RegExp(call.id)]);
    await page.keyboard.press("Escape");

    await page.keyboard.press("ControlOrMeta+k");
    await expect(menu.getByRole("group", { name: "Recent" }).getByRole("option")).toHaveText([
      new RegExp(call.id),
      /gatehouse\/lexical/,
    ]);

    await menu.getByRole("combobox").fill("@preset/help");
    await menu.getByRole("option", { name: `First line @preset/${slug} in ${workspace.name}` }).click();
    await expect(page).toHaveURL(new RegExp(`${paths.preset(workspace.slug, slug)}$`));
    await expect(page.getByRole("heading", { level: 1, name: "First line" })).toBeVisible();

    // a key of another workspace is found too, and opens there
    await page.goto(paths.models("default"));
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await type(made.label);
    await menu
      .getByRole("group", { name: "API keys of other workspaces" })
      .getByRole("option", { name: `menu ${made.label}, in ${workspace.name}` })
      .click();
    await expect(page).toHaveURL(new RegExp(`${paths.key(workspace.slug, made.hash)}$`));
    await page.route(/\/api\/v1\/keys\?/, (route) => route.fulfill({ status: 500, json: { error: { code: 500 } } }));
    await type("nothing-is-called-this");
    await expect(menu).toContainText("The keys could not be searched");
  });
  await part("the command menu finds a refused call and a change by their request ids", async (workspace) => {
    const { data: made, key } = await api(createKey, { body: { name: "turned away", workspace_id: workspace.id } });
    await expect(apiOf(gateway, key)(createEmbeddings, { body: { model: "no/such", input: "a" } })).rejects.toThrow();
    const query = { workspace_id: workspace.id };
    // refused calls are counted within a second or so
    const refused = async () => (await api(listRefusedCalls, { query })).data[0];
    await expect.poll(refused).toBeDefined();
    const change = (await api(listAudit, { query: { target_id: made.hash } })).data[0];
    await page.goto(paths.models("all"));
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();

    const menu = page.getByRole("dialog", { name: "Search or jump to" });
    await page.keyboard.press("ControlOrMeta+k");
    await menu.getByRole("combobox").fill((await refused())?.last_request_id ?? "");
    await menu.getByRole("option", { name: "Refused: 404 not found turned away" }).click();
    await expect(page.getByRole("table", { name: "Calls" }).locator("tbody tr")).toHaveText([
      /404 not found.*refused once/,
    ]);

    await page.keyboard.press("ControlOrMeta+k");
    await menu.getByRole("combobox").fill(change?.request_id ?? "");
    await menu.getByRole("option", { name: /^Change of turned away/ }).click();
    await expect(page.getByRole("button", { name: /turned away, details$/ })).toHaveCount(1);
    await expect(page).toHaveURL(new RegExp(`request_id=${change?.request_id}`));
  });
});
