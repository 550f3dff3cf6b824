import { paths } from "#console/paths.ts";
import { expect, test } from "./fixtures.ts";

const { overview, keys, newKey, workspaces, newWorkspace, providers, newProvider, models, calls, credits } = paths;
const pages = [overview, keys, newKey, workspaces, newWorkspace, providers, newProvider, models, calls, credits];

test("csp-no-violations: every page has the strict policy, and keeps to it", async ({ signedIn: page }) => {
  for (const path of [paths.signIn(), ...[...pages, paths.playground, paths.audit].map((of) => of("all"))]) {
    const answer = await page.goto(path);
    const policy = answer?.headers()["content-security-policy"] ?? "";
    expect(policy).toMatch(/default-src 'none'|default-src 'self'/);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("require-trusted-types-for 'script'");
    expect(policy).not.toContain("unsafe");
    await expect(page.getByRole("heading", { level: 1 }).or(page.getByRole("dialog")).first()).toBeVisible();
    // The fixture `wellBehaved` fails the journey on any violation that the browser reports.
  }
});
