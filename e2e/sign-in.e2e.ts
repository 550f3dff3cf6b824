import { paths } from "#console/paths.ts";
import { browserResidue, expect, test } from "./fixtures.ts";
import { startGatewayProcess } from "#gateway/testing/process.ts";

test("sign-in with a management key: out, refused, and back to what was asked for", async ({ page, gateway }) => {
  await test.step("sign-in with a management key, and out again", async () => {
    await page.goto(gateway.url);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(/sign in/i);
    await page.getByLabel("Management key").fill(gateway.managementKey);
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect(page.getByRole("navigation").getByRole("link", { name: "API keys" })).toBeVisible();
    expect(await browserResidue(page)).not.toContain(gateway.managementKey);

    await page.getByRole("button", { name: /account/i }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await expect(page.getByLabel("Management key")).toHaveValue("");
    await page.goBack();
    await expect(page.getByLabel("Management key")).toBeVisible();
  });
  await test.step("sign-in says what is wrong with a key, and keeps nothing of it", async () => {
    await page.goto(paths.signIn());
    await page.getByLabel("Management key").fill("not-a-management-key-at-all-0000000");
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect(page.getByRole("alert").filter({ hasText: "This gateway has no such management key" })).toBeVisible();
    expect(await browserResidue(page)).not.toContain("not-a-management-key");
  });
  await test.step("sign-in comes back to the page that was asked for", async () => {
    await page.goto(paths.workspaces("all"));
    await page.getByLabel("Management key").fill(gateway.managementKey);
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect(page).toHaveURL(paths.workspaces("all"));
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Workspaces");
  });
});

test("sign-in by the link that the first start prints works once, and leaves the address at once", async ({ page }) => {
  const gateway = await startGatewayProcess({ env: { GATEHOUSE_MANAGEMENT_KEY: undefined } });
  const printed = () => /http\S+sign-in#token=\S+(?=\s)/.exec(gateway.printed())?.[0] ?? "";
  try {
    await expect.poll(printed).not.toBe("");
    const link = printed();
    await page.goto(link);
    await expect(page.getByRole("navigation").getByRole("link", { name: "API keys" })).toBeVisible();
    await expect(page).not.toHaveURL(/token/);

    await page.context().clearCookies();
    await page.goto("about:blank");
    await page.goto(link);
    await expect(page.getByRole("alert").filter({ hasText: "The sign-in link did not work" })).toBeVisible();
    await expect(page.getByLabel("Management key")).toBeVisible();
    await expect(page).not.toHaveURL(/token/);
  } finally {
    await gateway.dispose();
  }
});
