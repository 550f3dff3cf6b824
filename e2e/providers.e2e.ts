import { randomBytes } from "node:crypto";
import { createByokKey } from "#contract/byok.ts";
import { createEmbeddings } from "#contract/embeddings.ts";
import { createKey } from "#contract/keys.ts";
import {
  type CreateProviderBody,
  createProvider,
  deleteProvider,
  getProvider,
  listProviderSettings,
  updateProvider,
} from "#contract/providers.ts";
import { paths } from "#console/paths.ts";
import { startFakeVendor, type FakeVendor } from "#gateway/testing/fake-vendor.ts";
import { type Api, apiOf } from "#gateway/testing/api-client.ts";
import { chooseFromRow, comeBack, expect, expectToast, readOnlyAfterSaving, test as base, fill } from "./fixtures.ts";
import { whereFound } from "./residue.ts";

const test = base.extend<{ vendor: FakeVendor }>({
  vendor: async ({}, use) => {
    const vendor = await startFakeVendor();
    await use(vendor);
    await vendor.close();
  },
});

const unique = () => `v${randomBytes(4).toString("hex")}`;

/** A provider of this journey's own, in front of a vendor on this machine. */
async function provider(api: Api, vendor: FakeVendor, change: Partial<CreateProviderBody> = {}) {
  const slug = unique();
  const model = { id: `${slug}/small`, upstream_id: "embed-small", type: "embedding" as const };
  const { data } = await api(createProvider, {
    body: {
      slug,
      name: `Vendor ${slug}`,
      kind: "openai-compatible",
      base_url: vendor.baseUrl,
      api_key: "sk-stored-0123456789",
      models: [{ ...model, dimensions: 1536, pricing: { prompt: "0.00000002" } }],
      ...change,
    },
  });
  return data;
}

test("providers: tested before saving, then priced", async ({ signedIn: page, part, vendor, api }) => {
  await part("from the gallery to a priced model", async () => {
    const slug = unique();
    await page.goto(paths.providers("all"));
    await page.getByRole("link", { name: "Add provider" }).click();
    await page.getByRole("dialog").getByRole("link", { name: "Custom" }).click();
    await page.getByLabel("Name", { exact: true }).fill("Acme");
    await fill(page, { Slug: slug, Address: vendor.baseUrl, "API key": "sk-typed-0123456789" });
    await page.getByRole("button", { name: "Add and choose models" }).click();

    const panel = page.getByRole("dialog", { name: "Choose models of Acme" });
    await expect(panel.getByText("Acme answered.")).toBeVisible();
    await panel.getByRole("checkbox", { name: "embed-small" }).check();
    await expect(panel.getByLabel("Model id")).toHaveValue(`${slug}/embed-small`);
    await panel.getByLabel("Input, per million").fill("0.02");
    await panel.getByRole("button", { name: "Add models" }).click();

    await expectToast(page, `${slug}/embed-small was added.`);
    await expect(page.getByRole("row", { name: `${slug}/embed-small` })).toContainText("$0.02");
    const { data } = await api(getProvider, { params: { slug } });
    expect(data.models).toMatchObject([{ upstream_id: "embed-small", pricing: { prompt: "0.00000002" } }]);
    expect(data.api_key).toBe("sk-t...6789");
    await expect(page.getByRole("dialog")).toHaveCount(0);
    expect(await whereFound(page, "sk-typed-0123456789")).toEqual([]);
  });
  await part("the vendor's words, then its models", async () => {
    const strict = await startFakeVendor({ apiKey: "sk-right-0123456789" });
    const slug = unique();
    await page.goto(`${paths.newProvider("all")}?preset=custom`);
    const panel = page.getByRole("dialog", { name: "Add a provider" });
    const test = panel.getByRole("button", { name: "Test" });
    await panel.getByLabel("Name", { exact: true }).fill("Acme");
    await panel.getByLabel("Slug").fill(slug);
    await test.click();
    await expect(panel.getByLabel("Address")).toHaveAttribute("aria-invalid", "true");
    await panel.getByLabel("Address").fill("http://127.0.0.1:1/v1");
    await test.click();
    await expect(panel.getByRole("alert")).toContainText("Acme did not answer. Nothing is listening at 127.0.0.1:1.");
    await panel.getByLabel("Address").fill(strict.baseUrl);
    await expect(panel.getByRole("alert")).toHaveCount(0);
    await panel.getByLabel("API key").fill("sk-wrong-0123456789");
    await test.click();
    await expect(panel.getByRole("alert")).toContainText("Acme refused. “Incorrect API key provided.” HTTP 401");
    await panel.getByLabel("API key").fill("sk-right-0123456789");
    await test.click();
    await expect(panel.getByText("Acme answered.")).toBeVisible();
    expect((await api(listProviderSettings)).data.map((one) => one.slug)).not.toContain(slug);
    await panel.getByRole("checkbox", { name: "embed-small" }).check();
    await panel.getByRole("button", { name: "Add with 1 model" }).click();
    await expectToast(page, "Acme was added.");
    await expect(page.getByRole("row", { name: `${slug}/embed-small` })).toBeVisible();
    await expect(page.getByRole("dialog")).toHaveCount(0);
    expect(await whereFound(page, "sk-right-0123456789")).toEqual([]);

    await page.goto(paths.editProvider("all", slug));
    await page.getByRole("dialog").getByRole("button", { name: "Replace" }).click();
    await page.getByLabel("New API key").fill("sk-other-0123456789");
    await page.getByRole("dialog").getByRole("button", { name: "Test" }).click();
    await expect(page.getByRole("dialog").getByRole("alert")).toContainText("Acme refused.");
    await page.getByRole("button", { name: "Keep current" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Test" }).click();
    await expect(page.getByRole("dialog").getByText("Acme answered.")).toBeVisible();

    await page.goto(paths.newByokKey("all", slug));
    await page.getByLabel("Key", { exact: true }).fill("sk-own-0123456789");
    await page.getByRole("dialog").getByRole("button", { name: "Test" }).click();
    await expect(page.getByRole("dialog").getByRole("alert")).toContainText("Acme refused.");
    await strict.close();
  });
});

test("providers: secrets that are kept, replaced and asked for", async ({ signedIn: page, part, vendor, api }) => {
  await part("provider-secret-kept-not-sent, saved twice", async () => {
    const { slug } = await provider(api, vendor);
    const bodies: unknown[] = [];
    page.on("request", (request) => {
      if (request.method() === "PATCH") bodies.push(request.postDataJSON());
    });
    for (const name of ["Once", "Twice"]) {
      await page.goto(paths.editProvider("all", slug));
      const panel = page.getByRole("dialog");
      await expect(panel.getByRole("group", { name: "API key" })).toContainText("sk-s…6789");
      await expect(panel.getByRole("textbox", { name: "API key" })).toHaveCount(0);
      await panel.getByLabel("Name", { exact: true }).fill(name);
      await page.keyboard.press("Control+Enter");
      await expectToast(page, `${name} was saved.`);
    }
    expect(bodies).toEqual([{ name: "Once" }, { name: "Twice" }]);
    vendor.reset();
    await page.goto(paths.provider("all", slug));
    await page.getByRole("button", { name: "Test" }).click();
    await expect(page.getByText("answered.")).toBeVisible();
    expect(vendor.requests.at(-1)?.headers["authorization"]).toBe("Bearer sk-stored-0123456789");
  });
  await part("provider-secret-replaced leaves nothing behind; a failed save keeps it in its field", async () => {
    const { slug } = await provider(api, vendor);
    const secret = "sk-replacement-9876543210";
    await page.goto(paths.editProvider("all", slug));
    await page.getByRole("button", { name: "Replace" }).click();
    const field = page.getByLabel("New API key");
    await expect(field).toBeFocused();
    await field.press("Escape");
    await expect(page.getByRole("group", { name: "API key" })).toContainText("Unchanged");

    await page.getByRole("button", { name: "Replace" }).click();
    await field.fill("sk-s…6789");
    await page.getByRole("button", { name: "Save changes" }).click();
    await expect(page.getByText("That looks like the masked value").first()).toBeVisible();
    await field.fill(secret);
    let failing = true;
    await page.route("**/api/v1/providers/*", (route) =>
      route.request().method() === "PATCH" && failing ? route.fulfill({ status: 500, body: "{}" }) : route.fallback(),
    );
    await page.getByRole("button", { name: "Save changes" }).click();
    await expect(page.getByRole("alert").filter({ hasText: "The gateway had a problem" })).toBeVisible();
    await expect(field).toHaveValue(secret);
    failing = false;
    await page.getByRole("button", { name: "Save changes" }).click();
    await expectToast(page, "was saved.");
    await expect(page.getByRole("dialog")).toHaveCount(0);
    expect(await whereFound(page, secret)).toEqual([]);
    expect((await api(getProvider, { params: { slug } })).data.api_key).toBe("sk-r...3210");
  });
  await part("provider-host-change-asks-secret", async () => {
    const { slug } = await provider(api, vendor);
    await page.goto(paths.editProvider("all", slug));
    await page.getByLabel("Address").fill("http://127.0.0.1:9/v1");
    await page.getByRole("button", { name: "Save changes" }).click();
    await expect(page.getByText("now points to another host").first()).toBeVisible();
    expect((await api(getProvider, { params: { slug } })).data.base_url).toBe(vendor.baseUrl);
    await page.getByRole("button", { name: "Replace" }).click();
    await page.getByLabel("New API key").fill("sk-for-the-new-host-1");
    await page.getByRole("button", { name: "Save changes" }).click();
    await expectToast(page, "was saved.");
    expect((await api(getProvider, { params: { slug } })).data.base_url).toBe("http://127.0.0.1:9/v1");
  });
});

test("providers: changed, deleted, and what is lost", async ({ signedIn: page, part, gateway, vendor, api }) => {
  await part("what somebody else changed meanwhile is said, and a typed key stays", async () => {
    const { slug, name } = await provider(api, vendor);
    await page.goto(paths.editProvider("all", slug));
    const panel = page.getByRole("dialog", { name: `Edit ${name}` });
    await panel.getByRole("button", { name: "Replace" }).click();
    await panel.getByLabel("New API key").fill("sk-typed-9876543210");
    await readOnlyAfterSaving(page, `/providers/${slug}`);
    await api(updateProvider, { params: { slug }, body: { name: "Theirs", zdr: true } });
    await panel.getByRole("button", { name: /^Save changes/ }).click();
    const theirs = page.getByRole("dialog", { name: "Edit Theirs" });
    const notice = theirs.getByRole("status").filter({ hasText: "Someone else changed this provider." });
    await expect(notice.getByRole("listitem")).toHaveText([`Name: ${name} → Theirs`, "Keeps nothing: No → Yes"]);
    await expect(theirs.getByLabel("New API key")).toHaveValue("sk-typed-9876543210");
    await expect(theirs.getByLabel("Name", { exact: true })).toHaveValue("Theirs");
    await theirs.getByRole("button", { name: /^Save changes/ }).click();
    await expect(theirs).toBeHidden();
    const { data } = await api(getProvider, { params: { slug } });
    expect(data).toMatchObject({ name: "Theirs", zdr: true, api_key: "sk-t...3210" });
  });
  await part("provider-delete asks for its name, and says which models nobody serves any more", async () => {
    const { slug, name } = await provider(api, vendor);
    await page.goto(paths.providers("all"));
    await chooseFromRow(page, new RegExp(name), "Delete");
    const dialog = page.getByRole("alertdialog");
    await expect(dialog).toContainText(`No other provider serves ${slug}/small`);
    await dialog.getByRole("textbox").fill(name);
    await dialog.getByRole("button", { name: "Delete provider" }).click();
    await expectToast(page, `${name} was deleted.`);
    await expect(page.getByRole("row", { name })).toHaveCount(0);
  });
  await part("its page gives way to the list, and a form over it keeps what was entered", async () => {
    const shown = await provider(api, vendor);
    await page.goto(paths.provider("all", shown.slug));
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(shown.name);
    await api(deleteProvider, { params: { slug: shown.slug } });
    // it is noticed within 15 seconds, and at once by whoever comes back to the tab
    await comeBack(page, () => page.url() === gateway.url + paths.providers("all"));
    await expectToast(page, `${shown.name} no longer exists.`);
    await page.goto(paths.provider("all", shown.slug));
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("It no longer exists");

    const edited = await provider(api, vendor);
    await page.goto(paths.editProvider("all", edited.slug));
    const panel = page.getByRole("dialog", { name: `Edit ${edited.name}` });
    await panel.getByLabel("Name", { exact: true }).fill("half-done");
    await api(deleteProvider, { params: { slug: edited.slug } });
    // forced: by now the form may have noticed by itself, and then there is nothing left to press
    await panel.getByRole("button", { name: /^Save changes/ }).click({ force: true });
    await expect(panel.getByRole("alert").filter({ hasText: "This provider was deleted elsewhere" })).toBeVisible();
    await expect(panel.getByRole("button", { name: /^Save changes/ })).toHaveAttribute("aria-disabled", "true");
    await expect(panel.getByLabel("Name", { exact: true })).toHaveValue("half-done");
    await page.keyboard.press("Escape");
    await panel.getByRole("button", { name: "Leave" }).click();
    await comeBack(page, () => page.url() === gateway.url + paths.providers("all"));
  });
});

test("providers: ordered, in trouble, and prefixes", async ({ signedIn: page, part, gateway, vendor, api }) => {
  await part("providers-order by the keyboard", async () => {
    await provider(api, vendor, { position: 900_001 });
    await provider(api, vendor, { position: 900_002 });
    const last = await provider(api, vendor, { position: 900_003 });
    await page.goto(paths.providers("all"));
    const up = page.getByRole("button", { name: `Move ${last.name} up` });
    await up.focus();
    // the second one while the first is being saved
    await up.evaluate((button: HTMLElement) => {
      button.click();
      button.click();
    });
    await expect(page.getByRole("status").filter({ hasText: `${last.name} is now` })).toBeAttached();
    await expect(up).toBeFocused();
    await expect
      .poll(async () => (await api(listProviderSettings)).data.findIndex(({ slug }) => slug === last.slug))
      .toBe((await api(listProviderSettings)).data.length - 3);
  });
  await part("provider-in-trouble says what the vendor answered", async () => {
    const strict = await startFakeVendor({ apiKey: "sk-right" });
    const { slug, name, models } = await provider(api, strict, { api_key: "sk-wrong-0123456789" });
    const { key } = await api(createKey, { body: { name: "caller" } });
    const call = () => apiOf(gateway, key)(createEmbeddings, { body: { model: models[0]?.id ?? "", input: "x" } });
    for (let count = 0; count < 5; count++) await expect(call()).rejects.toThrow();
    await page.goto(paths.providers("all"));
    await expect(page.getByRole("row", { name: `${name} ${slug}` })).toContainText("Key invalid");
    const trouble = page.getByRole("row").filter({ hasText: `${name} refuses the gateway's key.` });
    await expect(trouble).toContainText("“Incorrect API key provided.” HTTP 401");
    await trouble.getByRole("button", { name: "Test" }).click();
    await expect(trouble.getByRole("alert")).toContainText(`${name} refused. “Incorrect API key provided.”`);
    await strict.close();
  });
  await part("set once, for every caller", async () => {
    const query_prefix = "Instruct: find what answers\nQuery: ";
    const model = { upstream_id: "embed-small", type: "embedding" as const, pricing: { prompt: "0" }, query_prefix };
    const id = `${unique()}/e5`;
    const { slug } = await provider(api, vendor, { models: [{ id, ...model }] });
    const { key } = await api(createKey, { body: { name: slug } });
    const embed = () => apiOf(gateway, key)(createEmbeddings, { body: { model: id, input: "a text" } });
    await page.goto(`${paths.editModel("all", slug)}?model=${encodeURIComponent(id)}`);
    const panel = page.getByRole("dialog");
    await fill(panel, { "Default input type": "document", "Prefix of documents": "passage: " });
    await panel.getByRole("button", { name: /^Save changes/ }).click();
    await expectToast(page, id);
    await embed();
    expect(vendor.requests.at(-1)?.body).toMatchObject({ input: ["passage: a text"] });
    const { data } = await api(getProvider, { params: { slug } });
    expect(data.models[0]).toMatchObject({ input_type: "document", document_prefix: "passage: ", query_prefix });
  });
});

test("providers-states: failed, forbidden and unknown @long", async ({ signedIn: page, gateway, vendor, api }) => {
  const { name, models } = await provider(api, vendor);
  const { key } = await api(createKey, { body: { name: "caller" } });
  await apiOf(gateway, key)(createEmbeddings, { body: { model: models[0]?.id ?? "", input: "x" } });
  const row = page.getByRole("row", { name });
  const refuse = (status: number, message: string) => ({ status, json: { error: { code: status, message } } });

  let settings: ReturnType<typeof refuse> | null = refuse(403, "This needs a management key");
  await page.route("**/api/v1/provider-settings", (route) =>
    settings === null ? route.continue() : route.fulfill(settings),
  );
  await page.goto(paths.providers("all"));
  await expect(page.getByRole("alert").filter({ hasText: "This needs a management key" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Retry" })).toHaveCount(0);

  settings = refuse(400, "broken on purpose");
  await page.reload();
  await expect(page.getByRole("alert").filter({ hasText: "The providers did not load" })).toBeVisible();

  settings = null;
  await page.route("**/api/v1/byok?*", (route) => route.fulfill(refuse(400, "broken on purpose")));
  await page.reload();
  await expect(row).toContainText("Up");
  await expect(page.getByRole("status").filter({ hasText: "own keys is unknown" })).toBeVisible();

  settings = refuse(400, "broken on purpose");
  // with the next of the page's own reads, every 15 seconds
  await expect(row).toContainText("Unknown");
  await expect(row).not.toContainText("Up");
});

test("byok keys and models: added, ordered, filtered and sorted", async ({ signedIn: page, part, vendor, api }) => {
  await part("add, order, switch off, delete", async (workspace) => {
    const { slug } = await provider(api, vendor);
    for (const name of ["first", "second"])
      await api(createByokKey, {
        body: { provider: slug, key: `sk-own-${name}-0123`, name, workspace_id: workspace.id },
      });
    await page.goto(paths.newByokKey(workspace.slug, slug));
    await expect(page.getByLabel("Workspace", { exact: true })).toHaveValue(workspace.id);
    await page.getByLabel("Key", { exact: true }).fill("sk-own-third-012345");
    await page.getByLabel("Name").fill("third");
    await page.getByRole("button", { name: "Add key" }).click();
    await expectToast(page, "third was added.");
    await expect(page.getByRole("dialog")).toHaveCount(0);
    expect(await whereFound(page, "sk-own-third-012345")).toEqual([]);

    const table = page.getByRole("table", { name: "Workspaces' own keys for" });
    const names = async () =>
      (await table.getByRole("rowheader").allInnerTexts()).map((text) => text.split("\n")[0]?.trim());
    await page.getByRole("button", { name: "Move third up" }).evaluate((button: HTMLElement) => {
      button.click();
      button.click();
    });
    await expect.poll(names).toEqual(["third", "first", "second"]);
    await page.getByRole("switch", { name: "first in use" }).click();
    await expect(page.getByRole("switch", { name: "first in use" })).not.toBeChecked();
    await chooseFromRow(page, /second/, "Delete");
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete key" }).click();
    await expect.poll(names).toEqual(["third", "first"]);
  });
  await part("filtered and sorted in the address, opened by the keyboard", async () => {
    const { slug } = await provider(api, vendor);
    await api(updateProvider, {
      params: { slug },
      body: {
        models: [
          { id: `${slug}/dear`, upstream_id: "dear", type: "embedding", pricing: { prompt: "0.000001" } },
          { id: `${slug}/cheap`, upstream_id: "cheap", type: "embedding", pricing: { prompt: "0.0000000001" } },
          { id: `${slug}/unknown`, upstream_id: "unknown", type: "chat" },
        ],
      },
    });
    await page.goto(paths.models("all"));
    await page.getByLabel("Filter by id or name").fill(slug);
    await page.getByRole("button", { name: "Price, input tokens per million" }).click();
    await expect(page).toHaveURL(new RegExp(`q=${slug}&sort=price`));
    const links = page.getByRole("table", { name: "Models" }).getByRole("link");
    await expect(links).toHaveText([`${slug}/cheap`, `${slug}/dear`, `${slug}/unknown`]);
    await expect(page.getByRole("row", { name: `${slug}/cheap` })).toContainText("$0.0001");
    await expect(page.getByRole("row", { name: `${slug}/unknown` })).toContainText("Unpriced");
    await page.getByLabel("Type").selectOption("chat");
    await expect(links).toHaveText([`${slug}/unknown`]);
    await page.getByRole("heading", { level: 1 }).focus();
    await page.keyboard.press("j");
    await expect(links).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(`${slug}/unknown`);
    await expect(page.getByRole("table", { name: "Providers of" })).toContainText("Unpriced");
  });
});

test("byok: a read that fails leaves the form @long", async ({ signedIn: page, vendor, api, workspace }) => {
  const { slug } = await provider(api, vendor);
  const { data } = await api(createByokKey, {
    body: { provider: slug, key: "sk-own-edited-0123", name: "edited", workspace_id: workspace.id },
  });
  await page.goto(paths.editByokKey("all", slug, data.id));
  const name = page.getByRole("dialog", { name: "Edit edited" }).getByLabel("Name");
  await name.fill("half-done");
  let refused = 0;
  await page.route(`**/api/v1/byok/${data.id}`, async (route) => {
    await route.fulfill({ status: 403, body: "{}" });
    refused += 1;
  });
  // what was just read is not read again for 15 seconds; the page asks again once it has taken in the first refusal
  await comeBack(page, () => refused > 1);
  await expect(name).toHaveValue("half-done");
});
