import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { completedBy } from "./merge.ts";

const search = { type: "function", function: { name: "search", description: "the preset's" } };
const lookUp = { type: "function", function: { name: "look_up", parameters: { type: "object" } } };
const content = (config: Record<string, unknown>, systemPrompt: string | null = null) => ({ config, systemPrompt });
const hello = [{ role: "user", content: "Hello" }];

describe("a request completed by a preset", () => {
  it("has what it lacks, and keeps what it has, nulls included", () => {
    const preset = content({ model: "acme/talk", temperature: 0.2, top_p: 0.5, provider: { only: ["acme"] } });
    expect(
      completedBy("chat", preset, { messages: hello, temperature: 1, top_p: null, provider: { sort: "price" } }),
    ).toEqual({ messages: hello, model: "acme/talk", temperature: 1, top_p: null, provider: { sort: "price" } });
  });

  it("keeps every member of its own, whatever the preset holds", () => {
    const members = fc.dictionary(fc.constantFrom("temperature", "top_p", "seed", "stop", "user"), fc.jsonValue());
    fc.assert(
      fc.property(members, members, (config, request) => {
        expect(completedBy("chat", content(config), request)).toEqual({ ...config, ...request });
      }),
    );
  });

  it.each([
    [{ max_tokens: 10 }, { max_completion_tokens: 500 }],
    [{ max_completion_tokens: 10 }, { max_tokens: 500 }],
    [{ reasoning: { effort: "high" } }, { reasoning_effort: "low" }],
  ])("has nothing of %j beside %j, which says the same", (config, request) => {
    expect(completedBy("chat", content(config), request)).toEqual(request);
  });

  it("puts tools together, its own in the place of the preset's of the same name", () => {
    const own = { type: "function", function: { name: "search", description: "the request's" } };
    const web = { type: "openrouter:web_search" };
    const advisor = (name: string) => ({ type: "openrouter:advisor", parameters: { name } });
    const preset = content({ tools: [search, web, advisor("a")], tool_choice: "auto" });
    expect(completedBy("chat", preset, { tools: [lookUp, own, advisor("b")] })).toEqual({
      tools: [own, web, advisor("a"), lookUp, advisor("b")],
      tool_choice: "auto",
    });
  });

  it("keeps what is no tool as it is, however long, for the reader to refuse", () => {
    const unread = Object.assign([], { toJSON: () => expect.unreachable("a long one would take long to write") });
    const odd = { type: { toString: 1, valueOf: 1 } };
    const own = [odd, unread, 5, null, odd];
    expect(completedBy("chat", content({ tools: [search, odd] }), { tools: own })["tools"]).toEqual([
      search,
      odd,
      ...own,
    ]);
  });

  it("has no choice of tools where it takes the preset's tools out, or brings its own in the older form", () => {
    const preset = content({ tools: [search], tool_choice: "auto", parallel_tool_calls: false });
    expect(completedBy("chat", preset, { tools: null })).toEqual({ tools: null });
    const functions = [{ name: "look_up" }];
    expect(completedBy("chat", preset, { functions, function_call: "auto" })).toEqual({
      functions,
      function_call: "auto",
      parallel_tool_calls: false,
    });
  });

  it("begins with the preset's system prompt, unless it has one of its own", () => {
    const preset = content({}, "Be brief.");
    expect(completedBy("chat", preset, { messages: hello })).toEqual({
      messages: [{ role: "system", content: "Be brief." }, ...hello],
    });
    for (const role of ["system", "developer"]) {
      const messages = [{ role, content: "Be long." }, ...hello];
      expect(completedBy("chat", preset, { messages })).toEqual({ messages });
    }
    expect(completedBy("messages", preset, { messages: hello })).toEqual({ messages: hello, system: "Be brief." });
    expect(completedBy("messages", preset, { messages: hello, system: "Be long." })).toEqual({
      messages: hello,
      system: "Be long.",
    });
    const within = [...hello, { role: "system", content: "Be long." }];
    expect(completedBy("messages", preset, { messages: within })).toEqual({ messages: within });
  });
});

describe("a preset in the form of a request", () => {
  const config = {
    model: "acme/talk",
    provider: { only: ["acme"] },
    max_completion_tokens: 900,
    temperature: 0.2,
    top_k: 40,
    frequency_penalty: 1,
    stop: "END",
    tools: [lookUp, { type: "openrouter:web_search" }],
    tool_choice: { type: "function", function: { name: "look_up" } },
    parallel_tool_calls: false,
    reasoning: { effort: "high" },
    response_format: { type: "json_schema", json_schema: { name: "answer", schema: { type: "object" } } },
    verbosity: "low",
    dimensions: 256,
    input_type: "query",
    top_n: 3,
  };
  const { messages: _, ...messages } = completedBy("messages", content(config, "Be brief."), {});

  it("is Anthropic's for messages, without what that form has no word for", () => {
    expect(messages).toEqual({
      model: "acme/talk",
      provider: { only: ["acme"] },
      system: "Be brief.",
      max_tokens: 900,
      temperature: 0.2,
      top_k: 40,
      stop_sequences: ["END"],
      tools: [{ name: "look_up", input_schema: { type: "object" } }],
      tool_choice: { type: "tool", name: "look_up", disable_parallel_tool_use: true },
      output_config: { effort: "high", format: { type: "json_schema", schema: { type: "object" } } },
    });
    expect(completedBy("messages", content({ reasoning: { max_tokens: 2_000 } }), {})).toEqual({
      thinking: { type: "enabled", budget_tokens: 2_000 },
    });
    const only = { type: "allowed_tools", allowed_tools: { mode: "required", tools: [lookUp] } };
    const choices = ["auto", only, "none"].map(
      (choice) => completedBy("messages", content({ tools: [lookUp], tool_choice: choice }), {})["tool_choice"],
    );
    expect(choices).toEqual([{ type: "auto" }, { type: "any" }, { type: "none" }]);
    expect(completedBy("messages", content({ tools: [lookUp], parallel_tool_calls: false }), {})).toMatchObject({
      tool_choice: { type: "auto", disable_parallel_tool_use: true },
    });
  });

  it("is that of Responses for responses", () => {
    expect(completedBy("responses", content(config, "Be brief."), {})).toEqual({
      model: "acme/talk",
      provider: { only: ["acme"] },
      instructions: "Be brief.",
      max_output_tokens: 900,
      temperature: 0.2,
      top_k: 40,
      frequency_penalty: 1,
      tools: [{ type: "function", name: "look_up", parameters: { type: "object" } }, { type: "openrouter:web_search" }],
      tool_choice: { type: "function", name: "look_up" },
      parallel_tool_calls: false,
      reasoning: { effort: "high" },
      text: { format: { type: "json_schema", name: "answer", schema: { type: "object" } }, verbosity: "low" },
    });
    expect(completedBy("responses", content({ reasoning_effort: "low" }), {})).toEqual({
      reasoning: { effort: "low" },
    });
    for (const own of [{ instructions: "Be long." }, { input: [{ role: "developer", content: "Be long." }] }]) {
      expect(completedBy("responses", content({}, "Be brief."), own)).toEqual(own);
    }
  });

  it("is what embeddings and rerank calls can use", () => {
    const shared = { model: "acme/talk", provider: { only: ["acme"] } };
    expect(completedBy("embeddings", content(config, "Be brief."), { input: "a" })).toEqual({
      input: "a",
      ...shared,
      dimensions: 256,
      input_type: "query",
    });
    expect(completedBy("rerank", content(config, "Be brief."), {})).toEqual({ ...shared, top_n: 3 });
  });
});
