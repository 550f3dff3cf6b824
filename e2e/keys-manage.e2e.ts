import { createHash } from "node:crypto";
import type { Page } from "@playwright/test";
import { listAudit } from "#contract/audit.ts";
import { createDestination } from "#contract/destinations.ts";
import { createEmbeddings } from "#contract/embeddings.ts";
import {
  createKey,
  type CreateKeyBody,
  deleteKey,
  getKey,
  listKeys,
  updateKey,
  type UpdateKeyBody,
} from "#contract/keys.ts";
import { createManagementKey } from "#contract/management-keys.ts";
import { createWorkspace } from "#contract/workspaces.ts";
import { paths } from "#console/paths.ts";
import { type Api, apiOf } from "#gateway/testing/api-client.ts";
import {
  comeBack,
  chooseFromRow,
  endingSoon,
  expect,
  failUntilClick,
  expectToast,
  holdToasts,
  pressEscape,
  readOnlyAfterSaving,
  roomInThisHour,
  row,
  test,
  enter,
  expectTexts,
  fill,
} from "./fixtures.ts";
import { answerToPost, randomPart, revealOf } from "./key-form.ts";
import { addPickyModel } from "./playground-page.ts";

/** Makes one key by the API; answers its record and its plaintext. */
async function makeKey(api: Api, workspace: { id: string }, body: CreateKeyBody) {
  return api(createKey, { body: { workspace_id: workspace.id, ...body } });
}

const embed = { body: { model: "gatehouse/lexical", input: "customs" } };

/** The bodies of the changes that the page sends, in order. */
function sentChanges(page: Page): UpdateKeyBody[] {
  const bodies: UpdateKeyBody[] = [];
  page.on("request", (request) => {
    if (request.method() === "PATCH") bodies.push(request.postDataJSON() as UpdateKeyBody);
  });
  return bodies;
}

test("edit: only what changed is sent, and undone; a watched limit", async ({ signedIn: page, part, api }) => {
  await part("only what changed is sent, null clears, and Undo sends the inverse", async (workspace) => {
    const { data: key } = await makeKey(api, workspace, {
      name: "editable",
      limit: 20,
      limit_reset: "weekly",
      expires_at: "2031-01-01T00:00:00Z",
    });
    const sent = sentChanges(page);
    await page.goto(paths.key(workspace.slug, key.hash));
    await page.getByRole("link", { name: "Edit", exact: true }).click();
    const panel = page.getByRole("dialog", { name: "Edit editable" });
    await expect(panel.getByText("No changes yet")).toBeVisible();
    await panel.getByLabel("Name").fill("renamed");
    await panel.getByText("No expiry", { exact: true }).click();
    await panel.getByText("As an API call").click();
    await holdToasts(page);
    await panel.getByRole("button", { name: /^Save changes/ }).click();
    await expect(panel).toBeHidden();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("renamed");
    expect(sent).toEqual([{ name: "renamed", expires_at: null }]);
    await expectToast(page, "editable is now renamed.");
    await page.getByRole("button", { name: "Undo" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("editable");
    expect(sent[1]).toEqual({ name: "editable", expires_at: key.expires_at });
    await expect(page.getByRole("region", { name: /audit|changes|history/i }).first()).toBeVisible();
  });
  await part("what somebody else changed is kept, and Undo restores what was there", async (workspace) => {
    const { data: key } = await makeKey(api, workspace, { name: "shared", limit: 10, limit_reset: "daily" });
    const params = { hash: key.hash };
    const sent = sentChanges(page);
    await page.goto(paths.editKey(workspace.slug, key.hash));
    const panel = page.getByRole("dialog", { name: "Edit shared" });
    await panel.getByLabel("Limit in USD").fill("20");
    await readOnlyAfterSaving(page, `/keys/${key.hash}`);
    await api(updateKey, { params, body: { limit: 5, limit_reset: "monthly" } });
    await panel.getByRole("button", { name: /^Save changes/ }).click();
    const notice = panel.getByRole("status").filter({ hasText: "Someone else changed this key." });
    await expect(notice).toContainText("Spending limit: $10.00 a day → $5.00 a month");
    await expect(panel.getByRole("alert")).toContainText("Your edits are kept.");
    await expect(panel.getByLabel("Limit in USD")).toHaveValue(/^20/);
    await expect(panel.getByText("$20.00 a month").first()).toBeVisible();
    expect((await api(getKey, { params })).data).toMatchObject({ limit: 5, limit_reset: "monthly" });

    await holdToasts(page);
    await panel.getByRole("button", { name: /^Save changes/ }).click();
    await expect(panel).toBeHidden();
    expect((await api(getKey, { params })).data).toMatchObject({ limit: 20, limit_reset: "monthly" });
    await page.getByRole("button", { name: "Undo" }).click();
    await expect
      .poll(async () => (await api(getKey, { params })).data)
      .toMatchObject({
        limit: 5,
        limit_reset: "monthly",
      });
    expect(sent).toEqual([{ limit: 20 }, { limit: 20 }, { limit: 5 }]);
  });
  await part("Undo changes nothing where somebody else has changed the key since", async (workspace) => {
    const { data: key } = await makeKey(api, workspace, { name: "shared", limit: 10 });
    const params = { hash: key.hash };
    await page.goto(paths.editKey(workspace.slug, key.hash));
    const panel = page.getByRole("dialog", { name: "Edit shared" });
    await panel.getByLabel("Limit in USD").fill("20");
    await holdToasts(page);
    await panel.getByRole("button", { name: /^Save changes/ }).click();
    await expect(panel).toBeHidden();
    await api(updateKey, { params, body: { limit: 5 } });
    await page.getByRole("button", { name: "Undo" }).click();
    await expectToast(page, "The change could not be undone.");
    expect((await api(getKey, { params })).data.limit).toBe(5);
  });
  await part("a limit below what is spent stops the key now, and is asked about", async (workspace) => {
    const { data: key } = await makeKey(api, workspace, { name: "stopping", limit: 20 });
    const sent = sentChanges(page);
    await page.goto(paths.editKey(workspace.slug, key.hash));
    const panel = page.getByRole("dialog", { name: "Edit stopping" });
    await panel.getByLabel("Limit in USD").fill("0");
    await panel.getByRole("button", { name: /^Save changes/ }).click();
    const question = panel.getByRole("group", { name: "This stops the key right now. Save it?" });
    await expect(question.getByRole("button", { name: /^Go back/ })).toBeFocused();
    await page.keyboard.press("Escape");
    expect(sent).toEqual([]);
    await panel.getByRole("button", { name: /^Save changes/ }).click();
    await question.getByRole("button", { name: "Save and stop it" }).click();
    await expect(panel).toBeHidden();
    expect(sent).toEqual([{ limit: 0 }]);
    await expect(page.getByText("Over limit", { exact: true }).first()).toBeVisible();
  });
  await part(
    "a key moves to another workspace, what follows it is said before, and Undo moves it back",
    async (workspace) => {
      const other = (await api(createWorkspace, { body: { name: `${workspace.slug} b`, slug: `${workspace.slug}-b` } }))
        .data;
      const { data: key } = await makeKey(api, workspace, { name: "moves" });
      await page.goto(paths.editKey(workspace.slug, key.hash));
      const panel = page.getByRole("dialog", { name: "Edit moves" });
      await panel.getByRole("combobox", { name: "Workspace" }).fill(other.name);
      await page.getByRole("option", { name: other.name }).click();
      await expect(panel.getByText(`From its next call on, it belongs to ${other.name}.`)).toBeVisible();
      await expect(panel.getByText(/stay in .* and in its budgets/)).toBeVisible();
      await panel.getByRole("button", { name: /^Save changes/ }).click();
      await expect(page.getByText(`: workspace from ${workspace.name} to ${other.name}`)).toBeVisible();
      await page.getByRole("button", { name: /^Undo/ }).click();
      await expect(page.getByText(`: workspace from ${other.name} to ${workspace.name}`)).toBeVisible();
    },
  );
  await part("a limit that is only watched refuses nothing", async (workspace) => {
    await page.goto(paths.newKey(workspace.slug));
    const create = page.getByRole("dialog", { name: "Create an API key" });
    const watch = create.getByRole("checkbox", { name: "Only watch the limit" });
    await expect(watch).toBeHidden();
    await fill(create, { Name: "watched", "Limit in USD": "0" });
    await watch.check();
    await expect(create.getByText("Calls beyond it are counted, not refused.")).toBeVisible();
    await expect(create.locator("[aria-live=polite]").first()).toHaveText(/, watched from \$0\.00 in total,/);
    // nothing is asked: a limit of 0 that is only watched stops no call
    await create.getByRole("button", { name: /^Create key/ }).click();
    const reveal = await revealOf(page);
    await expect(reveal.getByText("$0.00 in total, only watched")).toBeVisible();
    await reveal.getByRole("checkbox", { name: "I have stored it" }).check();
    await reveal.getByRole("button", { name: "Done" }).click();
    const [key] = (await api(listKeys, { query: { workspace_id: workspace.id } })).data;
    expect(key).toMatchObject({ limit: 0, limit_watch_only: true, status: "active" });

    const watched = row(page, /^watched/);
    await expectTexts(watched, "Over limitnot refused", "only watched, does not reset");
    await page.goto(paths.overview(workspace.slug));
    const item = page.getByRole("listitem").filter({ hasText: "watched is over its limit, not refused" });
    await expect(item).toContainText("$0.00 of $0.00 spent, does not reset; the limit is only watched");
    await item.getByRole("link", { name: /^Raise limit/ }).click();

    const edit = page.getByRole("dialog", { name: "Edit watched" });
    await expect(page.getByText("Over limit, not refused")).toBeVisible();
    await edit.getByRole("checkbox", { name: "Only watch the limit" }).uncheck();
    await edit.getByRole("button", { name: /^Save changes/ }).click();
    const question = edit.getByRole("group", { name: "This stops the key right now. Save it?" });
    await question.getByRole("button", { name: "Save and stop it" }).click();
    await expect(edit).toBeHidden();
    await expect(page.getByText("Over limit, not refused")).toHaveCount(0);
    const { data: after } = await api(getKey, { params: { hash: key?.hash ?? "" } });
    expect(after).toMatchObject({ limit_watch_only: false, status: "over_limit" });
    const { data: changes } = await api(listAudit, { query: { workspace_id: workspace.id } });
    expect(changes[0]).toMatchObject({ before: { limit_watch_only: true }, after: { limit_watch_only: false } });
    await page.goto(paths.audit(workspace.slug));
    await expect(page.getByText("limit watch only yes → no")).toBeVisible();
  });
});

test("manage: a tip does not lie on the next row's button @long", async ({ signedIn: page, workspace, api }) => {
  for (const name of ["one", "two"]) await makeKey(api, workspace, { name });
  await page.goto(`${paths.keys(workspace.slug)}?sort=name&order=asc`);
  await page.getByRole("button", { name: "Actions for one" }).hover();
  await expect(page.getByRole("tooltip")).toHaveText("Actions for one");
  await page.getByRole("button", { name: "Actions for two" }).click();
  await expect(page.getByRole("menu")).toBeVisible();
});

test("edit: a limit says what it would have refused @long", async ({ signedIn: page, gateway, workspace, api }) => {
  const slug = `spent-${workspace.slug.slice(-6)}`;
  const vendor = await addPickyModel(api, slug);
  const { data: key, key: plaintext } = await makeKey(api, workspace, { name: "spending" });
  await apiOf(gateway, plaintext)(createEmbeddings, { body: { model: `${slug}/embed`, input: "customs" } });
  const { usage } = (await api(getKey, { params: { hash: key.hash } })).data;
  expect(usage).toBeGreaterThan(0);
  await page.goto(paths.editKey(workspace.slug, key.hash));
  const panel = page.getByRole("dialog", { name: "Edit spending" });
  const picture = panel.getByRole("figure", { name: "What this limit would have done" });
  await expect(panel.getByRole("radio", { name: "No limit" })).toBeChecked();
  await expect(picture).toBeHidden();
  await panel.getByLabel("Limit in USD").fill("0.000000001");
  await expect(picture).toContainText("In the last 30 days it would have refused about 1 call, on 1 of 30 days.");
  await panel.getByLabel("Limit in USD").fill("5");
  await expect(picture).toContainText("it would have refused nothing");
  await vendor.close();
});

test("disable, enable and delete, each when it says so", async ({ signedIn: page, part, gateway, api }) => {
  await part("the calls stop when it says so, and Undo undoes it", async (workspace) => {
    const { key } = await makeKey(api, workspace, { name: "switched" });
    const app = apiOf(gateway, key);
    await roomInThisHour();
    await app(createEmbeddings, embed);
    await page.goto(paths.keys(workspace.slug));
    await chooseFromRow(page, /switched/, "Disable");
    const question = page.getByRole("dialog", { name: "Disable switched" });
    await expect(question).toContainText(/Last used .*1 call in this hour/);
    await expect(question.getByRole("button", { name: "Cancel" })).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(question).toBeHidden();
    await expect(page.getByRole("button", { name: "Actions for switched" })).toBeFocused();
    await app(createEmbeddings, embed);
    await chooseFromRow(page, /switched/, "Disable");
    await holdToasts(page);
    await question.getByRole("button", { name: "Disable key" }).click();
    await expect(row(page, /switched/)).toContainText("Disabled");
    await expect(app(createEmbeddings, embed)).rejects.toThrow("401");
    await expectToast(page, "switched is disabled.");
    await page.getByRole("button", { name: "Undo" }).click();
    await expect(row(page, /switched/)).toContainText("Active");
    await app(createEmbeddings, embed);
  });
  await part("only once the name is typed; the audit log keeps it", async (workspace) => {
    const { data: key } = await makeKey(api, workspace, { name: "to-delete" });
    const sink = { type: "webhook", workspace_id: workspace.id, config: { url: "http://127.0.0.1:9/" } } as const;
    await api(createDestination, { body: { ...sink, name: "Key sink", api_key_hashes: [key.hash] } });
    await api(createDestination, { body: { ...sink, name: "Everything" } });
    const { data: other } = await makeKey(api, workspace, { name: "kept" });
    await api(createDestination, { body: { ...sink, name: "Elsewhere", api_key_hashes: [other.hash] } });
    await page.goto(paths.key(workspace.slug, key.hash));
    const forwarded = page.getByRole("listitem").filter({ hasText: /names this key|receives all keys/ });
    await expect(forwarded).toHaveCount(2);
    await expect(page.getByRole("link", { name: "Key sink" })).toBeVisible();
    await page.goto(paths.keys(workspace.slug));
    await chooseFromRow(page, /to-delete/, "Delete");
    const question = page.getByRole("alertdialog", { name: "Delete to-delete" });
    await pressEscape(question);
    await expect(page.getByRole("button", { name: "Actions for to-delete" })).toBeFocused();
    await chooseFromRow(page, /to-delete/, "Delete");
    const typed = question.getByRole("textbox");
    await expect(typed).toBeFocused();
    const remove = question.getByRole("button", { name: "Delete key" });
    await expect(remove).toHaveAttribute("aria-disabled", "true");
    await enter(typed, "to-delet");
    await expect(question).toContainText("One destination names this key: Key sink.");
    await enter(typed, "to-delete");
    await expect(question).toBeHidden();
    await expectToast(page, "to-delete was deleted.");
    await expect(row(page, /to-delete/)).toHaveCount(0);
    await expect(page.getByRole("button", { name: "Actions for kept" })).toBeFocused();
    await expect(api(getKey, { params: { hash: key.hash } })).rejects.toThrow("404");
    const { data: log } = await api(listAudit, { query: { target_id: key.hash } });
    expect(log.map(({ action }) => action)).toEqual(["deleteKeys", "createKeys"]);
  });
  await part("its page gives way to the list, and a form over it keeps what was entered", async (workspace) => {
    const { data: shown } = await makeKey(api, workspace, { name: "shown" });
    await page.goto(paths.key(workspace.slug, shown.hash));
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("shown");
    await api(deleteKey, { params: { hash: shown.hash } });
    // it is noticed within 15 seconds, and at once by who comes back to the tab
    await comeBack(page, () => page.url() === gateway.url + paths.keys(workspace.slug));
    await expectToast(page, "shown no longer exists.");

    const { data: edited } = await makeKey(api, workspace, { name: "edited" });
    await page.goto(paths.editKey(workspace.slug, edited.hash));
    const panel = page.getByRole("dialog", { name: "Edit edited" });
    await panel.getByLabel("Name").fill("half-done");
    await api(deleteKey, { params: { hash: edited.hash } });
    // forced: by now the form may have noticed by itself, and then there is nothing left to press
    await panel.getByRole("button", { name: /^Save changes/ }).click({ force: true });
    await expect(panel.getByRole("alert").filter({ hasText: "This key was deleted elsewhere" })).toBeVisible();
    await expect(panel.getByLabel("Name")).toHaveValue("half-done");
    await expect(panel.getByRole("button", { name: /^Save changes/ })).toHaveAttribute("aria-disabled", "true");
    await page.keyboard.press("Escape");
    await panel.getByRole("button", { name: "Leave" }).click();
    await comeBack(page, () => page.url() === gateway.url + paths.keys(workspace.slug));
  });
});

test("a key is replaced, and a leaked one found by its hash", async ({ signedIn: page, part, gateway, api }) => {
  await part("the successor is shown once, and the old key lives on for the chosen time", async (workspace) => {
    const { data: old, key: oldKey } = await makeKey(api, workspace, { name: "leaky", limit: 9, limit_reset: "daily" });
    await page.goto(paths.keys(workspace.slug));
    await chooseFromRow(page, /leaky/, "Lost the key? Replace it");
    const panel = page.getByRole("dialog", { name: "Replace leaky" });
    // Space must not end the old key at once
    await expect(panel.getByRole("radio", { name: "24 hours" })).toBeFocused();
    await expect(panel.getByRole("radio", { name: "24 hours" })).toBeChecked();
    await panel.getByRole("radio", { name: "1 hour" }).check();
    const answered = answerToPost(page, "/rotate");
    await panel.getByRole("button", { name: /^Replace key/ }).click();
    const { key: newKey, data } = (await (await answered).json()) as {
      key: string;
      data: { hash: string; created_at: string };
    };
    const reveal = await revealOf(page);
    await expect(reveal.getByText(/^The old key works until \d+ \w{3} \d{4} \d\d:\d\d UTC\.$/)).toBeVisible();
    expect(await page.content()).not.toContain(randomPart(newKey));
    await reveal.getByText("I have stored it").click();
    await reveal.getByRole("button", { name: "Done" }).click();
    await expect(page).toHaveURL(paths.key(workspace.slug, data.hash));
    await apiOf(gateway, oldKey)(createEmbeddings, embed);
    await apiOf(gateway, newKey)(createEmbeddings, embed);
    const { data: after } = await api(getKey, { params: { hash: old.hash } });
    expect(after.replaced_by).toBe(data.hash);
    const lifetimeMs = new Date(after.expires_at ?? 0).getTime() - new Date(data.created_at).getTime();
    expect(Math.round(lifetimeMs / 1_000)).toBe(3_600);
    expect((await api(getKey, { params: { hash: data.hash } })).data).toMatchObject({ limit: 9, limit_reset: "daily" });
  });
  await part("hashed here, only the hash is sent, and it can be disabled at once", async (workspace) => {
    const { key, data } = await makeKey(api, workspace, { name: "found-in-a-log" });
    const sent: string[] = [];
    page.on("request", (request) => sent.push(`${request.url()} ${request.postData() ?? ""}`));
    await page.goto(paths.keys(workspace.slug));
    await page.getByRole("button", { name: "Found a key?" }).click();
    const dialog = page.getByRole("dialog", { name: "Found a key?" });
    const field = dialog.getByLabel("The text");
    const check = async (text: string, ...answers: string[]) => {
      await field.fill(text);
      await dialog.getByRole("button", { name: "Check" }).click();
      await expect(dialog.getByRole("status")).toContainText(answers);
      await expect(field).toHaveValue("");
    };
    await check("sk-not-ours-at-all", "No key was found in this text.");
    await check(key.slice(0, -1), "No key was found in this text.");
    await check("0".repeat(64), "No key of this gateway");
    for (const text of [data.hash, data.label, `  ${key}\n`, `GATEHOUSE_API_KEY="${key}"`, `Bearer ${key}.`]) {
      await check("nothing", "No key was found");
      await check(text, "Ours: found-in-a-log");
    }
    // the gateway's own was set to a text without a beginning of ours
    for (const text of [gateway.managementKey, `GATEHOUSE_MANAGEMENT_KEY=${gateway.managementKey}`]) {
      await check(text, "A management key");
    }
    const managementHash = createHash("sha256").update(gateway.managementKey).digest("hex");
    await check(`${managementHash} and ${key}`, "Ours: found-in-a-log", "A management key");
    await check(`${key} sk-gh-v1-cutoff`, "Ours: found-in-a-log", "1 text begins like a key but is cut off");
    const ended = await endingSoon((expires_at) =>
      api(createManagementKey, { body: { name: "left-the-company", expires_at } }),
    );
    await expect.poll(() => Date.now(), { timeout: 300_000 }).toBeGreaterThan(Date.parse(ended.data.expires_at ?? ""));
    await check(ended.key, "it no longer works. Never used.");
    expect(sent.filter((text) => text.includes(randomPart(key)))).toEqual([]);
    expect(sent.filter((text) => text.includes(gateway.managementKey))).toEqual([]);
    expect(sent.join()).toContain(data.hash);
    await check(`${managementHash} and ${key}`, "Ours: found-in-a-log", "A management key");
    await dialog.getByRole("button", { name: "Disable it now" }).click();
    const question = page.getByRole("dialog", { name: "Disable found-in-a-log" });
    await question.getByRole("button", { name: "Disable key" }).click();
    // While the question is open, the dialog under it is hidden with all of its buttons.
    await expect(question).toHaveCount(0);
    await expect(dialog).toBeVisible();
    await expect(dialog.getByRole("button", { name: "Disable it now" })).toHaveCount(0);
    await page.keyboard.press("Escape");
    await expect(row(page, /found-in-a-log/)).toContainText("Disabled");
  });
});

test("keys: filtered in the address, disabled in bulk, exported", async ({ signedIn: page, part, gateway, api }) => {
  await part("filters live in the address, and say what they hide", async (workspace) => {
    for (const name of ["alpha", "beta", "gamma"]) await makeKey(api, workspace, { name });
    const { data: off } = await makeKey(api, workspace, { name: "alpha-off" });
    await api(updateKey, { params: { hash: off.hash }, body: { disabled: true } });
    const list = gateway.url + paths.keys(workspace.slug);
    await page.goto(list);
    const tabs = page.getByRole("navigation", { name: "Keys by status" });
    await expect(tabs.getByRole("link", { name: /^All/ })).toContainText("4");
    await tabs.getByRole("link", { name: /^Disabled/ }).click();
    await expect(page).toHaveURL(`${list}?status=disabled`);
    await expect(row(page, /alpha-off/)).toBeVisible();
    await expect(row(page, /beta/)).toHaveCount(0);
    await page.goBack();
    await expect(row(page, /beta/)).toBeVisible();
    await page.keyboard.press("/");
    const filter = page.getByRole("searchbox");
    await expect(filter).toBeFocused();
    await filter.fill("alpha");
    await expect(page).toHaveURL(`${list}?q=alpha`);
    await expect(row(page, /alpha/)).toHaveCount(2);
    await expect(row(page, /beta/)).toHaveCount(0);
    await page.getByRole("button", { name: /^Name/ }).click();
    await expect(page).toHaveURL(/sort=name/);
    await expect(page.getByRole("columnheader", { name: "Name" })).toHaveAttribute("aria-sort", "ascending");
    await page.reload();
    await expect(filter).toHaveValue("alpha");
    await expect(row(page, /alpha/)).toHaveCount(2);
    await expect(page.getByRole("row").nth(1)).toContainText("alpha");
    await filter.fill("nothing-like-this");
    await expect(page.getByRole("status").filter({ hasText: "Nothing matches “nothing-like-this”" })).toBeVisible();
    await expect(page.getByRole("heading", { name: "No keys yet" })).toHaveCount(0);
    await page.getByRole("button", { name: /^Clear filters/ }).click();
    await expect(page).toHaveURL(list);
    await expect(row(page, /gamma/)).toBeVisible();
    // the beginning of a hash finds its key too
    await filter.fill(off.hash.slice(0, 12));
    await expect(row(page, /alpha-off/)).toBeVisible();
    await expect(row(page, /gamma/)).toHaveCount(0);
    // what is opened right behind the last letter stays open, and Back leads to what was typed
    await filter.evaluate((field: HTMLInputElement) => {
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(field, "beta");
      field.dispatchEvent(new Event("input", { bubbles: true }));
      field.blur();
      document.getElementById("create-key")?.click();
    });
    await expect(page).toHaveURL(/\/keys\/new\?q=beta$/);
    await expect(page.getByRole("dialog", { name: "Create an API key" })).toBeVisible();
    await page.goBack();
    await expect(page).toHaveURL(`${list}?q=beta`);
    await expect(filter).toHaveValue("beta");
  });
  await part("a range with Shift, how many are selected, and all of them disabled", async (workspace) => {
    for (const name of ["one", "two", "three", "four"]) await makeKey(api, workspace, { name });
    await page.goto(paths.keys(workspace.slug));
    await page.getByRole("checkbox", { name: "Select four" }).check();
    await page.getByRole("checkbox", { name: "Select two" }).click({ modifiers: ["Shift"] });
    await expect(page.getByRole("status").filter({ hasText: "3 keys selected" })).toBeVisible();
    await page.getByRole("button", { name: "Disable", exact: true }).click();
    const question = page.getByRole("dialog", { name: "Disable 3 keys" });
    await expect(question.getByRole("listitem")).toHaveText(["four never used", "three never used", "two never used"]);
    await question.getByRole("button", { name: "Disable" }).click();
    await expectToast(page, "3 keys are disabled.");
    const { data } = await api(listKeys, { query: { workspace_id: workspace.id, include_disabled: "true" } });
    expect(data.map(({ name, disabled }) => [name, disabled])).toEqual([
      ["four", true],
      ["three", true],
      ["two", true],
      ["one", false],
    ]);
    await expect(page.getByText("3 keys selected")).toHaveCount(0);

    // of more than can be read at a glance the number of the others is said
    for (let index = 1; index <= 9; index += 1) await makeKey(api, workspace, { name: `more-${index}` });
    await page.reload();
    await page.getByRole("checkbox", { name: "Select more-9" }).check();
    await page.getByRole("checkbox", { name: "Select more-1" }).click({ modifiers: ["Shift"] });
    await page.getByRole("button", { name: "Disable", exact: true }).click();
    const names = page.getByRole("dialog", { name: "Disable 9 keys" }).getByRole("listitem");
    await expect(names).toHaveCount(8);
    await expect(names.last()).toHaveText("and 2 more");
  });
  await part("Undo enables again what was disabled and nothing else; Enable the rest", async (workspace) => {
    for (const name of ["one", "two"]) await makeKey(api, workspace, { name });
    const { data: off } = await makeKey(api, workspace, { name: "off" });
    await api(updateKey, { params: { hash: off.hash }, body: { disabled: true } });
    const states = async () => {
      const { data } = await api(listKeys, { query: { workspace_id: workspace.id, include_disabled: "true" } });
      return data.map(({ name, disabled }) => `${name} ${disabled ? "off" : "on"}`);
    };
    await page.goto(paths.keys(workspace.slug));
    for (const name of ["one", "two", "off"]) await page.getByRole("checkbox", { name: `Select ${name}` }).check();
    await page.getByRole("button", { name: "Disable", exact: true }).click();
    await holdToasts(page);
    await page.getByRole("dialog", { name: "Disable 2 keys" }).getByRole("button", { name: "Disable" }).click();
    await expectToast(page, "2 keys are disabled.");
    expect(await states()).toEqual(["off off", "two off", "one off"]);
    await page.getByRole("button", { name: "Undo" }).click();
    await expectToast(page, "2 keys are enabled.");
    expect(await states()).toEqual(["off off", "two on", "one on"]);

    await page.getByRole("checkbox", { name: "Select off" }).check();
    await page.getByRole("button", { name: "Enable", exact: true }).click();
    await expectToast(page, "1 key is enabled.");
    expect(await states()).toEqual(["off on", "two on", "one on"]);
  });
  await part("every matching key as CSV, safe for spreadsheets, without a secret", async (workspace) => {
    const { key } = await makeKey(api, workspace, { name: '=HYPERLINK("x"), y', limit: 0.000_001 });
    for (let index = 0; index < 120; index++) await makeKey(api, workspace, { name: `key-${index}` });
    await page.goto(paths.keys(workspace.slug));
    const downloading = page.waitForEvent("download");
    await page.getByRole("button", { name: "Export 121 rows" }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toMatch(
      new RegExp(`^keys_${workspace.slug}_\\d{4}-\\d\\d-\\d\\dT\\d{6}Z\\.csv$`),
    );
    await expectToast(page, "121 keys exported");
    const chunks: Buffer[] = [];
    for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString("utf8");
    expect(text.startsWith("\uFEFFhash,name,")).toBe(true);
    const lines = text.trimEnd().split("\r\n");
    expect(lines).toHaveLength(122);
    const last = lines.at(-1) ?? "";
    expect(last).toContain(`"'=HYPERLINK(""x""), y"`);
    expect(last).toContain(",0.000001,");
    expect(last).toMatch(/,\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z,/);
    expect(text).not.toContain(randomPart(key));
  });
});

test("the list stands without the workspaces' names @long", async ({ signedIn: page, workspace, api }) => {
  await makeKey(api, workspace, { name: "nameless-place" });
  await failUntilClick(page, /\/api\/v1\/workspaces(\?|$)/, {
    status: 400,
    json: { error: { code: 400, message: "No" } },
  });
  await page.goto(paths.keys("all"));
  await expect(row(page, /nameless-place/)).toBeVisible();
  await expect(page.getByText("The names of the workspaces did not load.")).toBeVisible();
  await page.getByRole("button", { name: "Retry" }).click();
  await expect(page.getByText("The names of the workspaces did not load.")).toHaveCount(0);
});
