import { paths } from "#console/paths.ts";
import { expect, signIn, test } from "./fixtures.ts";
import { startGatewayProcess } from "#gateway/testing/process.ts";

test("subpath-base: the console works whole under a sub-path, and asks for nothing outside it", async ({ page }) => {
  const gateway = await startGatewayProcess({ env: { GATEHOUSE_BASE_PATH: "/tools/gatehouse" } });
  const outside: string[] = [];
  page.on("request", (request) => {
    if (request.url().startsWith("http") && !request.url().startsWith(`${gateway.url}/`)) outside.push(request.url());
  });
  try {
    await page.goto(`${gateway.url}/`);
    await expect(page.getByLabel("Management key")).toBeVisible();
    await signIn(page, gateway.url, gateway.managementKey);
    await page.goto(gateway.url + paths.keys("all"));
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("API keys");
    await page.getByRole("navigation").getByRole("link", { name: "Workspaces" }).click();
    await expect(page).toHaveURL(gateway.url + paths.workspaces("all"));
    await page.reload();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Workspaces");
    expect(outside).toEqual([]);
  } finally {
    await gateway.dispose();
  }
});
