import { createOpenAI } from "@ai-sdk/openai";
import { generateText, isStepCount, streamText, tool } from "ai";
import { beforeEach, describe, expect, it } from "vitest";
import * as z from "zod";
import { tidyItems } from "../../domain/workspaces/answered-items.ts";
import { chunk, callChunk, streamedChat, wholeChat } from "../../testing/chat-answers.ts";
import { describeGateway } from "../../testing/describe-gateway.ts";
import { exchange } from "../../testing/exchange.ts";
import { makeKey } from "../../testing/factories.ts";
import { answeringWhole } from "../../testing/responses-answers.ts";
import { json, type ReceivedRequest, type ScriptedAnswer } from "../../testing/scripted-vendor.ts";
import { withClaude, withMediaVendor, withResponder } from "../../testing/scripted-setup.ts";
import { carriedThought } from "../../carried-thought.ts";
import { responsesForm } from "./responses-form.ts";

const prompt = "What is the weather in Paris? ".repeat(8);
const thought = "Let me look";
const counts = { input_tokens: 60, output_tokens: 12 };
const sse = (events: readonly { type?: string }[]): ScriptedAnswer => ({
  headers: { "content-type": "text/event-stream" },
  pieces: events.map((event) => `event: ${event.type ?? ""}\ndata: ${JSON.stringify(event)}\n\n`),
});

interface Asked {
  readonly isSecond: boolean;
  readonly stream: boolean;
  readonly body: Record<string, unknown>;
}

/** What OpenAI answers where it keeps nothing: it refuses what it would have to look up. */
function openAi({ isSecond, stream, body }: Asked): ScriptedAnswer {
  const input = body["input"] as Record<string, unknown>[];
  const lost = input.some(
    ({ type, encrypted_content: data }) => type === "item_reference" || (type === "reasoning" && !data),
  );
  if (lost) return json({ error: { message: "Item not found.", type: "invalid_request_error" } }, 404);
  const encrypted = (body["include"] as string[] | undefined)?.includes("reasoning.encrypted_content") === true;
  const id = isSecond ? "2" : "1";
  const said = { type: "message", id: `msg_${id}`, role: "assistant", status: "completed" };
  const output: { type: string; id: string }[] = [
    {
      type: "reasoning",
      id: `rs_${id}`,
      summary: [],
      ...(encrypted && { encrypted_content: `sealed-${id}` }),
    } as never,
    { ...said, content: [{ type: "output_text", text: isSecond ? "Sunny." : "Looking.", annotations: [] }] } as never,
  ];
  if (!isSecond)
    output.push({
      type: "function_call",
      id: "fc_1",
      call_id: "call_1",
      name: "weather",
      arguments: "{}",
      status: "completed",
    } as never);
  const usage = {
    ...counts,
    total_tokens: 72,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens_details: { reasoning_tokens: 0 },
  };
  const response = {
    id: `resp_${id}`,
    object: "response",
    created_at: 1,
    model: "gpt-5.6",
    error: null,
    incomplete_details: null,
  };
  const whole = { ...response, status: "completed", output, usage };
  if (!stream) return json(whole);
  const items = output.flatMap((item, output_index) => [
    {
      type: "response.output_item.added",
      output_index,
      item: { ...item, ...(item.type === "message" && { content: [] }) },
    },
    ...(item.type === "message"
      ? [
          {
            type: "response.output_text.delta",
            item_id: item.id,
            output_index,
            content_index: 0,
            delta: isSecond ? "Sunny." : "Looking.",
          },
        ]
      : []),
    { type: "response.output_item.done", output_index, item },
  ]);
  return sse([
    { type: "response.created", response: { ...response, status: "in_progress", output: [] } } as never,
    ...items,
    { type: "response.completed", response: whole } as never,
  ]);
}

function chat({ isSecond, stream }: Asked): ScriptedAnswer {
  const call = { id: "call_1", type: "function", function: { name: "weather", arguments: "{}" } };
  if (isSecond)
    return stream ? streamedChat(chunk({ content: "Sunny." }), chunk({}, "stop")) : wholeChat({ content: "Sunny." });
  if (!stream) return wholeChat({ content: "Looking.", reasoning: thought, tool_calls: [call] }, "tool_calls");
  return streamedChat(
    chunk({ reasoning: thought }),
    chunk({ content: "Looking." }),
    callChunk(0, call),
    chunk({}, "tool_calls"),
  );
}

function claude({ isSecond, stream }: Asked): ScriptedAnswer {
  const blocks = isSecond
    ? [{ type: "text", text: "Sunny." }]
    : [
        { type: "thinking", thinking: thought, signature: "c2ln" },
        { type: "text", text: "Looking." },
        { type: "tool_use", id: "toolu_1", name: "weather", input: {} },
      ];
  const stop_reason = isSecond ? "end_turn" : "tool_use";
  const message = { id: "msg_1", type: "message", role: "assistant", model: "claude", stop_reason, usage: counts };
  if (!stream) return json({ ...message, content: blocks });
  const pieces = blocks.flatMap((block, index) => {
    const { thinking, text, signature } = block as Record<string, string>;
    const delta = (given: object) => ({ type: "content_block_delta", index, delta: given });
    return [
      {
        type: "content_block_start",
        index,
        content_block: { ...block, ...(thinking && { thinking: "", signature: "" }), ...(text && { text: "" }) },
      },
      ...(thinking === undefined
        ? []
        : [delta({ type: "thinking_delta", thinking }), delta({ type: "signature_delta", signature })]),
      ...(text === undefined ? [] : [delta({ type: "text_delta", text })]),
      { type: "content_block_stop", index },
    ];
  });
  return sse([
    { type: "message_start", message: { ...message, content: [], stop_reason: null } } as never,
    ...pieces,
    { type: "message_delta", delta: { stop_reason }, usage: counts } as never,
    { type: "message_stop" },
  ]);
}

function gemini({ isSecond, stream }: Asked): ScriptedAnswer {
  const parts = isSecond
    ? [{ text: "Sunny." }]
    : [
        { text: thought, thought: true },
        { text: "Looking." },
        { functionCall: { name: "weather", args: {} }, thoughtSignature: "c2ln" },
      ];
  const answer = {
    candidates: [{ index: 0, content: { role: "model", parts }, finishReason: "STOP" }],
    usageMetadata: { promptTokenCount: 60, candidatesTokenCount: 12, totalTokenCount: 72 },
  };
  return stream
    ? { headers: { "content-type": "text/event-stream" }, pieces: [`data: ${JSON.stringify(answer)}\n\n`] }
    : json(answer);
}

const scripts = {
  "acme/thinker": openAi,
  "acme/deployed": openAi,
  "acme/chat": chat,
  "acme/claude": claude,
  "google/gemini": gemini,
};
type Model = keyof typeof scripts;

describeGateway("a tool loop of @ai-sdk/openai with its defaults, which sends items back by their ids", (gateway) => {
  const openai = withResponder(gateway, { slug: "openai-like", model: { upstream_id: "gpt-5.6" } });
  const deployed = withResponder(gateway, { slug: "deployed", model: { id: "acme/deployed" } });
  const talk = withResponder(gateway, {
    slug: "chat",
    provider: { preset: "custom", zdr: true, data_collection: "deny" },
    model: { id: "acme/chat" },
  });
  const anthropic = withClaude(gateway, {});
  const google = withMediaVendor(gateway, {
    slug: "google",
    kind: "gemini",
    models: [
      { id: "google/gemini", upstream_id: "gemini-3-pro", type: "chat", pricing: { prompt: "0", completion: "0" } },
    ],
  });
  const vendors = {
    "acme/thinker": openai,
    "acme/deployed": deployed,
    "acme/chat": talk,
    "acme/claude": anthropic,
    "google/gemini": google,
  };
  let key = "";
  let hash = "";
  let calls: object[] = [];
  beforeEach(async () => {
    const made = await makeKey(gateway());
    [key, hash, calls] = [made.key, made.record.hash, []];
    for (const [model, vendor] of Object.entries(vendors)) {
      vendor().requests.length = 0;
      vendor().answer(({ path, body: text }: ReceivedRequest) => {
        const body = JSON.parse(text);
        return scripts[model as Model]({
          isSecond: text.includes("21 degrees"),
          stream: body.stream === true || path.includes("stream"),
          body,
        });
      });
    }
  });
  const sent = (model: Model) => vendors[model]().requests.map(({ body }) => JSON.parse(body));
  const tools = {
    weather: tool({ inputSchema: z.object({}), execute: async (given: object) => (calls.push(given), "21 degrees") }),
  };
  const loop = async (model: Model, streamed: boolean) => {
    const client = createOpenAI({ apiKey: key, baseURL: `${gateway().url}/v1` });
    const options = { model: client(model), prompt, tools, stopWhen: isStepCount(3), maxRetries: 0 };
    return streamed ? await streamText(options).text : (await generateText(options)).text;
  };

  describe.each([
    ["whole", false],
    ["streamed", true],
  ])("%s", (_, streamed) => {
    it.each(Object.keys(scripts) as Model[])("goes on at %s", async (model) => {
      expect(await loop(model, streamed)).toBe("Sunny.");
      expect(calls).toEqual([{}]);
      expect(sent(model)).toHaveLength(2);
      expect(JSON.stringify(sent(model)[1])).toContain("21 degrees");
    });

    it("sends thoughts back as each provider takes them", async () => {
      for (const model of Object.keys(scripts) as Model[]) await loop(model, streamed);
      const thoughts = sent("acme/thinker")[1].input.filter(({ type }: { type: string }) => type === "reasoning");
      expect(thoughts).toEqual([expect.objectContaining({ id: "rs_1", encrypted_content: "sealed-1" })]);
      // It is not known to think, so that it was not asked to encrypt; and it refuses what it did not.
      expect(sent("acme/deployed")[0]).not.toHaveProperty("include");
      expect(JSON.stringify(sent("acme/deployed")[1])).not.toContain("reasoning");
      expect(JSON.stringify(sent("acme/claude")[1])).toContain('"signature":"c2ln"');
      expect(JSON.stringify(sent("google/gemini")[1])).toContain('"thoughtSignature":"c2ln"');
    });
  });

  const ask = async (body: object, as = key) =>
    await gateway().call("POST", "/responses", { key: as, body: { model: "acme/chat", ...body } });
  const named = (items: { id: string }[]) => ({
    input: [...items.map(({ id }) => ({ type: "item_reference", id })), { role: "user", content: "Go on" }],
  });
  const output = async (more: object = {}) => (await ask({ input: prompt, ...more })).json.output as { id: string }[];

  it("gives a key's items to the key that replaced it, and to no other", async () => {
    const items = await output();
    const stranger = await makeKey(gateway());
    const refused = await ask(named(items), stranger.key);
    expect(refused.status).toBe(400);
    expect(refused.json.error.message).toMatch(
      /input\.0 is an item by its id alone, and no item with this id was answered to this key in the last 7 days.*store false/,
    );
    const rotated = await gateway().call("POST", `/keys/${hash}/rotate`, { body: {} });
    expect((await ask(named(items), rotated.json.key)).status).toBe(200);
  });

  it.each([
    ["store: false", { store: false }],
    ["zdr", { provider: { zdr: true } }],
    ["data_collection: deny", { provider: { data_collection: "deny" } }],
  ])("keeps nothing with %s", async (_, more) => {
    const items = (await ask({ input: prompt, ...more })).json.output as { id: string }[];
    expect((await ask(named(items))).status).toBe(400);
  });

  it("refuses items that are too large together, each as often as it is named", async () => {
    const { pool } = gateway().deps.store;
    talk().answer(wholeChat({ content: "a".repeat(1_000_000) }));
    const items = await output();
    const { rows } = await pool.query<{ most: number }>("select max(length(sealed)) as most from answered_items");
    expect(rows[0]?.most).toBeLessThan(20_000);
    const long = items.slice(-1);
    expect((await ask(named(long))).status).toBe(200);
    const refused = await ask(named(Array.from({ length: 2_000 }, () => long).flat()));
    expect(refused.json.error).toMatchObject({ code: 413, message: expect.stringContaining("32 MB") });
  });

  it("keeps items encrypted, for a week, and within bounds", async () => {
    const { pool } = gateway().deps.store;
    const items = await output();
    const { rows } = await pool.query<{ sealed: Buffer }>("select sealed from answered_items");
    expect(rows.length).toBeGreaterThanOrEqual(items.length);
    expect(rows.some(({ sealed }) => sealed.includes("Looking"))).toBe(false);
    await pool.query(
      `insert into answered_items select spend_id, sha256(n::text::bytea), created_at - interval '1 second', 1, '' from (select * from answered_items limit 1) one, generate_series(1, 4200) n`,
    );
    await tidyItems(gateway().deps.store, gateway().clock.now());
    const { rows: counts } = await pool.query<{ count: number }>(
      "select count(*)::int as count from answered_items group by spend_id",
    );
    expect(Math.max(...counts.map(({ count }) => count))).toBe(4_096);
    // Of all keys together, the newest that fit are left.
    const size = async () =>
      Number((await pool.query<{ sum: string }>("select sum(bytes) from answered_items where bytes > 1")).rows[0]?.sum);
    await tidyItems(gateway().deps.store, gateway().clock.now(), await size());
    expect((await pool.query("select from answered_items where bytes = 1")).rowCount).toBe(0);
    expect((await ask(named(items))).status).toBe(200);
    gateway().clock.advance(7 * 86_400_000);
    expect((await ask(named(items))).status).toBe(400);
    await tidyItems(gateway().deps.store, gateway().clock.now());
    expect((await pool.query("select from answered_items")).rowCount).toBe(0);
  });
});

describe("thoughts that come with their content", () => {
  const plain = { model: "acme/talk", input: [{ role: "user", content: prompt }] };
  const included = async (upstreamId: string, body: object, model: object = {}) => {
    const partner = { preset: "openai", model: { upstreamId, ...model } } as const;
    const { sent } = await exchange(responsesForm, { ...plain, ...body }, answeringWhole(), partner);
    return JSON.parse(sent[0]?.body ?? "{}").include;
  };
  const asked = ["reasoning.encrypted_content"];

  it.each([
    ["o4-mini", {}, asked],
    ["gpt-5.6-sol", {}, asked],
    ["my-gpt-5", {}, asked],
    ["gpt-5.2-codex", { include: ["web_search_call.results"] }, ["web_search_call.results", ...asked]],
    ["gpt-5.6", { include: asked }, asked],
    ["gpt-5.6", { store: true }, asked],
    ["gpt-5.6", { store: false }, undefined],
    ["gpt-5.3-chat-latest", {}, undefined],
    ["gpt-4o", {}, undefined],
    ["gpt-4.1", {}, undefined],
    ["gpt-35-turbo", {}, undefined],
    ["my-model", {}, undefined],
    ["my-model", { reasoning: { effort: "low" } }, asked],
    ["my-model", { reasoning: { effort: "none" } }, undefined],
  ])("are asked of OpenAI's %s for %j: %j", async (model, body, expected) => {
    expect(await included(model, body)).toEqual(expected);
  });

  it("are asked of models that are said to think, and of no other that is described", async () => {
    expect(await included("my-model", {}, { supportedParameters: ["tools", "reasoning"] })).toEqual(asked);
    expect(await included("gpt-5.6", {}, { supportedParameters: ["tools"] })).toBeUndefined();
  });

  const carrying = async (preset: "openai" | "openrouter") => {
    const text = { type: "reasoning.text", text: "hm", signature: "s", format: "anthropic-claude-v1" };
    const thought = { type: "reasoning", id: "rs_1", summary: [], encrypted_content: carriedThought(text) };
    const { sent } = await exchange(responsesForm, { ...plain, input: [thought, ...plain.input] }, answeringWhole(), {
      preset,
    });
    return JSON.parse(sent[0]?.body ?? "{}").input;
  };

  it("are not sent to a provider that did not make them: OpenAI gets none, others without what they cannot read", async () => {
    expect(await carrying("openai")).toEqual(plain.input);
    expect(await carrying("openrouter")).toEqual([{ type: "reasoning", id: "rs_1", summary: [] }, ...plain.input]);
  });
});
