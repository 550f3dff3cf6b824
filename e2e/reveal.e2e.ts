import { readFile } from "node:fs/promises";
import { deleteKey, getKey } from "#contract/keys.ts";
import { createEmbeddings } from "#contract/embeddings.ts";
import { paths } from "#console/paths.ts";
import { apiOf } from "#gateway/testing/api-client.ts";
import { animated, browserResidue, expect, expectToast, stopClock, test, fill, hold } from "./fixtures.ts";
import { gateOf, openNewKey, randomPart, showNewKey, submitNewKey } from "./key-form.ts";

test.use(animated);

test("reveal: what the dialog says, has and copies", async ({ signedIn: page, part, gateway }) => {
  await part("the dialog says that the key is shown once, and Copy has the focus", async (workspace) => {
    const { panel } = await showNewKey(page, gateway.url, workspace.slug, "prod-search");
    await expect(panel).toHaveAttribute("role", "dialog");
    await expect(panel).toHaveAccessibleName("Save your key");
    await expect(panel).toHaveAccessibleDescription(/only time Gatehouse shows it/);
    await expect(panel.getByRole("button", { name: "Copy key" })).toBeFocused();
    // modal: nothing behind it can be reached by Tab or by a screen reader
    await expect(page.getByRole("link", { name: "API keys" })).toHaveCount(0);
    for (let press = 0; press < 25; press++) {
      await page.keyboard.press("Tab");
      expect(await panel.evaluate((dialog) => dialog.contains(document.activeElement))).toBe(true);
    }
  });
  await part("the dialog repeats the settings and has every way to take the key", async (workspace) => {
    const form = await openNewKey(page, gateway.url, workspace.slug);
    await fill(form, { Name: "prod-search", "Limit in USD": "50" });
    await form.getByText("Weekly", { exact: true }).click();
    await form.getByText("90 days", { exact: true }).click();
    await expect(form.getByLabel("Expiry time, UTC")).toHaveValue("23:59:59");
    const expires = `${await form.getByLabel("Expiry date, UTC").inputValue()}T23:59:59`;
    const { panel, record } = await submitNewKey(page);
    expect(record.expires_at).toContain(expires);
    await expect(panel.getByText("prod-search", { exact: true })).toBeVisible();
    const [year, , day] = expires.split(/\D/);
    for (const [term, value] of [
      ["Workspace", workspace.name],
      ["Limit", "$50.00 a week"],
      ["Expires", new RegExp(`^${Number(day)} \\w{3} ${year} 23:59 UTC$`)],
    ] as const) {
      await expect(panel.getByRole("term").filter({ hasText: term })).toBeVisible();
      await expect(panel.getByRole("definition").filter({ hasText: value })).toBeVisible();
    }
    for (const name of ["Copy key", "Show", "Download .env", "Done", "Close"]) {
      await expect(panel.getByRole("button", { name, exact: true })).toBeVisible();
    }
    for (const name of ["curl", "TypeScript", "Python"]) await expect(panel.getByRole("tab", { name })).toBeVisible();
  });
  await part("snippets name the variable; the switch changes what Copy takes, not what is shown", async (workspace) => {
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"], { origin: gateway.url });
    const { panel, key } = await showNewKey(page, gateway.url, workspace.slug, "snippets");
    const read = () => page.evaluate(() => navigator.clipboard.readText());
    for (const [language, variable] of [
      ["curl", "$GATEHOUSE_API_KEY"],
      ["TypeScript", "process.env.GATEHOUSE_API_KEY"],
      ["Python", 'os.environ["GATEHOUSE_API_KEY"]'],
    ] as const) {
      await panel.getByRole("tab", { name: language }).click();
      await expect(panel.getByRole("tabpanel")).toContainText(variable);
      await panel.getByRole("button", { name: `Copy the ${language} snippet` }).click();
      await expect.poll(read).toContain(variable);
      expect(await read()).not.toContain(randomPart(key));
      await panel.getByRole("switch", { name: "Copy with the real key" }).click();
      await panel.getByRole("button", { name: `Copy the ${language} snippet` }).click();
      await expect.poll(read).toContain(key);
      expect(await page.content()).not.toContain(randomPart(key));
      await panel.getByRole("switch", { name: "Copy with the real key" }).click();
    }
  });
  await part("the key's text is in the page only while it is shown, in one element", async (workspace) => {
    const { panel, key } = await showNewKey(page, gateway.url, workspace.slug, "vault");
    const places = () =>
      page.evaluate(
        (part) =>
          [...document.querySelectorAll("*")]
            .filter((element) =>
              [...element.childNodes].some((child) => child.nodeType === 3 && child.nodeValue?.includes(part)),
            )
            .map((element) => element.tagName),
        randomPart(key),
      );
    expect(await places()).toEqual([]);
    await panel.getByRole("button", { name: "Show", exact: true }).click();
    await expect.poll(places).toEqual(["CODE"]);
    await panel.getByRole("button", { name: "Hide", exact: true }).click();
    await expect.poll(places).toEqual([]);
  });
  await part("no field holds the key; it is private, untranslated and not printed", async (workspace) => {
    const { panel, key } = await showNewKey(page, gateway.url, workspace.slug, "element");
    await panel.getByRole("button", { name: "Show", exact: true }).click();
    const text = panel.getByText(key);
    const about = await text.evaluate((element) => ({
      tag: element.tagName,
      editable: (element as HTMLElement).isContentEditable,
      translate: (element as HTMLElement).translate,
      private: element.closest("[data-private]") !== null,
      select: getComputedStyle(element).userSelect,
      fields: [...document.querySelectorAll("input, textarea")].map((field) => (field as HTMLInputElement).value),
    }));
    expect(about).toMatchObject({ tag: "CODE", editable: false, translate: false, private: true, select: "all" });
    expect(about.fields.join()).not.toContain(randomPart(key));
    await page.emulateMedia({ media: "print" });
    await expect(text).toBeHidden();
  });
});

test("R-3: the key is masked, shown on request, hidden again", async ({ signedIn: page, gateway, workspace }) => {
  await page.clock.install();
  const { panel, key, record } = await showNewKey(page, gateway.url, workspace.slug, "masked");
  const hidden = panel.getByRole("img", { name: "API key, hidden" });
  const shown = panel.getByRole("group", { name: "API key, shown" }).getByText(key);
  const toggle = panel.getByRole("button", { name: /^(Show|Hide)$/ });
  const [head = "", tail = ""] = record.label.split("...");
  await expect(hidden).toBeVisible();
  await expect(hidden).toHaveText(new RegExp(`^${head}•{20}${tail}$`));
  await expect(toggle).toHaveAttribute("aria-pressed", "false");
  expect(await page.content()).not.toContain(randomPart(key));

  const show = async () => {
    await toggle.click();
    await expect(toggle).toHaveAttribute("aria-pressed", "true");
    await expect(shown).toBeVisible();
    expect(await shown.evaluate((element) => element.tagName)).toMatch(/^(CODE|OUTPUT)$/);
    await shown.focus();
    await expect(shown).toBeFocused();
  };
  const gone = async () => {
    await expect(hidden).toBeVisible();
    await expect(toggle).toHaveAttribute("aria-pressed", "false");
    expect(await page.content()).not.toContain(randomPart(key));
  };
  // time goes on between these steps only as far as they say
  await stopClock(page);
  await show();
  await page.clock.fastForward(29_000);
  await expect(shown).toBeVisible();
  await page.clock.fastForward(2_000);
  await gone();
  await show();
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await gone();
  await show();
  await page.evaluate(() => window.dispatchEvent(new Event("blur")));
  await gone();
  await show();
  await toggle.click();
  await gone();
});

test("R-4: Copy takes the whole key while it is masked", async ({ signedIn: page, gateway, workspace }) => {
  await page.clock.install();
  const { panel, key } = await showNewKey(page, gateway.url, workspace.slug, "copied");
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"], { origin: gateway.url });
  await stopClock(page);
  await panel.getByRole("button", { name: "Copy key" }).click();
  await expect(panel.getByRole("button", { name: "Copied" })).toBeVisible();
  await expect(panel.getByRole("status").filter({ hasText: "Key copied" })).toBeAttached();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key);
  expect(await page.content()).not.toContain(randomPart(key));
  await page.clock.resume();
  await expect(panel.getByRole("button", { name: "Copy key" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(panel).toBeHidden();
});

test("R-4: a browser that refuses to copy, and a gate that asks", async ({ signedIn: page, gateway, workspace }) => {
  await page.addInitScript(() => {
    Object.defineProperty(Clipboard.prototype, "writeText", {
      value: () => Promise.reject(new DOMException("denied", "NotAllowedError")),
    });
    document.execCommand = () => false;
  });
  await page.clock.install();
  const { panel, key } = await showNewKey(page, gateway.url, workspace.slug, "refused");
  await stopClock(page);
  await panel.getByRole("button", { name: "Copy key" }).click();
  await expect(panel.getByRole("alert")).toContainText(/press (Ctrl\+C|⌘C)/);
  await expect(panel.getByRole("button", { name: "Copied" })).toHaveCount(0);
  await expect.poll(() => page.evaluate(() => getSelection()?.toString())).toBe(key);
  await page.keyboard.press("Escape");
  await expect(gateOf(page).getByRole("button", { name: /^Go back/ })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(gateOf(page)).toBeHidden();
  // what the sentence asks for counts as taken: the browser itself copies the selection
  await page.evaluate(() => {
    const code = document.querySelector("[data-private] code");
    if (code) getSelection()?.selectAllChildren(code);
  });
  await page.keyboard.press("Control+c");
  await expect(panel.getByRole("button", { name: "Copied" })).toBeVisible();
  await page.clock.resume();
  await page.keyboard.press("Escape");
  await expect(panel).toBeHidden();
});

test("R-6: the clipboard is emptied only if that is asked for", async ({ signedIn: page, gateway, workspace }) => {
  await page.clock.install();
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"], { origin: gateway.url });
  const { panel, key } = await showNewKey(page, gateway.url, workspace.slug, "clipboard");
  const clear = panel.getByRole("switch", { name: "Clear clipboard after 60 s" });
  await expect(clear).toHaveAttribute("aria-disabled", "true");
  await panel.getByRole("button", { name: "Copy key" }).click();
  await expect(panel.getByRole("status").filter({ hasText: "Key copied" })).toBeAttached();
  await expect(clear).not.toBeChecked();
  await stopClock(page);
  const read = () => page.evaluate(() => navigator.clipboard.readText());
  await page.clock.fastForward(70_000);
  expect(await read()).toBe(key);
  await clear.click();
  await page.clock.fastForward(59_000);
  expect(await read()).toBe(key);
  await page.clock.fastForward(2_000);
  await expect.poll(read).toBe("");
  await expectToast(page, "Clipboard cleared.");
});

test("reveal: a .env file, the first call's light, the focus", async ({ signedIn: page, part, gateway }) => {
  await part("the light waits for the key's first call, in the dialog and on the row", async (workspace) => {
    const { panel, key } = await showNewKey(page, gateway.url, workspace.slug, "first-call");
    await expect(panel.getByText("Waiting for the first call")).toBeVisible();
    const { data } = await apiOf(gateway, key)(createEmbeddings, {
      body: { model: "gatehouse/lexical", input: "container held at customs" },
    });
    expect(data[0]?.embedding.length).toBeGreaterThan(0);
    await expect(panel.getByText(/^First call, \d\d:\d\d:\d\d UTC$/)).toBeVisible();
    await expect(
      panel.getByText(/^gatehouse\/lexical, [\d.]+ m?s, free\. The key works where you put it\. Show the call$/),
    ).toBeVisible();
    await expect(panel.getByRole("link", { name: "Show the call" })).toHaveAttribute("href", /\/calls\/gen-/);
    await panel.getByRole("checkbox", { name: "I have stored it" }).check();
    await panel.getByRole("button", { name: "Done" }).click();
    await expect(page.getByRole("row", { name: /first-call/ })).toContainText(/ ago|now/i);

    const second = await showNewKey(page, gateway.url, workspace.slug, "second-call");
    await second.panel.getByRole("checkbox", { name: "I have stored it" }).check();
    await second.panel.getByRole("button", { name: "Done" }).click();
    const row = page.getByRole("row", { name: /second-call/ });
    await expect(row).toContainText("Waiting");
    await apiOf(gateway, second.key)(createEmbeddings, { body: { model: "gatehouse/lexical", input: "hello" } });
    await expect(row).not.toContainText("Waiting");
  });
  await part("closing puts the focus on the new row's link and says that the key is created", async (workspace) => {
    const { panel } = await showNewKey(page, gateway.url, workspace.slug, "prod-search");
    await panel.getByRole("checkbox", { name: "I have stored it" }).check();
    await panel.getByRole("button", { name: "Done" }).click();
    await expect(page.getByRole("link", { name: "prod-search" })).toBeFocused();
    await expectToast(page, "prod-search was created.");
    await expect(page).toHaveURL(paths.keys(workspace.slug));
  });
  await part("while the list is slow the focus waits at Create key", async (workspace) => {
    const release = await hold(page, "**/api/v1/keys?*");
    const { panel } = await showNewKey(page, gateway.url, workspace.slug, "prod-search");
    await panel.getByRole("checkbox", { name: "I have stored it" }).check();
    await panel.getByRole("button", { name: "Done" }).click();
    await expect(page.locator("#create-key")).toBeFocused();
    release();
    await expect(page.getByRole("link", { name: "prod-search" })).toBeFocused();
  });
  await part("Download writes a .env file with the key and the base URL, and counts as taken", async (workspace) => {
    await page.addInitScript(() => {
      const blobs = { made: 0, outlivedTheirClick: 0 };
      const alive = new Set<string>();
      const { createObjectURL, revokeObjectURL } = URL;
      URL.createObjectURL = (blob: Blob) => {
        const url = createObjectURL(blob);
        blobs.made++;
        alive.add(url);
        setTimeout(() => {
          if (alive.has(url)) blobs.outlivedTheirClick++;
        });
        return url;
      };
      URL.revokeObjectURL = (url: string) => {
        alive.delete(url);
        revokeObjectURL(url);
      };
      Object.assign(window, { blobs });
    });
    const { panel, key } = await showNewKey(page, gateway.url, workspace.slug, "Prod Search (EU)");
    const downloading = page.waitForEvent("download");
    await panel.getByRole("button", { name: "Download .env" }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toBe("prod-search-eu.env");
    expect(await readFile(await download.path(), "utf8")).toBe(
      `GATEHOUSE_API_KEY=${key}\nGATEHOUSE_BASE_URL=${gateway.url}/api/v1\n`,
    );
    expect(await page.evaluate("blobs")).toEqual({ made: 1, outlivedTheirClick: 0 });
    await panel.getByRole("button", { name: "Done" }).click();
    await expect(panel).toBeHidden();
  });
});

test("reveal: the key goes with the page and the session", async ({ signedIn: page, part, gateway, api }) => {
  await part("the key goes when the page is left, so that going back cannot bring it back", async (workspace) => {
    const { panel, key } = await showNewKey(page, gateway.url, workspace.slug, "left");
    await panel.getByRole("button", { name: "Show", exact: true }).click();
    await expect(panel.getByText(key)).toBeVisible();
    await page.evaluate(() => window.dispatchEvent(new PageTransitionEvent("pagehide", { persisted: true })));
    await expect(page.getByRole("dialog", { name: "The key is no longer here" })).toBeVisible();
    expect(await page.content()).not.toContain(randomPart(key));
  });
  await part("the key goes with the session, and the way back keeps the page", async (workspace) => {
    const { panel, key } = await showNewKey(page, gateway.url, workspace.slug, "ended");
    await panel.getByRole("button", { name: "Show", exact: true }).click();
    await expect(panel.getByText(key)).toBeVisible();
    await page.context().clearCookies();
    // the watcher of the first call is the next to be refused
    await expect(page.getByRole("dialog", { name: "Your session ended" })).toBeVisible();
    await expect.poll(() => page.content()).not.toContain(randomPart(key));
    await page.getByLabel("Management key").fill(gateway.managementKey);
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect(page.getByRole("dialog", { name: "The key is no longer here" })).toContainText("the session ended");
  });
  await part("the key goes when somebody signs out in another tab", async (workspace) => {
    const { panel, key } = await showNewKey(page, gateway.url, workspace.slug, "signed-out");
    await panel.getByRole("button", { name: "Show", exact: true }).click();
    const other = await page.context().newPage();
    await other.goto(paths.keys(workspace.slug));
    await expect(other.getByRole("link", { name: "signed-out" })).toBeVisible();
    expect(await other.content()).not.toContain(randomPart(key));
    await other.getByRole("button", { name: /^Account/ }).click();
    await other.getByRole("menuitem", { name: "Sign out" }).click();
    await expect(other.getByLabel("Management key")).toBeVisible();
    await expect(page.getByLabel("Management key")).toBeVisible();
    await expect(panel).toBeHidden();
    await expect.poll(() => page.content()).not.toContain(randomPart(key));
    expect(await browserResidue(page)).not.toContain(randomPart(key));
  });
  await part("a key that was deleted elsewhere leaves the dialog usable", async (workspace) => {
    const { panel, record } = await showNewKey(page, gateway.url, workspace.slug, "gone-elsewhere");
    await api(deleteKey, { params: { hash: record.hash } });
    await panel.getByRole("button", { name: "Done" }).click();
    await gateOf(page).getByRole("button", { name: "Close and delete the key" }).click();
    await expect(panel).toBeHidden();
    await expect(api(getKey, { params: { hash: record.hash } })).rejects.toThrow("404");
  });
  await part("leaving the site asks while the key is not taken, and does not once it is", async (workspace) => {
    const asked: string[] = [];
    page.on("dialog", (dialog) => {
      asked.push(dialog.type());
      void dialog.dismiss();
    });
    const { panel } = await showNewKey(page, gateway.url, workspace.slug, "unload");
    await panel.getByText("I have stored it").click();
    await panel.getByText("I have stored it").click();
    await page.close({ runBeforeUnload: true });
    await expect.poll(() => asked).toEqual(["beforeunload"]);
    await expect(panel).toBeVisible();
    await panel.getByText("I have stored it").click();
    const closed = page.waitForEvent("close");
    await page.close({ runBeforeUnload: true });
    await closed;
    expect(asked).toEqual(["beforeunload"]);
  });
});

test("R-15: 15 idle minutes end it, and a key press extends", async ({ signedIn: page, gateway, workspace }) => {
  await page.clock.install();
  const { panel, key } = await showNewKey(page, gateway.url, workspace.slug, "idle");
  const warning = panel.getByRole("alert").filter({ hasText: "will be removed from this page" });
  await stopClock(page);
  await page.keyboard.press("Shift");
  await page.clock.fastForward("12:50");
  await expect(warning).toHaveCount(0);
  await page.clock.fastForward("00:20");
  await expect(warning).toBeVisible();
  await page.keyboard.press("Shift");
  await page.clock.fastForward("00:02");
  await expect(warning).toHaveCount(0);
  await panel.getByRole("button", { name: "Show", exact: true }).click();
  await page.clock.fastForward("15:02");
  await expect(page.getByRole("dialog", { name: "The key is no longer here" })).toContainText("15 minutes");
  expect(await page.content()).not.toContain(randomPart(key));
});
