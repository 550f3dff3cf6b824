import type { Page } from "@playwright/test";
import { createWorkspace } from "#contract/workspaces.ts";
import { createEmbeddings } from "#contract/embeddings.ts";
import { createKey } from "#contract/keys.ts";
import { apiOf, type Api } from "#gateway/testing/api-client.ts";
import { violations } from "./axe.ts";
import { expect, test } from "./fixtures.ts";
import {
  createKeyStates,
  auditStates,
  keyListStates,
  managementKeyStates,
  oneKeyStates,
  overListStates,
  overviewStates,
  revealStates,
  seedKeys,
  signedOutStates,
  type Stage,
  type State,
  workspaceStates,
} from "./states.ts";

/** Walks through states, and looks at each in both themes. What axe finds is told for all of them, not for the first only. */
async function inspect(stage: Stage, states: Record<string, State>): Promise<void> {
  const found: string[] = [];
  for (const [name, reach] of Object.entries(states)) {
    await test.step(name, async () => {
      await reach(stage);
      for (const violation of await violations(stage.page)) found.push(`${name}, ${violation}`);
      await leave(stage.page);
    });
  }
  expect(found).toEqual([]);
}

/** Back to a gateway that answers by itself, and to nothing on screen. */
async function leave(page: Page): Promise<void> {
  await page.evaluate(() => sessionStorage.clear());
  const accept = (question: { accept(): Promise<void> }) => void question.accept();
  page.on("dialog", accept);
  await page.goto("about:blank");
  page.off("dialog", accept);
  await page.unrouteAll({ behavior: "ignoreErrors" });
}

async function stageOf(
  page: Page,
  gateway: Parameters<typeof apiOf>[0],
  workspace: { id: string; slug: string },
  api: Api,
): Promise<Stage> {
  const hash = await seedKeys(api, workspace.id);
  const empty = `${workspace.slug}-empty`;
  await api(createWorkspace, { body: { name: empty, slug: empty } });
  const makeCall = async () => {
    const { key } = await api(createKey, { body: { name: "caller", workspace_id: workspace.id } });
    await apiOf(gateway, key)(createEmbeddings, { body: { model: "gatehouse/lexical", input: "one" } });
  };
  return { page, url: gateway.url, full: workspace.slug, empty, hash, makeCall };
}

for (const [name, states] of Object.entries({
  "the list of keys": keyListStates,
  "what opens over the list": overListStates,
  "one key": oneKeyStates,
  "creating a key": createKeyStates,
  "the key shown once": revealStates,
  "the overview and what is not there": overviewStates,
  workspaces: workspaceStates,
  "management keys": managementKeyStates,
  "the audit log": auditStates,
})) {
  test(`axe-all-states-light, axe-all-states-dark: ${name}`, async ({ signedIn: page, gateway, workspace, api }) => {
    await inspect(await stageOf(page, gateway, workspace, api), states);
  });
}

test("axe-all-states-light, axe-all-states-dark: signed out", async ({ page, gateway, workspace, api }) => {
  await inspect(await stageOf(page, gateway, workspace, api), signedOutStates);
});
