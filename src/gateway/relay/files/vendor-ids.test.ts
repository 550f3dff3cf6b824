import { describe, expect, it } from "vitest";
import type { ConversationApi } from "#contract/api-type.ts";
import { vendorIdsIn } from "./vendor-ids.ts";

const placesIn = (body: object, api: ConversationApi) =>
  [...vendorIdsIn(body as Record<string, unknown>, api)].map(({ path }) => path);
const say = (...content: object[]) => ({ messages: [{ role: "user", content }] });
const filesAddress = "https://generativelanguage.googleapis.com/v1beta/files/abc";

describe("an id of a vendor's", () => {
  it.each<[ConversationApi, string, object]>([
    ["responses", "prompt.variables.a.file_id", { prompt: { variables: { a: { type: "input_file", file_id: "f" } } } }],
    ["responses", "tools.0.vector_store_ids.0", { tools: [{ type: "file_search", vector_store_ids: ["vs"] }] }],
    ["responses", "tools.0.tunnel_id", { tools: [{ type: "mcp", tunnel_id: "t" }] }],
    ["responses", "tools.0.input_image_mask.file_id", { tools: [{ input_image_mask: { file_id: "f" } }] }],
    ["responses", "tools.0.environment.file_ids.0", { tools: [{ type: "shell", environment: { file_ids: ["f"] } }] }],
    [
      "responses",
      "tools.0.environment.skills.0.skill_id",
      { tools: [{ environment: { skills: [{ type: "skill_reference", skill_id: "s" }] } }] },
    ],
    [
      "responses",
      "input.0.output.file_id",
      { input: [{ type: "computer_call_output", output: { type: "computer_screenshot", file_id: "f" } }] },
    ],
    [
      "responses",
      "prompt_cache_options.comparison_response_id",
      { prompt_cache_options: { comparison_response_id: "r" } },
    ],
    ["messages", "container", { container: "container_1" }],
    ["messages", "container.id", { container: { id: "container_1" } }],
    ["messages", "container.skills.0.skill_id", { container: { skills: [{ type: "custom", skill_id: "skill_1" }] } }],
    ["messages", "thread.previous_message_id", { thread: { type: "continue", previous_message_id: "msg_1" } }],
    ["messages", "diagnostics.previous_message_id", { diagnostics: { previous_message_id: "msg_1" } }],
    ["messages", "user_profile_id", { user_profile_id: "uprof_1" }],
    [
      "messages",
      "messages.0.content.0.content.0.source.file_id",
      say({ type: "tool_result", content: [{ type: "image", source: { type: "file", file_id: "f" } }] }),
    ],
    ["completions", "messages.0.audio.id", { messages: [{ role: "assistant", audio: { id: "audio_1" } }] }],
    ["completions", "messages.0.content.0.file_id", say({ type: "file", file_id: "f" })],
    ["completions", "messages.0.content.0.image_url.url", say({ type: "image_url", image_url: { url: filesAddress } })],
    [
      "completions",
      "extra_body.google.cached_content",
      { extra_body: { google: { cached_content: "cachedContents/1" } } },
    ],
    ["completions", "cachedContent", { cachedContent: "cachedContents/1" }],
    [
      "completions",
      "tools.0.retrieval.knowledge_id",
      { tools: [{ type: "retrieval", retrieval: { knowledge_id: "k" } }] },
    ],
    [
      "completions",
      "data_sources.0.parameters.authentication.type",
      { data_sources: [{ parameters: { authentication: { type: "system_assigned_managed_identity" } } }] },
    ],
  ])("in %s at %s", (api, path, body) => expect(placesIn(body, api)).toEqual([path]));

  const schema = { properties: { file_id: { const: "f", default: "f" } } };
  it.each<[ConversationApi, string, object]>([
    ["responses", "a function's parameters", { tools: [{ name: "n", parameters: { file_id: "f" } }] }],
    ["responses", "what an answer was made of", { input: [{ content: [{ annotations: [{ file_id: "f" }] }] }] }],
    ["responses", "metadata", { metadata: { file_id: "f" } }],
    [
      "messages",
      "a tool's schema",
      { tools: [{ name: "a", input_schema: schema, input_examples: [{ file_id: "f" }] }] },
    ],
    ["messages", "a tool's input", say({ type: "tool_use", id: "t", name: "n", input: { file_id: "f" } })],
    ["messages", "a skill of Anthropic's", { container: { skills: [{ type: "anthropic", skill_id: "xlsx" }] } }],
    ["messages", "what code wrote", say({ type: "bash_code_execution_output", file_id: "f" })],
    ["messages", "null and nothing", { container: null, thread: { previous_message_id: null }, user_profile_id: "" }],
    ["completions", "words", say({ type: "text", text: filesAddress })],
  ])("in %s is not in %s", (api, _, body) => expect(placesIn(body, api)).toEqual([]));
});
