import { createHash, randomBytes } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { listAudit } from "#contract/audit.ts";
import { createKey, getKey } from "#contract/keys.ts";
import { paths } from "#console/paths.ts";
import { violations } from "./axe.ts";
import { browserResidue, expect, type Page, test as base } from "./fixtures.ts";

/** An app on this machine: what it is sent back with, and what its page says. */
interface App {
  /** host and port */
  name: string;
  callback: string;
  returned: URL[];
}

const test = base.extend<{ app: App }>({
  app: async ({}, use) => {
    const returned: URL[] = [];
    const server: Server = createServer((request, response) => {
      const url = new URL(request.url ?? "/", "http://localhost");
      if (url.pathname === "/cb") returned.push(url);
      response.setHeader("content-type", "text/html");
      response.end("<!doctype html><html lang=en><title>The app</title><h1>Back in the app</h1></html>");
    });
    await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
    const name = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    await use({ name, callback: `http://${name}/cb?state=s%201`, returned });
    await new Promise((closed) => server.close(closed));
  },
});

function pkce() {
  const code_verifier = randomBytes(32).toString("base64url");
  return { code_verifier, code_challenge: createHash("sha256").update(code_verifier).digest("base64url") };
}

function address(query: Record<string, string>): string {
  return `${paths.authorizeApp()}?${new URLSearchParams(query)}`;
}

async function exchange(page: Page, gateway: { url: string }, data: Record<string, string | null>) {
  return await page.request.post(`${gateway.url}/api/v1/auth/keys`, { data });
}

const allow = (page: Page) => page.getByRole("button", { name: "Allow", exact: true });

test("an app gets a key, by a code that works once", async ({ page, gateway, app, api }) => {
  const { code_challenge, code_verifier } = pkce();
  const bound = { code_challenge, code_challenge_method: "S256" };
  await page.goto(address({ callback_url: app.callback, ...bound, limit: "3", key_label: "Notes" }));
  await page.getByLabel("Management key").fill(gateway.managementKey);
  await page.getByRole("button", { name: "Sign in" }).click();

  await expect(page.getByRole("heading", { level: 1 })).toHaveText(`Allow ${app.name} to use models?`);
  await expect(page.getByText(`http://${app.name}/cb`, { exact: true })).toBeVisible();
  await expect(page.getByLabel("Name")).toHaveValue("Notes");
  await expect(page.getByLabel("Limit in USD")).toHaveValue("3.00");
  await page.getByLabel("Limit in USD").fill("1.5");
  await allow(page).click();

  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Back in the app");
  const [url] = app.returned;
  expect(app.returned).toHaveLength(1);
  expect(url?.search).toMatch(/^\?state=s%201&code=[\w-]{43}$/);
  const code = url?.searchParams.get("code") ?? "";

  const answer = await exchange(page, gateway, { code, code_verifier, code_challenge_method: "S256" });
  expect(answer.status(), await answer.text()).toBe(200);
  const { key } = (await answer.json()) as { key: string };
  const hash = createHash("sha256").update(key).digest("hex");
  const call = await page.request.post(`${gateway.url}/api/v1/embeddings`, {
    headers: { authorization: `Bearer ${key}` },
    data: { model: "gatehouse/lexical", input: "a note" },
  });
  expect(call.status(), await call.text()).toBe(200);
  expect((await exchange(page, gateway, { code, code_verifier })).status()).toBe(403);
  const { data: record } = await api(getKey, { params: { hash } });
  expect(record).toMatchObject({ name: "Notes", limit: 1.5, oauth_app: app.name });

  expect(gateway.printed()).not.toContain(code);
  await page.goto(paths.key("all", hash));
  await expect(page.getByText(`for ${app.name}`)).toBeVisible();
  expect(await browserResidue(page)).not.toContain(code);
  const { data: rows } = await api(listAudit, { query: { target_id: hash } });
  expect(rows.map(({ action }) => action)).toContain("exchangeAuthCodeForAPIKey");
});

test("an app that is refused; one that has no address", async ({ signedIn: page, part, gateway, app, api }) => {
  await part("an app that is refused is not told, and gets nothing", async () => {
    await page.goto(address({ callback_url: app.callback }));
    await expect(page.getByText("The app sent no code_challenge")).toBeVisible();
    await page.getByRole("button", { name: "Do not allow" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(`Not allowed: ${app.name}`);
    expect(page.url()).toContain(gateway.url);
    expect(app.returned).toEqual([]);
  });
  await part("an app can be refused while the workspaces do not load", async () => {
    await page.route(/\/api\/v1\/workspaces\?/, (route) => route.fulfill({ status: 500, json: {} }));
    await page.goto(address({ callback_url: app.callback }));
    await expect(page.getByText("The workspaces did not load").first()).toBeVisible();
    await expect(allow(page)).toHaveCount(0);
    expect(await violations(page)).toEqual([]);
    await page.getByRole("button", { name: "Do not allow" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(`Not allowed: ${app.name}`);
  });
  await part("the code is shown once, to be taken there", async () => {
    const { code_challenge, code_verifier } = pkce();
    const bound = { code_challenge, code_challenge_method: "S256" };
    await page.goto(address({ ...bound, key_label: "cli" }));
    await allow(page).click();
    const shown = page.getByRole("group", { name: "Code" }).locator("code");
    await expect(shown).toHaveText(/^[\w-]{43}$/);
    const code = (await shown.textContent()) ?? "";
    expect(page.url()).not.toContain(code);
    expect(await violations(page)).toEqual([]);
    const answer = await exchange(page, gateway, { code, code_verifier, code_challenge_method: "S256" });
    expect(answer.status(), await answer.text()).toBe(200);
    await page.reload();
    await expect(allow(page)).toBeVisible();
    await expect(page.getByText(code)).toHaveCount(0);
  });
  await part("what was made with a key is on its page, and can be disabled there", async () => {
    const { data, key } = await api(createKey, { body: { name: "agents" } });
    const codes = await page.request.post(`${gateway.url}/api/v1/auth/keys/code`, {
      headers: { authorization: `Bearer ${key}` },
      data: { callback_url: app.callback, key_label: "agent one" },
    });
    const { data: made } = (await codes.json()) as { data: { id: string } };
    expect((await exchange(page, gateway, { code: made.id })).status()).toBe(200);
    await page.goto(paths.key("all", data.hash));
    const section = page.getByRole("region", { name: "Keys made with it" });
    await expect(section.getByRole("link", { name: "agent one" })).toBeVisible();
    expect(await violations(page)).toEqual([]);
    await section.getByRole("button", { name: "Disable all" }).click();
    await page.getByRole("dialog", { name: "Disable agent one" }).getByRole("button", { name: "Disable" }).click();
    await expect(section.getByRole("listitem")).toHaveText("agent onedisabled");
    await section.getByRole("button", { name: "Enable all" }).click();
    await expect(section.getByRole("listitem")).toHaveText("agent one");
    await expect(section.getByRole("button", { name: "Enable all" })).toBeHidden();
  });
  await part("a host that looks like another is written as it is called, with a warning", async () => {
    await page.goto(address({ callback_url: "https://\u0430pple.example/cb" }));
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(/^Allow xn--\S+\.example to use models\?$/);
    await expect(page.getByText("some look like others")).toBeVisible();
  });
});

test("a wrong request leads nowhere, and consent is never framed", async ({ page, gateway }) => {
  await test.step("a wrong request is answered on the spot, signed in or not, and leads nowhere", async () => {
    for (const callback_url of [
      "http://evil.example/",
      "javascript:alert(document.domain)",
      "https://a:b@evil.example/",
    ]) {
      await page.goto(address({ callback_url }));
      await expect(page.getByRole("heading", { level: 1 })).toHaveText("This request cannot be answered");
      await expect(page.getByText("callback_url must")).toBeVisible();
      expect(page.url()).toContain(gateway.url);
    }
    await page.goto(address({}));
    await expect(page.getByText("code_challenge is required where there is no callback_url")).toBeVisible();
    expect(await violations(page)).toEqual([]);
  });
  await test.step("the consent page cannot be framed, and tells no address where it was", async () => {
    const answer = await page.request.get(address({ callback_url: "https://app.example.com/" }));
    expect(answer.headers()["content-security-policy"]).toContain("frame-ancestors 'none'");
    expect(answer.headers()["referrer-policy"]).toBe("no-referrer");
  });
});
