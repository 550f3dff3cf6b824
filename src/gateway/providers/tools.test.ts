import { describe, expect, it } from "vitest";
import type { ProviderKind } from "#contract/providers.ts";
import { adapters, toUpstream } from "./registry.ts";

const called = (name: string) => ({ type: "function", function: { name } });
const tools = [called("a"), called("b")];
const custom = { type: "custom", custom: { name: "patch" } };
const allowed = (mode: string) => ({ type: "allowed_tools", allowed_tools: { mode, tools: [called("b")] } });
const user = { role: "user", content: "hi" };

/** The body of a vendor's request. */
function sentTo(kind: ProviderKind, more: object) {
  const settings = {
    slug: "test",
    kind,
    preset: "custom" as const,
    baseUrl: "https://v.example",
    apiKey: "k",
    options: {},
  };
  const body = { messages: [user], tools, ...more };
  const call = { model: "m", body, stream: false, maxTokens: 10, maxOutputTokens: null };
  return JSON.parse(String(adapters[kind]?.chat?.toRequest(toUpstream(settings), call).body));
}
const config = (mode: string, names?: string[]) => ({
  functionCallingConfig: { mode, ...(names && { allowedFunctionNames: names }) },
});
type Named = { readonly name: string };
type Sent = ReturnType<typeof sentTo>;
const namesIn = (functions: readonly Named[] | undefined) => functions?.map(({ name }) => name);
/** What each vendor is sent: the functions' names, and its form of the choice. */
const chosen = {
  anthropic: ({ tools: given, tool_choice }: Sent) => [namesIn(given), tool_choice],
  gemini: ({ tools: given, toolConfig }: Sent) => [namesIn(given?.[0].functionDeclarations), toolConfig],
  cohere: ({ tools: given, tool_choice }: Sent) => [
    namesIn(given?.map((tool: { function: Named }) => tool.function)),
    tool_choice,
  ],
};
type Kind = keyof typeof chosen;
const kinds = Object.keys(chosen) as Kind[];
const both = ["a", "b"];

describe("tool_choice at vendors that have functions alone", () => {
  it.each<[unknown, Record<Kind, [string[], unknown]>]>([
    [undefined, { anthropic: [both, undefined], gemini: [both, undefined], cohere: [both, undefined] }],
    ["auto", { anthropic: [both, { type: "auto" }], gemini: [both, config("AUTO")], cohere: [both, undefined] }],
    ["none", { anthropic: [both, { type: "none" }], gemini: [both, config("NONE")], cohere: [both, "NONE"] }],
    ["required", { anthropic: [both, { type: "any" }], gemini: [both, config("ANY")], cohere: [both, "REQUIRED"] }],
    ["any", { anthropic: [both, { type: "any" }], gemini: [both, config("ANY")], cohere: [both, "REQUIRED"] }],
    [
      called("b"),
      {
        anthropic: [both, { type: "tool", name: "b" }],
        gemini: [both, config("ANY", ["b"])],
        cohere: [["b"], "REQUIRED"],
      },
    ],
    [
      allowed("auto"),
      { anthropic: [["b"], { type: "auto" }], gemini: [["b"], config("AUTO")], cohere: [["b"], undefined] },
    ],
    [
      allowed("required"),
      { anthropic: [["b"], { type: "any" }], gemini: [["b"], config("ANY", ["b"])], cohere: [["b"], "REQUIRED"] },
    ],
  ])("%j is kept", (tool_choice, expected) => {
    for (const kind of kinds) expect(chosen[kind](sentTo(kind, { tool_choice }))).toEqual(expected[kind]);
  });

  it("validated is Google's", () => {
    expect(chosen.gemini(sentTo("gemini", { tool_choice: "validated" }))).toEqual([both, config("VALIDATED")]);
    for (const kind of ["anthropic", "cohere"] as const) {
      expect(() => sentTo(kind, { tool_choice: "validated" })).toThrow(/tool_choice of type validated/);
    }
  });

  it.each<[string, object, RegExp]>([
    ["a custom tool's", { tool_choice: { type: "custom", custom: { name: "patch" } } }, /tool_choice of type custom/],
    ["a hosted tool's", { tool_choice: { type: "web_search" } }, /tool_choice of type web_search/],
    ["one that no dialect knows", { tool_choice: "sometimes" }, /tool_choice of type sometimes/],
    ["a number", { tool_choice: 5 }, /tool_choice of type none/],
    ["a function without a name", { tool_choice: { type: "function", function: {} } }, /tool_choice of type function/],
    ["a mode that no dialect knows", { tool_choice: allowed("often") }, /tool_choice of type allowed_tools/],
    ["a call where there is no function", { tools: [], tool_choice: "required" }, /there is no function/],
    [
      "a call of what is not there",
      { tool_choice: { type: "allowed_tools", mode: "required", tools: [] } },
      /no function/,
    ],
    ["tools that get a text", { tools: [...tools, custom] }, /tools of type custom/],
    ["tools that their vendor runs", { tools: [...tools, { type: "web_search" }] }, /tools of type web_search/],
  ])("%s is refused", (_, more, words) => {
    for (const kind of kinds) expect(() => sentTo(kind, more)).toThrow(words);
  });

  it("is not sent without tools, and tools that get a text are left out where no tool may be called", () => {
    const disable = { parallel_tool_calls: false };
    for (const kind of kinds) {
      expect(chosen[kind](sentTo(kind, { tools: undefined, tool_choice: "auto", ...disable }))).toEqual([
        undefined,
        undefined,
      ]);
    }
    expect(sentTo("anthropic", { tools: [...tools, custom], tool_choice: "none" }).tools).toHaveLength(2);
    expect(sentTo("anthropic", disable).tool_choice).toEqual({ type: "auto", disable_parallel_tool_use: true });
  });

  it("is passed on as it is to vendors of OpenAI's dialect", () => {
    for (const tool_choice of [allowed("auto"), custom, "validated", "sometimes"]) {
      expect(sentTo("openai-compatible", { tool_choice })).toMatchObject({ tool_choice, tools });
    }
  });
});

describe("an earlier call", () => {
  const after = (call: object) => ({
    messages: [
      user,
      { role: "assistant", content: null, tool_calls: [{ id: "c", ...call }] },
      { role: "tool", tool_call_id: "c", content: "ok" },
    ],
  });
  const patched = after({ type: "custom", custom: { name: "patch", input: 'a "b"' } });

  it("of a tool that gets a text is sent as one of a function", () => {
    const input = { input: 'a "b"' };
    const { messages } = sentTo("anthropic", patched);
    expect(messages[1].content).toEqual([{ type: "tool_use", id: "c", name: "patch", input }]);
    expect(sentTo("gemini", patched).contents[1].parts).toEqual([{ functionCall: { name: "patch", args: input } }]);
    expect(sentTo("cohere", patched).messages[1].tool_calls[0].function).toEqual({
      name: "patch",
      arguments: JSON.stringify(input),
    });
    expect(sentTo("openai-compatible", patched).messages).toEqual(patched.messages);
  });

  it("of a kind that is not known is passed on to vendors of OpenAI's dialect, and refused by the others", () => {
    const hologram = after({ type: "hologram", hologram: { name: "h", depth: 3 } });
    expect(sentTo("openai-compatible", hologram).messages).toEqual(hologram.messages);
    for (const kind of kinds) expect(() => sentTo(kind, hologram)).toThrow(/calls of type hologram/);
  });
});
