import { createKey, rotateKey } from "#contract/keys.ts";
import { paths } from "#console/paths.ts";
import { basePath } from "#contract/api.ts";
import { expect, test } from "./fixtures.ts";
import { answerToPost, gateOf, randomPart, revealOf, showNewKey } from "./key-form.ts";
import { inHeap, whereFound } from "./residue.ts";

test("reveal-no-residue: nothing holds anything", async ({ signedIn: page, part, gateway, api }, info) => {
  await part("while it is open React holds nothing, and after it nothing holds anything", async (workspace) => {
    const said: string[] = [];
    page.on("console", (message) => said.push(message.text()));
    const sent: string[] = [];
    page.on("request", (request) => sent.push(`${request.url()} ${request.postData() ?? ""}`));

    await page.goto(paths.keys(workspace.slug));
    const answered = answerToPost(page, "/keys");
    const { panel, key, record } = await showNewKey(page, gateway.url, workspace.slug, "residue");
    expect((await answered).headers()["cache-control"]).toContain("no-store");
    const piece = randomPart(key);
    expect(piece.length).toBeGreaterThan(30);
    expect(await whereFound(page, piece)).toEqual([]);
    // the search does find what is there: the record's hash is in props, in state and in the cache
    const places = async () => (await whereFound(page, record.hash)).join("\n");
    for (const place of [/memoizedProps/, /memoizedState/, /query cache/]) await expect.poll(places).toMatch(place);
    await panel.getByRole("button", { name: "Show", exact: true }).click();
    await expect(panel.getByText(key)).toBeVisible();
    // shown, it is in the markup on purpose, and still nowhere else
    expect(await whereFound(page, piece)).toEqual(["markup"]);
    await panel.getByRole("switch", { name: "Copy with the real key" }).click();
    await panel.getByRole("button", { name: /^Copy the \w+ snippet$/ }).click();
    await panel.getByRole("button", { name: "Copy key" }).click();
    await expect(panel.getByRole("status").filter({ hasText: "Key copied" })).toBeAttached();
    await panel.getByRole("button", { name: "Done" }).click();
    await expect(panel).toBeHidden();

    expect(await whereFound(page, piece)).toEqual([]);
    await page.goBack();
    await page.goForward();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("API keys");
    expect(await whereFound(page, piece)).toEqual([]);
    await page.goto("about:blank");
    await page.goBack();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("API keys");
    expect(await whereFound(page, piece)).toEqual([]);
    expect(said.filter((text) => text.includes(piece))).toEqual([]);
    expect(sent.filter((text) => text.includes(piece))).toEqual([]);
    info.annotations.push({
      type: "after a reload, in Chromium's heap",
      description: String(await inHeap(page, piece)),
    });
  });
  await part("closing through the gate leaves nothing either", async (workspace) => {
    const { panel, key } = await showNewKey(page, gateway.url, workspace.slug, "kept");
    await page.keyboard.press("Escape");
    expect(await whereFound(page, randomPart(key))).toEqual([]);
    await gateOf(page).getByRole("button", { name: "Close and keep the key" }).click();
    await expect(panel).toBeHidden();
    expect(await whereFound(page, randomPart(key))).toEqual([]);
    info.annotations.push({
      type: "without a reload, in Chromium's heap",
      description: String(await inHeap(page, randomPart(key))),
    });
  });
  await part("a replacement's key is held no differently", async (workspace) => {
    const { data: old } = await api(createKey, { body: { name: "to-replace", workspace_id: workspace.id } });
    await page.goto(paths.replaceKey(workspace.slug, old.hash));
    const answered = page.waitForResponse(
      (response) => response.url() === gateway.url + basePath + rotateKey.path.replace("{hash}", old.hash),
    );
    await page.getByRole("button", { name: /^Replace key/ }).click();
    const { key } = (await (await answered).json()) as { key: string };
    const panel = await revealOf(page);
    expect(await whereFound(page, randomPart(key))).toEqual([]);
    await panel.getByRole("button", { name: "Show", exact: true }).click();
    await expect(panel.getByText(key)).toBeVisible();
    expect(await whereFound(page, randomPart(key))).toEqual(["markup"]);
    await panel.getByText("I have stored it").click();
    await panel.getByRole("button", { name: "Done" }).click();
    await expect(panel).toBeHidden();
    expect(await whereFound(page, randomPart(key))).toEqual([]);
  });
});
