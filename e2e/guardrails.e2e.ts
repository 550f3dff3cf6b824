import { listGenerations } from "#contract/calls.ts";
import { createEmbeddings } from "#contract/embeddings.ts";
import {
  bulkAssignKeysToGuardrail,
  createGuardrail,
  getGuardrail,
  listGuardrailKeyAssignments,
  updateGuardrail,
} from "#contract/guardrails.ts";
import { createKey } from "#contract/keys.ts";
import { listRefusedCalls } from "#contract/refused-calls.ts";
import { paths } from "#console/paths.ts";
import { apiOf } from "#gateway/testing/api-client.ts";
import { violations } from "./axe.ts";
import {
  chooseFromRow,
  expect,
  expectNoRow,
  expectRow,
  expectToast,
  readOnlyAfterSaving,
  test,
  expectTexts,
} from "./fixtures.ts";

test("guardrails: made, assigned, in the way, replaced and deleted", async ({ signedIn: page, part, gateway, api }) => {
  await part("made, assigned, in the way, and deleted", async (workspace) => {
    const { data: bot, key } = await api(createKey, {
      body: { name: "support-bot", workspace_id: workspace.id, creator_user_id: "maria" },
    });
    const caller = apiOf(gateway, key);
    const call = { body: { model: "gatehouse/lexical", input: "one" } };
    await caller(createEmbeddings, call);
    await page.goto(paths.guardrails(workspace.slug));
    await expectRow(page, /^Default guardrail/, "restricts nothing yet", "every key");
    await expect(page.getByRole("heading", { name: /^No guardrails for single keys/ })).toBeVisible();
    await page.keyboard.press("c");
    const panel = page.getByRole("dialog", { name: "Create a guardrail" });
    await expect(panel.getByLabel("Name")).toBeFocused();
    await page.keyboard.press("Control+Enter");
    await expect(panel.getByText("Enter a name, such as Support team").first()).toBeVisible();
    await panel.getByLabel("Name").fill("Support team");
    await panel.getByRole("combobox", { name: "Excluded models" }).fill("lexical");
    await page.getByRole("option", { name: /^gatehouse\/lexical Lexical/ }).click();
    await panel.getByRole("checkbox", { name: "All models" }).check();
    await expect(panel.getByRole("checkbox", { name: "Models of Google" })).toBeChecked();
    await panel.getByRole("checkbox", { name: "Models of Google" }).uncheck();
    await panel.getByLabel("Budget in USD").fill("five");
    await expect(panel.getByRole("radio", { name: "Limit to" })).toBeChecked();
    await panel.getByText("Daily", { exact: true }).click();
    await panel.getByLabel("Email addresses").selectOption("Redact");
    await panel.getByRole("button", { name: "Add a pattern" }).click();
    await expect(panel.getByLabel("Pattern 1", { exact: true })).toBeFocused();
    await page.keyboard.press("Control+Enter");
    await expect(panel.getByText(/^Enter a pattern, such as/)).toBeVisible();
    await expect(panel.getByText(/^Enter an amount in USD/)).toBeVisible();
    await panel.getByLabel("Budget in USD").fill("5");
    await panel.getByLabel("Pattern 1", { exact: true }).fill("PROJ-\\d{4}");
    await panel.getByLabel("Label of pattern 1").fill("PROJECT");
    await panel.getByLabel("Action of pattern 1").selectOption("Block");
    await panel.getByRole("button", { name: "Add a pattern" }).click();
    await panel.getByLabel("Pattern 2", { exact: true }).fill("second");
    await panel.getByLabel("Try the filters").fill("Mail ada@example.com about PROJ-1234");
    await panel.getByRole("button", { name: "Try", exact: true }).click();
    const tried = panel.getByRole("status").filter({ hasText: "the call gets 403" });
    await expect(tried).toContainText("PROJECT: blocked");
    await panel.getByRole("button", { name: "Remove pattern 1" }).click();
    await expect(panel.getByLabel("Pattern 1", { exact: true })).toHaveValue("second");
    // what was said is of other filters by now
    await expect(tried).toHaveCount(0);
    await panel.getByRole("button", { name: "Try", exact: true }).click();
    await expect(panel.getByText("Mail [EMAIL] about PROJ-1234")).toBeInViewport();
    await page.keyboard.press("Control+Enter");
    await expectToast(page, "Support team was created. It does nothing until it is assigned.");
    await expect(page.getByRole("heading", { level: 1, name: "Support team" })).toBeVisible();
    await expect(page.getByText("It is not assigned to any key or creator, so it restricts no call.")).toBeVisible();
    const id = page.url().split("/").at(-1) ?? "";
    expect((await api(getGuardrail, { params: { id } })).data).toMatchObject({
      ignored_models: ["gatehouse/lexical"],
      enforce_zdr_openai: true,
      enforce_zdr_google: null,
      limit_usd: 5,
      reset_interval: "daily",
      content_filters: [{ pattern: "second", action: "redact", label: null }],
      content_filter_builtins: [{ slug: "email", action: "redact" }],
    });

    // assigned
    await page.getByRole("link", { name: "Assign keys" }).click();
    const assign = page.getByRole("dialog", { name: "Assign keys to Support team" });
    await expect(assign.getByRole("combobox")).toBeFocused();
    await page.keyboard.press("Control+Enter");
    await expect(assign.getByText("Choose at least one key")).toBeVisible();
    await assign.getByRole("combobox", { name: "Keys" }).fill("support");
    await page.getByRole("option", { name: /^support-bot/ }).click();
    await assign.getByRole("button", { name: /^Assign key/ }).click();
    await expectToast(page, "Support team covers 1 more key from the next call on.");
    await expectRow(page, /support-bot/, "admin");

    // a call is refused, and says by which guardrail
    await expect(caller(createEmbeddings, call)).rejects.toThrow(/guardrail Support team/);

    // seen with the key
    await page.goto(paths.key(workspace.slug, bot.hash));
    const covering = page.getByRole("listitem").filter({ hasText: "assigned to this key" });
    await expectTexts(covering, "1 model excluded", "$5.00 a day per key");
    await expect(page.getByRole("listitem").filter({ hasText: "covers every key of the workspace" })).toContainText(
      "restricts nothing yet",
    );
    await covering.getByRole("link", { name: "Support team" }).click();

    // taken away, and given back
    await chooseFromRow(page, /support-bot/, "Take from this guardrail");
    await expectToast(page, "Support team no longer covers support-bot.");
    await expectNoRow(page, /support-bot/);
    await caller(createEmbeddings, call);
    await page.getByRole("button", { name: "Undo" }).click();
    await expectRow(page, /support-bot/, "admin");

    // its creator as well
    await page.getByRole("link", { name: "Assign creators" }).click();
    const creators = page.getByRole("dialog", { name: "Assign creators to Support team" });
    await creators.getByRole("combobox", { name: "Creators" }).fill("maria");
    await page.getByRole("option", { name: /^maria 1 key/ }).click();
    await creators.getByRole("button", { name: /^Assign creator/ }).click();
    await expectRow(page, "maria", "admin");

    // deleted, with its name typed while it covers something
    await page.getByRole("link", { name: "Delete guardrail" }).click();
    const asked = page.getByRole("alertdialog", { name: "Delete Support team" });
    await expect(asked).toContainText("what it is assigned to: 1 key, 1 creator");
    await asked.getByRole("textbox").fill("Support team");
    await asked.getByRole("button", { name: "Delete guardrail" }).click();
    await expectToast(page, "Support team was deleted.");
    await expectNoRow(page, /Support team/);
    await caller(createEmbeddings, call);
  });
  await part("a call's text is redacted, another call is blocked, and both are seen", async (workspace) => {
    const { data: bot, key } = await api(createKey, { body: { name: "support-bot", workspace_id: workspace.id } });
    const caller = apiOf(gateway, key);
    await api(updateGuardrail, {
      params: { id: workspace.default_guardrail_id },
      body: {
        content_filter_builtins: [{ slug: "email", action: "redact" }],
        content_filters: [{ pattern: "PROJ-\\d{4}", action: "block", label: "PROJECT" }],
      },
    });
    const call = (input: string) => caller(createEmbeddings, { body: { model: "gatehouse/lexical", input } });
    await call("Mail ada@example.com");
    await expect(call("About PROJ-1234")).rejects.toThrow("Request blocked by content filter: [PROJECT]");
    const query = { workspace_id: workspace.id };
    const [made] = (await api(listGenerations, { query })).data;
    await page.goto(paths.call(workspace.slug, made?.id ?? ""));
    await expect(page.getByText("EMAIL redacted")).toBeVisible();
    // counts are written about a second later
    await expect.poll(async () => (await api(listRefusedCalls, { query })).total.calls).toBe(1);
    await page.goto(paths.key(workspace.slug, bot.hash));
    await expect(page.getByText("Request blocked by content filter: [PROJECT]")).toBeVisible();
    await page.getByRole("link", { name: "Show its guardrails" }).click();
    await expect(page).toHaveURL(/#guardrails$/);
    const covering = page.getByRole("listitem").filter({ hasText: "covers every key of the workspace" });
    await expect(covering).toBeInViewport();
    await expect(covering).toContainText("2 filters");
  });
  await part("one that a key has already is named before it is replaced", async (workspace) => {
    const { data: key } = await api(createKey, { body: { name: "support-bot", workspace_id: workspace.id } });
    const [first, second] = await Promise.all(
      ["First line", "Second line"].map(
        async (name) => (await api(createGuardrail, { body: { name, workspace_id: workspace.id } })).data,
      ),
    );
    if (!first || !second) throw new Error("No guardrail was made");
    await api(bulkAssignKeysToGuardrail, { params: { id: first.id }, body: { key_hashes: [key.hash] } });
    await page.goto(paths.assignKeys(workspace.slug, second.id));
    const panel = page.getByRole("dialog", { name: "Assign keys to Second line" });
    await panel.getByRole("combobox", { name: "Keys" }).fill("support");
    await page.getByRole("option", { name: /^support-bot/ }).click();
    await expect(panel.getByRole("status").filter({ hasText: "this one replaces" })).toContainText(
      "support-bot: First line",
    );
    await panel.getByRole("button", { name: /^Assign key/ }).click();
    await expectRow(page, /support-bot/, "admin");
    const { data } = await api(listGuardrailKeyAssignments, { params: { id: second.id }, query: {} });
    expect(data.map(({ key_hash: hash }) => hash)).toEqual([key.hash]);
  });
  await part("the default one keeps its name, is changed and reset", async (workspace) => {
    const id = workspace.default_guardrail_id;
    await page.goto(paths.guardrail(workspace.slug, id));
    await expect(page.getByText("It covers every key of the workspace, including future ones")).toBeVisible();
    await page.keyboard.press("e");
    const panel = page.getByRole("dialog", { name: "Edit Default guardrail" });
    await expect(panel.getByLabel("Name")).toHaveCount(0);
    await panel.getByLabel("Prompt injection", { exact: true }).selectOption("Block");
    await panel.getByLabel("Where prompt injection is looked for").selectOption("In users' messages only");
    await page.keyboard.press("Control+Enter");
    await expectToast(page, "Default guardrail was saved.");
    await expect(page.getByText("Block prompt injection in users' messages")).toBeVisible();
    await page.getByRole("link", { name: "Reset guardrail" }).click();
    await page
      .getByRole("alertdialog", { name: "Reset Default guardrail" })
      .getByRole("button", { name: "Reset guardrail" })
      .click();
    await expectToast(page, "Default guardrail restricts nothing now.");
    await expect(page.getByText("It restricts nothing yet. Edit it to add rules.")).toBeVisible();
    expect((await api(getGuardrail, { params: { id } })).data.content_filter_builtins).toBeNull();
  });
  await part("what somebody else changed is shown before it is overwritten", async (workspace) => {
    const { data } = await api(createGuardrail, { body: { name: "Shared", workspace_id: workspace.id } });
    const input = { params: { id: data.id } };
    await page.goto(paths.editGuardrail(workspace.slug, data.id));
    const panel = page.getByRole("dialog", { name: "Edit Shared" });
    await panel.getByLabel("Description").fill("For the whole team");
    await readOnlyAfterSaving(page, `/guardrails/${data.id}`);
    await api(updateGuardrail, { ...input, body: { limit_usd: 7, reset_interval: "weekly" } });
    await page.keyboard.press("Control+Enter");
    const notice = panel.getByRole("status").filter({ hasText: "Someone else changed this guardrail." });
    await expect(notice).toContainText("Budget: none → $7.00 a week");
    await expect(panel.getByLabel("Budget in USD")).toHaveValue("7.00");
    await page.keyboard.press("Control+Enter");
    await expectToast(page, "Shared was saved.");
    expect((await api(getGuardrail, input)).data).toMatchObject({ description: "For the whole team", limit_usd: 7 });
  });
});

test("guardrails: listed, filtered, and without a key @long", async ({ signedIn: page, api, workspace }) => {
  const body = { allowed_models: ["gatehouse/lexical"], content_filters: [{ pattern: "a", action: "block" as const }] };
  await api(createGuardrail, { body: { ...body, name: "Support team", workspace_id: workspace.id } });
  await page.goto(paths.guardrails(workspace.slug));
  await expectRow(page, "Support team", "1 model · 1 filter", "nothing yet");
  await page.getByLabel("Filter by name, model or provider").fill("nowhere");
  await expect(page.getByRole("heading", { name: "No guardrail matches this filter" })).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await page.getByRole("button", { name: /^Clear filters/ }).click();
  await page.getByRole("link", { name: "Support team" }).click();
  await expect(page.getByText("No key has this guardrail.")).toBeVisible();
  expect(await violations(page)).toEqual([]);
});
