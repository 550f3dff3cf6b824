import { randomBytes } from "node:crypto";
import type { Page } from "@playwright/test";
import { createKey } from "#contract/keys.ts";
import { deleteProvider } from "#contract/providers.ts";
import { paths } from "#console/paths.ts";
import { startScriptedVendor } from "#gateway/testing/scripted-vendor.ts";
import { violations } from "./axe.ts";
import { expect, expectToFit, row, test, expectTexts, fill } from "./fixtures.ts";
import { addProvider } from "./provider.ts";

/** Nothing of the page is out of sight at any width, and nothing violates a rule in either theme. */
async function expectSound(page: Page): Promise<void> {
  await expectToFit(page);
  expect(await violations(page)).toEqual([]);
}

test("speech, image and video models, priced and called", async ({ signedIn: page, part, gateway, api }) => {
  await part("its price by the character, a call to copy, and what a call was billed by", async (workspace) => {
    const vendor = await startScriptedVendor();
    vendor.answer({ headers: { "content-type": "audio/mpeg" }, pieces: [Buffer.from([0xff, 0xf3, 0x00])] });
    const slug = `v${randomBytes(4).toString("hex")}`;
    const id = `${slug}/voice`;
    await addProvider(api, { slug, base_url: `${vendor.url}/v1`, models: [] });

    await page.goto(paths.newModel(workspace.slug, slug));
    const panel = page.getByRole("dialog", { name: /Add a model/ });
    await panel.getByLabel("Model id").fill(id);
    await page.setViewportSize({ width: 320, height: 900 });
    const types = panel.getByRole("radiogroup", { name: "Type" });
    expect(await types.evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)).toBe(true);
    await panel.getByRole("radio", { name: "Speech" }).click();
    await panel.getByLabel("The provider's name for it").fill("tts-1");
    await panel.getByRole("radio", { name: "Has a price" }).click();
    await panel.getByLabel("Text, a million characters").fill("15");
    await panel.getByRole("button", { name: "Add model" }).click();
    await expect(panel).toBeHidden();
    await expect(page.getByText("$15.00 a million characters")).toBeVisible();
    // tokens, which it has none of, are not called free
    await expect(row(page, new RegExp(id))).not.toContainText("$0.00");

    await page.goto(paths.model(workspace.slug, id));
    await expect(page.getByText("$15.00 a million characters").first()).toBeVisible();
    const call = page.getByRole("region", { name: "Call it" });
    await expectTexts(call, "/api/v1/audio/speech", "-o speech.mp3");
    await expectSound(page);

    const { key } = await api(createKey, { body: { name: "reader", workspace_id: workspace.id } });
    const answer = await fetch(`${gateway.url}/api/v1/audio/speech`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ model: id, input: "Sixteen letters.", voice: "alloy", response_format: "mp3" }),
    });
    await answer.arrayBuffer();
    await page.goto(paths.calls(workspace.slug));
    await row(page, new RegExp(id)).getByRole("link").first().click();
    await expect(page.getByText("16 characters")).toBeVisible();
    await expect(page.getByText("$0.00024", { exact: true }).first()).toBeVisible();
    await api(deleteProvider, { params: { slug } });
    await vendor.close();
  });
  await part("its prices by quality and size, a call to copy, and what a call was billed by", async (workspace) => {
    const vendor = await startScriptedVendor();
    const painted = JSON.stringify({ created: 1, data: [{ b64_json: "iVBORw0KGgo=" }, { b64_json: "iVBORw0KGgo=" }] });
    vendor.answer({ headers: { "content-type": "application/json" }, pieces: [painted] });
    const slug = `v${randomBytes(4).toString("hex")}`;
    const id = `${slug}/painter`;
    await addProvider(api, { slug, base_url: `${vendor.url}/v1`, models: [] });

    await page.goto(paths.newModel(workspace.slug, slug));
    const panel = page.getByRole("dialog", { name: /Add a model/ });
    await panel.getByLabel("Model id").fill(id);
    await panel.getByRole("radio", { name: "Image" }).click();
    await panel.getByLabel("The provider's name for it").fill("gpt-image-1");
    await panel.getByRole("radio", { name: "Has a price" }).click();
    await fill(panel, { "Each image made": "0.04", "By quality and size": "high twice 0.17" });
    await panel.getByRole("button", { name: "Add model" }).click();
    await expect(panel.getByText("Write it as high 1024x1536 0.25, not high twice 0.17")).toBeVisible();
    await panel.getByLabel("By quality and size").fill("high 1024x1536 0.25\nhigh 0.17");
    await panel.getByRole("button", { name: "Add model" }).click();
    await expect(panel).toBeHidden();
    await expect(page.getByText("$0.25 high 1024x1536")).toBeVisible();

    await page.goto(paths.model(workspace.slug, id));
    const call = page.getByRole("region", { name: "Call it" });
    await expect(call).toContainText("/api/v1/images");
    await expectSound(page);

    const { key } = await api(createKey, { body: { name: "painter", workspace_id: workspace.id } });
    const answer = await fetch(`${gateway.url}/api/v1/images`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ model: id, prompt: "A red gate", n: 2, quality: "low" }),
    });
    expect(answer.status).toBe(200);
    await page.goto(paths.calls(workspace.slug));
    await row(page, new RegExp(id)).getByRole("link").first().click();
    await expect(page.getByText("2 images")).toBeVisible();
    await expect(page.getByText("$0.08", { exact: true }).first()).toBeVisible();
    await api(deleteProvider, { params: { slug } });
    await vendor.close();
  });
  await part("its job is in Calls, with its cost", async (workspace) => {
    const vendor = await startScriptedVendor();
    const state = (body: object) => ({
      headers: { "content-type": "application/json" },
      pieces: [JSON.stringify(body)],
    });
    vendor.answer(({ path }) => state(path.endsWith("/videos") ? { id: "v1" } : { status: "completed", seconds: "4" }));
    const slug = `v${randomBytes(4).toString("hex")}`;
    const id = `${slug}/camera`;
    const model = {
      id,
      upstream_id: "sora-2",
      type: "video" as const,
      name: "Camera",
      pricing: { prompt: "0", second: "0.1" },
    };
    await addProvider(api, { slug, base_url: `${vendor.url}/v1`, models: [model] });
    const { key } = await api(createKey, { body: { name: "filmer", workspace_id: workspace.id } });
    const authorization = `Bearer ${key}`;
    const asked = await fetch(`${gateway.url}/api/v1/videos`, {
      method: "POST",
      headers: { authorization, "content-type": "application/json" },
      body: JSON.stringify({ model: id, prompt: "A red gate opens", duration: 4 }),
    });
    expect(asked.status).toBe(202);
    const job = (await asked.json()) as { polling_url: string };
    const seen = async () => await (await fetch(job.polling_url, { headers: { authorization } })).json();
    await expect.poll(seen).toMatchObject({ status: "completed", usage: { cost: 0.4 } });
    await page.goto(paths.calls(workspace.slug));
    await expect(row(page, new RegExp(id))).toContainText("$0.40");
    await row(page, new RegExp(id)).getByRole("link").first().click();
    await expect(page.getByText("4 seconds")).toBeVisible();
    await expect(page.getByText("$0.40", { exact: true }).first()).toBeVisible();
    await expectSound(page);
    await api(deleteProvider, { params: { slug } });
    await vendor.close();
  });
});
