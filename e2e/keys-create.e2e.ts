import type { Page } from "@playwright/test";
import { createEmbeddings } from "#contract/embeddings.ts";
import { createKey, type CreateKeyBody, listKeys } from "#contract/keys.ts";
import { listWorkspaces } from "#contract/workspaces.ts";
import { paths } from "#console/paths.ts";
import { apiOf } from "#gateway/testing/api-client.ts";
import { atRest, comeBack, expect, longRun, roomInThisDay, test, expectTexts, fill, hold } from "./fixtures.ts";
import { answerToPost, openNewKey, showNewKey, submitNewKey } from "./key-form.ts";
import { addPickyModel } from "./playground-page.ts";

/** The bodies of the creations that the page sends, in order. */
function sentCreations(page: Page): CreateKeyBody[] {
  const bodies: CreateKeyBody[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST" && new URL(request.url()).pathname.endsWith("/keys")) {
      bodies.push(request.postDataJSON() as CreateKeyBody);
    }
  });
  return bodies;
}

test("keys-create-happy: every field, and a key that works", async ({ signedIn: page, gateway, workspace, api }) => {
  const sent = sentCreations(page);
  await page.goto(paths.keys(workspace.slug));
  await expect(page.getByRole("heading", { name: "No keys yet" })).toBeVisible();
  await page.getByRole("button", { name: /^Create your first key/ }).click();
  const panel = page.getByRole("dialog", { name: "Create an API key" });
  const summary = panel.locator("[aria-live=polite]");
  await expect(panel.getByLabel("Name")).toBeFocused();
  await expect(panel.getByRole("combobox", { name: "Workspace" })).toHaveValue(workspace.name);
  // what a limit has in addition is there once there is a limit
  await expect(panel.getByRole("radio", { name: "Weekly" })).toBeHidden();

  await panel.getByLabel("Name").fill("  prod-search  ");
  await panel.getByRole("radio", { name: "Limit to" }).check();
  await panel.getByLabel("Limit in USD").fill("$ 1,050");
  await panel.getByLabel("Limit in USD").blur();
  await expect(panel.getByLabel("Limit in USD")).toHaveValue("1050.00");
  await panel.getByText("Weekly", { exact: true }).click();
  await expect(panel.getByText(/Weeks run Monday to Sunday/)).toBeVisible();
  await panel.getByRole("checkbox", { name: "Count BYOK usage toward the limit" }).check();
  await panel.getByText("90 days", { exact: true }).click();
  await expect(panel.getByLabel("Expiry time, UTC")).toHaveValue("23:59:59");
  const day = await panel.getByLabel("Expiry date, UTC").inputValue();
  await expect(panel.getByText(/in Europe\/Berlin \(UTC\+\d\) · in 90 days/)).toBeVisible();
  await expect(summary).toHaveText(
    new RegExp(
      `^A key for ${workspace.name}, at most \\$1,050\\.00 a week, counting BYOK, until \\d+ \\w{3} \\d{4} 23:59 UTC\\.$`,
    ),
  );
  await panel.getByText("As an API call").click();
  await expect(panel.getByRole("group").getByText('"limit_reset"')).toBeVisible();

  const { panel: reveal, key, record } = await submitNewKey(page);
  expect(sent).toEqual([
    {
      name: "prod-search",
      workspace_id: workspace.id,
      limit: 1050,
      limit_reset: "weekly",
      include_byok_in_limit: true,
      expires_at: `${day}T23:59:59Z`,
    },
  ]);
  // the form was replaced inside the same dialog, and the row is there already
  await expect(page.getByRole("dialog")).toHaveCount(1);
  await reveal.getByRole("checkbox", { name: "I have stored it" }).check();
  const answer = await apiOf(gateway, key)(createEmbeddings, {
    body: { model: "gatehouse/lexical", input: "container held at customs" },
  });
  expect(answer.data[0]?.embedding.length).toBeGreaterThan(100);
  await expect(reveal.getByText(/^First call, \d\d:\d\d:\d\d UTC$/)).toBeVisible();
  await reveal.getByRole("button", { name: "Done" }).click();
  const row = page.getByRole("row", { name: /prod-search/ });
  await expectTexts(row, "$1,050.00", "Active");
  expect((await api(listKeys, { query: { workspace_id: workspace.id } })).data.map(({ hash }) => hash)).toEqual([
    record.hash,
  ]);
});

test("keys-create: workspaces that come late or not at all", async ({ signedIn: page, part, gateway, api }) => {
  await part("a read that fails later takes no field away, and says nothing untrue", async (workspace) => {
    const panel = await openNewKey(page, gateway.url, workspace.slug);
    const field = panel.getByRole("combobox", { name: "Workspace" });
    await expect(field).toHaveValue(workspace.name);
    let refused = 0;
    await page.route(/\/api\/v1\/workspaces(\?|$)/, async (route) => {
      await route.fulfill({ status: 403, body: "{}" });
      refused += 1;
    });
    // the page asks again only once it has taken in the first refusal
    await comeBack(page, () => refused > 1);
    await expect(field).toHaveValue(workspace.name);
    await expect(panel.getByText("The workspaces did not load")).toHaveCount(0);
  });
  await part("sent before the workspaces are read, it is made in that of the address", async (workspace) => {
    const read = await hold(page, /\/api\/v1\/workspaces\?/);
    const sent = sentCreations(page);
    const panel = await openNewKey(page, gateway.url, workspace.slug);
    await panel.getByLabel("Name").fill("early");
    await expect(panel.getByText(workspace.slug).first()).toBeVisible();
    await panel.getByRole("button", { name: /^Create key/ }).click();
    await expect(panel.getByRole("button", { name: /^Create key/ })).toHaveAttribute("aria-disabled", "true");
    expect(sent).toEqual([]);
    read();
    await expect(page.getByRole("dialog", { name: "Save your key" })).toBeVisible();
    expect((await api(listKeys, { query: { workspace_id: workspace.id } })).data.map(({ name }) => name)).toEqual([
      "early",
    ]);
  });
  await part("the name can be typed while the workspaces are still being read", async (workspace) => {
    const standard = (await api(listWorkspaces)).data.find((one) => one.is_default);
    const answer = await hold(page, /\/api\/v1\/workspaces\?/);
    const sent = sentCreations(page);
    const panel = await openNewKey(page, gateway.url, "all");
    await panel.getByLabel("Name").fill("typed-early");
    answer();
    await expect(panel.getByRole("combobox", { name: "Workspace" })).toHaveValue(standard?.name ?? "");
    await expect(panel.getByLabel("Name")).toHaveValue("typed-early");
    await panel.getByRole("combobox", { name: "Workspace" }).fill(workspace.slug);
    await page.keyboard.press("Enter");
    await submitNewKey(page);
    expect(sent.map(({ workspace_id }) => workspace_id)).toEqual([workspace.id]);
  });
});

test("keys-create: a limit's past, and one key for two clicks", async ({ signedIn: page, part, gateway, api }) => {
  await part("a limit says what it would have refused of the workspace's calls, or of one key's", async (workspace) => {
    const slug = `past-${workspace.slug.slice(-6)}`;
    const vendor = await addPickyModel(api, slug);
    await roomInThisDay();
    for (const [name, calls] of [
      ["often", 2],
      ["once", 1],
    ] as const) {
      const { key } = await api(createKey, { body: { name, workspace_id: workspace.id } });
      for (let call = 0; call < calls; call += 1)
        await apiOf(gateway, key)(createEmbeddings, { body: { model: `${slug}/embed`, input: `${name} ${call}` } });
    }
    const panel = await openNewKey(page, gateway.url, workspace.slug);
    const picture = panel.getByRole("figure", { name: "What this limit would have done" });
    await panel.getByLabel("Name").fill("new");
    await expect(picture).toBeHidden();
    await panel.getByLabel("Limit in USD").fill("0.000000001");
    // no key of the workspace is like it
    const tried = panel.getByLabel("Tried on the calls of");
    await expect(tried.locator("option:checked")).toHaveText("Choose a key");
    await expect(picture).toBeHidden();
    await tried.selectOption(`All keys in ${workspace.name}`);
    await expect(picture).toContainText(
      `Of the calls of all keys in ${workspace.name} in the last 30 days, it would have refused about 3, on 1 of 30 days.`,
    );
    await tried.selectOption("once");
    await expect(picture).toContainText("Of the calls of once in the last 30 days, it would have refused about 1,");
    await panel.getByRole("checkbox", { name: "Only watch the limit" }).check();
    await expect(picture).toContainText("about 1 would have gone beyond it, on 1 of 30 days.");
    await tried.selectOption(`All keys in ${workspace.name}`);
    await panel.getByLabel("Limit in USD").fill("5");
    await expect(picture).toContainText("none would have gone beyond it");
    await panel.getByRole("radio", { name: "No limit" }).check();
    await expect(picture).toBeHidden();
    await vendor.close();
  });
  await part("Enter and Ctrl+Enter send the form, a double click on Create makes one key", async (workspace) => {
    const sent = sentCreations(page);
    const panel = await openNewKey(page, gateway.url, workspace.slug);
    await panel.getByLabel("Name").fill("double");
    // The second click comes as late as it can: where the first one was, the dialog now has a button of its own.
    const reveal = page.getByRole("dialog", { name: "Save your key" });
    await atRest(page);
    await page.getByRole("button", { name: /^Create key/ }).hover();
    for (const clickCount of [1, 2]) {
      await page.mouse.down({ clickCount });
      await page.mouse.up({ clickCount });
      await expect(reveal).toBeVisible();
    }
    await expect(reveal.getByText("You have not saved this key")).toBeHidden();
    await reveal.getByText("I have stored it").click();
    await reveal.getByRole("button", { name: "Done" }).click();
    expect(sent).toHaveLength(1);

    const twice = await openNewKey(page, gateway.url, workspace.slug);
    await twice.getByLabel("Name").fill("twice");
    await page.getByRole("button", { name: /^Create key/ }).dblclick();
    await reveal.getByText("I have stored it").click();
    await reveal.getByRole("button", { name: "Done" }).click();
    expect(sent).toHaveLength(2);

    const again = await openNewKey(page, gateway.url, workspace.slug);
    await again.getByLabel("Name").fill("by-keyboard");
    await again.getByRole("radio", { name: "No limit" }).focus();
    await page.keyboard.press("Control+Enter");
    await expect(reveal).toBeVisible();
    const names = (await api(listKeys, { query: { workspace_id: workspace.id } })).data.map((key) => key.name);
    expect(names.toSorted()).toEqual(["by-keyboard", "double", "twice"]);
  });
});

test("keys-create: missing, wrong, in use or 0 at its field", async ({ signedIn: page, part, gateway, api }) => {
  await part("what is missing or wrong is said at its field, and goes the moment it is mended", async (workspace) => {
    const sent = sentCreations(page);
    const panel = await openNewKey(page, gateway.url, workspace.slug);
    const name = panel.getByLabel("Name");
    const create = page.getByRole("button", { name: /^Create key/ });
    // it is never disabled for what is invalid
    await expect(create).toBeEnabled();
    await create.click();
    await expect(name).toBeFocused();
    await expect(name).toHaveAttribute("aria-invalid", "true");
    await expect(name).toHaveAccessibleDescription(/Enter a name/);
    await name.pressSequentially("a");
    await expect(name).not.toHaveAttribute("aria-invalid", "true");

    await panel.getByRole("radio", { name: "Limit to" }).check();
    const limit = panel.getByLabel("Limit in USD");
    for (const [typed, said] of [
      ["-5", /cannot be negative/],
      ["1e3", /without an exponent/],
      ["1,5", /Use a point for cents/],
      ["0.1234567891", /At most nine decimals/],
      ["five", /such as 50/],
    ] as const) {
      await limit.fill(typed);
      await limit.blur();
      await expect(limit).toHaveAccessibleDescription(said);
    }
    await limit.fill("5");
    await expect(limit).not.toHaveAttribute("aria-invalid", "true");
    await limit.focus();
    await page.mouse.wheel(0, 200);
    await page.keyboard.press("ArrowUp");
    await expect(limit).toHaveValue("5");

    await panel.getByLabel("Expiry date, UTC").fill("2020-01-01");
    await create.click();
    await expect(panel.getByLabel("Expiry date, UTC")).toHaveAccessibleDescription(/at least 5 minutes from now/);
    expect(sent).toEqual([]);
  });
  await part("a name that is in use is a warning, not a refusal; the counter comes near the end", async (workspace) => {
    await api(createKey, { body: { name: "twice", workspace_id: workspace.id } });
    const panel = await openNewKey(page, gateway.url, workspace.slug);
    const name = panel.getByLabel("Name");
    await name.fill("twice");
    await expect(name).toHaveAccessibleDescription("Another key in this workspace has this name.");
    await name.fill("x".repeat(50));
    await expect(name).toHaveAccessibleDescription("50 of 64");
    await name.fill("مفتاح 🔑");
    const { record } = await submitNewKey(page);
    expect(record.name).toBe("مفتاح 🔑");
  });
  await part("no limit and a limit of 0 are two choices, and 0 is asked about", async (workspace) => {
    const sent = sentCreations(page);
    const first = await showNewKey(page, gateway.url, workspace.slug, "unlimited");
    await first.panel.getByText("I have stored it").click();
    await first.panel.getByRole("button", { name: "Done" }).click();
    const panel = await openNewKey(page, gateway.url, workspace.slug);
    await fill(panel, { Name: "nothing-paid", "Limit in USD": "0" });
    await page.getByRole("button", { name: /^Create key/ }).click();
    const question = panel.getByRole("group", { name: "This key will refuse every paid call. Keep 0?" });
    await expect(question.getByRole("button", { name: /^Go back/ })).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(question).toBeHidden();
    expect(sent).toHaveLength(1);
    await page.getByRole("button", { name: /^Create key/ }).click();
    const answered = answerToPost(page, "/keys");
    await question.getByRole("button", { name: "Keep 0" }).click();
    await answered;
    await page.getByRole("dialog", { name: "Save your key" }).getByText("I have stored it").click();
    await page.getByRole("button", { name: "Done" }).click();
    expect(sent.map(({ limit, limit_reset, expires_at }) => ({ limit, limit_reset, expires_at }))).toEqual([
      { limit: null, limit_reset: null, expires_at: null },
      { limit: 0, limit_reset: null, expires_at: null },
    ]);
    await expect(page.getByRole("row", { name: /unlimited/ })).toContainText("No limit");
    await expect(page.getByRole("row", { name: /nothing-paid/ })).toContainText("$0.00");
  });
});

test("keys-create, K-15: nothing closes a panel that is waiting", async ({ signedIn: page, workspace }) => {
  await page.clock.install();
  // the page waits for an answer by another clock than that
  await page.addInitScript(() => (AbortSignal.timeout = () => new AbortController().signal));
  let answer: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (answer = resolve));
  await page.route("**/api/v1/keys", async (route) => {
    if (route.request().method() === "POST") await held;
    await route.continue();
  });
  await page.goto(paths.keys(workspace.slug));
  await page.getByRole("link", { name: /^Create key/ }).click();
  const panel = page.getByRole("dialog", { name: "Create an API key" });
  await panel.getByLabel("Name").fill("slow");
  const create = panel.getByRole("button", { name: /^Create key/ });
  await create.click();
  await expect(create).toHaveAttribute("aria-disabled", "true");
  await page.keyboard.press("Escape");
  await panel.getByRole("button", { name: "Close", exact: true }).click();
  await page.goBack();
  await expect(panel).toBeVisible();
  await expect(page).toHaveURL(paths.newKey(workspace.slug));
  await page.clock.fastForward(9_000);
  await expect(panel.getByRole("status").filter({ hasText: "Still waiting for the gateway" })).toBeVisible();
  answer();
  await expect(page.getByRole("dialog", { name: "Save your key" })).toBeVisible();
});

test("keys-create: drafts are offered, and none is left behind", async ({ signedIn: page, part, gateway }) => {
  await part("a draft survives a reload, and is offered", async (workspace) => {
    page.on("dialog", (dialog) => void dialog.accept());
    const panel = await openNewKey(page, gateway.url, workspace.slug);
    await panel.getByLabel("Name").fill("drafted");
    await expect.poll(() => page.evaluate(() => JSON.stringify({ ...sessionStorage }))).toContain("drafted");
    await page.reload();
    await expect(panel.getByLabel("Name")).toHaveValue("");
    await panel.getByRole("button", { name: "Restore draft" }).click();
    await expect(panel.getByLabel("Name")).toHaveValue("drafted");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Leave" }).click();
    await expect(panel).toBeHidden();
    await expect.poll(() => page.evaluate(() => JSON.stringify({ ...sessionStorage }))).not.toContain("drafted");
  });
  await part("what was submitted leaves no draft", async (workspace) => {
    const panel = await openNewKey(page, gateway.url, workspace.slug);
    await panel.getByLabel("Name").fill("made-at-once");
    // the save waits for typing to rest; a clock that stands still keeps it waiting until after the key is made
    await page.clock.install();
    await panel.getByLabel("Name").fill("made-at-once-2");
    await submitNewKey(page);
    await page.clock.runFor(5_000);
    expect(await page.evaluate(() => Object.keys(sessionStorage))).not.toContain("gatehouse.draft.createKey");
  });
});

const zones = [
  ["Pacific/Kiritimati", "UTC+14"],
  ["UTC", ""],
  ["Pacific/Honolulu", "UTC-10"],
  ["Australia/Lord_Howe", "UTC+1[01]"],
] as const;

for (const [zone, offset] of longRun ? zones : zones.slice(0, 1)) {
  test.describe(() => {
    test.use({ timezoneId: zone });
    test(`expiry-timezones: ${zone} sends the UTC it was given`, async ({ signedIn: page, gateway, workspace }) => {
      const sent = sentCreations(page);
      const panel = await openNewKey(page, gateway.url, workspace.slug);
      await fill(panel, { Name: "zoned", "Expiry date, UTC": "2031-02-28", "Expiry time, UTC": "23:59:59" });
      const here = new Intl.DateTimeFormat("en-GB", {
        timeZone: zone,
        weekday: "short",
        day: "numeric",
        hour: "2-digit",
        minute: "2-digit",
        hourCycle: "h23",
      })
        .formatToParts(new Date("2031-02-28T23:59:59Z"))
        .reduce<Record<string, string>>((all, { type, value }) => ({ ...all, [type]: value }), {});
      // the form is the same in every browser: no 02/28/2031 11:59:59 PM
      await expect(panel.getByLabel("Expiry date, UTC")).toHaveAttribute("type", "text");
      await expect(panel.getByLabel("Expiry time, UTC")).toHaveAttribute("type", "text");
      const line = panel.getByText(
        new RegExp(`^= ${here["weekday"]} ${here["day"]} \\w{3} 2031, ${here["hour"]}:${here["minute"]} in `),
      );
      await expect(line).toContainText(zone);
      if (offset !== "") await expect(line).toContainText(new RegExp(offset.replace("+", "\\+").replace("-", "[-−]")));
      if (here["day"] !== "28") await expect(panel.getByText(/ends on a different date where you are/)).toBeVisible();
      // a pasted instant with an offset is taken, and the conversion is stated
      await panel.getByLabel("Expiry date, UTC").evaluate((field) => {
        const data = new DataTransfer();
        data.setData("text/plain", "2031-03-01T09:30:00+14:00");
        field.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
      });
      await expect(panel.getByLabel("Expiry date, UTC")).toHaveValue("2031-02-28");
      await expect(panel.getByLabel("Expiry time, UTC")).toHaveValue("19:30:00");
      await expect(panel.getByRole("status").filter({ hasText: "Converted" })).toContainText("2031-02-28 19:30:00 UTC");
      const { record } = await submitNewKey(page);
      expect(sent[0]?.expires_at).toBe("2031-02-28T19:30:00Z");
      expect(new Date(record.expires_at ?? 0).toISOString()).toBe("2031-02-28T19:30:00.000Z");
    });
  });
}
