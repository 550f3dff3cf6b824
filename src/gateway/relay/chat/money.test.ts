import { describe, expect, it } from "vitest";
import { readPrices } from "../../domain/ledger/price.ts";
import { wholeChat } from "../../testing/chat-answers.ts";
import { describeGateway } from "../../testing/describe-gateway.ts";
import { exchange, type ExchangePartner } from "../../testing/exchange.ts";
import { makeKey, makeProvider } from "../../testing/factories.ts";
import { json } from "../../testing/scripted-vendor.ts";
import { takeTurns } from "../../turns.ts";
import { boundsOf } from "./bounds.ts";
import { chatForm } from "./chat-form.ts";
import { readChatRequest } from "./request.ts";

const messages = [{ role: "user", content: "Say hello to me" }];
const long = "x".repeat(400_000);
const hello = wholeChat({ content: "Hello from the fake vendor." }, "stop", { prompt_tokens: 4, completion_tokens: 6 });
/** A server that neither states lengths nor refuses members that it does not know. */
const vague: ExchangePartner = { preset: "mistral", model: { contextLength: null, maxCompletionTokens: null } };
const priced = (more: object, kinds: object = {}) => ({
  model: { prices: readPrices({ prompt: "0.000001", completion: "0.000002", ...more }), ...kinds },
});
const ask = async (body: object, limit: number | null, partner: ExchangePartner = vague, answer = hello) => {
  const asked = { model: "acme/talk", messages, ...body };
  return await exchange(chatForm, asked, answer, { ...partner, ...(limit !== null && { limit }) });
};
const said = (...content: object[]) => ({ messages: [{ role: "user", content }] });
const given = (members: object) => ({ max_tokens: 1, ...members });
/** A vendor's whole answer with this usage. */
const counted = (usage: object) => wholeChat({ content: "x" }, "stop", { prompt_tokens: 0, ...usage });
const fitsIn = ({ refusal }: Awaited<ReturnType<typeof ask>>) => refusal?.details["fits"] as Record<string, number>;

describe("what a chat call may cost is reserved for before it is sent", () => {
  const pdf = { type: "file", file: { file_data: "data:application/pdf;base64,AAAA" } };
  const call = { name: "f", arguments: long };
  it.each([
    ["the larger of two maxima", { max_completion_tokens: 1, max_tokens: 100_000 }],
    ["a maximum by the name that a server has for it", given({ n_predict: 100_000 })],
    ["a maximum in another spelling", given({ maxTokens: 100_000 })],
    ["a maximum in capitals", given({ MAX_TOKENS: 100_000 })],
    ["a maximum with a hyphen", given({ "max-tokens": 100_000 })],
    ["a maximum as Llama's servers name it", given({ max_gen_len: 100_000 })],
    ["a maximum as Google names it", given({ generationConfig: { maxOutputTokens: 100_000 } })],
    ["a maximum in a configuration", given({ generation_config: { max_output_tokens: 100_000 } })],
    ["a maximum as SGLang takes it", given({ sampling_params: { max_tokens: 100_000 } })],
    ["a maximum as Ollama takes it", given({ options: { num_predict: 100_000 } })],
    ["no maximum, as Ollama takes it", given({ options: { num_predict: -1 } })],
    ["a maximum as Hugging Face takes it", given({ parameters: { max_new_tokens: 100_000 } })],
    ["a maximum as a text, in a list", given({ stages: [[{ maxTokenCount: "100000" }]] })],
    ["a maximum beyond the one assumed", { maxTokens: 100_000 }],
    ["a minimum", given({ min_tokens: 100_000 })],
    ["thinking", given({ thinking: { type: "enabled", budget_tokens: 100_000 } })],
    ["answers to choose from", { max_tokens: 100, best_of: 100 }],
    ["several answers", { max_tokens: 100, n: 100 }],
    ["functions", given({ functions: [{ name: "f", description: long }] })],
    ["a function call's arguments", given({ messages: [{ role: "assistant", content: null, function_call: call }] })],
    ["a prediction", given({ prediction: { type: "content", content: long } })],
    ["a name", given({ messages: [{ role: "user", content: "hi", name: long }] })],
    ["reasoning", given({ messages: [{ role: "assistant", content: "hi", reasoning_content: long }] })],
    ["a member that nobody knows", given({ surprise: { nested: [long] } })],
    ["the name of a member", given({ [long]: 1 })],
    ["a file", given(said(pdf))],
    ["a search", given({ web_search_options: {} })],
  ])("%s: 402, and nothing is sent", async (_, body) => {
    const { status, refusal, sent } = await ask(body, 0.01);
    expect([status, refusal?.type, sent]).toEqual([402, "payment_required", []]);
    expect(refusal?.message).toMatch(/limit/);
  });
});

describe("402: a part that has no price", () => {
  const wav = { type: "input_audio", input_audio: { data: "AAAA" } };
  const mp3 = { type: "file", file: { file_data: "data:audio/mp3;base64,AAAA" } };
  const zeros = `${"0".repeat(999)}8`;
  it.each<["openai" | "custom", string, object, string]>([
    ["openai", "a dearer tier", { service_tier: "priority" }, "service_tier"],
    ["openai", "a sound", said(wav), "sound"],
    ["openai", "a sound in the place of an image", said(mp3), "sound"],
    ["custom", "a dearer speed", { speed: "fast" }, "speed"],
    ["custom", "another model to fall back to", { fallbacks: [{ model: "dearer" }] }, "fallbacks"],
    ["custom", "a body of the client's own", { extra_body: { service_tier: "priority" } }, "extra_body"],
    ["custom", "several answers by another name", { candidate_count: 8 }, "candidate_count"],
    ["custom", "several as Google asks for them", { generationConfig: { candidateCount: 8 } }, "generationConfig"],
    ["custom", "several in a member of a server's own", { sampling: [{ params: { n: 8 } }] }, "sampling"],
    ["custom", "several as a text", { num_completions: "8" }, "num_completions"],
    ["custom", "several as a number with a thousand digits", { num_completions: zeros }, "num_completions"],
    ["custom", "a dearer tier in another spelling", { serviceTier: "priority" }, "serviceTier"],
    ["custom", "a dearer tier with a hyphen", { "service-tier": "priority" }, "service-tier"],
    ["custom", "a dearer tier in a member of a server's own", { config: { service_tier: "fast" } }, "config"],
    ["custom", "a search", { web_search: true }, "web_search"],
    ["custom", "a search in another spelling", { webSearch: {} }, "webSearch"],
    ["custom", "a search in a member of a server's own", { options: { enableSearch: true } }, "options"],
    ["custom", "another client's options", { providerOptions: { any: { n: 8 } } }, "providerOptions"],
    ["custom", "a tool that is no list", { tools: { type: "web_search" } }, "a tool of type web_search"],
  ])("at %s: %s, which costs nothing elsewhere than at a limit", async (preset, _, body, part) => {
    const { status, refusal, sent } = await ask(given(body), 1, { preset });
    expect([status, sent]).toEqual([402, []]);
    expect(refusal?.message).toMatch(new RegExp(`^${part} has no price at Acme`));
    expect((await ask(given(body), null, { preset })).status).toBe(200);
  });

  it("is none of what is plain by any name", async () => {
    const plain = {
      speed: "standard",
      serviceTier: "auto",
      web_search: false,
      guided_json: { maxLength: 100_000_000, properties: { max_tokens: { type: "integer" } } },
      candidate_count: 1,
      top_k: 40,
      options: { num_ctx: 8_192 },
      logit_bias: { 8: 1 },
    };
    expect((await ask(given(plain), 1, {})).status).toBe(200);
  });
});

describe("402 says what would fit", () => {
  it("which maximum, and no larger one", async () => {
    const partner = { model: { maxCompletionTokens: 4_096, contextLength: 32_768 } };
    const refused = await ask({ max_tokens: 1_000 }, 0.001, partner);
    expect(refused.refusal?.details).toMatchObject({ remaining: 0.001, limit_kind: "key" });
    const { max_tokens: most = 0 } = fitsIn(refused);
    expect((await ask({ max_tokens: most }, 0.001, partner)).status).toBe(200);
    expect((await ask({ max_tokens: most + 1 }, 0.001, partner)).status).toBe(402);
  });

  it("by the name that the caller has for it", async () => {
    const fits = fitsIn(await ask(given({ generationConfig: { maxOutputTokens: 100_000 } }), 0.01));
    expect(fits).toEqual({ max_tokens: fits["max_tokens"], "generationConfig.maxOutputTokens": fits["max_tokens"] });
    const { status, sent } = await ask(given({ generationConfig: { maxOutputTokens: fits["max_tokens"] } }), 0.01);
    expect([status, JSON.parse(sent[0]?.body ?? "").max_tokens]).toEqual([200, 1]);
  });

  it("of the answer and of what is thought, which some vendors bill beside it", async () => {
    const { max_tokens: most = 0 } = fitsIn(await ask({ max_tokens: 100_000 }, 0.01));
    const part = Math.ceil(most * 0.6);
    const fits = fitsIn(await ask({ max_tokens: part, thinking_budget: part }, 0.01));
    expect(fits).toEqual({ max_tokens: expect.any(Number), thinking_budget: fits["max_tokens"] });
    expect((await ask(fits, 0.01)).status).toBe(200);
  });

  it("of the prompt, where it is the prompt", async () => {
    const fits = fitsIn(await ask({ messages: [{ role: "user", content: long }] }, 0.01));
    expect(fits).toEqual({ prompt_tokens: 9_998, max_tokens: 1 });
    const content = "x".repeat(9_998 - 400);
    expect((await ask(given({ messages: [{ role: "user", content }] }), 0.01)).status).toBe(200);
  });
});

it("a vendor without an answer has written what can be written in its time; in a stream it can only have thought", async () => {
  const turn = takeTurns("key");
  const body = Buffer.from(JSON.stringify({ model: "acme/talk", messages, max_tokens: 9_000 }));
  const bounds = await boundsOf(await readChatRequest(body, null, turn), true, turn);
  const model = { contextLength: 200_000, maxCompletionTokens: 100_000 };
  expect(bounds.unread(model, 1_000)).toMatchObject({ completionTokens: 5_000 });
  expect(bounds.unread(model, 2_000)).toMatchObject({ completionTokens: 9_000 });
  expect(bounds.leftBehind(model, 5, null, 2_000)).toMatchObject({ completionTokens: 505 });
  expect(bounds.leftBehind(model, 0, { promptTokens: 3, completionTokens: 7 }, 20)).toMatchObject({
    promptTokens: 3,
    completionTokens: 7,
  });
});

it.each([
  [{ max_completion_tokens: 20, max_tokens: 10, n_predict: -1 }, 1, { max_tokens: 20 }],
  [{}, 1, { max_tokens: 16_384 }],
  [{}, null, {}],
])("one maximum is sent for %j within the limit %s, the one that was reserved: %j", async (body, limit, expected) => {
  const { messages: _, model: __, stream: ___, ...rest } = JSON.parse((await ask(body, limit)).sent[0]?.body ?? "");
  expect(rest).toEqual(expected);
});

describe("images", () => {
  const data = { type: "image_url", text: "what is it", image_url: { url: "data:image/png;base64,AAAA" } };

  it("count as one whatever else their part holds", async () => {
    const { refusal, sent } = await ask(given(said(data)), 0.01, { model: { inputModalities: ["text"] } });
    expect([refusal?.message, sent]).toEqual([expect.stringContaining("it takes text, not images"), []]);
  });

  it.each([
    ["in a message of their own member", { messages: [{ role: "assistant", content: "x", images: ["i", "i"] }] }],
    ["in parts of type image", said({ type: "image", image: "i" }, { type: "image", image: "i" })],
    ["in parts of type input_image", said({ type: "input_image", source: "i" }, { type: "input_image", source: "i" })],
  ])("%s are charged as any", async (_, body) => {
    const partner = priced({ completion: "0.000001", image: "0.01" }, { contextLength: 32_768 });
    const { json: answer } = await ask(given(body), 5, partner);
    expect(answer.usage.cost).toBeGreaterThan(0.02);
    expect(answer.usage.cost).toBeLessThan(0.03);
    expect((await ask(given(body), 0.019, partner)).refusal?.message).toMatch(/limit/);
  });

  it("in an answer are charged at the model's price for them, and refused at a limit without one", async () => {
    const drawing = { kind: "gemini", preset: "gemini" } as const;
    const parts = [{ text: "Here" }, { inlineData: { mimeType: "image/png", data: "AAAA" } }];
    const usageMetadata = {
      promptTokenCount: 4,
      candidatesTokenCount: 110,
      candidatesTokensDetails: [{ modality: "IMAGE", tokenCount: 100 }],
    };
    const answer = json({ candidates: [{ content: { parts, role: "model" }, finishReason: "STOP" }], usageMetadata });
    const asked = { max_tokens: 200, modalities: ["image", "text"] };
    const partner = { ...drawing, ...priced({ image_output: "0.00003" }, { contextLength: 32_768 }) };
    const { json: made } = await ask(asked, 1, partner, answer);
    expect(made.choices[0].message).toMatchObject({
      content: "Here",
      images: [{ type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } }],
    });
    const completion_tokens_details = { image_tokens: 100 };
    const cost = (4 + 10 * 2 + 100 * 30) / 1e6;
    expect(made.usage).toMatchObject({ completion_tokens: 110, completion_tokens_details, cost });
    expect((await ask(asked, 0.005, partner, answer)).refusal?.message).toMatch(/may cost up to/);
    const unpriced = await ask(asked, 1, drawing, answer);
    expect([unpriced.status, unpriced.refusal?.message]).toEqual([
      402,
      expect.stringMatching(/modalities has no price/),
    ]);
  });
});

describe("what a vendor's cache did", () => {
  const content = "x".repeat(100);
  const asked = given({ messages: [{ role: "user", content }] });

  it("is charged at its price where it was written", async () => {
    const cached = { type: "text", text: "x".repeat(40), cache_control: { type: "ephemeral", ttl: "1h" } };
    const usage = { prompt_tokens: 40, completion_tokens: 1, prompt_tokens_details: { cache_write_tokens: 20 } };
    const { entry } = await ask(given(said(cached)), 1, vague, counted(usage));
    expect(entry?.cost).toBe((40n + 20n + 2n) * 1_000n);
  });

  it("counts each token once: read, written, or neither", async () => {
    const prices = priced({ input_cache_read: "0.0000001", input_cache_write: "0.000003" });
    const prompt_tokens_details = { cached_tokens: 30, cache_write_tokens: 50 };
    const usage = { prompt_tokens: 60, completion_tokens: 1, prompt_tokens_details };
    const { json: made, entry } = await ask(asked, 1, prices, counted(usage));
    const cost = (30 * 0.1 + 30 * 3 + 2) / 1e6;
    const details = { cached_tokens: 30, cache_write_tokens: 30 };
    expect(made.usage).toMatchObject({ prompt_tokens_details: details, cost });
    expect(entry).toMatchObject({ promptTokens: 60, cachedTokens: 30, cacheWriteTokens: 30 });
  });

  it("is charged at its price where it was read, and what that saved is recorded", async () => {
    const usage = { prompt_tokens: 40, completion_tokens: 1, prompt_tokens_details: { cached_tokens: 30 } };
    const { entry } = await ask(asked, 1, priced({ input_cache_read: "0.0000001" }), counted(usage));
    expect(entry).toMatchObject({ cost: 15_000n, cachedTokens: 30, saved: 27_000n });
  });

  it.each([
    ["more cached tokens than the prompt has", 40, 5_000, 40],
    ["more of both than was sent", 9_000_000, 9_000_000, null],
  ])("%s: the prompt is charged at its full price, and nothing is saved", async (_, prompt, cached, charged) => {
    const usage = { prompt_tokens: prompt, completion_tokens: 1, prompt_tokens_details: { cached_tokens: cached } };
    const { entry } = await ask(asked, 1, priced({ input_cache_read: "0" }), counted(usage));
    const tokens = charged ?? entry?.promptTokens ?? 0;
    expect(entry).toMatchObject({ cachedTokens: 0, saved: 0n, cost: BigInt(tokens + 2) * 1_000n });
    expect(tokens).toBeGreaterThanOrEqual(40);
  });
});

it("a count that cannot be true is charged as the most that it can be, and marked", async () => {
  const { status, entry } = await ask(
    { max_tokens: 100 },
    1,
    vague,
    counted({ prompt_tokens: 4e9, completion_tokens: 6e9 }),
  );
  expect(status).toBe(200);
  expect(entry).toMatchObject({ meteredBy: "gateway", completionTokens: 100 });
  expect(entry?.cost).toBeLessThan(500_000n);
});

describeGateway("an unpriced model", (gateway) => {
  it("402: advises another key only where nothing but the key's limit counts the call", async () => {
    const models = [{ id: "bare/talk", upstream_id: "talk", type: "chat" as const }];
    await makeProvider(gateway(), { slug: "bare", base_url: "http://127.0.0.1:1/v1", models });
    const workspace = await gateway().call("POST", "/workspaces", { body: { name: "Counted", slug: "counted" } });
    const { id } = workspace.json.data;
    await gateway().call("PUT", `/workspaces/${id}/budgets/daily`, { body: { limit_usd: 1 } });
    const advice = async (settings: Parameters<typeof makeKey>[1]) => {
      const { key } = await makeKey(gateway(), settings);
      const answer = await gateway().call("POST", "/chat/completions", { key, body: { model: "bare/talk", messages } });
      return answer.json.error.message;
    };
    expect(await advice({ limit: 1 })).toMatch(/: give the model a price, use a key without a limit, or set GATEHOUSE/);
    expect(await advice({ workspace_id: id })).toMatch(/: give the model a price or set GATEHOUSE/);
  });
});
