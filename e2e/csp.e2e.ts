import { paths } from "#console/paths.ts";
import { expect, test } from "./fixtures.ts";

for (const [name, path] of Object.entries({
  "sign-in": paths.signIn(),
  overview: paths.overview("all"),
  keys: paths.keys("all"),
  "new key": paths.newKey("all"),
  workspaces: paths.workspaces("all"),
  "new workspace": paths.newWorkspace("all"),
  providers: paths.providers("all"),
  "new provider": paths.newProvider("all"),
  models: paths.models("all"),
  calls: paths.calls("all"),
  credits: paths.credits("all"),
  playground: paths.playground("all"),
  audit: paths.audit("all"),
})) {
  test(`csp-no-violations: ${name}`, async ({ signedIn: page, gateway }) => {
    const answer = await page.goto(gateway.url + path);
    const policy = answer?.headers()["content-security-policy"] ?? "";
    expect(policy).toMatch(/default-src 'none'|default-src 'self'/);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("require-trusted-types-for 'script'");
    expect(policy).not.toContain("unsafe");
    await expect(page.getByRole("heading", { level: 1 }).or(page.getByRole("dialog")).first()).toBeVisible();
    // The fixture `wellBehaved` fails the journey on any violation that the browser reports.
  });
}
