import { createDestination, deleteDestination, updateDestination } from "#contract/destinations.ts";
import { createKey } from "#contract/keys.ts";
import { paths } from "#console/paths.ts";
import { expect, expectToast, test } from "./fixtures.ts";
import { langfuse, openEditor, save, saveBar, section, sentChanges, stored } from "./destination-form.ts";

test("dest-allowlist-min1-null: at least one key, or null for all of them", async ({
  signedIn: page,
  gateway,
  workspace,
  api,
}) => {
  const { data: one } = await api(createKey, { body: { name: "prod-search", workspace_id: workspace.id } });
  const { data: two } = await api(createKey, { body: { name: "nightly", workspace_id: workspace.id } });
  const { id } = await langfuse(api, workspace.id);
  const sent = sentChanges(page);
  await openEditor(page, gateway.url, workspace.slug, id);
  const keys = section(page, "Keys");
  await keys.getByLabel("Only these keys").check();
  await saveBar(page).getByRole("button", { name: /^Save/ }).click();
  await expect(keys).toContainText("Choose at least one, or pick All keys");
  expect(sent).toEqual([]);

  const field = keys.getByRole("combobox");
  await field.fill("prod-s");
  await expect(page.getByRole("option", { name: /prod-search/ })).toBeVisible();
  await field.press("ArrowDown");
  await field.press("Enter");
  await expect(keys.getByRole("button", { name: "Remove prod-search" })).toBeVisible();
  await expect(keys).not.toContainText("Choose at least one");
  await field.press("Escape");
  // hashes from elsewhere: what exists is added, what does not is said
  await keys.getByRole("button", { name: "Paste hashes" }).click();
  const paste = page.getByRole("dialog", { name: "Paste hashes" });
  await paste.getByRole("textbox").fill(`${two.hash}, ${"9f3a".padEnd(64, "0")} nonsense ${one.hash}`);
  await expect(paste).toContainText("1 listed already");
  await expect(paste).toContainText("Not a hash: nonsense");
  await paste.getByRole("button", { name: "Add 2 keys" }).click();
  await expect(paste.getByRole("status")).toContainText("1 added. No key here has this hash");
  await paste.getByRole("button", { name: "Cancel" }).click();
  await save(page);
  expect(sent.at(-1)?.body).toEqual({ api_key_hashes: [one.hash, two.hash] });

  // Backspace marks the last one before it takes it away
  await field.focus();
  await field.press("Backspace");
  await expect(keys.getByRole("button", { name: "Remove nightly" })).toBeVisible();
  await field.press("Backspace");
  await expect(keys.getByRole("button", { name: "Remove nightly" })).toHaveCount(0);
  await keys.getByLabel("All keys, future ones too").check();
  await expect(saveBar(page)).toContainText("All keys, future ones too, instead of 2 keys");
  await save(page);
  expect(sent.at(-1)?.text).toBe('{"api_key_hashes":null}');
});

test("dest-allowlist: a key that is gone is unknown, stays unless it is removed, and a disabled one is marked", async ({
  signedIn: page,
  gateway,
  workspace,
  api,
}) => {
  const { data: off } = await api(createKey, { body: { name: "off", workspace_id: workspace.id } });
  const gone = "9f3a".padEnd(64, "0");
  const { id } = await langfuse(api, workspace.id, { api_key_hashes: [off.hash, gone] });
  const sent = sentChanges(page);
  await openEditor(page, gateway.url, workspace.slug, id);
  await expect(section(page, "Keys")).toContainText("Unknown key 9f3a…");
  await page.getByLabel("Name", { exact: true }).fill("renamed");
  await save(page);
  expect(sent.at(-1)?.body).toEqual({ name: "renamed" });
  expect((await stored(api, id)).api_key_hashes).toEqual([off.hash, gone]);
});

test("dest-conflict-merge: what somebody else saved meanwhile is merged, and what both changed is picked", async ({
  signedIn: page,
  gateway,
  workspace,
  api,
}) => {
  const { id } = await langfuse(api, workspace.id, { sampling_rate: 0.1 });
  const sent = sentChanges(page);
  await openEditor(page, gateway.url, workspace.slug, id);
  await page.getByLabel("Name", { exact: true }).fill("mine");
  await page.getByLabel("Public key").fill("pk-lf-mine");
  await api(updateDestination, { params: { id }, body: { sampling_rate: 0.5, config: { publicKey: "pk-lf-theirs" } } });
  await saveBar(page).getByRole("button", { name: /^Save/ }).click();

  const publicKey = page.getByRole("textbox", { name: "Public key" });
  const conflict = page.getByRole("region", { name: "What both of you changed" });
  await expect(conflict.getByRole("row", { name: /Public key/ })).toContainText("pk-lf-1f7a20c4");
  await expect(conflict.getByRole("row")).toHaveCount(2);
  await expect(page.getByRole("status").filter({ hasText: "changed this" })).toContainText("Sampling, Public key");
  // nothing was overwritten, nothing was lost
  expect(await stored(api, id)).toMatchObject({ name: "langfuse-prod", sampling_rate: 0.5 });
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("mine");
  await expect(page.getByLabel("Exactly, in percent")).toHaveValue("50");
  await expect(publicKey).toHaveValue("pk-lf-mine");
  await conflict.getByLabel("Theirs").check();
  await expect(publicKey).toHaveValue("pk-lf-theirs");
  await conflict.getByLabel("Yours").check();
  await expect(publicKey).toHaveValue("pk-lf-mine");
  await conflict.getByLabel("Theirs").check();
  await save(page);
  expect(sent.at(-1)?.body).toEqual({ name: "mine" });
  expect(await stored(api, id)).toMatchObject({
    name: "mine",
    sampling_rate: 0.5,
    config: { publicKey: "pk-lf-theirs" },
  });
});

test("filter-unknown-operator-preserved: what a newer gateway has is shown, kept, and sent back as it was", async ({
  signedIn: page,
  gateway,
  workspace,
  api,
}) => {
  const known = { field: "model", operator: "starts_with", value: "openai/" };
  const future = { field: "model", operator: "matches_glob", value: "openai/*", weight: 3 };
  const { id } = await langfuse(api, workspace.id, { filter_rules: { groups: [{ logic: "and", rules: [known] }] } });
  let sent = "";
  await page.route("**/observability/destinations/*", async (route) => {
    if (route.request().method() === "PATCH") {
      sent = route.request().postData() ?? "";
      return route.fulfill({ status: 500, json: { error: { code: 500, message: "stopped here" } } });
    }
    const response = await route.fetch();
    const answer = (await response.json()) as { data?: { filter_rules: unknown } };
    if (answer.data) answer.data.filter_rules = { groups: [{ logic: "and", rules: [known, future] }] };
    return route.fulfill({ response, json: answer });
  });
  await openEditor(page, gateway.url, workspace.slug, id);
  const rules = section(page, "Rules");
  await expect(rules).toContainText("Newer than this console: kept as it is");
  await expect(rules).toContainText("matches_glob");
  await page.getByLabel("Value of rule 1 of group 1").fill("anthropic/");
  await rules.getByText("JSON", { exact: true }).click();
  const json = page.getByLabel("Rules as JSON");
  expect(JSON.parse(await json.inputValue())).toEqual({
    groups: [{ logic: "and", rules: [{ ...known, value: "anthropic/" }, future] }],
  });
  await json.fill(`{\n  "groups": [\n    { "rules": [ { "field": "model" } ] }\n  ]\n}`);
  await expect(json).toHaveAccessibleDescription(/Line 3: A rule has a field and an operator/);
  await json.fill(JSON.stringify({ groups: [{ rules: [{ ...known, value: "mistral/" }, future] }] }));
  await rules.getByText("Form", { exact: true }).click();
  await expect(page.getByLabel("Value of rule 1 of group 1")).toHaveValue("mistral/");
  await saveBar(page).getByRole("button", { name: /^Save/ }).click();
  await expect(saveBar(page).getByRole("alert")).toContainText("stopped here");
  expect(JSON.parse(sent)).toEqual({
    filter_rules: { groups: [{ rules: [{ ...known, value: "mistral/" }, future] }] },
  });
});

test("filter rules by keyboard: the focus goes to a new rule's field, and back after removing; words follow", async ({
  signedIn: page,
  gateway,
  workspace,
  api,
}) => {
  const { id } = await langfuse(api, workspace.id);
  const sent = sentChanges(page);
  await openEditor(page, gateway.url, workspace.slug, id);
  const rules = section(page, "Rules");
  await expect(rules).toContainText("Every call passes.");
  await rules.getByRole("button", { name: "Add a rule" }).press("Enter");
  const field = page.getByLabel("Field of rule 1 of group 1");
  await expect(field).toBeFocused();
  await field.selectOption("Total cost");
  await page.getByLabel("Operator of rule 1 of group 1").selectOption("is over");
  await page.getByLabel("Value of rule 1 of group 1").fill("0.01");
  await rules.getByRole("button", { name: "Add a rule to group 1" }).press("Enter");
  await expect(page.getByLabel("Field of rule 2 of group 1")).toBeFocused();
  await saveBar(page).getByRole("button", { name: /^Save/ }).click();
  await expect(page.getByLabel("Value of rule 2 of group 1")).toBeFocused();
  await expect(page.getByLabel("Value of rule 2 of group 1")).toHaveAccessibleDescription("Enter a value");
  await rules.getByRole("button", { name: "Remove rule 2 of group 1" }).press("Enter");
  await expect(field).toBeFocused();
  await expect(rules).toContainText("Forward when total cost is over $0.01.");
  await save(page);
  expect(sent.at(-1)?.body).toEqual({
    filter_rules: { groups: [{ logic: "and", rules: [{ field: "total_cost", operator: "gt", value: 0.01 }] }] },
  });
  // a pattern that does not compile is the gateway's to refuse, at its rule
  await field.selectOption("Model");
  await page.getByLabel("Operator of rule 1 of group 1").selectOption("matches");
  await page.getByLabel("Value of rule 1 of group 1").fill("(");
  await saveBar(page).getByRole("button", { name: /^Save/ }).click();
  await expect(page.getByLabel("Value of rule 1 of group 1")).toHaveAccessibleDescription(/not a regular expression/);
  await rules.getByRole("button", { name: "Remove all" }).click();
  await save(page);
  expect(sent.at(-1)?.text).toBe('{"filter_rules":null}');
});

test("bodies leave only after a question, which says from which keys; and it can be undone", async ({
  signedIn: page,
  gateway,
  workspace,
  api,
}) => {
  const { id } = await langfuse(api, workspace.id);
  const sent = sentChanges(page);
  await openEditor(page, gateway.url, workspace.slug, id);
  await page.getByRole("radio", { name: "Include prompts and responses" }).check();
  await saveBar(page).getByRole("button", { name: "Review" }).click();
  const review = page.getByRole("dialog", { name: "1 change" });
  await expect(review).toContainText("Prompts and responses will start being sent.");
  await review.getByRole("button", { name: "Back to the form" }).click();
  await saveBar(page).getByRole("button", { name: /^Save/ }).click();
  const question = page.getByRole("alertdialog", { name: "Send prompts and responses" });
  await expect(question).toContainText("from every key, future ones too");
  await expect(question.getByRole("button", { name: "Go back" })).toBeFocused();
  expect(sent).toEqual([]);
  await question.getByRole("button", { name: "Send bodies" }).click();
  await expectToast(page, "langfuse-prod is saved.");
  expect((await stored(api, id)).privacy_mode).toBe(false);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByRole("radio", { name: "Metadata only" })).toBeChecked();
  expect((await stored(api, id)).privacy_mode).toBe(true);
});

test("leaving with something unsaved asks, by every way out", async ({ signedIn: page, gateway, workspace, api }) => {
  const { id } = await langfuse(api, workspace.id);
  await openEditor(page, gateway.url, workspace.slug, id);
  await page.getByLabel("Name", { exact: true }).fill("unsaved");
  const question = page.getByRole("alertdialog", { name: "Leave without saving?" });
  await page.getByRole("link", { name: "Audit log" }).click();
  await question.getByRole("button", { name: "Keep editing" }).click();
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("unsaved");
  await page.getByRole("link", { name: "Destinations" }).first().click();
  await question.getByRole("button", { name: "Leave" }).click();
  await expect(page).toHaveURL(gateway.url + paths.destinations(workspace.slug));
});

test("a new destination: the gallery, what is missing, the editor it becomes; then the list, the switch, the end", async ({
  signedIn: page,
  gateway,
  workspace,
  api,
}) => {
  await page.goto(gateway.url + paths.destinations(workspace.slug));
  await expect(page.getByRole("heading", { name: "No destinations yet" })).toBeVisible();
  const gallery = page.getByRole("list", { name: "Kinds of destination" });
  await expect(gallery.getByRole("listitem")).toHaveCount(17);
  await gallery.getByRole("link", { name: /^Webhook/ }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("New Webhook destination");
  await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
  await page.getByRole("button", { name: /^Add destination/ }).click();
  await expect(page.getByLabel("Name", { exact: true })).toBeFocused();
  await expect(page.getByLabel("Name", { exact: true })).toHaveAccessibleDescription("Enter a name");
  await page.getByLabel("Name", { exact: true }).fill("risk-review-hook");
  await page.getByLabel("URL", { exact: true }).fill("http://127.0.0.1:9/hook");
  await page.getByRole("button", { name: "Header", exact: true }).click();
  await section(page, "Connection").getByLabel("Name", { exact: true }).fill("X-Team");
  await section(page, "Connection").getByLabel("Value", { exact: true }).fill("blue-and-quite-secret");
  await page.getByRole("button", { name: /^Add destination/ }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("risk-review-hook");
  await expect(page.getByRole("group", { name: "X-Team" })).toContainText("blue…cret");
  await expect(saveBar(page)).toHaveCount(0);

  await page.getByRole("link", { name: "Destinations" }).first().click();
  const row = page.getByRole("listitem").filter({ has: page.getByRole("link", { name: "risk-review-hook" }) });
  await expect(row).toContainText("Metadata only");
  await expect(row).toContainText("from all keys");
  const toggle = row.getByRole("switch", { name: "Send to risk-review-hook" });
  await toggle.uncheck();
  await expectToast(page, /risk-review-hook is paused/);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(toggle).toBeChecked();
  await row.getByRole("button", { name: "Actions for risk-review-hook" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  const confirm = page.getByRole("alertdialog", { name: "Delete risk-review-hook" });
  const typed = confirm.getByRole("textbox");
  if (await typed.isVisible()) await typed.fill("risk-review-hook");
  await confirm.getByRole("button", { name: "Delete destination" }).click();
  await expect(page.getByRole("heading", { name: "No destinations yet" })).toBeVisible();
  await api(createDestination, {
    body: { name: "next", type: "webhook", workspace_id: workspace.id, config: { url: "http://127.0.0.1:9" } },
  }).then(({ data }) => api(deleteDestination, { params: { id: data.id } }));
});

test("every kind's form is made of its members, and says what is missing", async ({
  signedIn: page,
  gateway,
  workspace,
}) => {
  for (const [type, labels] of [
    ["s3", ["Bucket", "Access key id", "Secret access key"]],
    ["newrelic", ["License key"]],
    ["snowflake", ["Account", "Programmatic access token"]],
    ["sentry", ["OTLP endpoint", "DSN"]],
  ] as const) {
    await page.goto(gateway.url + paths.newDestinationOf(workspace.slug, type));
    await page.getByRole("button", { name: /^Add destination/ }).click();
    for (const label of labels)
      await expect(page.getByLabel(label, { exact: true })).toHaveAttribute("aria-invalid", "true");
  }
  await page.getByLabel("DSN").fill("not-a-dsn");
  await expect(page.getByLabel("DSN")).toHaveAccessibleDescription(/https DSN with a public key/);
});
