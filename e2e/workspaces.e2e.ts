import { createKey, deleteKey, listKeys } from "#contract/keys.ts";
import { deleteWorkspace, getWorkspace, listWorkspaces, updateWorkspace } from "#contract/workspaces.ts";
import { paths } from "#console/paths.ts";
import {
  atRest,
  chooseFromRow,
  comeBack,
  expect,
  expectToast,
  holdToasts,
  pressInRow,
  readOnlyAfterSaving,
  row,
  test,
  enter,
  fill,
} from "./fixtures.ts";
import { loseAnswer, notKnown } from "./lost-answer.ts";

test("a workspace is created once, and edited by its changes alone", async ({ signedIn: page, part, api }) => {
  await part("a workspace is created, its slug follows its name, and it is one click away", async () => {
    await page.goto(paths.workspaces("all"));
    await page.getByRole("link", { name: /^Create workspace/ }).click();
    const panel = page.getByRole("dialog", { name: "Create a workspace" });
    const slug = panel.getByLabel("Slug");
    await panel.getByRole("button", { name: /^Create workspace/ }).click();
    await expect(panel.getByLabel("Name")).toBeFocused();
    await expect(panel.getByLabel("Name")).toHaveAttribute("aria-invalid", "true");
    const name = `Prüf Team ${Date.now()}`;
    await panel.getByLabel("Name").fill(name);
    await expect(slug).toHaveValue(/^pruf-team-\d+$/);
    await slug.fill("Not A Slug");
    await slug.blur();
    await expect(slug).toHaveAttribute("aria-invalid", "true");
    const own = `pruf-${Date.now()}`;
    await slug.fill(own);
    await expect(slug).not.toHaveAttribute("aria-invalid", "true");
    await panel.getByLabel(/^Description/).fill("What is being tried");
    await holdToasts(page);
    await panel.getByRole("button", { name: /^Create workspace/ }).click();
    await expect(panel).toBeHidden();
    await expectToast(page, `${name} was created.`);
    await expect(row(page, own)).toContainText("What is being tried");
    await page.getByRole("button", { name: "Show it" }).click();
    await expect(page).toHaveURL(paths.keys(own));
    expect((await api(getWorkspace, { params: { id: own } })).data.name).toBe(name);
  });
  await part("a slug that is taken is refused at its field", async (workspace) => {
    await page.goto(paths.newWorkspace("all"));
    const panel = page.getByRole("dialog", { name: "Create a workspace" });
    await fill(panel, { Name: "Another", Slug: workspace.slug });
    await panel.getByRole("button", { name: /^Create workspace/ }).click();
    await expect(panel.getByText(/belongs to another workspace/).first()).toBeVisible();
    await expect(panel.getByLabel("Name")).toHaveValue("Another");
  });
  await part("a workspace whose answer was lost is not created twice", async (workspace) => {
    await page.goto(paths.newWorkspace("all"));
    const panel = page.getByRole("dialog", { name: "Create a workspace" });
    const name = `Lost beside ${workspace.slug}`;
    await panel.getByLabel("Name").fill(name);
    await loseAnswer(page, "/workspaces");
    await panel.getByRole("button", { name: /^Create workspace/ }).click();
    await expect(panel.getByText(notKnown)).toBeVisible();
    await panel.getByRole("button", { name: /^Create workspace/ }).click();
    await expectToast(page, `${name} was created.`);
    // the other journeys' workspaces are many pages by now
    const found = [];
    let total = Number.POSITIVE_INFINITY;
    for (let offset = 0; offset < total; offset += 100) {
      const list = await api(listWorkspaces, { query: { limit: "100", offset: String(offset) } });
      total = list.total_count;
      found.push(...list.data.filter((each) => each.name === name));
    }
    expect(found).toHaveLength(1);
  });
  await part("it is edited by its changes alone, and its new slug takes the address along", async (workspace) => {
    const sent: unknown[] = [];
    page.on("request", (request) => {
      if (request.method() === "PATCH") sent.push(request.postDataJSON());
    });
    await page.goto(paths.workspaces(workspace.slug));
    await chooseFromRow(page, workspace.slug, "Edit");
    const panel = page.getByRole("dialog", { name: `Edit ${workspace.name}` });
    await expect(panel.getByRole("button", { name: /^Save changes/ })).toHaveAttribute("aria-disabled", "true");
    await panel.getByLabel("Slug").fill(`${workspace.slug}-new`);
    await panel.getByRole("button", { name: /^Save changes/ }).click();
    await expect(panel).toBeHidden();
    expect(sent).toEqual([{ slug: `${workspace.slug}-new` }]);
    await expect(page).toHaveURL(paths.workspaces(`${workspace.slug}-new`));
    await expect(row(page, `${workspace.slug}-new`)).toBeVisible();
  });
});

test("what happens to a workspace elsewhere takes no form with it", async ({ signedIn: page, part, api }) => {
  await part("what somebody else changed is said, and neither change is lost", async (workspace) => {
    const sent: unknown[] = [];
    page.on("request", (request) => {
      if (request.method() === "PATCH") sent.push(request.postDataJSON());
    });
    await page.goto(paths.editWorkspace("all", workspace.slug));
    const panel = page.getByRole("dialog", { name: `Edit ${workspace.name}` });
    await panel.getByLabel("Name").fill("Mine");
    const theirs = { description: "Theirs", name: "Theirs too" };
    await readOnlyAfterSaving(page, `/workspaces/${workspace.id}`);
    await api(updateWorkspace, { params: { id: workspace.id }, body: theirs });
    await panel.getByRole("button", { name: /^Save changes/ }).click();
    const followed = page.getByRole("dialog", { name: "Edit Theirs too" });
    const notice = followed.getByRole("status").filter({ hasText: "Someone else changed this workspace." });
    await expect(notice.getByRole("listitem")).toHaveText([
      `Name: ${workspace.name} → Theirs too`,
      "Description: None → Theirs",
    ]);
    await expect(followed.getByLabel("Name")).toHaveValue("Mine");
    await expect(followed.getByLabel(/^Description/)).toHaveValue("Theirs");
    await followed.getByRole("button", { name: /^Save changes/ }).click();
    await expect(followed).toBeHidden();
    expect(sent).toEqual([{ name: "Mine" }, { name: "Mine" }]);
    expect((await api(getWorkspace, { params: { id: workspace.id } })).data).toMatchObject({
      name: "Mine",
      description: "Theirs",
    });
  });
  await part("a filled form stays, and its key is made in no other workspace", async (workspace) => {
    await page.goto(paths.newKey(workspace.slug));
    const panel = page.getByRole("dialog", { name: "Create an API key" });
    await expect(panel.getByRole("combobox", { name: "Workspace" })).toHaveValue(workspace.name);
    await panel.getByLabel("Name").fill("half-done");
    // the gateway's refusal is the first that the page hears of it
    const sent = page.waitForRequest((request) => request.method() === "POST" && request.url().endsWith("/keys"));
    await page.route(/\/api\/v1\/workspaces\?/, async (route) => {
      await sent;
      await route.continue();
    });
    await api(deleteWorkspace, { params: { id: workspace.id } });
    await panel.getByRole("button", { name: /^Create key/ }).click();
    await expect(panel.getByRole("alert").filter({ hasText: "was deleted elsewhere" })).toBeVisible();
    await expect(panel.getByLabel("Name")).toHaveValue("half-done");
    const { data } = await api(listKeys, { query: { q: "half-done" } });
    expect(data).toEqual([]);
    await page.keyboard.press("Escape");
    await panel.getByRole("button", { name: "Leave" }).click();
    await expect(panel).toBeHidden();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("This workspace was deleted");
  });
  await part("while it is edited: it can no longer be saved, and what was typed stays", async (workspace) => {
    await page.goto(paths.editWorkspace("all", workspace.slug));
    const panel = page.getByRole("dialog", { name: `Edit ${workspace.name}` });
    await panel.getByLabel("Name").fill("half-done");
    await api(deleteWorkspace, { params: { id: workspace.id } });
    const notice = panel.getByRole("alert").filter({ hasText: "This workspace was deleted elsewhere" });
    await comeBack(page, () => notice.isVisible());
    await expect(panel.getByRole("button", { name: /^Save changes/ })).toHaveAttribute("aria-disabled", "true");
    await expect(panel.getByLabel("Name")).toHaveValue("half-done");
  });
  await part("a workspace deleted elsewhere leaves the text of a new key where it is", async (workspace) => {
    await page.goto(paths.newKey(workspace.slug));
    await page.getByRole("dialog").getByLabel("Name").fill("shown-once");
    await page.getByRole("button", { name: /^Create key/ }).click();
    const reveal = page.getByRole("dialog", { name: "Save your key" });
    // taken, so that leaving would ask nothing
    await reveal.getByText("I have stored it").click();
    const [key] = (await api(listKeys, { query: { workspace_id: workspace.id } })).data;
    await api(deleteKey, { params: { hash: key?.hash ?? "" } });
    await api(deleteWorkspace, { params: { id: workspace.id } });
    const notice = reveal.getByRole("alert").filter({ hasText: "was deleted elsewhere" });
    await comeBack(page, () => notice.isVisible());
    await reveal.getByRole("button", { name: "Show", exact: true }).click();
    await expect(reveal.getByText(/gh-|sk-/).first()).toBeVisible();
    await reveal.getByRole("button", { name: "Done" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("This workspace was deleted");
  });
});

test("a workspace is deleted by its name, and left by the switcher", async ({ signedIn: page, part, api }) => {
  await part("refused while it holds an active key, the default one always", async (workspace) => {
    const { data: key } = await api(createKey, { body: { name: "last-one", workspace_id: workspace.id } });
    await page.goto(paths.workspaces("all"));
    await chooseFromRow(page, workspace.slug, "Delete");
    const refused = page.getByRole("dialog", { name: `${workspace.name} can't be deleted` });
    await expect(refused).toContainText("It still holds 1 active key.");
    await refused.getByRole("button", { name: "Show its keys" }).click();
    await expect(page).toHaveURL(paths.keys(workspace.slug));
    await chooseFromRow(page, /last-one/, "Delete");
    await enter(page.getByRole("alertdialog").getByRole("textbox"), "last-one");
    await expectToast(page, "last-one was deleted.");
    await page.getByRole("navigation").getByRole("link", { name: "Workspaces" }).click();
    await chooseFromRow(page, workspace.slug, "Delete");
    const question = page.getByRole("alertdialog", { name: `Delete ${workspace.name}` });
    await question.getByRole("textbox").fill(workspace.name);
    await question.getByRole("button", { name: "Delete workspace" }).click();
    await expect(question).toBeHidden();
    await expect(row(page, workspace.slug)).toHaveCount(0);
    // the address named what is gone
    await expect(page).toHaveURL(paths.workspaces("all"));
    expect(key.workspace_id).toBe(workspace.id);

    const standard = (await api(listWorkspaces)).data.find((one) => one.is_default);
    await page.getByRole("button", { name: `Actions for ${standard?.name}` }).click();
    const item = page.getByRole("menuitem", { name: "Delete" });
    await expect(item).toHaveAttribute("aria-disabled", "true");
    await expect(page.getByRole("menu")).toContainText(/default workspace cannot be deleted/);
  });
  await part("the switcher keeps the section, and an unknown workspace says so", async (workspace) => {
    await page.goto(paths.keys("all"));
    await page.getByRole("button", { name: /^Workspace:/ }).click();
    const field = page.getByRole("combobox", { name: "Workspace" });
    await expect(field).toBeFocused();
    await field.fill(workspace.slug);
    await expect(page.getByRole("option", { name: workspace.name, selected: true })).toBeVisible();
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(paths.keys(workspace.slug));
    await expect(page.getByRole("button", { name: /^Workspace:/ })).toContainText(workspace.name);
    const switcher = page.getByRole("dialog", { name: "Switch the workspace" });
    await pressInRow(page, ["g", "w"], () => switcher.isVisible());
    await expect(field).toBeFocused();
    await page.keyboard.press("Escape");
    await page.goto(paths.keys("no-such-one"));
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("There is no such workspace");
    await page.getByRole("link", { name: "Show all workspaces" }).click();
    await expect(page).toHaveURL(paths.workspaces("all"));
  });
});

test("a workspace deleted elsewhere says so, and leads out @long", async ({ signedIn: page, workspace, api }) => {
  await page.clock.install();
  await page.goto(paths.keys(workspace.slug));
  await expect(page.getByRole("heading", { name: "No keys yet" })).toBeVisible();
  await api(deleteWorkspace, { params: { id: workspace.id } });
  await page.clock.fastForward(31_000);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("This workspace was deleted");
  await expect(page.getByText(`“${workspace.name}” was deleted elsewhere.`)).toBeVisible();
  await page.getByRole("link", { name: "Show all workspaces" }).click();
  await expect(page).toHaveURL(paths.workspaces("all"));
  await page.goBack();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("This workspace was deleted");
});

test("a form stays when the list of workspaces is late @long", async ({ signedIn: page, workspace }) => {
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  const asked = page.waitForRequest(/\/api\/v1\/workspaces(\?|$)/);
  await page.route(/\/api\/v1\/workspaces(\?|$)/, async (route) => {
    await held;
    await route.continue();
  });
  let reads = 0;
  page.on("request", (request) => {
    if (request.url().includes(`/api/v1/workspaces/${workspace.slug}`)) reads += 1;
  });
  await page.goto(paths.editWorkspace("all", workspace.slug));
  await asked;
  const panel = page.getByRole("dialog", { name: /^Edit/ });
  await expect(panel).toBeVisible();
  const name = panel.getByLabel("Name");
  // a form that does not wait for the list takes what a person types; the list must not take it away again
  const early = reads > 0;
  if (early) await name.fill("half-done");
  release();
  if (early) await expect(name).toHaveValue("half-done");
  else await name.fill("half-done");
  await atRest(page);
  await expect(name).toHaveValue("half-done");
  await expect(panel.getByRole("button", { name: /^Save changes/ })).not.toHaveAttribute("aria-disabled", "true");
});

test("a workspace renamed elsewhere is followed", async ({ signedIn: page, workspace, api }) => {
  await page.clock.install();
  const first = `${workspace.slug}-first`;
  await page.goto(`${paths.keys(workspace.slug)}?status=disabled`);
  await expect(page.getByRole("button", { name: /^Workspace:/ })).toContainText(workspace.name);
  await api(updateWorkspace, { params: { id: workspace.id }, body: { slug: first, name: "Called otherwise" } });
  await page.clock.fastForward(31_000);
  await expect(page).toHaveURL(`${paths.keys(first)}?status=disabled`);
  await expect(page.getByRole("button", { name: /^Workspace:/ })).toContainText("Called otherwise");

  await page.getByRole("link", { name: /^Create key/ }).click();
  const panel = page.getByRole("dialog", { name: "Create an API key" });
  await panel.getByLabel("Name").fill("under-way");
  const second = `${workspace.slug}-second`;
  await api(updateWorkspace, { params: { id: workspace.id }, body: { slug: second } });
  await page.clock.fastForward(31_000);
  await expect(page).toHaveURL(new RegExp(paths.newKey(second)));
  await expect(panel.getByLabel("Name")).toHaveValue("under-way");
  await panel.getByRole("button", { name: /^Create key/ }).click();
  await expect(page.getByRole("dialog", { name: "Save your key" })).toBeVisible();
  const { data } = await api(listKeys, { query: { workspace_id: workspace.id } });
  expect(data.map(({ name }) => name)).toEqual(["under-way"]);
});
