import { createKey, listKeys } from "#contract/keys.ts";
import { paths } from "#console/paths.ts";
import { browserResidue, expect, expectToast, stopClock, test, enter, fill } from "./fixtures.ts";
import { openNewKey, randomPart, submitNewKey } from "./key-form.ts";

test("sign-in with an ordinary key says that a management key is wanted", async ({ page, api, workspace }) => {
  const { key } = await api(createKey, { body: { name: "ordinary", workspace_id: workspace.id } });
  await page.goto(paths.signIn());
  await expect(page.getByLabel("Management key")).toBeFocused();
  await expect(page.getByLabel("Management key")).toHaveAttribute("type", "password");
  await expect(page.getByLabel("Management key")).toHaveAttribute("autocomplete", "current-password");
  await enter(page.getByLabel("Management key"), key);
  await expect(page.getByRole("alert").filter({ hasText: "ordinary API key" })).toBeVisible();
  await expect(page.getByLabel("Management key")).toHaveValue("");
  expect(await browserResidue(page)).not.toContain(randomPart(key));
});

test("attempts are slowed with a countdown, after which the right key works", async ({ page, gateway }) => {
  await page.clock.install();
  await page.goto(paths.signIn());
  const field = page.getByLabel("Management key");
  const button = page.getByRole("button", { name: "Sign in" });
  const slowed = page.getByRole("alert").filter({ hasText: /Too many attempts\. Try again in \d+ s\./ });
  // the countdown may be of one second only
  await stopClock(page);
  // each wait is twice as long as the one before: an attempt comes in one of them, however slow the machine is
  for (let attempt = 1, status = 0; status !== 429; attempt++) {
    await field.fill(`sk-gh-mgmt-v1-wrong-${attempt}`);
    const answered = page.waitForResponse(
      (response) => response.request().method() === "POST" && response.url().endsWith("/session"),
    );
    await button.click();
    status = (await answered).status();
    await expect(page.getByRole("alert").filter({ hasText: /\w/ })).toBeVisible();
  }
  await expect(slowed).toBeVisible();
  await expect(button).toHaveAttribute("aria-disabled", "true");
  await page.clock.resume();
  await expect(slowed).toBeHidden();
  await field.fill(gateway.managementKey);
  await button.click();
  await expect(page.getByRole("navigation").getByRole("link", { name: "API keys" })).toBeVisible();
});

test("a session renewed under a form, its cookie out of reach", async ({ signedIn: page, gateway, workspace, api }) => {
  await test.step("a session that ends under a form is renewed over it; what was entered stays and is sent once, by a click", async () => {
    let sent = 0;
    page.on("request", (request) => {
      if (request.method() === "POST" && request.url().endsWith("/keys")) sent++;
    });
    const panel = await openNewKey(page, gateway.url, workspace.slug);
    await fill(panel, { Name: "kept-over-sign-in", "Limit in USD": "12" });
    // the session is gone for this one call: it goes out without its cookie, and the gateway refuses it
    await page.route(
      "**/api/v1/keys",
      async (route) => {
        const request = route.request();
        const { cookie: _, ...headers } = await request.allHeaders();
        const answer = await fetch(request.url(), { method: "POST", headers, body: request.postData() });
        await route.fulfill({ status: answer.status, body: await answer.text(), contentType: "application/json" });
      },
      { times: 1 },
    );
    await panel.getByRole("button", { name: /^Create key/ }).click();
    const again = page.getByRole("dialog", { name: "Your session ended" });
    await expect(again).toBeVisible();
    await expect(again.getByLabel("Management key")).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(again).toBeVisible();
    await again.getByLabel("Management key").fill(gateway.managementKey);
    await again.getByRole("button", { name: "Sign in" }).click();
    await expect(again).toBeHidden();
    await expect(panel.getByRole("alert").filter({ hasText: "Your session ended" })).toHaveCount(0);
    await expect(panel.getByLabel("Name")).toHaveValue("kept-over-sign-in");
    await expect(panel.getByLabel("Limit in USD")).toHaveValue("12.00");
    expect(sent).toBe(1);
    const { record } = await submitNewKey(page);
    expect(record).toMatchObject({ name: "kept-over-sign-in", limit: 12 });
    expect((await api(listKeys, { query: { workspace_id: workspace.id } })).data).toHaveLength(1);
  });
  await test.step("the cookie is out of scripts' reach and bound to this site; a forged change is refused", async () => {
    await page.goto(paths.keys("all"));
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("API keys");
    const cookies = await page.context().cookies(gateway.url);
    expect(cookies).toHaveLength(1);
    expect(cookies[0]).toMatchObject({ httpOnly: true, sameSite: "Strict" });
    expect(await page.evaluate(() => document.cookie)).toBe("");
    const forged = await page.evaluate(async () => {
      const response = await fetch("/api/v1/keys", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ name: "forged" }),
      });
      return response.status;
    });
    expect(forged).toBe(403);
  });
});

test("signing out and in again, seen in every tab", async ({ signedIn: page, part, gateway, api }) => {
  await part("signing out hides all that was read, in every tab, and Back brings none back", async (workspace) => {
    await api(createKey, { body: { name: "on-screen", workspace_id: workspace.id } });
    const other = await page.context().newPage();
    for (const tab of [page, other]) {
      await tab.goto(paths.keys(workspace.slug));
      await expect(tab.getByRole("link", { name: "on-screen" })).toBeVisible();
    }
    await page.getByRole("button", { name: /^Account/ }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    for (const tab of [page, other]) {
      await expect(tab.getByLabel("Management key")).toBeVisible();
      expect(await tab.content()).not.toContain("on-screen");
    }
    await expect(page).toHaveURL(paths.signIn());
    await page.goBack();
    await expect(page.getByLabel("Management key")).toBeVisible();
    expect(await page.content()).not.toContain("on-screen");
    // this one was not left on purpose: signing in leads back to it
    await expectToast(other, "You signed out in another tab.");
    await other.getByLabel("Management key").fill(gateway.managementKey);
    await other.getByRole("button", { name: "Sign in" }).click();
    await expect(other).toHaveURL(paths.keys(workspace.slug));
  });
  await part("signing in again in one tab lets the others continue where they were", async (workspace) => {
    await api(createKey, { body: { name: "on-screen", workspace_id: workspace.id } });
    const other = await page.context().newPage();
    const never = await page.context().newPage();
    await page.goto(paths.keys(workspace.slug));
    await other.goto(`${paths.keys(workspace.slug)}?sort=name`);
    await expect(other.getByRole("link", { name: "on-screen" })).toBeVisible();
    await page.getByRole("button", { name: /^Account/ }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await expect(other.getByLabel("Management key")).toBeVisible();
    // this one was opened while nobody was signed in
    await never.goto(paths.workspaces("all"));
    await expect(never.getByLabel("Management key")).toBeVisible();
    await page.getByLabel("Management key").fill(gateway.managementKey);
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect(page).toHaveURL(paths.overview("all"));
    await expect(other).toHaveURL(`${paths.keys(workspace.slug)}?sort=name`);
    await expect(other.getByRole("link", { name: "on-screen" })).toBeVisible();
    await expect(never).toHaveURL(paths.workspaces("all"));
    await expect(never.getByRole("heading", { level: 1 })).toHaveText("Workspaces");
  });
});
