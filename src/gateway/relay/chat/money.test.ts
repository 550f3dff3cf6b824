import { describe, expect, it } from "vitest";
import { describeGateway } from "../../testing/describe-gateway.ts";
import { ledgerRow } from "../../testing/ledger-calls.ts";
import { expectError } from "../../testing/expect-error.ts";
import { makeKey, makeProvider } from "../../testing/factories.ts";
import { withVendor } from "../../testing/vendor-setup.ts";

const messages = [{ role: "user", content: "Say hello to me" }];
const long = "x".repeat(400_000);

describeGateway("what a chat call may cost", (gateway) => {
  const vendor = withVendor(gateway, {
    provider: { preset: "mistral" },
    talk: { context_length: null, max_completion_tokens: null },
  });
  const chat = async (key: string, body: object) =>
    await gateway().call("POST", "/chat/completions", { key, body: { model: "acme/talk", messages, ...body } });

  describe("is reserved for before it is sent", () => {
    it.each([
      ["the larger of two maxima", { max_completion_tokens: 1, max_tokens: 100_000 }],
      ["a maximum by the name that a server has for it", { max_tokens: 1, n_predict: 100_000 }],
      ["a maximum in another spelling", { max_tokens: 1, maxTokens: 100_000 }],
      ["a maximum in capitals", { max_tokens: 1, MAX_TOKENS: 100_000 }],
      ["a maximum with a hyphen", { max_tokens: 1, "max-tokens": 100_000 }],
      ["a maximum as Llama's servers name it", { max_tokens: 1, max_gen_len: 100_000 }],
      ["a maximum as Google names it", { max_tokens: 1, generationConfig: { maxOutputTokens: 100_000 } }],
      ["a maximum in a configuration", { max_tokens: 1, generation_config: { max_output_tokens: 100_000 } }],
      ["a maximum as SGLang takes it", { max_tokens: 1, sampling_params: { max_tokens: 100_000 } }],
      ["a maximum as Ollama takes it", { max_tokens: 1, options: { num_predict: 100_000 } }],
      ["no maximum, as Ollama takes it", { max_tokens: 1, options: { num_predict: -1 } }],
      ["a maximum as Hugging Face takes it", { max_tokens: 1, parameters: { max_new_tokens: 100_000 } }],
      ["a maximum as a text, in a list", { max_tokens: 1, stages: [[{ maxTokenCount: "100000" }]] }],
      ["a maximum beyond the one assumed", { maxTokens: 100_000 }],
      ["a minimum", { max_tokens: 1, min_tokens: 100_000 }],
      ["thinking", { max_tokens: 1, thinking: { type: "enabled", budget_tokens: 100_000 } }],
      ["answers to choose from", { max_tokens: 100, best_of: 100 }],
      ["several answers", { max_tokens: 100, n: 100 }],
      ["functions", { max_tokens: 1, functions: [{ name: "f", description: long }] }],
      [
        "a function call's arguments",
        {
          max_tokens: 1,
          messages: [{ role: "assistant", content: null, function_call: { name: "f", arguments: long } }],
        },
      ],
      ["a prediction", { max_tokens: 1, prediction: { type: "content", content: long } }],
      ["a name", { max_tokens: 1, messages: [{ role: "user", content: "hi", name: long }] }],
      ["reasoning", { max_tokens: 1, messages: [{ role: "assistant", content: "hi", reasoning_content: long }] }],
      ["a member that nobody knows", { max_tokens: 1, surprise: { nested: [long] } }],
      ["the name of a member", { max_tokens: 1, [long]: 1 }],
      [
        "a file",
        {
          max_tokens: 1,
          messages: [
            { role: "user", content: [{ type: "file", file: { file_data: "data:application/pdf;base64,AAAA" } }] },
          ],
        },
      ],
      ["a search", { max_tokens: 1, web_search_options: {} }],
    ])("%s: 402, and nothing is sent", async (_, body) => {
      const { key } = await makeKey(gateway(), { limit: 0.01 });
      expectError(await chat(key, body), "payment_required", /limit/);
      expect(vendor().calls()).toBe(0);
    });
  });

  it("402: advises another key for an unpriced model only where nothing but the key's limit counts the call", async () => {
    const models = [{ id: "bare/talk", upstream_id: "talk", type: "chat" as const }];
    await makeProvider(gateway(), { slug: "bare", base_url: vendor().baseUrl, models });
    const workspace = await gateway().call("POST", "/workspaces", { body: { name: "Counted", slug: "counted" } });
    const { id } = workspace.json.data;
    await gateway().call("PUT", `/workspaces/${id}/budgets/daily`, { body: { limit_usd: 1 } });
    const said = async (settings: Parameters<typeof makeKey>[1]) =>
      (await chat((await makeKey(gateway(), settings)).key, { model: "bare/talk" })).json.error.message;
    expect(await said({ limit: 1 })).toMatch(/: give the model a price, use a key without a limit, or set GATEHOUSE/);
    expect(await said({ workspace_id: id })).toMatch(/: give the model a price or set GATEHOUSE/);
    await gateway().call("DELETE", "/providers/bare");
  });

  it("402: says which maximum fits, by the name that the caller has for it", async () => {
    const { key } = await makeKey(gateway(), { limit: 0.01 });
    const refused = await chat(key, { max_tokens: 1, generationConfig: { maxOutputTokens: 100_000 } });
    const { fits } = refused.json.error.metadata;
    expect(fits).toEqual({ max_tokens: fits.max_tokens, "generationConfig.maxOutputTokens": fits.max_tokens });
    const config = { maxOutputTokens: fits.max_tokens };
    const answer = await chat(key, { max_tokens: 1, generationConfig: config });
    expect(answer.status, answer.text).toBe(200);
    expect(vendor().requests.at(-1)?.body).toMatchObject({ max_tokens: 1 });
  });

  it("402: what is thought counts beside the answer, as some vendors bill it, and both that would fit are named", async () => {
    const { key } = await makeKey(gateway(), { limit: 0.01 });
    const most = (await chat(key, { max_tokens: 100_000 })).json.error.metadata.fits.max_tokens;
    const part = Math.ceil(most * 0.6);
    const refused = await chat(key, { max_tokens: part, thinking_budget: part });
    const { fits } = refused.json.error.metadata;
    expect(fits).toEqual({ max_tokens: expect.any(Number), thinking_budget: fits.max_tokens });
    expect(vendor().calls()).toBe(0);
    expect((await chat(key, fits)).status).toBe(200);
  });

  it("one maximum is sent, the one that was reserved, by the vendor's name for it", async () => {
    const { key } = await makeKey(gateway(), { limit: 1 });
    const sent = async (body: object, by = key) => {
      expect((await chat(by, body)).status).toBe(200);
      const { messages: _, model: __, stream: ___, ...rest } = vendor().requests.at(-1)?.body ?? {};
      return rest;
    };
    expect(await sent({ max_completion_tokens: 20, max_tokens: 10, n_predict: -1 })).toEqual({ max_tokens: 20 });
    expect(await sent({})).toEqual({ max_tokens: 16_384 });
    expect(await sent({}, (await makeKey(gateway())).key)).toEqual({});
  });

  it("402: says what would fit, the prompt's length where it is the prompt", async () => {
    const { key } = await makeKey(gateway(), { limit: 0.01 });
    const answer = await chat(key, { messages: [{ role: "user", content: long }] });
    expect(answer.json.error.metadata.fits).toEqual({ prompt_tokens: 9_998, max_tokens: 1 });
    const content = "x".repeat(9_998 - 400);
    expect((await chat(key, { messages: [{ role: "user", content }], max_tokens: 1 })).status).toBe(200);
  });

  it.each([
    ["a dearer tier", { service_tier: "priority" }, "service_tier"],
    [
      "a sound",
      { messages: [{ role: "user", content: [{ type: "input_audio", input_audio: { data: "AAAA" } }] }] },
      "sound",
    ],
    [
      "a sound in the place of an image",
      { messages: [{ role: "user", content: [{ type: "file", file: { file_data: "data:audio/mp3;base64,AAAA" } }] }] },
      "sound",
    ],
  ])("402: %s has no price at openai, and costs nothing elsewhere than at a limit", async (_, body, said) => {
    const models = [{ id: "dear/talk", upstream_id: "talk", type: "chat" as const, pricing: { prompt: "0.000001" } }];
    const made = { slug: "dear", preset: "openai" as const, base_url: vendor().baseUrl, models };
    await makeProvider(gateway(), made);
    try {
      const call = { model: "dear/talk", max_tokens: 1, ...body };
      const { key } = await makeKey(gateway(), { limit: 1 });
      expectError(await chat(key, call), "payment_required", new RegExp(`^${said} has no price at dear`));
      expect(vendor().calls()).toBe(0);
      expect((await chat((await makeKey(gateway())).key, call)).status).toBe(200);
    } finally {
      await gateway().call("DELETE", "/providers/dear");
    }
  });

  it.each([
    ["a dearer speed", { speed: "fast" }, "speed"],
    ["another model to fall back to", { fallbacks: [{ model: "dearer" }] }, "fallbacks"],
    ["a body of the client's own", { extra_body: { service_tier: "priority" } }, "extra_body"],
    ["several answers by another name", { candidate_count: 8 }, "candidate_count"],
    ["several answers as Google asks for them", { generationConfig: { candidateCount: 8 } }, "generationConfig"],
    ["several answers in a member of a server's own", { sampling: [{ params: { n: 8 } }] }, "sampling"],
    ["several answers as a text", { num_completions: "8" }, "num_completions"],
    [
      "several answers as a number with a thousand digits",
      { num_completions: `${"0".repeat(999)}8` },
      "num_completions",
    ],
    ["a dearer tier in another spelling", { serviceTier: "priority" }, "serviceTier"],
    ["a dearer tier with a hyphen", { "service-tier": "priority" }, "service-tier"],
    ["a dearer tier in a member of a server's own", { config: { service_tier: "fast" } }, "config"],
    ["a search", { web_search: true }, "web_search"],
    ["a search in another spelling", { webSearch: {} }, "webSearch"],
    ["a search in a member of a server's own", { options: { enableSearch: true } }, "options"],
    ["another client's options", { providerOptions: { any: { n: 8 } } }, "providerOptions"],
    ["a tool that is no list", { tools: { type: "web_search" } }, "a tool of type web_search"],
  ])("402: %s has no price at a server that takes every member", async (_, body, said) => {
    const models = [{ id: "any/talk", upstream_id: "talk", type: "chat" as const, pricing: { prompt: "0.000001" } }];
    await makeProvider(gateway(), { slug: "any", base_url: vendor().baseUrl, models });
    try {
      const { key } = await makeKey(gateway(), { limit: 1 });
      const answer = await chat(key, { model: "any/talk", max_tokens: 1, ...body });
      expectError(answer, "payment_required", new RegExp(`^${said} has no price at any`));
      expect(vendor().calls()).toBe(0);
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
      expect((await chat(key, { model: "any/talk", max_tokens: 1, ...plain })).status).toBe(200);
    } finally {
      await gateway().call("DELETE", "/providers/any");
    }
  });

  it("an image counts as one whatever else its part holds", async () => {
    const { key } = await makeKey(gateway(), { limit: 0.01 });
    const image = { type: "image_url", text: "what is it", image_url: { url: "data:image/png;base64,AAAA" } };
    const answer = await chat(key, { max_tokens: 1, messages: [{ role: "user", content: [image] }] });
    expect(answer.text).toContain("it takes text, not images");
    expect(vendor().calls()).toBe(0);
  });

  it.each([
    ["in a message of their own member", { role: "assistant", content: "x", images: ["i", "i"] }],
    [
      "in parts of type image",
      {
        role: "user",
        content: [
          { type: "image", image: "i" },
          { type: "image", image: "i" },
        ],
      },
    ],
    [
      "in parts of type input_image",
      {
        role: "user",
        content: [
          { type: "input_image", source: "i" },
          { type: "input_image", source: "i" },
        ],
      },
    ],
  ])("images %s are charged as any", async (_, message) => {
    const pricing = { prompt: "0.000001", completion: "0.000001", image: "0.01" };
    const talk = {
      upstream_id: "talk",
      type: "chat" as const,
      pricing,
      input_modalities: ["text" as const, "image" as const],
    };
    await makeProvider(gateway(), { slug: "eyes", base_url: vendor().baseUrl, models: [{ id: "eyes/talk", ...talk }] });
    try {
      const { key } = await makeKey(gateway(), { limit: 5 });
      const body = { model: "eyes/talk", max_tokens: 1, messages: [message] };
      const answer = await chat(key, body);
      expect(answer.status, answer.text).toBe(200);
      expect(answer.json.usage.cost).toBeGreaterThan(0.02);
      expect(answer.json.usage.cost).toBeLessThan(0.03);
      expectError(await chat((await makeKey(gateway(), { limit: 0.019 })).key, body), "payment_required", /limit/);
    } finally {
      await gateway().call("DELETE", "/providers/eyes");
    }
  });

  it("what a vendor writes to its cache is charged at its price", async () => {
    const usage = { prompt_tokens: 40, completion_tokens: 1, prompt_tokens_details: { cache_write_tokens: 20 } };
    const choices = [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: "x" } }];
    vendor().fail({ type: "body", body: JSON.stringify({ choices, usage }) });
    const { key, record } = await makeKey(gateway(), { limit: 1 });
    const content = [{ type: "text", text: "x".repeat(40), cache_control: { type: "ephemeral", ttl: "1h" } }];
    expect((await chat(key, { max_tokens: 1, messages: [{ role: "user", content }] })).status).toBe(200);
    const { data } = (await gateway().call("GET", `/keys/${record.hash}`)).json;
    expect(data.usage).toBeCloseTo((40 + 20 + 2) / 1e6, 9);
  });

  it("images in an answer are charged at the model's price for them, and refused at a limit without one", async () => {
    const model = { id: "acme/draws", upstream_id: "draws", type: "chat", context_length: 32_768 } as const;
    const pricing = { prompt: "0.000001", completion: "0.000002", image_output: "0.00003" };
    const provider = await makeProvider(gateway(), {
      slug: "draws",
      kind: "gemini",
      preset: "gemini",
      base_url: `${vendor().url}/gemini/v1beta`,
      api_key: "vendor-0123456789abcdef",
      models: [{ ...model, pricing }],
    });
    expect(provider).toMatchObject({ slug: "draws" });
    try {
      const parts = [{ text: "Here" }, { inlineData: { mimeType: "image/png", data: "AAAA" } }];
      const usageMetadata = {
        promptTokenCount: 4,
        candidatesTokenCount: 110,
        candidatesTokensDetails: [{ modality: "IMAGE", tokenCount: 100 }],
      };
      const candidates = [{ content: { parts, role: "model" }, finishReason: "STOP" }];
      vendor().fail({ type: "body", body: JSON.stringify({ candidates, usageMetadata }) });
      const { key } = await makeKey(gateway(), { limit: 1 });
      const messages = [{ role: "user", content: "Draw a gate, please" }];
      const asked = { model: "acme/draws", max_tokens: 200, messages, modalities: ["image", "text"] };
      const answer = await chat(key, asked);
      expect(answer.status, answer.text).toBe(200);
      expect(answer.json.choices[0].message).toMatchObject({
        content: "Here",
        images: [{ type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } }],
      });
      expect(answer.json.usage).toMatchObject({
        completion_tokens: 110,
        completion_tokens_details: { image_tokens: 100 },
        cost: (4 + 10 * 2 + 100 * 30) / 1e6,
      });
      const poor = await makeKey(gateway(), { limit: 0.005 });
      expectError(await chat(poor.key, asked), "payment_required", /may cost up to/);
      const { image_output: _, ...plain } = pricing;
      await gateway().call("PATCH", "/providers/draws", { body: { models: [{ ...model, pricing: plain }] } });
      expectError(await chat(key, asked), "payment_required", /modalities has no price/);
    } finally {
      await gateway().call("DELETE", "/providers/draws");
    }
  });

  it("each token is counted once: read from the vendor's cache, written to it, or neither", async () => {
    const pricing = {
      prompt: "0.000001",
      completion: "0.000002",
      input_cache_read: "0.0000001",
      input_cache_write: "0.000003",
    };
    await makeProvider(gateway(), {
      slug: "writes",
      base_url: vendor().baseUrl,
      api_key: "sk-vendor-0123456789abcdef",
      models: [{ id: "acme/writes", upstream_id: "talk", type: "chat", context_length: 32_768, pricing }],
    });
    try {
      const prompt_tokens_details = { cached_tokens: 30, cache_write_tokens: 50 };
      const usage = { prompt_tokens: 60, completion_tokens: 1, prompt_tokens_details };
      const choices = [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: "x" } }];
      vendor().fail({ type: "body", body: JSON.stringify({ choices, usage }) });
      const { key } = await makeKey(gateway(), { limit: 1 });
      const messages = [{ role: "user", content: "x".repeat(100) }];
      const answer = await chat(key, { model: "acme/writes", max_tokens: 1, messages });
      expect(answer.json.usage).toMatchObject({
        prompt_tokens_details: { cached_tokens: 30, cache_write_tokens: 30 },
        cost: (30 * 0.1 + 30 * 3 + 2) / 1e6,
      });
      const id = answer.headers.get("x-generation-id") ?? "";
      const { data } = (await gateway().call("GET", `/generations?id=${id}`)).json;
      expect(data).toMatchObject([{ prompt_tokens: 60, cached_tokens: 30, cache_write_tokens: 30 }]);
    } finally {
      await gateway().call("DELETE", "/providers/writes");
    }
  });

  it("what a vendor read from its cache is charged at its price, and what that saved is recorded", async () => {
    const pricing = { prompt: "0.000001", completion: "0.000002", input_cache_read: "0.0000001" };
    await makeProvider(gateway(), {
      slug: "remembers",
      base_url: vendor().baseUrl,
      api_key: "sk-vendor-0123456789abcdef",
      models: [{ id: "acme/remembers", upstream_id: "talk", type: "chat", context_length: 32_768, pricing }],
    });
    try {
      const usage = { prompt_tokens: 40, completion_tokens: 1, prompt_tokens_details: { cached_tokens: 30 } };
      const choices = [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: "x" } }];
      vendor().fail({ type: "body", body: JSON.stringify({ choices, usage }) });
      const { key } = await makeKey(gateway(), { limit: 1 });
      const content = "x".repeat(100);
      const answer = await chat(key, { model: "acme/remembers", max_tokens: 1, messages: [{ role: "user", content }] });
      expect(answer.json.usage.cost).toBeCloseTo((10 + 30 * 0.1 + 2) / 1e6, 12);
      const id = answer.headers.get("x-generation-id") ?? "";
      const { data } = (await gateway().call("GET", `/generation?id=${id}`)).json;
      expect(data).toMatchObject({ native_tokens_cached: 30, cache_discount: 0.000027, usage: 0.000015 });
    } finally {
      await gateway().call("DELETE", "/providers/remembers");
    }
  });

  it.each([
    ["more cached tokens than the prompt has", 40, 5_000, 40],
    ["more of both than was sent", 9_000_000, 9_000_000, null],
  ])("%s: the prompt is charged at its full price, and nothing is saved", async (_, prompt, cached, charged) => {
    const pricing = { prompt: "0.000001", completion: "0.000002", input_cache_read: "0" };
    await makeProvider(gateway(), {
      slug: "forgets",
      base_url: vendor().baseUrl,
      api_key: "sk-vendor-0123456789abcdef",
      models: [{ id: "acme/forgets", upstream_id: "talk", type: "chat", context_length: 32_768, pricing }],
    });
    try {
      const usage = { prompt_tokens: prompt, completion_tokens: 1, prompt_tokens_details: { cached_tokens: cached } };
      const choices = [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: "x" } }];
      vendor().fail({ type: "body", body: JSON.stringify({ choices, usage }) });
      const { key } = await makeKey(gateway(), { limit: 1 });
      const content = "x".repeat(100);
      const answer = await chat(key, { model: "acme/forgets", max_tokens: 1, messages: [{ role: "user", content }] });
      const id = answer.headers.get("x-generation-id") ?? "";
      const { data } = (await gateway().call("GET", `/generation?id=${id}`)).json;
      expect(data).toMatchObject({ native_tokens_cached: 0, cache_discount: null });
      expect(data.usage).toBeCloseTo(((charged ?? data.tokens_prompt) + 2) / 1e6, 12);
      expect(data.tokens_prompt).toBeGreaterThanOrEqual(40);
    } finally {
      await gateway().call("DELETE", "/providers/forgets");
    }
  });

  it("400: a number of answers to choose from that is none", async () => {
    const { key } = await makeKey(gateway());
    expectError(await chat(key, { best_of: "many" }), "invalid_request", /best_of/);
  });

  it("a count that cannot be true is charged as the most that it can be, and marked", async () => {
    vendor().settings.usage = "immense";
    const { key, record } = await makeKey(gateway(), { limit: 1 });
    const answer = await chat(key, { max_tokens: 100 });
    expect(answer.status).toBe(200);
    const { data } = (await gateway().call("GET", `/keys/${record.hash}`)).json;
    expect(data.usage).toBeLessThan(0.0005);
    const row = await ledgerRow(gateway(), answer.headers.get("x-generation-id"));
    expect(row).toMatchObject({ metered_by: "gateway", completion_tokens: 100, overrun: 0n });
  });
});
