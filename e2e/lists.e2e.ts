import { paths } from "#console/paths.ts";
import { violations } from "./axe.ts";
import { expect, failUntilClick, test } from "./fixtures.ts";

type Path = (workspace: string) => string;

/** Each page that lists records, what it reads, and what it says when that fails. */
const lists: readonly (readonly [Path, RegExp, string])[] = [
  [paths.keys, /\/api\/v1\/keys\?/, "The key list did not load"],
  [paths.calls, /\/api\/v1\/calls\?/, "The calls did not load"],
  [paths.calls, /\/api\/v1\/generations\/count\?/, "The calls over time did not load"],
  [paths.guardrails, /\/api\/v1\/guardrails\?/, "The guardrails did not load"],
  [paths.presets, /\/api\/v1\/presets\?/, "The presets did not load"],
  [paths.batches, /\/api\/v1\/batches\?/, "The batches did not load"],
  [paths.files, /\/api\/v1\/files\?/, "The files did not load"],
  [paths.destinations, /\/observability\/destinations\?/, "The destinations did not load"],
  [paths.providers, /\/api\/v1\/provider-settings$/, "The providers did not load"],
  [
    (workspace) => paths.workspaceBudgets("all", workspace),
    /\/api\/v1\/workspaces\/.*\/budgets$/,
    "The budgets did not load",
  ],
];

test("lists and records that fail, are gone, or are elsewhere", async ({ signedIn: page, workspace }) => {
  await test.step("what does not load says so, and Retry reads it again", async () => {
    const json = { error: { code: 500, message: "no store", metadata: { error_type: "server" } } };
    for (const [path, address, says] of lists) {
      await test.step(says, async () => {
        await failUntilClick(page, address, { status: 500, json });
        await page.goto(path(workspace.slug));
        const alert = page.getByRole("alert").filter({ hasText: says });
        await expect(alert).toBeVisible();
        expect(await violations(page)).toEqual([]);
        await alert.getByRole("button", { name: /^Retry/ }).click();
        await expect(alert).toHaveCount(0);
        await page.unrouteAll({ behavior: "ignoreErrors" });
      });
    }
  });
  await test.step("records that are gone, or belong to one workspace, say so", async () => {
    const { slug } = workspace;
    for (const [path, says] of [
      [paths.preset(slug, "nobody-has-this"), "It no longer exists"],
      [paths.guardrail(slug, "00000000-0000-4000-8000-000000000009"), "It no longer exists"],
      [paths.workspaceBudgets("all", "nobody-has-this"), "It no longer exists"],
      [paths.provider("all", "nobody-has-this"), "It no longer exists"],
      [paths.videoWebhook("all", "nowhere-at-all"), "No workspace has this slug or id."],
      [paths.workspaceCache("all", "nowhere-at-all"), "No workspace has this slug or id."],
      [paths.preset("all", "help-desk"), "A preset belongs to one workspace"],
      [paths.files("all"), "Files belong to one workspace"],
      [paths.batch("all", "batch_1"), "A batch belongs to one workspace"],
    ] as const) {
      await page.goto(path);
      await expect(page.getByText(says).first(), path).toBeVisible();
      expect(await violations(page), path).toEqual([]);
    }
  });
});
