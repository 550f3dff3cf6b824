import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ProviderPreset } from "#contract/providers.ts";
import { ledgerRows } from "../domain/ledger/columns.ts";
import { verifyLedger } from "../domain/ledger/verify.ts";
import { presetOptions } from "../providers/presets.ts";
import { startBillingVendor, videoPricing, writer } from "../testing/billing-vendor.ts";
import { describeGateway } from "../testing/describe-gateway.ts";
import { eventually } from "../testing/eventually.ts";
import { makeKey, makeProvider } from "../testing/factories.ts";
import { ledgerRow } from "../testing/ledger-calls.ts";
import { rounds } from "../testing/rounds.ts";
import { wave } from "../testing/wave.ts";

const kinds = ["cohere", "gemini", "anthropic"] as const;
const presets = ProviderPreset.options.filter((preset) => preset !== "gatehouse");
const own = (preset: string) => kinds.find((kind) => kind === preset) ?? null;

/** Kinds that take no models of a type. */
const without = { rerank: ["anthropic", "gemini"], image: ["anthropic", "cohere"], sound: [...kinds] };
const has = (preset: string, type: keyof typeof without) => !without[type].some((one) => one === preset);
const filming = ["openai", "xai", "openrouter", "gemini"] as const;

/** A preset's models of every type that its kind takes. */
function modelsOf(preset: ProviderPreset) {
  const modalities = { input_modalities: ["text" as const, "image" as const] };
  const request = "0.000003";
  const perToken = { prompt: "0.000001", image: "0.00001" };
  const output_images = [
    { quality: "high", price: "0.0001" },
    { size: "2K", price: "0.0002" },
  ];
  const talk = {
    id: `${preset}/talk`,
    upstream_id: "talk",
    type: "chat" as const,
    ...modalities,
    context_length: 200_000,
    max_completion_tokens: 64,
    pricing: { ...perToken, completion: "0.000002", request },
  };
  const made = <T extends string>(name: string, type: T, pricing: object, more: object = {}) => ({
    id: `${preset}/${name}`,
    upstream_id: name,
    type,
    pricing: { prompt: "0", ...pricing },
    ...more,
  });
  const length = { ...modalities, context_length: 8_192 };
  const painted = { ...perToken, completion: "0.000002", request, output_image: "0.00004", output_images };
  return [
    talk,
    { ...talk, ...writer, id: `${preset}/writer`, pricing: { ...talk.pricing, ...writer.pricing } },
    ...(preset === "anthropic" ? [] : [made("embed", "embedding", perToken, { ...length, dimensions: 4 })]),
    ...(has(preset, "rerank") ? [made("rank", "rerank", { prompt: "0.000001", request }, length)] : []),
    ...(has(preset, "image") ? [made("paint", "image", painted)] : []),
    ...(has(preset, "sound") ? [made("voice", "speech", { request, character: "0.000001" })] : []),
    ...(has(preset, "sound") ? [made("ear", "transcription", { request, second: "0.0001" })] : []),
    ...(filming.some((one) => one === preset) ? [made("camera", "video", videoPricing)] : []),
  ];
}

interface Call {
  readonly path: string;
  readonly body: object;
}

const text = fc.oneof(
  { weight: 8, arbitrary: fc.string({ unit: "grapheme", minLength: 1, maxLength: 60 }) },
  { weight: 1, arbitrary: fc.constantFrom("x".repeat(3_000), "本".repeat(500), "😀".repeat(200), "1e20 ".repeat(100)) },
);
const small = fc.integer({ min: 1, max: 3_000 });
const cached = fc.option(fc.constantFrom({ type: "ephemeral" }, { type: "ephemeral", ttl: "1h" }), { nil: undefined });
const address = fc.constantFrom(
  "https://93.184.216.34/cat.png",
  `data:image/png;base64,${"A".repeat(400)}`,
  "data:application/pdf;base64,AAAA",
  "data:audio/mp3;base64,AAAA",
);
const members = <T>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }) => fc.record(model, { requiredKeys: [] });

const part = fc.oneof(
  fc.record({ type: fc.constant("text"), text, cache_control: cached }),
  fc.record({ type: fc.constant("image_url"), image_url: fc.record({ url: address }), text: fc.option(text) }),
  fc.record({ type: fc.constant("text"), text, image_url: fc.option(fc.record({ url: address }), { nil: undefined }) }),
  fc.record({ type: fc.constant("file"), file: fc.record({ file_data: address }) }),
  fc.constant({ type: "input_audio", input_audio: { data: "AAAA", format: "wav" } }),
  fc.constant({ type: "video_url", video_url: { url: "https://93.184.216.34/film.mp4" } }),
);
const content = fc.oneof(
  { weight: 3, arbitrary: text },
  { weight: 1, arbitrary: fc.array(part, { minLength: 1, maxLength: 3 }) },
);
const turns = fc.oneof(
  fc
    .record({
      role: fc.constantFrom("user", "system", "developer"),
      content,
      name: fc.option(text, { nil: undefined }),
    })
    .map((message) => [message]),
  members({ content: text, reasoning: text, reasoning_content: text, refusal: text }).map((message) => [
    { role: "assistant", content: null, ...message },
  ]),
  fc
    .tuple(text, fc.constantFrom("{}", '{"a":[1e20,1e20,1e20,2E20]}'), fc.integer({ min: 1, max: 4 }))
    .map(([name, args, times]) => [
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: "c", type: "function", function: { name, arguments: args } }],
      },
      ...Array.from({ length: times }, () => ({ role: "tool", tool_call_id: "c", content: '{"a":1e20}' })),
    ]),
);
const effort = fc.constantFrom("max", "high", "low", "minimal", "none");
const tool = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ type: fc.constant("function"), function: fc.record({ name: text, description: text }) }),
  },
  { weight: 1, arbitrary: fc.constant({ type: "openrouter:web_search" }) },
);
/** Each rare member alone, so that most calls are made and not refused. */
const rare = fc.oneof(
  { weight: 4, arbitrary: fc.constant({}) },
  ...[
    members({ service_tier: fc.constantFrom("auto", "default", "fast", "flex", "priority", "scale") }),
    members({ modalities: fc.subarray(["text", "image", "audio"]) }),
    members({ plugins: fc.constant([{ id: "web" }]) }),
    members({ web_search_options: fc.constant({}) }),
    members({ search_parameters: fc.constant({ mode: "on" }) }),
    members({ prompt_cache_options: fc.constant({ mode: "explicit", ttl: "1h" }) }),
    members({ cache_control: fc.constant({ type: "ephemeral", ttl: "1h" }) }),
    members({ image_config: fc.constant({ image_size: "4K" }) }),
    members({ functions: fc.constant([{ name: "f", description: "x".repeat(500) }]) }),
    members({ prediction: fc.record({ type: fc.constant("content"), content: text }) }),
    members({ deferred: fc.boolean() }),
    members({ chat_template: text }),
    members({ maxOutputTokens: small, generationConfig: members({ maxOutputTokens: small, max_tokens: small }) }),
    members({ max_output_tokens: small, n_predict: small, best_of: fc.integer({ min: 1, max: 3 }) }),
    fc.dictionary(fc.string({ minLength: 1, maxLength: 30 }), text, { maxKeys: 2 }).map((surprise) => ({ surprise })),
  ].map((arbitrary) => ({ weight: 1, arbitrary })),
);
const common = members({
  debug: fc.constant({ echo_upstream_body: true }),
  frequency_penalty: fc.constant(0.5),
  logit_bias: fc.dictionary(fc.constantFrom("1", "2"), fc.integer({ min: -100, max: 100 })),
  logprobs: fc.boolean(),
  max_completion_tokens: small,
  max_tokens: small,
  metadata: fc.dictionary(fc.constantFrom("a", "b"), text),
  min_p: fc.constant(0.1),
  n: fc.integer({ min: 1, max: 4 }),
  parallel_tool_calls: fc.boolean(),
  presence_penalty: fc.constant(0.5),
  prompt_cache_key: text,
  reasoning: fc.oneof(members({ effort, summary: fc.constant("auto") }), fc.record({ max_tokens: small })),
  reasoning_effort: effort,
  repetition_penalty: fc.constant(1.1),
  response_format: fc.record({
    type: fc.constant("json_schema"),
    json_schema: fc.record({ name: fc.constant("s"), schema: fc.record({ type: fc.constant("object"), title: text }) }),
  }),
  route: fc.constant("fallback"),
  seed: fc.integer(),
  session_id: fc.constant("s"),
  stop: fc.oneof(text, fc.array(text, { maxLength: 4 })),
  stop_server_tools_when: fc.constant([]),
  stream: fc.boolean(),
  stream_options: fc.record({ include_usage: fc.boolean() }),
  temperature: fc.constant(1),
  tool_choice: fc.constantFrom("auto", "none", "required"),
  tools: fc.array(tool, { maxLength: 2 }),
  top_a: fc.constant(0.1),
  top_k: fc.integer({ min: 1, max: 50 }),
  top_logprobs: fc.constant(2),
  top_p: fc.constant(0.9),
  trace: fc.record({ trace_id: text }),
  transforms: fc.constant(["middle-out"]),
  user: fc.constant("u"),
  verbosity: fc.constant("low"),
});
const chatModel = fc
  .tuple(fc.constantFrom(...presets), fc.constantFrom("talk", "writer"))
  .map(([preset, model]) => `${preset}/${model}`);
const chatCall = fc
  .tuple(chatModel, fc.array(turns, { minLength: 1, maxLength: 3 }), common, rare)
  .map(([model, messages, some, one]) => ({
    path: "/chat/completions",
    body: { ...some, ...one, model, messages: messages.flat() },
  }));

const messagesBlock = fc.oneof(
  { weight: 3, arbitrary: fc.record({ type: fc.constant("text"), text, cache_control: cached }) },
  fc.record({
    type: fc.constant("image"),
    source: fc.constantFrom(
      { type: "base64", media_type: "image/png", data: "A".repeat(400) },
      { type: "url", url: "https://93.184.216.34/cat.png" },
    ),
  }),
  fc.constant({ type: "document", source: { type: "base64", media_type: "application/pdf", data: "AAAA" } }),
  fc.record({ type: fc.constant("tool_result"), tool_use_id: fc.constant("c"), content: text, is_error: fc.boolean() }),
);
const messagesTurn = fc.oneof(
  fc.record({
    role: fc.constant("user"),
    content: fc.oneof(text, fc.array(messagesBlock, { minLength: 1, maxLength: 3 })),
  }),
  fc.record({
    role: fc.constant("assistant"),
    content: fc.tuple(text, text).map(([said, name]) => [
      { type: "thinking", thinking: said, signature: "c2ln" },
      { type: "text", text: said },
      { type: "tool_use", id: "c", name, input: { [name]: said, a: [1e20, 1e20] } },
    ]),
  }),
);
const messagesTool = fc.oneof(
  { weight: 4, arbitrary: fc.record({ name: text, description: text, input_schema: fc.constant({ type: "object" }) }) },
  { weight: 1, arbitrary: fc.constant({ type: "web_search_20250305", name: "web_search" }) },
);
const messagesCall = fc
  .tuple(
    chatModel,
    fc.array(messagesTurn, { minLength: 1, maxLength: 3 }),
    members({
      max_tokens: small,
      max_output_tokens: small,
      system: fc.oneof(text, fc.array(fc.record({ type: fc.constant("text"), text, cache_control: cached }))),
      tools: fc.array(messagesTool, { maxLength: 2 }),
      tool_choice: fc.constantFrom({ type: "auto" }, { type: "any" }),
      thinking: fc.oneof(
        fc.record({ type: fc.constant("enabled"), budget_tokens: small }),
        fc.constant({ type: "adaptive" }),
      ),
      output_config: members({ effort: fc.constantFrom("low", "high", "max") }),
      cache_control: cached,
      stop_sequences: fc.array(text, { maxLength: 5 }),
      stream: fc.boolean(),
      temperature: fc.constant(1),
    }),
    fc.oneof(
      { weight: 6, arbitrary: fc.constant({}) },
      ...[
        { speed: "fast" },
        { service_tier: "priority" },
        { mcp_servers: [{ type: "url", url: "https://93.184.216.34/mcp", name: "m" }] },
        { n: 3 },
        { plugins: [{ id: "web" }] },
        { web_search_options: {} },
      ].map((rare) => ({ weight: 1, arbitrary: fc.constant(rare) })),
    ),
  )
  .map(([model, messages, some, rare]) => ({
    path: "/messages",
    body: { ...some, ...rare, model, messages },
  }));

const responsesPart = fc.oneof(
  { weight: 3, arbitrary: fc.record({ type: fc.constant("input_text"), text }) },
  fc.record({
    type: fc.constant("input_image"),
    image_url: fc.constantFrom(`data:image/png;base64,${"A".repeat(400)}`, "https://93.184.216.34/cat.png"),
  }),
  fc.constant({ type: "input_file", filename: "a.pdf", file_data: "data:application/pdf;base64,AAAA" }),
);
const responsesItem = fc.oneof(
  fc.record({
    role: fc.constantFrom("user", "system", "developer"),
    content: fc.oneof(text, fc.array(responsesPart, { minLength: 1, maxLength: 3 })),
  }),
  fc.record({ role: fc.constant("assistant"), content: text }),
  fc.record({ type: fc.constant("function_call"), call_id: fc.constant("c"), name: text, arguments: text }),
  fc.record({ type: fc.constant("function_call_output"), call_id: fc.constant("c"), output: text }),
  fc.record({ type: fc.constant("reasoning"), summary: fc.constant([]), encrypted_content: text }),
);
const responsesCall = fc
  .tuple(
    chatModel,
    fc.oneof(text, fc.array(responsesItem, { minLength: 1, maxLength: 5 })),
    members({
      max_output_tokens: fc.integer({ min: 1, max: 60 }),
      max_tokens: small,
      instructions: text,
      tools: fc.array(
        fc.record({
          type: fc.constant("function"),
          name: text,
          description: text,
          parameters: fc.record({ type: fc.constant("object"), description: text }),
        }),
        { maxLength: 2 },
      ),
      tool_choice: fc.constantFrom("auto", "required"),
      reasoning: members({ effort: fc.constantFrom("low", "high", "max"), max_tokens: small }),
      text: fc.record({
        format: fc.record({ type: fc.constant("json_schema"), name: text, schema: fc.record({ description: text }) }),
      }),
      prompt_cache_options: fc.constant({ mode: "explicit" }),
      stream: fc.boolean(),
      temperature: fc.constant(1),
    }),
    fc.oneof(
      { weight: 6, arbitrary: fc.constant({}) },
      ...[
        { service_tier: "priority" },
        { reasoning: { mode: "pro" } },
        { background: true, store: true, stream: true },
        { previous_response_id: "resp_1" },
        { tools: [{ type: "web_search" }] },
        { n: 3 },
        { plugins: [{ id: "web" }] },
        { modalities: ["text", "image"] },
      ].map((rare) => ({ weight: 1, arbitrary: fc.constant(rare) })),
    ),
  )
  .map(([model, input, some, rare]) => ({
    path: "/responses",
    body: { ...some, ...rare, model, input },
  }));

const block = fc.record({
  content: fc.array(
    fc.oneof(
      fc.record({ type: fc.constant("text"), text }),
      fc.record({
        type: fc.constant("image_url"),
        image_url: fc.record({ url: fc.constant("data:image/png;base64,AAAA") }),
      }),
    ),
    { minLength: 1, maxLength: 4 },
  ),
});
const embeddingsCall = fc
  .tuple(
    fc.constantFrom(...presets.filter((preset) => preset !== "anthropic")),
    fc.oneof(
      text,
      fc.array(text, { minLength: 1, maxLength: 5 }),
      fc.array(fc.nat(50_000), { minLength: 1, maxLength: 20 }),
      fc.array(fc.array(fc.nat(50_000), { minLength: 1, maxLength: 20 }), { minLength: 1, maxLength: 3 }),
      fc.array(block, { minLength: 1, maxLength: 3 }),
    ),
    members({
      dimensions: fc.constant(4),
      encoding_format: fc.constantFrom("float", "base64"),
      input_type: fc.constantFrom("query", "document", "a kind of its own"),
      user: fc.constant("u"),
      instruction: text,
    }),
  )
  .map(([preset, input, some]) => ({ path: "/embeddings", body: { ...some, model: `${preset}/embed`, input } }));

const document = fc.oneof(
  text,
  fc.record({ text }),
  fc.record({ image: address }),
  fc.record({ text, image: address }),
);
const rerankCall = fc
  .tuple(
    fc.constantFrom(...presets),
    fc.constantFrom("rank", "rank", "embed"),
    text,
    fc.array(document, { minLength: 1, maxLength: 40 }),
    members({ top_n: fc.integer({ min: 1, max: 9 }), instruction: text, user: fc.constant("u") }),
  )
  .map(([preset, model, query, documents, some]) => ({
    path: "/rerank",
    body: { ...some, model: `${preset}/${model}`, query, documents },
  }));

/** The presets whose vendors have an operation, so that most of its calls are made and not refused. */
const serving = (operation: "images" | "speech" | "transcription") =>
  fc.constantFrom(
    ...presets.filter(
      (preset) =>
        has(preset, operation === "images" ? "image" : "sound") && presetOptions(preset, {})[operation] !== null,
    ),
  );

const imageCall = fc
  .tuple(
    serving("images"),
    text,
    members({
      n: fc.integer({ min: 1, max: 4 }),
      quality: fc.constantFrom("auto", "low", "high"),
      resolution: fc.constantFrom("1K", "2K"),
      aspect_ratio: fc.constantFrom("auto", "1:1", "16:9"),
      input_references: fc.array(
        fc.constant({ type: "image_url", image_url: { url: `data:image/png;base64,${"A".repeat(400)}` } }),
        { maxLength: 3 },
      ),
      stream: fc.boolean(),
      moderation: text,
    }),
  )
  .map(([preset, prompt, some]) => ({ path: "/images", body: { ...some, model: `${preset}/paint`, prompt } }));

const speechCall = fc
  .tuple(serving("speech"), text, members({ instructions: text, user: fc.constant("u") }))
  .map(([preset, input, some]) => ({
    path: "/audio/speech",
    body: { ...some, model: `${preset}/voice`, input, voice: "v", response_format: "wav" },
  }));

const recordings = [1, 2, 3].map((seconds) => wave(seconds).toString("base64"));
const transcriptionCall = fc
  .tuple(serving("transcription"), fc.constantFrom(...recordings), members({ prompt: text }))
  .map(([preset, data, some]) => ({
    path: "/audio/transcriptions",
    body: { ...some, model: `${preset}/ear`, input_audio: { data, format: "wav" } },
  }));

/** Long prompts and short answers: what they cost is above all what is written to a vendor's cache. */
const writingCall = fc
  .tuple(fc.constantFrom(...presets), fc.integer({ min: 2_000, max: 20_000 }), cached, fc.boolean())
  .map(([preset, length, cache_control, stream]) => {
    const content = [{ type: "text", text: "x".repeat(length), cache_control }];
    const messages = [{ role: "user", content }];
    return { path: "/chat/completions", body: { model: `${preset}/writer`, max_tokens: 1, stream, messages } };
  });

const image = { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgo=" } };
const videoCall = fc
  .tuple(
    fc.constantFrom(...filming),
    fc.constantFrom("a", "A red gate opens in the snow"),
    fc.integer({ min: 1, max: 8 }),
    members({
      resolution: fc.constantFrom("720p", "1080p"),
      aspect_ratio: fc.constantFrom("16:9", "9:16"),
      frame_images: fc.constant([{ ...image, frame_type: "first_frame" }]),
    }),
  )
  .map(([preset, prompt, duration, some]) => ({
    path: "/videos",
    body: { ...some, model: `${preset}/camera`, prompt, duration },
  }));

/** Seconds. */
const upstreamTimeout = 2;
const anyLimit = [0.003, 0.02, 0.2, 2] as const;
const anyHolder = ["key", "guardrail", "member"] as const;
/** What costs what its vendor reports, and nothing that it does not. */
const exact = new Set(["/embeddings", "/rerank", "/images", "/audio/speech", "/audio/transcriptions"]);

describeGateway(
  "calls within a limit",
  (gateway) => {
    let vendor: Awaited<ReturnType<typeof startBillingVendor>>;
    beforeAll(async () => {
      vendor = await startBillingVendor();
      for (const preset of presets) {
        const kind = own(preset);
        await makeProvider(gateway(), {
          slug: preset,
          preset,
          kind: kind ?? "openai-compatible",
          base_url: `${vendor.url}/${kind ?? (preset === "mistral" || preset === "xai" ? preset : "v1")}`,
          api_key: "k",
          models: modelsOf(preset),
        });
      }
    });
    afterAll(() => vendor.close());
    const db = () => gateway().deps.store.db;
    const usageOf = async (hash: string) => (await gateway().call("GET", `/keys/${hash}`)).json.data.usage * 1e9;

    /** A key that may spend so much: by its own limit, or by the budget of a guardrail that is assigned to it or its creator. */
    async function makeLimitedKey(limit: number, by: (typeof anyHolder)[number]) {
      if (by === "key") return await makeKey(gateway(), { limit });
      const user = crypto.randomUUID();
      const made = await makeKey(gateway(), { creator_user_id: user });
      const budget = { name: "Budget", limit_usd: limit, reset_interval: "monthly" };
      const { id } = (await gateway().call("POST", "/guardrails", { body: budget })).json.data;
      const body = by === "guardrail" ? { key_hashes: [made.record.hash] } : { member_user_ids: [user] };
      const path = `/guardrails/${id}/assignments/${by === "guardrail" ? "keys" : "members"}`;
      expect((await gateway().call("POST", path, { body })).json).toEqual({ assigned_count: 1 });
      return made;
    }

    /** The answer's status, and the id of a job that goes on; null: its caller left. */
    async function send({ path, body }: Call, key: string, index: number) {
      const leaving = new AbortController();
      // Whether it has begun by then does not matter.
      if (index % 10 === 9 && path !== "/videos") setTimeout(() => leaving.abort(), index * 2);
      const asked = {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify(body),
        signal: leaving.signal,
      };
      try {
        const answer = await fetch(`${gateway().url}/api/v1${path}`, asked);
        const text = await answer.text();
        const id = answer.headers.get("x-generation-id");
        return { status: answer.status, id, job: answer.status === 202 ? String(JSON.parse(text).id) : null };
      } catch {
        return { status: null, id: null, job: null };
      }
    }

    /** Expects that calls without a limit are charged what the vendor bills, one after another. */
    async function expectExact(calls: readonly Call[]): Promise<void> {
      const { key } = await makeKey(gateway());
      for (const call of calls) {
        const before = vendor.bill();
        const { id } = await send(call, key, 0);
        const row = await ledgerRow(gateway(), id);
        if (row?.status !== 200 || row.error_type !== null) continue;
        expect(Number(row.cost), JSON.stringify(call)).toBe(vendor.bill() - before);
        count("exact");
      }
    }

    /** Lets time pass until all jobs have ended; what is reserved and what is charged stay within the limit meanwhile. */
    async function endJobs(jobs: readonly string[], key: string, hash: string, limit: number): Promise<void> {
      if (jobs.length === 0) return;
      const open = async () =>
        await db()
          .selectFrom("video_jobs")
          .select(["id", "upstream_id"])
          .where("key_hash", "=", hash)
          .where("ended_at", "is", null)
          .execute();
      for (const { id, upstream_id } of await open())
        if (upstream_id?.includes("killed"))
          await db().updateTable("video_jobs").set({ upstream_id: null }).where("id", "=", id).execute();
      for (let step = 0; step < 8; step += 1) {
        gateway().clock.advance(step < 6 ? 60_000 : 6 * 3_600_000);
        await Promise.all(jobs.map((id) => gateway().call("GET", `/videos/${id}`, { key })));
        // In this order: what is charged between the two would count twice otherwise.
        const used = await usageOf(hash);
        const held = await db()
          .selectFrom("spends")
          .innerJoin("api_keys", "api_keys.spend_id", "spends.id")
          .select("reserved")
          .where("hash", "=", hash)
          .executeTakeFirst();
        expect(Number(held?.reserved ?? 0n) + used).toBeLessThanOrEqual(limit * 1e9 + 1);
      }
      await eventually(open, ({ length }) => length === 0);
      const ended = await db().selectFrom("video_jobs").selectAll().where("id", "in", jobs).execute();
      for (const { status, cost, reserved } of ended) {
        count(`a video ${status}`);
        expect([cost === null, reserved]).toEqual([false, 0n]);
      }
    }

    const counts: Record<string, number> = {};
    const count = (what: string) => void (counts[what] = (counts[what] ?? 0) + 1);

    it.each<[string, number, fc.Arbitrary<Call>, readonly number[], readonly (typeof anyHolder)[number][]]>([
      [
        "no request",
        25,
        fc.oneof(
          { weight: 6, arbitrary: chatCall },
          { weight: 3, arbitrary: messagesCall },
          { weight: 3, arbitrary: responsesCall },
          { weight: 2, arbitrary: embeddingsCall },
          { weight: 1, arbitrary: rerankCall },
          { weight: 2, arbitrary: imageCall },
          { weight: 1, arbitrary: speechCall },
          { weight: 1, arbitrary: transcriptionCall },
        ),
        anyLimit,
        anyHolder,
      ],
      ["no prompt that is written to a cache", 8, writingCall, anyLimit, anyHolder],
      ["no video", 5, videoCall, [0.004, 0.02, 1], ["key"]],
    ])(
      "%s has vendors bill more than is charged, and nothing more than the limit: 20 at once, answered or not",
      async (_, times, call, limits, holders) => {
        const numRuns = rounds(times) * (times === 25 ? 3 : 1);
        await fc.assert(
          fc.asyncProperty(
            fc.array(call, { minLength: 20, maxLength: 20, size: "max" }),
            fc.constantFrom(...limits),
            fc.constantFrom(...holders),
            async (calls, limit, holder) => {
              vendor.reset();
              const { key, record } = await makeLimitedKey(limit, holder);
              const answers = await Promise.all(calls.map(async (each, index) => await send(each, key, index)));
              for (const { status } of answers) count(String(status));
              const jobs = answers.flatMap(({ job }) => job ?? []);
              await endJobs(jobs, key, record.hash, limit);
              // What a caller has left is charged once it is over.
              const charged = await eventually(
                () => usageOf(record.hash),
                (usage) => usage >= vendor.bill() - 1,
              );
              expect(charged).toBeLessThanOrEqual(limit * 1e9);
              expect(vendor.bill()).toBeLessThanOrEqual(limit * 1e9);
              const rows = await ledgerRows(db()).selectAll().where("key_hash", "=", record.hash).execute();
              for (const { api_type, cost, attempts } of rows) {
                const reserved = Math.max(0, ...attempts.map((attempt) => attempt.reserved ?? 0));
                if (api_type !== "videos") expect(Number(cost)).toBeLessThanOrEqual(reserved * 1e9 + 1);
              }
              await expectExact(calls.filter(({ path }) => exact.has(path)).slice(0, 4));
            },
          ),
          { seed: 20_261_122, numRuns, endOnFailure: true },
        );
        const said = JSON.stringify(counts);
        expect((counts["200"] ?? 0) + (counts["202"] ?? 0), said).toBeGreaterThan(numRuns * 4);
        if (times === 25) expect(counts["exact"], said).toBeGreaterThan(numRuns);
        if (call === videoCall)
          for (const status of ["completed", "failed", "cancelled", "expired"])
            expect(counts[`a video ${status}`] ?? 0, said).toBeGreaterThan(0);
        const { differences, excesses } = await verifyLedger(gateway().deps);
        expect([differences, excesses]).toEqual([[], []]);
      },
      600_000,
    );
  },
  { env: { GATEHOUSE_UPSTREAM_TIMEOUT: String(upstreamTimeout) } },
);
