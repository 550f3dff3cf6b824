import { createKey, getKey, listKeys } from "#contract/keys.ts";
import { paths } from "#console/paths.ts";
import { expect, test, expectTexts, fill } from "./fixtures.ts";
import { openNewKey, randomPart, revealOf } from "./key-form.ts";
import { whereFound } from "./residue.ts";

test("keys-create-unknown-outcome: one key, or a refusal", async ({ signedIn: page, part, gateway, api }) => {
  await part("R-14: the key was made and the answer lost: it is found, deleted and made anew", async (workspace) => {
    // one of the same name was there before: it is not the one that was lost
    const { data: before } = await api(createKey, { body: { name: "lost", workspace_id: workspace.id } });
    let lost = "";
    await page.route("**/api/v1/keys", async (route) => {
      if (route.request().method() !== "POST" || lost !== "") return route.continue();
      lost = ((await (await route.fetch()).json()) as { data: { hash: string } }).data.hash;
      return route.abort("connectionreset");
    });
    const panel = await openNewKey(page, gateway.url, workspace.slug);
    await fill(panel, { Name: "lost", "Limit in USD": "5" });
    await page.getByRole("button", { name: /^Create key/ }).click();
    const unknown = page.getByRole("dialog", { name: "Was the key created?" });
    await expect(unknown.getByRole("alert")).toHaveText(
      "The key was created but its value did not reach you. Delete it and try again.",
    );
    // nothing was sent again by itself
    expect((await api(listKeys, { query: { workspace_id: workspace.id } })).data).toHaveLength(2);
    await unknown.getByRole("button", { name: "Delete it and try again" }).click();
    const reveal = await revealOf(page);
    await expect(api(getKey, { params: { hash: lost } })).rejects.toThrow("404");
    const keys = (await api(listKeys, { query: { workspace_id: workspace.id } })).data;
    expect(keys.map(({ name, limit }) => [name, limit])).toEqual([
      ["lost", 5],
      ["lost", null],
    ]);
    expect(keys[1]?.hash).toBe(before.hash);
    await reveal.getByText("I have stored it").click();
    await reveal.getByRole("button", { name: "Done" }).click();
    await expect(page).toHaveURL(paths.keys(workspace.slug));
  });
  await part("the gateway never got it: trying again makes one key", async (workspace) => {
    let attempts = 0;
    await page.route("**/api/v1/keys", (route) =>
      route.request().method() === "POST" && ++attempts === 1 ? route.abort("connectionreset") : route.continue(),
    );
    const panel = await openNewKey(page, gateway.url, workspace.slug);
    await panel.getByLabel("Name").fill("never-arrived");
    await page.getByRole("button", { name: /^Create key/ }).click();
    const unknown = page.getByRole("dialog", { name: "Was the key created?" });
    await expect(unknown.getByText("No key called never-arrived has appeared.", { exact: false })).toBeVisible();
    expect(attempts).toBe(1);
    await unknown.getByRole("button", { name: "Try again" }).click();
    await revealOf(page);
    expect(attempts).toBe(2);
    expect((await api(listKeys, { query: { workspace_id: workspace.id } })).data).toHaveLength(1);
  });
  await part("the second try says that the first was lost: no second key, no second showing", async (workspace) => {
    let plaintext = "";
    await page.route("**/api/v1/keys", async (route) => {
      if (route.request().method() !== "POST" || plaintext !== "") return route.continue();
      plaintext = ((await (await route.fetch()).json()) as { key: string }).key;
      return route.fulfill({ status: 502, contentType: "text/html", body: "<h1>Bad gateway</h1>" });
    });
    // the list is not told yet, so that the page offers to send the same again
    await page.route(/\/api\/v1\/keys\?.*include_disabled=true/, (route) =>
      route.fulfill({ json: { data: [], next_cursor: null } }),
    );
    const panel = await openNewKey(page, gateway.url, workspace.slug);
    await panel.getByLabel("Name").fill("idempotent");
    await page.getByRole("button", { name: /^Create key/ }).click();
    const unknown = page.getByRole("dialog", { name: "Was the key created?" });
    await unknown.getByRole("button", { name: "Try again" }).click();
    await expect(unknown.getByRole("alert")).toHaveText(
      "The key was created but its value did not reach you. Delete it and try again.",
    );
    expect((await api(listKeys, { query: { workspace_id: workspace.id } })).data).toHaveLength(1);
    expect(await whereFound(page, randomPart(plaintext))).toEqual([]);
  });
  await part("a refusal at its field, and nothing lost", async (workspace) => {
    const answers: { status: number; headers?: Record<string, string>; json: unknown }[] = [
      {
        status: 429,
        headers: { "retry-after": "1" },
        json: {
          error: { code: 429, message: "Too many keys at once", metadata: { error_type: "rate_limit_exceeded" } },
        },
      },
      {
        status: 500,
        headers: { "x-request-id": "req-journey" },
        json: { error: { code: 500, message: "Internal error", metadata: { error_type: "server" } } },
      },
      {
        status: 400,
        json: {
          error: {
            code: 400,
            message: "limit must be at most 100",
            metadata: { error_type: "invalid_request", issues: [{ path: "limit", message: "must be at most 100" }] },
          },
        },
      },
    ];
    await page.clock.install();
    let attempts = 0;
    await page.route("**/api/v1/keys", (route) => {
      if (route.request().method() !== "POST") return route.continue();
      return route.fulfill(answers[attempts++] ?? { status: 500, json: {} });
    });
    const panel = await openNewKey(page, gateway.url, workspace.slug);
    await fill(panel, { Name: "refused", "Limit in USD": "500" });
    const create = page.getByRole("button", { name: /^Create key/ });
    await create.click();
    await expect(panel.getByRole("alert")).toContainText("Too many keys at once");
    // POST /keys is never repeated without a click
    await page.clock.fastForward(60_000);
    expect(attempts).toBe(1);
    await create.click();
    await expectTexts(panel.getByRole("alert"), "The gateway had a problem", "Internal error", "req-journey");
    await create.click();
    await expect(panel.getByLabel("Limit in USD")).toHaveAccessibleDescription(/must be at most 100/);
    await expect(panel.getByLabel("Limit in USD")).toBeFocused();
    await expect(panel.getByLabel("Name")).toHaveValue("refused");
    await expect(panel.getByLabel("Limit in USD")).toHaveValue(/^500/);
  });
});
