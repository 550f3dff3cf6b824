import { describe, expect, it } from "vitest";
import { toUpstream } from "../registry.ts";
import { chat } from "./chat.ts";

const sent = (preset: string | null, messages: object[], model = "m") => {
  const settings = { kind: "openai-compatible", preset, baseUrl: "http://127.0.0.1/v1", apiKey: null, config: {} };
  const upstream = toUpstream(settings as unknown as Parameters<typeof toUpstream>[0]);
  const call = { model, body: { messages }, stream: false, maxTokens: null, maxOutputTokens: null };
  const { body } = chat.toRequest(upstream, call);
  return (JSON.parse(body as string) as { messages: Record<string, unknown>[] }).messages;
};
const toolCall = (id: string) => ({ id, type: "function", function: { name: "f", arguments: "{}" } });

describe("messages of earlier turns", () => {
  it.each([
    ["reasoning", { reasoning: "hm" }],
    [
      "reasoning_details",
      {
        reasoning_details: [
          { type: "reasoning.text", text: "hm" },
          { type: "reasoning.encrypted", text: "", data: "x" },
        ],
      },
    ],
  ])("have their thoughts where DeepSeek and plain servers look: from %s", (_, thought) => {
    for (const preset of ["deepseek", null]) {
      expect(sent(preset, [{ role: "assistant", content: "Hi", ...thought }])[0]).toMatchObject({
        reasoning_content: "hm",
      });
    }
    expect(sent("openai", [{ role: "assistant", content: "Hi", ...thought }])[0]).toEqual({
      role: "assistant",
      content: "Hi",
    });
  });

  it.each([
    ["deepseek-reasoner", ""],
    ["moonshotai/kimi-k2.6", " "],
    ["m", undefined],
  ])("that called tools and lack their thoughts have what %s takes for them: %j", (model, thought) => {
    const messages = [
      { role: "assistant", content: null, tool_calls: [toolCall("a")] },
      { role: "assistant", content: "Hi" },
    ];
    expect(sent(null, messages, model).map((message) => message["reasoning_content"])).toEqual([thought, undefined]);
  });

  it("have ids of calls that Mistral takes, the same in a call and its result", () => {
    const messages = [
      { role: "assistant", content: null, tool_calls: [toolCall("call_0123456789abcdef"), toolCall("abcDEF123")] },
      { role: "tool", tool_call_id: "call_0123456789abcdef", content: "1" },
    ];
    const [said, answered] = sent("mistral", messages);
    const ids = (said?.["tool_calls"] as { id: string }[] | undefined)?.map(({ id }) => id) ?? [];
    expect(ids).toEqual([expect.stringMatching(/^[A-Za-z0-9]{9}$/), "abcDEF123"]);
    expect(answered?.["tool_call_id"]).toBe(ids[0]);
    expect(sent(null, messages)).toEqual(messages);
  });
});
