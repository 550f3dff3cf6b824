import { createDestination, deleteDestination, listDestinations, updateDestination } from "#contract/destinations.ts";
import { createKey, deleteKey, updateKey } from "#contract/keys.ts";
import { paths } from "#console/paths.ts";
import { comeBack, expect, expectToast, holdToasts, readOnlyAfterSaving, test, expectTexts, hold } from "./fixtures.ts";
import { edit, langfuse, openEditor, save, saveBar, section, sentChanges, stored } from "./destination-form.ts";
import { loseAnswer, notKnown } from "./lost-answer.ts";

test("the keys of a destination, also those that are gone", async ({ signedIn: page, part, gateway, api }) => {
  await part("at least one key, or null for all of them", async (workspace) => {
    const { data: one } = await api(createKey, { body: { name: "prod-search", workspace_id: workspace.id } });
    const { data: two } = await api(createKey, { body: { name: "nightly", workspace_id: workspace.id } });
    const { data: foreign } = await api(createKey, { body: { name: "foreign" } });
    const { sent } = await edit(page, api, workspace);
    const keys = section(page, "Keys");
    await keys.getByLabel("Only these keys").check();
    await saveBar(page).getByRole("button", { name: /^Save/ }).click();
    await expect(keys).toContainText("Choose at least one, or pick All keys");
    expect(sent).toEqual([]);

    const field = keys.getByRole("combobox");
    await field.fill("prod-s");
    // the arrow walks what is listed: until the search is answered that is the list before it
    await expect(page.getByRole("option")).toHaveText([/prod-search/]);
    await field.press("ArrowDown");
    await field.press("Enter");
    await expect(keys.getByRole("button", { name: "Remove prod-search" })).toBeVisible();
    await expect(keys).not.toContainText("Choose at least one");
    await field.press("Escape");
    // hashes from elsewhere: what exists is added, what does not is said
    await keys.getByRole("button", { name: "Paste hashes" }).click();
    const paste = page.getByRole("dialog", { name: "Paste hashes" });
    await paste
      .getByRole("textbox")
      .fill(`${two.hash}, ${"9f3a".padEnd(64, "0")} ${foreign.hash} nonsense ${one.hash}`);
    await expectTexts(paste, "1 listed already", "Not a hash: nonsense");
    await paste.getByRole("button", { name: "Add 3 keys" }).click();
    await expect(paste.getByRole("status")).toContainText("1 added. No key of this workspace has these 2 hashes");
    await paste.getByRole("button", { name: "Cancel" }).click();
    await save(page);
    expect(sent.at(-1)?.body).toEqual({ api_key_hashes: [one.hash, two.hash] });

    // Backspace marks the last one before it takes it away
    await field.focus();
    await field.press("Backspace");
    await expect(keys.getByRole("button", { name: "Remove nightly" })).toBeVisible();
    await field.press("Backspace");
    await expect(keys.getByRole("button", { name: "Remove nightly" })).toHaveCount(0);
    await keys.getByLabel("All keys (including future ones)").check();
    await expect(saveBar(page)).toContainText("All keys, including future ones, instead of 2 keys");
    await save(page);
    expect(sent.at(-1)?.text).toBe('{"api_key_hashes":null}');
  });
  await part("keys that are gone say so, stay unless removed, and are asked for at once", async (workspace) => {
    const { data: off } = await api(createKey, { body: { name: "off", workspace_id: workspace.id } });
    const { data: lost } = await api(createKey, { body: { name: "lost", workspace_id: workspace.id } });
    await api(createKey, { body: { name: "foreign" } });
    const listed = [off.hash, lost.hash];
    const { id } = await langfuse(api, workspace.id, { api_key_hashes: listed });
    await api(deleteKey, { params: { hash: lost.hash } });
    await api(updateKey, { params: { hash: off.hash }, body: { disabled: true } });
    const sent = sentChanges(page);
    const asked: string[] = [];
    page.on("response", (response) => {
      const { pathname } = new URL(response.url());
      if (/\/keys\/(?!count)./.test(pathname))
        asked.push(`${response.status()} ${pathname.replace(/^.*\/keys/, "/keys")}`);
    });
    await openEditor(page, gateway.url, workspace.slug, id);
    const keys = section(page, "Keys");
    await expectTexts(keys, /off …\S{4} \(disabled\)/, `Unknown key ${lost.hash.slice(0, 4)}… (lost, deleted)`);
    // one question for all of them, and none that fails
    expect(new Set(asked)).toEqual(new Set(["200 /keys/identify"]));
    await keys.getByRole("combobox").click();
    const offered = page.getByRole("group", { name: `Keys of ${workspace.name}` });
    await expect(offered.getByRole("option", { name: /off .*disabled/ })).toBeVisible();
    await expect(page.getByRole("option", { name: /foreign/ })).toHaveCount(0);
    await keys.getByRole("combobox").press("Escape");
    await page.getByLabel("Name", { exact: true }).fill("renamed");
    await save(page);
    expect(sent.at(-1)?.body).toEqual({ name: "renamed" });
    expect((await stored(api, id)).api_key_hashes).toEqual(listed);
  });
  await part("a long list is unfolded a hundred at a time, and asked for in lots", async (workspace) => {
    const listed: string[] = [];
    for (let number = 0; number < 111; number += 1) {
      const { data } = await api(createKey, { body: { name: `key-${number}`, workspace_id: workspace.id } });
      listed.push(data.hash);
    }
    const { id } = await langfuse(api, workspace.id, { api_key_hashes: listed });
    let asked = 0;
    page.on("request", (request) => void (asked += request.url().includes("/keys/identify") ? 1 : 0));
    await openEditor(page, gateway.url, workspace.slug, id);
    const keys = section(page, "Keys");
    const remove = keys.getByRole("button", { name: /^Remove key-/ });
    await expect(remove).toHaveCount(8);
    expect(asked).toBe(1);
    await keys.getByRole("button", { name: "+103: show more" }).click();
    await expect(remove).toHaveCount(108);
    expect(asked).toBe(4);
    await keys.getByRole("button", { name: "+3: show more" }).click();
    await expect(remove).toHaveCount(111);
    // the gateway searches all of them; what is listed says that it is a part
    await keys.getByRole("combobox").click();
    await expect(page.getByRole("group", { name: /50 of more: type to find others/ })).toBeVisible();
    await keys.getByRole("combobox").fill("key-7");
    await expect(page.getByRole("option", { name: /^key-7 / })).toBeVisible();
  });
});

test("what somebody else saved of a destination meanwhile", async ({ signedIn: page, part, gateway, api }) => {
  await part("what somebody else saved meanwhile is merged, and what both changed is picked", async (workspace) => {
    const { id, sent } = await edit(page, api, workspace, { sampling_rate: 0.1 });
    await readOnlyAfterSaving(page, `/observability/destinations/${id}`);
    await page.getByLabel("Name", { exact: true }).fill("mine");
    await page.getByLabel("Base URL").fill("http://127.0.0.1:9/mine");
    await api(updateDestination, {
      params: { id },
      body: { sampling_rate: 0.5, config: { baseUrl: "http://127.0.0.1:9/theirs" } },
    });
    await saveBar(page).getByRole("button", { name: /^Save/ }).click();

    const address = page.getByRole("textbox", { name: "Base URL" });
    const conflict = page.getByRole("region", { name: "What both of you changed" });
    await expect(conflict.getByRole("row", { name: /Base URL/ })).toContainText("http://127.0.0.1:9");
    await expect(conflict.getByRole("row")).toHaveCount(2);
    await expect(page.getByRole("status").filter({ hasText: "changed this" })).toContainText("Sampling, Base URL");
    // from wherever one saves, the comparison is one press away
    await section(page, "Sampling").getByRole("heading", { name: "Sampling" }).scrollIntoViewIfNeeded();
    await expect(conflict).not.toBeInViewport();
    await saveBar(page).getByRole("button", { name: "Compare" }).click();
    await expect(conflict).toBeInViewport();
    // nothing was overwritten, nothing was lost
    expect(await stored(api, id)).toMatchObject({ name: "langfuse-prod", sampling_rate: 0.5 });
    await expect(page.getByLabel("Name", { exact: true })).toHaveValue("mine");
    await expect(page.getByLabel("Exactly, in percent")).toHaveValue("50");
    await expect(address).toHaveValue("http://127.0.0.1:9/mine");
    await conflict.getByLabel("Theirs").check();
    await expect(address).toHaveValue("http://127.0.0.1:9/theirs");
    await conflict.getByLabel("Yours").check();
    await expect(address).toHaveValue("http://127.0.0.1:9/mine");
    await conflict.getByLabel("Theirs").check();
    await save(page);
    expect(sent.at(-1)?.body).toEqual({ name: "mine" });
    expect(await stored(api, id)).toMatchObject({
      name: "mine",
      sampling_rate: 0.5,
      config: { baseUrl: "http://127.0.0.1:9/theirs" },
    });
  });
  await part("a question about a version that somebody else replaced is withdrawn", async (workspace) => {
    const { id } = await edit(page, api, workspace, { sampling_rate: 0.1, privacy_mode: true });
    await page.getByRole("radio", { name: "Include prompts and responses" }).check();
    await section(page, "Sampling").getByLabel("Exactly, in percent").fill("0.1");
    await saveBar(page).getByRole("button", { name: /^Save/ }).click();
    const question = page.getByRole("alertdialog", { name: "Send prompts and responses" });
    await expect(question).toContainText("Sampling goes from 10% to 0.1%.");
    await api(updateDestination, { params: { id }, body: { sampling_rate: 0.5 } });
    // as when the window is come back to
    await comeBack(page, () => question.isHidden());
    await saveBar(page).getByRole("button", { name: "Compare" }).click();
    const conflict = page.getByRole("region", { name: "What both of you changed" });
    await expect(conflict.getByRole("row", { name: /Sampling/ })).toContainText("50%");
    expect(await stored(api, id)).toMatchObject({ sampling_rate: 0.5, privacy_mode: true });
  });
  await part("Undo changes nothing where somebody else has changed the destination since", async (workspace) => {
    const { id } = await edit(page, api, workspace);
    await page.getByLabel("Name", { exact: true }).fill("mine");
    await holdToasts(page);
    await saveBar(page).getByRole("button", { name: /^Save/ }).click();
    await expectToast(page, "mine was saved.");
    await api(updateDestination, { params: { id }, body: { name: "theirs", sampling_rate: 0.1 } });
    await page.getByRole("button", { name: "Undo" }).click();
    await expectToast(page, /The change could not be undone/);
    expect(await stored(api, id)).toMatchObject({ name: "theirs", sampling_rate: 0.1 });
  });
  await part("an untouched form gives way to the list, a changed one says so and stays", async (workspace) => {
    const untouched = await langfuse(api, workspace.id, { name: "untouched" });
    await openEditor(page, gateway.url, workspace.slug, untouched.id);
    await api(deleteDestination, { params: { id: untouched.id } });
    // it is noticed within 15 seconds, and at once by who comes back to the tab
    await comeBack(page, () => page.url() === gateway.url + paths.destinations(workspace.slug));
    await expectToast(page, "untouched no longer exists.");

    const { id } = await edit(page, api, workspace);
    const name = page.getByLabel("Name", { exact: true });
    await name.fill("edited");
    await api(deleteDestination, { params: { id } });
    const notice = page.getByRole("alert").filter({ hasText: "This destination was deleted" });
    await comeBack(page, () => notice.isVisible());
    await expect(name).toHaveValue("edited");
    await expect(page.getByRole("switch", { name: "langfuse-prod" })).toHaveCount(0);
    await expect(saveBar(page).getByRole("button", { name: /^Save/ })).toHaveAttribute("aria-disabled", "true");
    await saveBar(page).getByRole("button", { name: "Discard" }).click();
    const question = page.getByRole("alertdialog", { name: "Discard your changes?" });
    await question.getByRole("button", { name: "Discard", exact: true }).click();
    await expect(page).toHaveURL(paths.destinations(workspace.slug));
  });
});

test("a destination is saved, asked about and left", async ({ signedIn: page, part, gateway, api }) => {
  await part("what is typed during a save is the next change, and is saved by itself", async (workspace) => {
    const { id } = await langfuse(api, workspace.id);
    const sent = sentChanges(page);
    const typed = Promise.withResolvers<void>();
    await page.route(`**/observability/destinations/${id}`, async (route) => {
      if (route.request().method() === "PATCH") await typed.promise;
      await route.continue();
    });
    await openEditor(page, gateway.url, workspace.slug, id);
    const name = page.getByLabel("Name", { exact: true });
    await name.fill("first");
    await saveBar(page).getByRole("button", { name: /^Save/ }).click();
    await expect.poll(() => sent.length).toBe(1);
    await name.fill("first and more");
    typed.resolve();
    await expectToast(page, "first was saved.");
    await expect(name).toHaveValue("first and more");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("first");
    await save(page);
    expect(sent.map(({ body }) => body)).toEqual([{ name: "first" }, { name: "first and more" }]);
    expect(await stored(api, id)).toMatchObject({ name: "first and more" });
  });
  await part("bodies leave only after a question, which says from which keys; and undone", async (workspace) => {
    const { id, sent } = await edit(page, api, workspace);
    await page.getByRole("radio", { name: "Include prompts and responses" }).check();
    await saveBar(page).getByRole("button", { name: "Review" }).click();
    const review = page.getByRole("dialog", { name: "1 change" });
    await expect(review).toContainText("Prompts and responses will start being sent.");
    await review.getByRole("button", { name: "Back to the form" }).click();
    await saveBar(page).getByRole("button", { name: /^Save/ }).click();
    const question = page.getByRole("alertdialog", { name: "Send prompts and responses" });
    await expect(question).toContainText("from every key, including future ones");
    await expect(question.getByRole("button", { name: "Go back" })).toBeFocused();
    expect(sent).toEqual([]);
    await holdToasts(page);
    await question.getByRole("button", { name: "Send bodies" }).click();
    await expectToast(page, "langfuse-prod was saved.");
    expect((await stored(api, id)).privacy_mode).toBe(false);
    await page.getByRole("button", { name: "Undo" }).click();
    await expect.poll(async () => (await stored(api, id)).privacy_mode).toBe(true);
    await expect(page.getByRole("radio", { name: "Metadata only" })).toBeChecked();
  });
  await part("leaving with something unsaved asks, by every way out", async (workspace) => {
    const {} = await edit(page, api, workspace);
    await page.getByLabel("Name", { exact: true }).fill("unsaved");
    const question = page.getByRole("alertdialog", { name: "Leave without saving?" });
    await page.getByRole("link", { name: "Settings" }).click();
    await question.getByRole("button", { name: "Keep editing" }).click();
    await expect(page.getByLabel("Name", { exact: true })).toHaveValue("unsaved");
    await page.getByRole("link", { name: "Destinations" }).first().click();
    await question.getByRole("button", { name: "Leave" }).click();
    await expect(page).toHaveURL(paths.destinations(workspace.slug));
  });
  await part("the edits are offered, never put in by themselves, and no secret is among them", async (workspace) => {
    const {} = await edit(page, api, workspace);
    const name = page.getByLabel("Name", { exact: true });
    await name.fill("drafted");
    const secret = page.getByRole("group", { name: "Secret key" });
    await secret.getByRole("button", { name: "Replace" }).click();
    await page.getByLabel("New secret key").fill("sk-lf-typed-before-the-reload");
    const storage = () => page.evaluate(() => JSON.stringify({ ...sessionStorage }));
    await expect.poll(storage).toContain("drafted");
    expect(await storage()).not.toContain("typed-before-the-reload");
    page.once("dialog", (dialog) => void dialog.accept());
    await page.reload();
    await expect(page.getByText("Secrets and extra headers were not kept.")).toBeVisible();
    await expect(name).toHaveValue("langfuse-prod");
    await page.getByRole("button", { name: "Restore draft" }).click();
    await expect(name).toHaveValue("drafted");
    await expect(saveBar(page)).toContainText("1 change");
    await save(page);
    await expect.poll(storage).not.toContain("drafted");
    await page.reload();
    await expect(name).toHaveValue("drafted");
    await expect(page.getByRole("button", { name: "Restore draft" })).toHaveCount(0);
  });
});

test("the rules of a destination by keyboard and as JSON", async ({ signedIn: page, part, gateway, api }) => {
  await part("what a newer gateway has is shown, kept, and sent back as it was", async (workspace) => {
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
    await expectTexts(rules, "Newer than this console: kept as it is", "matches_glob");
    await page.getByLabel("Value of rule 1 of group 1").fill("anthropic/");
    await rules.getByText("JSON", { exact: true }).click();
    const json = page.getByLabel("Rules as JSON");
    await expect
      .poll(async () => JSON.parse(await json.inputValue()) as unknown)
      .toEqual({ groups: [{ logic: "and", rules: [{ ...known, value: "anthropic/" }, future] }] });
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
  await part("the focus goes to a new rule's field, and back after removing; words follow", async (workspace) => {
    const { sent } = await edit(page, api, workspace);
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
});

test("a new destination: from the gallery to the list, once", async ({ signedIn: page, part, api }) => {
  await part("the gallery, what is missing, the editor; then the list, the switch, the end", async (workspace) => {
    await page.goto(paths.destinations(workspace.slug));
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
    await expectTexts(row, "Metadata only", "from all keys");
    const toggle = row.getByRole("switch", { name: "Send to risk-review-hook" });
    await holdToasts(page);
    await toggle.click();
    await expectToast(page, /risk-review-hook is paused/);
    await page.getByRole("button", { name: "Undo" }).click();
    await expect(toggle).toBeChecked();
    await row.getByRole("button", { name: "Actions for risk-review-hook" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    const confirm = page.getByRole("alertdialog", { name: "Delete risk-review-hook" });
    await expect(confirm).toBeVisible();
    // nothing was delivered there, so that its name need not be typed
    await expect(confirm.getByRole("textbox")).toHaveCount(0);
    await confirm.getByRole("button", { name: "Delete destination" }).click();
    await expect(page.getByRole("heading", { name: "No destinations yet" })).toBeVisible();
    await api(createDestination, {
      body: { name: "next", type: "webhook", workspace_id: workspace.id, config: { url: "http://127.0.0.1:9" } },
    }).then(({ data }) => api(deleteDestination, { params: { id: data.id } }));
  });
  await part("added before the workspaces are read, it is added to that of the address", async (workspace) => {
    const read = await hold(page, /\/api\/v1\/workspaces\?/);
    let added = false;
    page.on("request", (request) => (added ||= request.method() === "POST" && request.url().endsWith("/destinations")));
    await page.goto(paths.newDestinationOf(workspace.slug, "webhook"));
    await page.getByLabel("Name", { exact: true }).fill("early");
    await page.getByLabel("URL", { exact: true }).fill("http://127.0.0.1:9/hook");
    const add = page.getByRole("button", { name: /^Add destination/ });
    await add.click();
    await expect(add).toHaveAttribute("aria-disabled", "true");
    expect(added).toBe(false);
    read();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("early");
    const { data } = await api(listDestinations, { query: { workspace_id: workspace.id } });
    expect(data.map(({ name }) => name)).toEqual(["early"]);
  });
  await part("a destination whose answer was lost is added once, though it is sent again", async (workspace) => {
    await page.goto(paths.newDestinationOf(workspace.slug, "webhook"));
    await page.getByLabel("Name", { exact: true }).fill("lost");
    await page.getByLabel("URL", { exact: true }).fill("http://127.0.0.1:9/hook");
    await loseAnswer(page, "/observability/destinations");
    const add = page.getByRole("button", { name: /^Add destination/ });
    await add.click();
    await expect(page.getByText(notKnown)).toBeVisible();
    await add.click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("lost");
    const { data } = await api(listDestinations, { query: { workspace_id: workspace.id } });
    expect(data.map(({ name }) => name)).toEqual(["lost"]);
  });
  await part("what is typed while a destination is being added is offered on its page", async (workspace) => {
    const typed = Promise.withResolvers<void>();
    await page.route("**/api/v1/observability/destinations", async (route) => {
      if (route.request().method() === "POST") await typed.promise;
      await route.continue();
    });
    await page.goto(paths.newDestinationOf(workspace.slug, "webhook"));
    const name = page.getByLabel("Name", { exact: true });
    await name.fill("first");
    await page.getByLabel("URL", { exact: true }).fill("http://127.0.0.1:9/hook");
    const asked = page.waitForRequest(
      (request) => request.method() === "POST" && request.url().endsWith("/destinations"),
    );
    await page.getByRole("button", { name: /^Add destination/ }).click();
    await asked;
    await name.fill("first and more");
    typed.resolve();
    await page.getByRole("button", { name: "Restore draft" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("first");
    await expect(name).toHaveValue("first and more");
  });
  await part("every kind's form is made of its members, and says what is missing", async (workspace) => {
    for (const [type, labels] of [
      ["s3", ["Bucket", "Access key id", "Secret access key"]],
      ["newrelic", ["License key"]],
      ["snowflake", ["Account", "Programmatic access token"]],
      ["sentry", ["OTLP endpoint", "DSN"]],
    ] as const) {
      await page.goto(paths.newDestinationOf(workspace.slug, type));
      await page.getByRole("button", { name: /^Add destination/ }).click();
      for (const label of labels)
        await expect(page.getByLabel(label, { exact: true })).toHaveAttribute("aria-invalid", "true");
    }
    await page.getByLabel("DSN").fill("not-a-dsn");
    await expect(page.getByLabel("DSN")).toHaveAccessibleDescription(/https DSN with a public key/);
  });
});
