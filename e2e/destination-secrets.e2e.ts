import { updateDestination } from "#contract/destinations.ts";
import { expect, expectToast, test } from "./fixtures.ts";
import { edit, save, saveBar, section, stored } from "./destination-form.ts";
import { whereFound } from "./residue.ts";

const canary = "sk-lf-canary-3c7e19a4d2f8";

test("the secrets of a destination, kept and replaced", async ({ signedIn: page, part, gateway, api }) => {
  await part("a kept secret is no input, and no part of a PATCH", async (workspace) => {
    const { id, config, sent } = await edit(page, api, workspace);
    const secret = page.getByRole("group", { name: "Secret key" });
    await expect(secret).toContainText(String(config["secretKey"]).replace("...", "…"));
    await expect(secret.getByRole("textbox")).toHaveCount(0);
    await expect(secret.locator("input")).toHaveCount(0);
    await expect(saveBar(page)).toHaveCount(0);

    await page.getByLabel("Name", { exact: true }).fill("renamed");
    await page.getByLabel("Base URL").fill("http://127.0.0.1:9/other");
    await save(page);
    expect(sent.map(({ body }) => body)).toEqual([
      { name: "renamed", config: { baseUrl: "http://127.0.0.1:9/other" } },
    ]);
    expect((await stored(api, id)).config).toEqual({ ...config, baseUrl: "http://127.0.0.1:9/other" });

    // replacing can be taken back, and a mask is not taken for a secret
    await secret.getByRole("button", { name: "Replace" }).click();
    const field = page.getByLabel("New secret key");
    await expect(field).toBeFocused();
    await field.fill(String(config["secretKey"]));
    await page.getByLabel("Name", { exact: true }).click();
    await expect(field).toHaveAccessibleDescription(/masked value/);
    await saveBar(page).getByRole("button", { name: /^Save/ }).click();
    await expect(field).toBeFocused();
    await field.press("Escape");
    // when it was set and by whom: the audit log knows
    await expect(secret.getByText(/^Set \d+ \w+ by .+\. Unchanged$/)).toBeVisible();
    await expect(saveBar(page)).toHaveCount(0);
    expect(sent).toHaveLength(1);
  });
  await part("nothing in the page holds what was saved; a failed save keeps it in the field", async (workspace) => {
    const {} = await edit(page, api, workspace);
    await page.getByRole("group", { name: "Secret key" }).getByRole("button", { name: "Replace" }).click();
    const field = page.getByLabel("New secret key");
    await field.fill(canary);
    let full = true;
    await page.route("**/observability/destinations/*", (route) =>
      route.request().method() === "PATCH" && full
        ? route.fulfill({ status: 500, json: { error: { code: 500, message: "The store is full" } } })
        : route.continue(),
    );
    await saveBar(page).getByRole("button", { name: /^Save/ }).click();
    await expect(saveBar(page).getByRole("alert")).toContainText("The store is full");
    await expect(field).toHaveValue(canary);
    const places = await whereFound(page, canary);
    expect(places.filter((place) => /torage|cache|cookie|history|address|IndexedDB/.test(place))).toEqual([]);

    full = false;
    await save(page);
    await expect(page.getByRole("group", { name: "Secret key" })).toContainText("sk-l…d2f8");
    expect(await whereFound(page, canary)).toEqual([]);
    expect(gateway.printed()).not.toContain(canary);
  });
  await part("twice in a row makes one change, and a second save does not touch the secret", async (workspace) => {
    const { id, sent } = await edit(page, api, workspace);
    await page.getByRole("group", { name: "Secret key" }).getByRole("button", { name: "Replace" }).click();
    await page.getByLabel("New secret key").fill(canary);
    await saveBar(page).getByRole("button", { name: /^Save/ }).dblclick();
    await expect(saveBar(page)).toHaveCount(0);
    expect(sent.map(({ body }) => body)).toEqual([{ config: { secretKey: canary } }]);
    const { config } = await stored(api, id);

    await page.getByLabel("Name", { exact: true }).fill("again");
    await page.keyboard.press("Control+s");
    await expect(saveBar(page)).toHaveCount(0);
    expect(sent.at(-1)?.body).toEqual({ name: "again" });
    expect(sent).toHaveLength(2);
    expect((await stored(api, id)).config).toEqual(config);
  });
  await part("a kept secret is not carried to another host, by the form nor by the gateway", async (workspace) => {
    const { id, sent } = await edit(page, api, workspace);
    const address = page.getByLabel("Base URL");
    await address.fill("http://127.0.0.1:9/otel");
    await save(page);
    await address.fill("https://elsewhere.example.com");
    await saveBar(page).getByRole("button", { name: /^Save/ }).click();
    await expect(section(page, "Connection").getByText("Replace this secret, so")).toHaveCount(2);
    await expect(
      page.getByRole("navigation", { name: "Parts of the form" }).getByRole("button", { name: /Connection/ }),
    ).toContainText("has a problem");
    expect(sent).toHaveLength(1);
    const body = { config: { baseUrl: "https://elsewhere.example.com" } };
    await expect(api(updateDestination, { params: { id }, body })).rejects.toThrow(/400.*config\.secretKey/);

    await page.getByRole("group", { name: "Secret key" }).getByRole("button", { name: "Replace" }).click();
    await page.getByLabel("New secret key").fill(canary);
    await page.getByRole("group", { name: "Public key" }).getByRole("button", { name: "Replace" }).click();
    await page.getByLabel("New public key").fill("pk-lf-elsewhere");
    await save(page);
    expect(sent.at(-1)?.body).toEqual({
      config: { baseUrl: "https://elsewhere.example.com", secretKey: canary, publicKey: "pk-lf-elsewhere" },
    });
    await expectToast(page, "langfuse-prod was saved.");
  });
  await part("a pasted environment file fills the members that it names, and says which", async (workspace) => {
    await page.goto(`${gateway.url}/w/${workspace.slug}/destinations/new/langfuse`);
    await page.getByLabel("Public key").evaluate((field, text) => {
      const data = new DataTransfer();
      data.setData("text/plain", text);
      field.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
    }, `LANGFUSE_SECRET_KEY=${canary}\nLANGFUSE_PUBLIC_KEY=pk-lf-9\nLANGFUSE_BASE_URL=https://l.example.com\n`);
    await expect(page.getByLabel("Public key")).toHaveValue("pk-lf-9");
    await expect(page.getByLabel("Base URL")).toHaveValue("https://l.example.com");
    await expect(page.getByLabel("Secret key")).toHaveValue(canary);
    await expectToast(page, "Filled in from the pasted text: Base URL, Secret key, Public key.");
  });
});
