import type { Page } from "@playwright/test";
import { createEmbeddings } from "#contract/embeddings.ts";
import { createKey } from "#contract/keys.ts";
import { createWorkspace } from "#contract/workspaces.ts";
import { apiOf } from "#gateway/testing/api-client.ts";
import { violationsIn } from "./axe.ts";
import { expect, longRun, test } from "./fixtures.ts";
import { seedKeys, type Stage, type State, states } from "./states.ts";

/** Those that `npm test` looks at: of each kind of page and of what opens over it the one with the most in it. */
const chosen = [
  "keys: ready",
  "over the keys: command menu",
  "over the keys: row menu",
  "one key: ready",
  "one key: edit",
  "creating a key: with mistakes",
  "a new key: shown",
  "a new key: gate",
  "overview: ready",
  "workspaces: ready",
  "management keys: ready",
  "audit: ready",
  "pages: calls",
  "pages: models",
  "pages: new provider",
  "pages: new guardrail",
  "pages: new preset",
  "pages: new destination",
  "pages: playground",
  "signed out: sign-in",
];

/** Back to a gateway that answers by itself; what is on screen gives way to the next state. */
async function leave(page: Page): Promise<void> {
  await page.evaluate(() => sessionStorage.clear());
  await page.unrouteAll({ behavior: "ignoreErrors" });
}

for (const theme of ["light", "dark"] as const) {
  // What axe finds is told for all states, not for the first only.
  test(`axe-all-states-${theme}: no state violates a rule`, async ({ signedIn: page, gateway, workspace, api }) => {
    test.slow();
    const hash = await seedKeys(api, workspace.id);
    const empty = `${workspace.slug}-empty`;
    await api(createWorkspace, { body: { name: empty, slug: empty } });
    const makeCall = async () => {
      const { key } = await api(createKey, { body: { name: "caller", workspace_id: workspace.id } });
      await apiOf(gateway, key)(createEmbeddings, { body: { model: "gatehouse/lexical", input: "one" } });
    };
    const stage: Stage = { page, url: gateway.url, full: workspace.slug, empty, hash, makeCall };
    const wanted: [string, State | undefined][] = longRun
      ? Object.entries(states)
      : chosen.map((name) => [name, states[name]]);
    const found: string[] = [];
    for (const [name, reach] of wanted) {
      await test.step(name, async () => {
        if (reach === undefined) throw new Error(`There is no state ${name}`);
        await reach(stage);
        for (const violation of await violationsIn(page, theme)) found.push(`${name}, ${violation}`);
        await leave(page);
      });
    }
    expect(found).toEqual([]);
  });
}
