import { randomBytes } from "node:crypto";
import { createChatCompletion } from "#contract/chat.ts";
import { createKey } from "#contract/keys.ts";
import { deleteProvider } from "#contract/providers.ts";
import { paths } from "#console/paths.ts";
import { apiOf } from "#gateway/testing/api-client.ts";
import { startFakeVendor } from "#gateway/testing/fake-vendor.ts";
import { violations } from "./axe.ts";
import { expect, expectToFit, test, expectTexts } from "./fixtures.ts";
import { addProvider } from "./provider.ts";

test("a chat model's page: a call in each form, and caches", async ({ signedIn: page, gateway, workspace, api }) => {
  const vendor = await startFakeVendor();
  const slug = `m${randomBytes(4).toString("hex")}`;
  const id = `${slug}/talk`;
  const pricing = { prompt: "0.00001", completion: "0", input_cache_read: "0.000001" };
  await addProvider(api, {
    slug,
    base_url: vendor.baseUrl,
    models: [{ id, upstream_id: "talk", type: "chat", context_length: 8_192, pricing }],
  });
  await page.goto(paths.model(workspace.slug, id));
  await expect(page.getByText("No input tokens in the last 7 days")).toBeVisible();
  const call = page.getByRole("region", { name: "Call it" });
  await expect(call).toContainText("/api/v1/chat/completions");
  await call.getByRole("radio", { name: "Messages" }).click();
  await expectTexts(call, "/api/v1/messages", "Anthropic’s clients and Claude Code");
  await page.keyboard.press("ArrowRight");
  await expect(call).toContainText("/api/v1/responses");

  const { key, data } = await api(createKey, { body: { name: "reader", workspace_id: workspace.id } });
  const usage = { prompt_tokens: 100, completion_tokens: 1, prompt_tokens_details: { cached_tokens: 75 } };
  const choices = [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: "x" } }];
  vendor.fail({ type: "body", body: JSON.stringify({ choices, usage }) });
  const messages = [{ role: "user" as const, content: "x".repeat(400) }];
  await apiOf(gateway, key)(createChatCompletion, { body: { model: id, messages } });
  await page.reload();
  await expect(page.getByText("75% of 100 input tokens of 7 days; caches saved $0.000675")).toBeVisible();
  await expectToFit(page);
  expect(await violations(page)).toEqual([]);
  await page.goto(paths.key(workspace.slug, data.hash));
  await expect(page.getByText("75% of 100 input tokens of 7 days; caches saved $0.000675")).toBeVisible();
  await api(deleteProvider, { params: { slug } });
  await vendor.close();
});
