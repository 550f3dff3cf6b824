import { describe, expect, it } from "vitest";
import { codexBody } from "../../testing/agent-requests.ts";
import { callChunk, chunk, streamedChat, wholeChat } from "../../testing/chat-answers.ts";
import { exchange } from "../../testing/exchange.ts";
import { responsesForm } from "./responses-form.ts";
import { offeredTools } from "./tools.ts";

const input = "Say hello. ".repeat(30);
const schema = { type: "object", properties: { id: { type: "string" } } };
const look = { type: "function", name: "look", description: "Looks", parameters: schema, strict: false };
const crm = { type: "namespace", name: "mcp__crm", description: "Customers", tools: [look, { ...look, name: "list" }] };
const patch = {
  type: "custom",
  name: "apply_patch",
  description: "Patches",
  format: { type: "grammar", syntax: "lark", definition: "start: /a/" },
};
const find = { type: "tool_search", execution: "client", description: "Finds tools", parameters: schema };
const search = { type: "web_search", external_web_access: false };
const codex = codexBody("acme/talk", { tools: [look, crm, patch, find, search], tool_choice: "auto" });

const call = (name: string, args: string, id = "call_1") => ({
  id,
  type: "function",
  function: { name, arguments: args },
});
const ask = async (body: object, answer = wholeChat({ content: "Hello" })) =>
  await exchange(responsesForm, { model: "acme/talk", input, ...body }, answer);
const sentFor = async (body: object) => JSON.parse((await ask(body)).sent[0]?.body ?? "{}");
const named = (sent: { tools?: { function: { name: string } }[] }) => sent.tools?.map((tool) => tool.function.name);

describe("the tools of Codex at a provider that speaks chat", () => {
  it("are functions, those of a namespace under its name; what no provider here runs is left out", async () => {
    const sent = await sentFor({ ...codex, stream: false });
    expect(named(sent)).toEqual(["look", "mcp__crm__look", "mcp__crm__list", "apply_patch", "tool_search"]);
    const functions = sent.tools.map((tool: { function: object }) => tool.function);
    expect(functions[1]).toEqual({
      ...look,
      type: undefined,
      name: "mcp__crm__look",
      description: "Looks\n\nCustomers",
    });
    expect(functions[2].description).toBe("Looks");
    expect(functions[3]).toMatchObject({
      description: "Patches\n\nThe input follows this lark grammar:\nstart: /a/",
      parameters: { required: ["input"] },
    });
    expect(functions[4]).toEqual({ name: "tool_search", description: "Finds tools", parameters: schema });
    expect(sent.tool_choice).toBe("auto");
  });

  const calls = [
    call("mcp__crm__look", '{"id":"1"}'),
    call("apply_patch", '{"input":"*** Begin\\n"}', "call_2"),
    call("tool_search", '{"id":"2"}', "call_3"),
    call("look", "{}", "call_4"),
  ];
  const items = [
    { type: "function_call", call_id: "call_1", namespace: "mcp__crm", name: "look", arguments: '{"id":"1"}' },
    { type: "custom_tool_call", call_id: "call_2", name: "apply_patch", input: "*** Begin\n" },
    { type: "tool_search_call", call_id: "call_3", execution: "client", arguments: { id: "2" } },
    { type: "function_call", call_id: "call_4", name: "look", arguments: "{}" },
  ].map((item) => ({ ...item, status: "completed" }));
  const withoutIds = (output: { id?: string }[]) => output.map(({ id: _, ...item }) => item);

  it("are called as what they are, in a whole answer", async () => {
    const { json } = await ask(
      { ...codex, stream: false },
      wholeChat({ content: null, tool_calls: calls }, "tool_calls"),
    );
    expect(withoutIds(json.output)).toEqual(items);
  });

  it("are called as what they are, in a stream", async () => {
    const pieces = calls.flatMap(({ function: { name, arguments: text }, ...rest }, index) => [
      callChunk(index, { ...rest, function: { name, arguments: text.slice(0, 4) } }),
      callChunk(index, { function: { arguments: text.slice(4) } }),
    ]);
    const { text } = await ask(codex, streamedChat(...pieces, chunk({}, "tool_calls")));
    const events = [...text.matchAll(/^data: (\{.*)$/gm)].map(([, data]) => JSON.parse(data ?? ""));
    const of = (type: string) => events.filter((event) => event.type === `response.${type}`);
    expect(withoutIds(of("completed")[0].response.output)).toEqual(items);
    expect(withoutIds(of("output_item.done").map(({ item }) => item))).toEqual(items);
    expect(of("output_item.added").map(({ item }) => [item.type, item.namespace])).toEqual(
      items.map((item) => [item.type, "namespace" in item ? item.namespace : undefined]),
    );
    expect(of("custom_tool_call_input.delta").map(({ delta }) => delta)).toEqual(["*** Begin\n"]);
    expect(of("custom_tool_call_input.done").map((event) => event.input)).toEqual(["*** Begin\n"]);
    expect(of("function_call_arguments.delta").map(({ output_index: at, delta }) => [at, delta])).toEqual([
      [0, '{"id'],
      [0, '":"1"}'],
      [3, "{}"],
    ]);
  });

  it("of types that no provider runs are told from thousands that are allowed at once", async () => {
    const many = (type: string) => Array.from({ length: 24_000 }, (_, at) => ({ type: `${type}${at}` }));
    const started = performance.now();
    const { missing } = offeredTools({
      tools: [look, ...many("a")],
      tool_choice: { type: "allowed_tools", tools: [...many("b"), { type: "a23999" }] },
    });
    expect(missing).toBe("tools of type a23999");
    expect(performance.now() - started).toBeLessThan(1_000);
  });

  it("are 4,096 at most, those in namespaces among them", async () => {
    const tools = [{ ...crm, tools: Array.from({ length: 4_096 }, () => look) }];
    expect((await ask({ tools })).refusal?.message).toMatch(/^tools\.0\.tools\.4095 .*4096/);
  });

  it("search for nothing where what they search by is nested too deep", async () => {
    const deep = call("tool_search", `{"id":${"[".repeat(50_000)}${"]".repeat(50_000)}}`);
    const answer = wholeChat({ content: null, tool_calls: [deep] }, "tool_calls");
    const { json } = await ask({ ...codex, stream: false }, answer);
    expect(json.output[0]).toMatchObject({ type: "tool_search_call", arguments: {} });
  });

  it("come back with what was called before, and what a search has found can be called", async () => {
    const found = {
      type: "namespace",
      name: "mcp__mail",
      description: "Mail",
      tools: [{ ...look, name: "send", defer_loading: true }],
    };
    const outputs = [
      { type: "function_call_output", call_id: "call_1", output: "one" },
      { type: "custom_tool_call_output", call_id: "call_2", output: "two" },
      { type: "tool_search_output", call_id: "call_3", execution: "client", status: "completed", tools: [found] },
    ];
    const again = [{ role: "user", content: input }, ...items.slice(0, 3), ...outputs];
    const sent = await sentFor({ tools: codex.tools, input: again, tool_choice: "auto" });
    expect(named(sent)).toContain("mcp__mail__send");
    expect(sent.messages.slice(1)).toEqual([
      { role: "assistant", content: null, tool_calls: calls.slice(0, 3) },
      { role: "tool", tool_call_id: "call_1", content: "one" },
      { role: "tool", tool_call_id: "call_2", content: "two" },
      { role: "tool", tool_call_id: "call_3", content: "These tools can be called now: send" },
    ]);
  });

  it("may come in items, and so may settings", async () => {
    const items = [
      {
        type: "additional_tools",
        role: "developer",
        tools: [{ type: "namespace", name: "functions", tools: [patch] }],
      },
      { role: "user", content: input },
      { type: "configuration_update", reasoning: { effort: "high" }, text: { verbosity: "low" } },
    ];
    const sent = await sentFor({ input: items, reasoning: { effort: "low" }, tool_choice: "auto" });
    expect(named(sent)).toEqual(["functions__apply_patch"]);
    expect(sent.messages).toEqual([{ role: "user", content: input }]);
    expect([sent.reasoning_effort ?? sent.reasoning?.effort, sent.verbosity]).toEqual(["high", "low"]);
  });

  it("have names that no other has, as long as a function's may be", async () => {
    const within = (name: string, tool: string) => ({ type: "namespace", name, tools: [{ ...look, name: tool }] });
    const all = [
      { ...look, name: "a__look" },
      within("a", "look"),
      within("a.b", "look"),
      within("n".repeat(60), "look"),
    ];
    const names = named(await sentFor({ tools: all })) ?? [];
    expect(new Set(names).size).toBe(4);
    for (const name of names) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    const answer = wholeChat({ content: null, tool_calls: [call(names[1] ?? "", "{}")] }, "tool_calls");
    expect((await ask({ tools: all }, answer)).json.output[0]).toMatchObject({ namespace: "a", name: "look" });
  });
});

describe("a tool that only a provider could run", () => {
  const image = { type: "image_generation" };
  const files = { type: "file_search", vector_store_ids: ["vs_1"] };
  const only = (...tools: object[]) => ({ type: "allowed_tools", mode: "auto", tools });
  it.each([
    [
      "the model may choose, and agents offer it with every call",
      { tools: [look, search, image], tool_choice: "auto" },
    ],
    ["no tool may be called", { tools: [files], tool_choice: "none" }],
    ["another one has to be called", { tools: [look, files], tool_choice: { type: "function", name: "look" } }],
    ["it is not among those allowed", { tools: [look, files], tool_choice: only(look) }],
    ["it finds tools, all of which are offered", { tools: [look, { type: "tool_search" }] }],
  ])("is left out where %s", async (_, body) => {
    const { status, sent } = await ask(body);
    expect(status).toBe(200);
    expect(named(JSON.parse(sent[0]?.body ?? "{}")) ?? ["look"]).toEqual(["look"]);
  });

  it.each([
    [
      "nothing says that it may be",
      { tools: [look, search] },
      /web_search: leave it out \(Codex: web_search = "disabled" in config.toml\), or send .*tool_choice auto/,
    ],
    ["there is no other", { tools: [search], tool_choice: "auto" }, /of type web_search/],
    ["one of several has to be called", { tools: [look, search], tool_choice: "required" }, /of type web_search/],
    ["it is asked for", { tools: [look, files], tool_choice: "auto" }, /of type file_search/],
    ["it is allowed by name", { tools: [look, files], tool_choice: only(look, files) }, /of type file_search/],
    [
      "it draws, and has to",
      { tools: [image], tool_choice: { type: "image_generation" } },
      /features.image_generation = false/,
    ],
  ])("400: where %s", async (_, body, words) => {
    const { status, refusal, sent } = await ask(body);
    expect([status, sent]).toEqual([400, []]);
    expect(refusal?.message).toMatch(words);
  });
});
