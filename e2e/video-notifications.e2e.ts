import type { Page } from "@playwright/test";
import { getVideoWebhook } from "#contract/video-webhooks.ts";
import { paths } from "#console/paths.ts";
import { violations } from "./axe.ts";
import { chooseFromRow, expect, expectToast, expectToFit, holdToasts, test, hold } from "./fixtures.ts";
import { whereFound } from "./residue.ts";

const secretOf = (page: Page) => page.getByRole("region", { name: "The new secret" });

test("a workspace's video notifications, signed and removed", async ({ signedIn: page, workspace, api }) => {
  const { slug, id, name } = workspace;
  const stored = async () => (await api(getVideoWebhook, { params: { id } })).data;
  await page.goto(paths.workspaces(slug));
  await chooseFromRow(page, slug, "Video notifications");
  await expect(page.getByRole("heading", { level: 1, name: `Video notifications of ${name}` })).toBeVisible();
  await expect(page.getByText("None: only calls with a callback_url notify.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Remove", exact: true })).toBeHidden();

  await page.getByRole("link", { name: "Set the address" }).click();
  const panel = page.getByRole("dialog", { name: `Address for the videos of ${name}` });
  await panel.getByLabel(/^Address/).fill("http://example.com/videos");
  await panel.getByRole("button", { name: /^Save changes/ }).click();
  await expect(panel.getByLabel(/^Address/)).toHaveAttribute("aria-invalid", "true");
  await panel.getByLabel(/^Address/).fill("https://example.com/videos");
  await holdToasts(page);
  await panel.getByRole("button", { name: /^Save changes/ }).click();
  await expect(panel).toBeHidden();
  await expectToast(page, `Video notifications of ${name} go to https://example.com/videos.`);
  expect(await stored()).toMatchObject({ url: "https://example.com/videos", secret_label: null });

  await page.getByRole("button", { name: "Create a secret" }).click();
  await expect(secretOf(page).getByRole("button", { name: "Copy secret" })).toBeFocused();
  await expect(secretOf(page).getByRole("group", { name: "Signing secret, hidden" })).toBeVisible();
  await secretOf(page).getByRole("button", { name: "Show" }).click();
  const secret = (await secretOf(page).locator("code").textContent()) ?? "";
  expect(secret).toMatch(/^whsec_/);
  expect(await violations(page)).toEqual([]);
  await page.getByRole("link", { name: "All workspaces" }).click();
  const question = page.getByRole("dialog", { name: "Leave without saving the secret?" });
  await question.getByRole("button", { name: "Go back" }).click();
  await secretOf(page).getByRole("button", { name: "I have stored it" }).click();
  await expect(secretOf(page)).toBeHidden();
  await expect(page.getByRole("button", { name: "Replace the secret" })).toBeFocused();
  const { secret_label: label } = await stored();
  await expect(page.getByText(label ?? "no label", { exact: true })).toBeVisible();
  expect(await whereFound(page, secret)).toEqual([]);

  await page.getByRole("button", { name: "Replace the secret" }).click();
  const replacing = page.getByRole("dialog", { name: `Replace the signing secret of ${name}` });
  await replacing.getByRole("button", { name: "Replace the secret" }).click();
  await secretOf(page).getByRole("button", { name: "I have stored it" }).click();
  await expect.poll(async () => (await stored()).secret_label).not.toBe(label);

  await page.getByRole("button", { name: "Remove", exact: true }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Remove them" }).click();
  await expectToast(page, `${name} no longer has an address or a secret.`);
  await expect(page.getByText("None: messages are not signed.")).toBeVisible();
  expect(await stored()).toEqual({ url: null, secret_label: null, secret_created_at: null });
});

test("video notifications wait for the list of workspaces @long", async ({ signedIn: page, workspace }) => {
  const asked: string[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/video-webhook")) asked.push(new URL(request.url()).pathname);
  });
  const listed = await hold(page, /\/workspaces\?/);
  await page.goto(paths.videoWebhook("all", workspace.slug));
  await expect(page.getByRole("heading", { level: 1, name: "Video notifications of" })).toBeVisible();
  listed();
  await expect(page.getByRole("button", { name: "Create a secret" })).toBeVisible();
  expect(new Set(asked)).toEqual(new Set([`/api/v1/workspaces/${workspace.id}/video-webhook`]));
});

test("video notifications that fail, at every width @long", async ({ signedIn: page, workspace }) => {
  await page.goto(paths.videoWebhook("all", workspace.slug));
  await page.route(/video-webhook\/secret$/, (route) => route.abort("connectionrefused"));
  await page.getByRole("button", { name: "Create a secret" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "It may have been created anyway" })).toBeVisible();
  await page.unroute(/video-webhook\/secret$/);
  await page.getByRole("button", { name: "Create a secret" }).click();
  await expect(secretOf(page)).toBeVisible();
  await expectToFit(page);
  expect(await violations(page)).toEqual([]);
});
