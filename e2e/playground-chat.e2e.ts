import { randomBytes } from "node:crypto";
import { listAudit } from "#contract/audit.ts";
import { createKey, getKey } from "#contract/keys.ts";
import { deleteProvider } from "#contract/providers.ts";
import { paths } from "#console/paths.ts";
import { startFakeVendor } from "#gateway/testing/fake-vendor.ts";
import { violations } from "./axe.ts";
import { expect, expectToFit, test } from "./fixtures.ts";
import { addProvider } from "./provider.ts";

test("chat: a stream, a stop, two models, as a key", async ({ signedIn: page, workspace, api }) => {
  const vendor = await startFakeVendor();
  vendor.settings.words = ["It is", " **held**", " <i>at</i>", " customs", "."];
  const slug = `c${randomBytes(4).toString("hex")}`;
  const [large, small] = [`${slug}/large`, `${slug}/small`];
  const pricing = { prompt: "0.000001", completion: "0.000002" };
  const models = [large, small].map((id) => ({ id, upstream_id: "talk", type: "chat" as const, pricing }));
  await addProvider(api, { slug, base_url: vendor.baseUrl, models });
  const { data: key } = await api(createKey, { body: { name: "support-bot", workspace_id: workspace.id } });

  await page.goto(paths.playground(workspace.slug));
  await page.getByRole("navigation", { name: "Playground" }).getByRole("link", { name: "Chat" }).click();
  await page.goto(`${paths.playgroundChat(workspace.slug)}?model=${encodeURIComponent(large)}`);
  await page.getByLabel("System").fill("Be short.");
  const message = page.getByRole("textbox", { name: "Message", exact: true });
  const turn = (at: number) => page.getByRole("region", { name: `Turn ${at}` });

  // stopped in the middle: what came stays, and the ledger says what it was charged
  const release = vendor.hold(3);
  await message.fill("Where is it?");
  await message.press("Control+Enter");
  await expect(turn(1).getByText("It is held")).toBeVisible();
  await expect(turn(1).getByText(/≈ \$/)).toBeVisible();
  await page.keyboard.press("Escape");
  release();
  await expect(turn(1).getByText(/stopped · .*\$0\.0\d+/)).toBeVisible();
  await expect(page.getByRole("status").filter({ hasText: `You stopped ${large}.` })).toHaveCount(1);

  // edited and sent again, to two models at once; the answers are text
  await page.getByRole("button", { name: "Compare with another model" }).click();
  await page.getByRole("combobox", { name: "Second model or preset" }).fill("small");
  await page.getByRole("option", { name: small }).click();
  await turn(1).getByRole("button", { name: "Edit" }).click();
  await page.getByRole("textbox", { name: "Message of turn 1" }).fill("Where is the container?");
  await page.getByRole("button", { name: "Send again" }).click();
  for (const model of [large, small]) {
    const answer = turn(1).getByRole("article", { name: `${model} answers` });
    await expect(answer.getByText("It is held <i>at</i> customs.")).toBeVisible();
    await expect(answer.getByRole("link", { name: "See the call" })).toBeVisible();
  }
  await expect(page.getByText(/ spent in this conversation$/)).toBeVisible();
  expect(page.url()).not.toContain("container");
  expect(await violations(page)).toEqual([]);
  await expectToFit(page);

  // as a key: it is charged, the audit log says so, and its refusals land in the turn
  await page.getByRole("combobox", { name: "Call as" }).fill("support");
  await page.getByRole("option", { name: /support-bot/ }).click();
  await page.getByRole("button", { name: "Remove the second model" }).click();
  await message.fill("And now?");
  await message.press("Control+Enter");
  await expect(turn(2).getByText("It is held <i>at</i> customs.")).toBeVisible();
  expect(vendor.requests.at(-1)?.body.messages).toMatchObject([
    { role: "system", content: "Be short." },
    { content: "Where is the container?" },
    { role: "assistant" },
    { content: "And now?" },
  ]);
  await expect.poll(async () => (await api(getKey, { params: { hash: key.hash } })).data.usage).toBeGreaterThan(0);
  const audit = await api(listAudit, { query: { target_id: key.hash, action: "sendChatCompletionRequest" } });
  expect(audit.data).toHaveLength(1);

  vendor.fail({ type: "status", status: 500, message: "boom" });
  await message.fill("Again");
  await message.press("Control+Enter");
  await expect(turn(3).getByText(/failed\. Send it again in a moment\..*boom.*HTTP 502/)).toBeVisible();
  await page.getByText("Code", { exact: true }).click();
  await page.getByText("Messages", { exact: true }).click();
  await expect(page.getByRole("region", { name: "This request, curl" })).toContainText("/api/v1/messages");
  await api(deleteProvider, { params: { slug } });
  await vendor.close();
});
