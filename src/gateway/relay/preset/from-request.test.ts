import { describe, expect, it } from "vitest";
import { fromChat, fromMessage, fromResponse } from "./from-request.ts";
import { completedBy } from "./merge.ts";

const look = { name: "look_up", description: "Looks it up", parameters: { type: "object", properties: {} } };

describe("what a preset keeps of a request", () => {
  it("is the settings and the system prompt of a chat, not its conversation", () => {
    expect(
      fromChat({
        model: "acme/talk",
        messages: [
          { role: "system", content: "Be brief." },
          { role: "developer", content: [{ type: "text", text: "Be kind." }] },
          { role: "user", content: "Hello" },
        ],
        stream: true,
        user: "u",
        session_id: "s",
        temperature: 0.2,
        max_tokens: 0,
        max_completion_tokens: 50,
        functions: [look],
        function_call: { name: "look_up" },
      }),
    ).toEqual({
      config: {
        model: "acme/talk",
        temperature: 0.2,
        max_completion_tokens: 50,
        tools: [{ type: "function", function: look }],
        tool_choice: { type: "function", function: { name: "look_up" } },
      },
      system_prompt: "Be brief.\n\nBe kind.",
    });
  });

  it("is the same of a request in Anthropic's form, which gives it back", async () => {
    const request = {
      model: "acme/claude",
      system: "Be brief.",
      max_tokens: 900,
      temperature: 0.2,
      top_k: 40,
      stop_sequences: ["a", "b", "c", "d", "e"],
      tools: [{ name: "look_up", description: "Looks it up", input_schema: { type: "object", properties: {} } }],
      tool_choice: { type: "tool", name: "look_up", disable_parallel_tool_use: true },
      thinking: { type: "enabled", budget_tokens: 2_000 },
      provider: { only: ["acme"] },
    };
    const { config, system_prompt } = await fromMessage(
      { ...request, messages: [], stream: true, metadata: {} },
      "key",
    );
    expect(config).toMatchObject({
      tools: [{ type: "function", function: look }],
      reasoning: { max_tokens: 2_000 },
      stop: ["a", "b", "c", "d", "e"],
    });
    expect(completedBy("messages", { config, systemPrompt: system_prompt ?? null }, {})).toEqual(request);
  });

  it("is the same of a request in the form of Responses, which gives it back", () => {
    const request = {
      model: "acme/talk",
      instructions: "Be brief.",
      max_output_tokens: 900,
      temperature: 0.2,
      reasoning: { effort: "low" },
      tools: [{ type: "function", ...look }, { type: "custom", name: "patch" }, { type: "openrouter:web_search" }],
      tool_choice: { type: "allowed_tools", mode: "required", tools: [{ type: "function", name: "look_up" }] },
      text: { format: { type: "json_schema", name: "answer", schema: { type: "object" } }, verbosity: "low" },
    };
    const { config, system_prompt } = fromResponse({ ...request, input: "Hello", stream: true, store: false });
    expect(config).toMatchObject({ max_tokens: 900, tools: [{ type: "function", function: look }, {}, {}] });
    expect(completedBy("responses", { config, systemPrompt: system_prompt ?? null }, {})).toEqual(request);
  });

  it("takes the models of Anthropic's `fallbacks`", async () => {
    const { config } = await fromMessage({ messages: [], fallbacks: [{ model: "acme/b" }] }, "key");
    expect(config).toEqual({ models: ["acme/b"] });
  });

  it.each([
    [{ preset: "other" }, "preset cannot be given here: a preset cannot hold another one"],
    [{ model: "@preset/other" }, "model must not name a preset"],
    [{ models: ["a/b", "a/b@preset/other"] }, "models.1 must not name a preset"],
    [{ temperature: "warm" }, "temperature "],
    [{ messages: [{ role: "system", content: "x".repeat(32_769) }] }, "system_prompt must have at most 32768"],
    [{ logit_bias: { a: "x".repeat(32_768) } }, "must have at most 32768 characters as JSON"],
  ])("is refused for %j", (request, message) => {
    expect(() => fromChat(request)).toThrow(message);
  });

  it("is refused where chat has no form of it", async () => {
    const tools = [{ type: "web_search_20250305", name: "web_search" }];
    await expect(fromMessage({ messages: [], tools }, "key")).rejects.toThrow(
      "A preset cannot hold tools of type web_search_20250305",
    );
  });
});
