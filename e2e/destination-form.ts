import type { Locator, Page } from "@playwright/test";
import {
  createDestination,
  type DestinationRecord,
  getDestination,
  type UpdateDestinationBody,
} from "#contract/destinations.ts";
import { paths } from "#console/paths.ts";
import type { WorkspaceRecord } from "#contract/workspaces.ts";
import type { Api } from "#gateway/testing/api-client.ts";
import { expect } from "./fixtures.ts";

/** A destination that affects no other test: nothing listens at its address, and nothing is delivered to it. */
export async function langfuse(
  api: Api,
  workspaceId: string,
  settings: Record<string, unknown> = {},
): Promise<DestinationRecord> {
  const { data } = await api(createDestination, {
    body: {
      name: "langfuse-prod",
      type: "langfuse",
      workspace_id: workspaceId,
      enabled: false,
      privacy_mode: true,
      config: {
        baseUrl: "http://127.0.0.1:9",
        publicKey: "pk-lf-1f7a20c4",
        secretKey: "sk-lf-first-stored-secret",
      },
      ...settings,
    },
  });
  return data;
}

export async function openEditor(page: Page, base: string, workspace: string, id: string): Promise<void> {
  await page.goto(base + paths.destination(workspace, id));
  await expect(page.getByRole("heading", { name: "Basics" })).toBeVisible();
}

/** A destination in its editor, and the changes that the editor sends from then on. */
export async function edit(page: Page, api: Api, workspace: WorkspaceRecord, settings: Record<string, unknown> = {}) {
  const { id, config } = await langfuse(api, workspace.id, settings);
  const sent = sentChanges(page);
  await openEditor(page, "", workspace.slug, id);
  return { id, config, sent };
}

/** Every PATCH of a destination that the page sends, in order, as it is on the wire. */
export function sentChanges(page: Page): { text: string; body: UpdateDestinationBody }[] {
  const sent: { text: string; body: UpdateDestinationBody }[] = [];
  page.on("request", (request) => {
    if (request.method() !== "PATCH" || !request.url().includes("/observability/destinations/")) return;
    const text = request.postData() ?? "";
    sent.push({ text, body: JSON.parse(text) as UpdateDestinationBody });
  });
  return sent;
}

/** The bar at the foot of the window, which is there while something is not saved. */
export const saveBar = (page: Page): Locator => page.getByRole("region", { name: "Unsaved changes" });

/** Presses Save, answers the question if one is asked, and waits until nothing is left to save. */
export async function save(page: Page, confirm?: string): Promise<void> {
  await saveBar(page).getByRole("button", { name: /^Save/ }).click();
  if (confirm !== undefined) await page.getByRole("alertdialog").getByRole("button", { name: confirm }).click();
  await expect(saveBar(page)).toHaveCount(0);
}

export async function stored(api: Api, id: string): Promise<DestinationRecord> {
  return (await api(getDestination, { params: { id } })).data;
}

/** A section of the form. */
export const section = (page: Page, name: string): Locator => page.getByRole("region", { name, exact: true });
