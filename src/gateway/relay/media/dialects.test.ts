import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import type { ProviderKind, ProviderPreset } from "#contract/providers.ts";
import { createMemoryBudget, roomIn } from "../../memory-budget.ts";
import type {
  HttpAdapter,
  ImagesCall,
  ImagesForm,
  RerankCall,
  SpeechCall,
  TranscriptionCall,
  UpstreamForm,
  VideoCall,
} from "../../providers/provider.ts";
import { adapters, toUpstream } from "../../providers/registry.ts";
import { eventsOf } from "../images/upstream.ts";
import type { BegunAnswer } from "./ask.ts";

const kindOf = (preset: ProviderPreset): ProviderKind =>
  preset === "gemini" || preset === "cohere" ? preset : "openai-compatible";
const base = "https://vendor.example/v1";

/** A vendor's upstream, and one of its dialects. */
function at<K extends "images" | "speech" | "transcription" | "rerank" | "videos">(preset: ProviderPreset, name: K) {
  const kind = kindOf(preset);
  const adapter = adapters[kind] as HttpAdapter;
  const upstream = toUpstream({ slug: preset, kind, preset, baseUrl: base, apiKey: "key", options: {} });
  return { adapter, upstream, dialect: adapter[name] as NonNullable<HttpAdapter[K]> };
}

const url = "data:image/png;base64,iVBORw0KGgo=";
const png = "iVBORw0KGgo=";
const pathOf = (made: { url: string }) => made.url.replace(base, "");
const prompt = "A red gate";
const bad = expect.objectContaining({ name: "BadAnswer" });

/** The fields of a form; of one that is there twice, all of its values. */
const fieldsOf = (form: UpstreamForm | null) =>
  Object.fromEntries(
    [...Map.groupBy(form?.fields ?? [], ([name]) => name)].map(([name, all]) => {
      const values = all.map(([, value]) => value);
      return [name, values.length === 1 ? values[0] : values];
    }),
  );

describe("images", () => {
  const images = (preset: ProviderPreset) => at(preset, "images");
  const silent = { size: null, resolution: null, aspectRatio: null, quality: null, background: null, format: null };
  const none = { ...silent, compression: null, seed: null, user: null };
  const asked = (more: Partial<ImagesCall>): ImagesCall => ({
    ...none,
    model: "painter",
    prompt,
    n: 1,
    references: [],
    stream: false,
    extra: {},
    ...more,
  });
  const plain = { model: "painter", prompt, n: 1 };
  const shown = { type: "image_url", url };

  const [made, edited] = ["/images/generations", "/images/edits"];
  const inBase64 = { ...plain, response_format: "base64" };
  const inB64 = { response_format: "b64_json" };
  const [aspectRatio, resolution, quality] = ["9:21", "2K", "high"] as const;
  const reference = { type: "image_url", image_url: { url } };
  const clear = { background: "transparent" } as const;
  const imageConfig = { aspectRatio: "9:21", imageSize: "2K" };
  const parts = [{ inlineData: { mimeType: "image/png", data: png } }, { text: prompt }];
  const generationConfig = { candidateCount: 1, responseModalities: ["IMAGE"], imageConfig, seed: 1 };
  const conversation = { contents: [{ role: "user", parts }], generationConfig };
  const predicted = { instances: [{ prompt }], parameters: { sampleCount: 2, ...imageConfig } };
  const all = { aspectRatio, resolution, seed: 1, references: [url] };

  it.each<[ProviderPreset, Partial<ImagesCall>, string, object]>([
    ["openai", { aspectRatio: "3:2", seed: 7, user: "u" }, made, { ...plain, size: "1536x1024" }],
    ["openai", { quality, compression: 80 }, made, { ...plain, quality, output_compression: 80 }],
    ["openai", { ...clear, format: "webp" }, made, { ...plain, ...clear, output_format: "webp" }],
    ["openai", { stream: true, extra: { moderation: "low" } }, made, { moderation: "low", ...plain, stream: true }],
    ["custom", { seed: 7 }, made, { ...plain, ...inB64, seed: 7 }],
    ["together", { size: "1024x768" }, made, { ...plain, width: 1_024, height: 768, response_format: "base64" }],
    ["together", { references: [url], extra: { steps: 4 } }, made, { steps: 4, ...inBase64, image_url: url }],
    ["together", { references: [url, url] }, made, { ...inBase64, reference_images: [url, url] }],
    ["xai", { size: "1536x864", quality }, made, { ...plain, aspect_ratio: "16:9", resolution: "1k", ...inB64 }],
    ["xai", { references: [url] }, edited, { ...plain, ...inB64, image: shown }],
    ["xai", { references: [url, url] }, edited, { ...plain, ...inB64, images: [shown, shown] }],
    ["openrouter", { aspectRatio, stream: true }, "/images", { ...plain, aspect_ratio: aspectRatio, stream: true }],
    ["openrouter", { resolution, quality, seed: 1 }, "/images", { ...plain, resolution, quality, seed: 1 }],
    ["openrouter", { references: [url] }, "/images", { ...plain, input_references: [reference] }],
    ["gemini", { ...all, model: "g" }, "/models/g:generateContent", conversation],
    ["gemini", { model: "imagen-4", n: 2, aspectRatio, resolution }, "/models/imagen-4:predict", predicted],
  ])("%s is asked for %j", (preset, call, path, body) => {
    const { dialect, upstream } = images(preset);
    const sent = dialect.toRequest(upstream, asked(call));
    expect([pathOf(sent), sent.body]).toEqual([path, JSON.stringify(body)]);
    expect(dialect.unfit(upstream, asked(call))).toBeNull();
  });

  it("OpenAI's edits are a form with files, which says once what the gateway says, in 1 MB at most", () => {
    const { dialect, upstream } = images("openai");
    const form = (extra: object) =>
      dialect.form(upstream, asked({ references: [url], quality: "low", extra: { ...extra } })) as ImagesForm;
    expect(dialect.form(upstream, asked({}))).toBeNull();
    const made = form({ model: "another", "image[]": "x", hint: ["a", "b"], own: { a: 1 }, no: null });
    expect([pathOf(made), made.fileMember]).toEqual(["/images/edits", "image[]"]);
    expect(made.headers).not.toHaveProperty("content-type");
    const members = { model: "painter", prompt, n: "1", quality: "low" };
    expect(fieldsOf(made)).toEqual({ hint: ["a", "b"], own: '{"a":1}', ...members });
    expect(() => form({ own: "a".repeat(1_100_000) })).toThrow(/may have 1 MB together/);
  });

  it.each<[ProviderPreset, Partial<ImagesCall>, RegExp]>([
    ["together", { background: "transparent" }, /makes no transparent background/],
    ["xai", { size: "1000x100" }, /send aspect_ratio and resolution/],
    ["gemini", { model: "gemini-image", n: 2 }, /one image at a time/],
    ["gemini", { model: "imagen-4", n: 5 }, /at most 4 images/],
    ["gemini", { model: "imagen-4", references: [url] }, /no input_references/],
  ])("%s cannot carry %j", (preset, call, reason) => {
    const { dialect, upstream } = images(preset);
    expect(dialect.unfit(upstream, asked(call))).toMatch(reason);
  });

  const image = { base64: png, url: null, mediaType: null, revisedPrompt: null };
  const usage = { input_tokens: 12, output_tokens: 1_056, total_tokens: 1_068 };
  const counted = { promptTokens: 12, completionTokens: 1_056 };
  const unsaid = { created: null, usage: null, quality: null, size: null };
  const blocked = { promptFeedback: { blockReason: "PROHIBITED_CONTENT" } };

  const report = { quality: "low", size: "1024x1024" };
  const data = [{ b64_json: png }];
  const typed = { ...image, mediaType: "image/png" };
  it.each<[ProviderPreset, object, object]>([
    ["openai", { created: 1, data, usage, ...report }, { images: [image], created: 1, usage: counted, ...report }],
    [
      "custom",
      { data: [{ b64_json: png, revised_prompt: "A" }] },
      { ...unsaid, images: [{ ...image, revisedPrompt: "A" }] },
    ],
    [
      "custom",
      { data: [{ url: "https://a.b/c.png" }, { b64_json: "" }, {}] },
      { ...unsaid, images: [{ ...image, base64: null, url: "https://a.b/c.png" }] },
    ],
    ["custom", { data: [{ url }, { b64_json: url }] }, { ...unsaid, images: [typed, typed] }],
    [
      "openrouter",
      { created: 2, data: [{ ...data[0], media_type: "image/png" }] },
      { ...unsaid, created: 2, images: [typed] },
    ],
    [
      "openrouter",
      { data, usage: { prompt_tokens: 12, completion_tokens: 1_056 } },
      { ...unsaid, images: [image], usage: counted },
    ],
    ...[{ input_tokens: -1, output_tokens: 5 }, { input_tokens: "1", output_tokens: "1" }, { input_tokens: 1 }, 3].map(
      (usage): [ProviderPreset, object, object] => ["custom", { data, usage }, { ...unsaid, images: [image] }],
    ),
    ["gemini", { predictions: [{ bytesBase64Encoded: png, mimeType: "image/png" }] }, { ...unsaid, images: [typed] }],
  ])("%s: %j is read", (preset, answer, reads) => {
    expect(images(preset).dialect.readAnswer(JSON.stringify(answer))).toEqual(reads);
  });

  it.each(['{"created":1,"data":[]}', '{"data":[{"b64_json":""}]}', "<html>", "[]"])("%s holds no image", (body) => {
    expect(() => images("openai").dialect.readAnswer(body)).toThrow(bad);
  });

  it("Gemini: the image of a conversation without its drafts, counted with what was thought", () => {
    const inlineData = { mimeType: "image/png", data: png };
    const drafted = [{ inlineData: { ...inlineData, data: "draft" }, thought: true }, { text: "Here" }, { inlineData }];
    const usageMetadata = { promptTokenCount: 7, candidatesTokenCount: 1_290, thoughtsTokenCount: 10 };
    const answer = JSON.stringify({ candidates: [{ content: { parts: drafted } }], usageMetadata });
    expect(images("gemini").dialect.readAnswer(answer)).toMatchObject({
      images: [{ base64: png, mediaType: "image/png" }],
      usage: { promptTokens: 7, completionTokens: 1_300 },
    });
    expect(() => images("gemini").dialect.readAnswer(JSON.stringify(blocked))).toThrow(/blocked: PROHIBITED_CONTENT/);
  });

  describe("a stream's events", () => {
    const event = (data: object | string) => `data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`;
    const partial = { type: "image_generation.partial_image", partial_image_index: 0, b64_json: png, size: "x" };
    const completed = { type: "image_generation.completed", b64_json: png, created_at: 1_700_000_000, usage };
    const last = { ...unsaid, type: "completed", image, created: 1_700_000_000, usage: counted };

    async function read(pieces: Iterable<string>, endsMs = Number.POSITIVE_INFINITY) {
      const { adapter, dialect, upstream } = images("openai");
      const body = Readable.from(pieces).map((piece: string) => Buffer.from(piece));
      const answer = { status: 200, headers: {}, body, host: "vendor.example", endsMs } as unknown as BegunAnswer;
      const room = roomIn(createMemoryBudget(1e9), "somebody");
      const events = [];
      for await (const { event } of eventsOf(answer, { adapter, dialect, upstream, owner: "somebody", room }))
        events.push(event);
      return events;
    }

    it("are partial images, the completed one, and what is known to be neither is left out", async () => {
      const edited = { ...completed, type: "image_edit.completed" };
      const text = { type: "image_generation.text_chunk", phase: "draft", text: "<svg" };
      const other = [{ type: "image_generation.started" }, { type: "ping" }, text, edited];
      expect(await read([...[partial, completed, ...other].map(event), event("[DONE]"), event("{")])).toEqual([
        { type: "partial", index: 0, base64: png },
        last,
        { type: "text", event: text },
        last,
      ]);
    });

    it("carry an image of 12 MB", async () => {
      const big = "A".repeat(12_000_000);
      expect(await read([event({ ...completed, b64_json: big })])).toEqual([
        { ...last, image: { ...image, base64: big } },
      ]);
    });

    it.each<[string, string[], number, unknown]>([
      ["is no JSON", [event(partial), event("{")], Number.POSITIVE_INFINITY, bad],
      ["has no image", [event({ type: "image_generation.completed" })], Number.POSITIVE_INFINITY, bad],
      ["is a comment, beyond its time", [": working\n\n"], 0, { failure: { reason: "timeout", mayBill: true } }],
    ])("fail where one %s", async (_, pieces, endsMs, error) => {
      const thrown: unknown = await read(pieces, endsMs).catch((reason: unknown) => reason);
      expect(thrown).toMatchObject(error as object);
    });
  });
});

describe("speech", () => {
  const speech = (preset: ProviderPreset) => at(preset, "speech");
  const input = "The gate is red.";
  const asked = (more: Partial<SpeechCall>): SpeechCall => ({
    model: "tts-1",
    input,
    voice: "alloy",
    format: "mp3",
    speed: null,
    reference: null,
    user: null,
    extra: {},
    ...more,
  });
  const reference = { audio: "//MA", format: "wav", text: "said" };
  const plain = { model: "tts-1", input, voice: "alloy", response_format: "mp3" };

  const mistral = { model: "tts-1", input };
  const ended = { response_format: "mp3", stream: false };
  const settings = { voice_settings: { stability: 0.4 } };
  const input_references = [
    { type: "input_audio", input_audio: { data: "//MA", format: "wav" } },
    { type: "text", text: "said" },
  ];
  it.each<[ProviderPreset, Partial<SpeechCall>, object]>([
    ["custom", { user: "u", speed: 1.5, extra: { own: "slowly" } }, { own: "slowly", ...plain, speed: 1.5 }],
    ["mistral", {}, { ...mistral, voice_id: "alloy", ...ended }],
    ["mistral", { reference }, { ...mistral, ref_audio: "//MA", ...ended }],
    ["openrouter", { reference, user: "u" }, { ...plain, input_references, user: "u" }],
    ["groq", { format: "wav" }, { ...plain, response_format: "wav" }],
    ["elevenlabs", { voice: "a/b" }, { text: input, model_id: "tts-1" }],
    [
      "elevenlabs",
      { speed: 1.1, extra: settings },
      { voice_settings: { stability: 0.4, speed: 1.1 }, text: input, model_id: "tts-1" },
    ],
    ...["%2e%2e", "?a", "#a"].map((voice): [ProviderPreset, Partial<SpeechCall>, object] => {
      return ["elevenlabs", { voice, format: "pcm" }, { text: input, model_id: "tts-1" }];
    }),
  ])("%s is asked for %j", (preset, call, body) => {
    const { dialect, upstream } = speech(preset);
    const { voice, format } = asked(call);
    const made = dialect.toRequest(upstream, asked(call));
    const isEleven = preset === "elevenlabs";
    const words = format === "pcm" ? "pcm_24000" : "mp3_44100_128";
    const path = `/text-to-speech/${encodeURIComponent(voice ?? "")}?output_format=${words}`;
    expect([pathOf(made), made.body]).toEqual([isEleven ? path : "/audio/speech", JSON.stringify(body)]);
    expect(dialect.unfit(upstream, asked(call))).toBeNull();
    const key = isEleven ? { "xi-api-key": "key" } : { authorization: "Bearer key" };
    expect(made.headers).toEqual({ accept: "*/*", "content-type": "application/json", ...key });
  });

  it.each<[ProviderPreset, Partial<SpeechCall>, string]>([
    ["custom", { reference }, "input_references"],
    ["mistral", { speed: 1.5 }, "speed"],
    ["mistral", { reference: { ...reference, audio: null } }, "input_references"],
    ["groq", {}, "response_format"],
    ["elevenlabs", { format: "flac" }, "response_format"],
    ...[null, ".", "..", "\ud800"].map((voice): [ProviderPreset, Partial<SpeechCall>, string] => {
      return ["elevenlabs", { voice }, "voice"];
    }),
  ])("%s cannot carry %j, and says why by its member %s", (preset, call, member) => {
    const { dialect, upstream } = speech(preset);
    expect(dialect.unfit(upstream, asked(call))).toMatchObject({ member });
  });
});

describe("transcriptions", () => {
  const transcriptions = (preset: ProviderPreset) => at(preset, "transcription");
  const asked = (more: Partial<TranscriptionCall>): TranscriptionCall => ({
    model: "whisper-1",
    language: null,
    verbose: false,
    temperature: null,
    granularities: [],
    prompt: null,
    extra: {},
    ...more,
  });
  const text = "The gate is red.";
  const all = { language: "en", prompt: "names", temperature: 0.2 };

  const whisper = { model: "whisper-1" };
  const inJson = { response_format: "json" };
  const inWords = { language: "en", temperature: "0.2" };
  const granularities = ["word", "segment"] as const;
  const timed = { response_format: "verbose_json", "timestamp_granularities[]": [...granularities] };
  // What the gateway says, and the file, are said once.
  const repeated = { model: "whisper-dear", response_format: "text", file: "another", hint: ["a", "b"] };

  it.each<[ProviderPreset, Partial<TranscriptionCall>, object]>([
    ["custom", all, { ...whisper, ...inWords, ...inJson, prompt: "names" }],
    ["custom", { extra: { "include[]": "logprobs" } }, { "include[]": "logprobs", ...whisper, ...inJson }],
    ["custom", { verbose: true, granularities }, { ...whisper, ...timed }],
    ["custom", { extra: repeated }, { hint: ["a", "b"], ...whisper, ...inJson }],
    // asked verbosely for what it bills
    ["groq", {}, { ...whisper, response_format: "verbose_json" }],
    ["mistral", all, { ...whisper, ...inWords }],
    ["elevenlabs", all, { model_id: "whisper-1", language_code: "en", temperature: "0.2" }],
  ])("%s is asked by a form for %j", (preset, call, fields) => {
    const { dialect, upstream } = transcriptions(preset);
    const form = dialect.toForm(upstream, asked(call));
    expect(pathOf(form)).toBe(preset === "elevenlabs" ? "/speech-to-text" : "/audio/transcriptions");
    expect(form.headers[preset === "elevenlabs" ? "xi-api-key" : "authorization"]).toMatch(/key$/);
    expect(fieldsOf(form)).toEqual(fields);
  });

  it.each(["mistral", "elevenlabs"] as const)("%s has no verbose_json", (preset) => {
    const { dialect, upstream } = transcriptions(preset);
    expect([dialect.unfit(upstream, { verbose: true }), dialect.unfit(upstream, { verbose: false })]).toEqual([
      expect.stringMatching(/no verbose_json/),
      null,
    ]);
  });

  const seconds = (count: number) => ({ seconds: count, inputTokens: null, outputTokens: null });
  const tokens = { seconds: null, inputTokens: 40, outputTokens: 6 };
  const segment = { id: 0, start: 0, end: 1.5, text, tokens: [1] };
  const word = { word: "The", start: 0, end: 0.2 };
  const long = { task: "transcribe", language: "english", text };

  const counted = { prompt_audio_seconds: 4, prompt_tokens: 9, completion_tokens: 2 };
  // without what official clients refuse
  const heard = { ...long, duration: "2.5", segments: [segment, { id: "a" }], words: [word, { word: 4 }] };
  it.each<[ProviderPreset, boolean, object, object, object | null]>([
    ["custom", false, { text, usage: { type: "duration", seconds: 3 } }, { text }, seconds(3)],
    ["custom", false, { text, usage: { type: "tokens", input_tokens: 40, output_tokens: 6 } }, { text }, tokens],
    ...[undefined, { seconds: -3 }, { seconds: "long" }].map(
      (usage): [ProviderPreset, boolean, object, object, null] => ["custom", false, { text, usage }, { text }, null],
    ),
    ["custom", true, heard, { ...long, duration: 2.5, segments: [segment], words: [word] }, seconds(2.5)],
    ["groq", false, { ...long, duration: 2, segments: [segment] }, { text }, seconds(2)],
    ["mistral", false, { text, usage: counted }, { text }, { seconds: 4, inputTokens: 9, outputTokens: 2 }],
    ["elevenlabs", false, { language_code: "en", text, words: [{ text: "The" }] }, { text, language: "en" }, null],
  ])("%s, verbosely or not (%s): %j is read", (preset, verbose, answer, result, usage) => {
    const { dialect, upstream } = transcriptions(preset);
    expect(dialect.readAnswer(upstream, JSON.stringify(answer), { verbose })).toEqual({ result, usage });
    expect(() => dialect.readAnswer(upstream, '{"words":[]}', { verbose })).toThrow(bad);
  });
});

describe("reranking", () => {
  const rerank = (preset: ProviderPreset) => at(preset, "rerank");
  const query = "red gate";
  const texts = ["a blue door", "the red gate"];
  const documents = texts.map((text) => ({ text, image: null }));
  const asked = (more: Partial<RerankCall>): RerankCall => ({
    model: "rank",
    query,
    documents,
    topN: 1,
    user: null,
    extra: {},
    ...more,
  });
  const plain = { model: "rank", query, documents: texts };
  const sent = { return_documents: false, ...plain };
  const [first = { text: "", image: null }] = documents;
  const shown = [first, { text: null, image: url }];

  it.each<[ProviderPreset, Partial<RerankCall>, object]>([
    ["custom", { extra: { own: 4 } }, { return_documents: false, own: 4, ...plain, top_n: 1 }],
    ["custom", { topN: null, user: "u" }, sent],
    ["voyage", {}, { ...sent, top_k: 1 }],
    ["openrouter", { user: "u" }, { ...plain, top_n: 1, user: "u" }],
    ["jina", { documents: shown }, { ...sent, documents: [texts[0], { image: url }], top_n: 1 }],
    ["cohere", { extra: { own: 9 } }, { own: 9, ...plain, top_n: 1 }],
  ])("%s is asked for %j", (preset, call, body) => {
    const { dialect, upstream } = rerank(preset);
    const made = dialect.toRequest(upstream, asked(call));
    expect([pathOf(made), made.body]).toEqual(["/rerank", JSON.stringify(body)]);
  });

  it("text-embeddings-inference is asked beside /v1, for texts", () => {
    const { dialect, upstream } = rerank("tei");
    const made = dialect.toRequest(upstream, asked({}));
    expect(made.url).toBe("https://vendor.example/rerank");
    expect(made.body).toBe(JSON.stringify({ return_text: false, truncate: true, query, texts }));
  });

  it("is of texts alone where the vendor ranks no images, and nothing at all where it has no such models", () => {
    for (const preset of ["voyage", "cohere"] as const) {
      const { dialect, upstream } = rerank(preset);
      expect(dialect.takesImages(upstream)).toBe(false);
      expect(() => dialect.toRequest(upstream, asked({ documents: shown }))).toThrow(/texts, not images/);
    }
    expect(rerank("openai").dialect.takes(rerank("openai").upstream)).toBe(false);
    expect([adapters.anthropic?.rerank, adapters.gemini?.rerank].some(Boolean)).toBe(false);
  });

  const ranked = [{ index: 1, relevance_score: 0.9 }];
  const units = { billed_units: { search_units: 2, input_tokens: 9 } };
  it.each<[object, object | null]>([
    [
      { results: ranked, usage: { total_tokens: 15 } },
      { totalTokens: 15, searchUnits: null },
    ],
    [
      { results: ranked, meta: units },
      { totalTokens: 9, searchUnits: 2 },
    ],
    [{ data: ranked }, null],
    [[{ index: 1, score: 0.9 }], null],
    ...[-1, "15", 1.5].map((total_tokens): [object, null] => [{ results: ranked, usage: { total_tokens } }, null]),
  ])("%j is read", (answer, usage) => {
    const results = [{ index: 1, score: 0.9 }];
    expect(rerank("custom").dialect.readAnswer(JSON.stringify(answer), 2)).toEqual({ results, usage });
  });

  const one = '{"index":0,"relevance_score":1}';
  const high = '{"index":0,"relevance_score":"high"}';
  it.each([
    "[]",
    "text",
    ...['{"index":3,"relevance_score":1}', `${one},${one}`, high].map((list) => `{"results":[${list}]}`),
  ])("%s is no ranking of two documents", (body) => {
    expect(() => rerank("custom").dialect.readAnswer(body, 2)).toThrow(bad);
  });
});

describe("videos", () => {
  const videos = (preset: ProviderPreset) => at(preset, "videos");
  const asked = (more: Partial<VideoCall>): VideoCall => ({
    model: "camera",
    prompt,
    seconds: 4,
    size: null,
    resolution: null,
    aspectRatio: null,
    audio: null,
    seed: null,
    frames: [],
    references: [],
    user: null,
    extra: {},
    ...more,
  });
  const frame = (type: "first_frame" | "last_frame") => ({ type, url });
  const shown = (frame_type: string) => ({ type: "image_url", image_url: { url }, frame_type });
  const image = { bytesBase64Encoded: png, mimeType: "image/png" };
  const frames = [frame("first_frame"), frame("last_frame")];
  const frame_images = [shown("first_frame"), shown("last_frame")];
  const plain = { model: "camera", prompt, duration: 4 };
  const large = { resolution: "1080p", aspectRatio: "16:9", seed: 4, frames } as const;
  const inLarge = { resolution: "1080p", aspect_ratio: "16:9" };
  const parameters = { sampleCount: 1, durationSeconds: 4, aspectRatio: "16:9", resolution: "1080p", seed: 4 };

  it.each<[ProviderPreset, Partial<VideoCall>, string, object]>([
    ["xai", { size: "1280x720" }, "/generations", { ...plain, aspect_ratio: "16:9", resolution: "720p" }],
    ["xai", { seconds: 10, frames: frames.slice(0, 1) }, "/generations", { ...plain, duration: 10, image: { url } }],
    ["xai", { references: [url] }, "/generations", { ...plain, reference_images: [{ url }] }],
    [
      "openrouter",
      { ...large, audio: true },
      "",
      { ...plain, ...inLarge, generate_audio: true, seed: 4, frame_images },
    ],
    [
      "gemini",
      { ...large, extra: { negativePrompt: "snow" } },
      "/models/camera:predictLongRunning",
      { instances: [{ prompt, image, lastFrame: image }], parameters: { negativePrompt: "snow", ...parameters } },
    ],
  ])("%s is asked for %j", (preset, call, path, body) => {
    const { dialect, upstream } = videos(preset);
    const made = dialect.toRequest(upstream, asked(call));
    expect([pathOf(made), made.body]).toEqual([preset === "gemini" ? path : `/videos${path}`, JSON.stringify(body)]);
    expect([dialect.form(upstream, asked(call)), dialect.unfit(upstream, asked(call))]).toEqual([null, null]);
  });

  it("OpenAI is asked by a form, with pixels for a resolution", () => {
    const { dialect, upstream } = videos("openai");
    const call = { seconds: 12, aspectRatio: "9:16", frames: [frame("first_frame")], extra: { mood: "calm" } };
    const form = dialect.form(upstream, asked(call));
    expect([form && pathOf(form), form?.fileMember]).toEqual(["/videos", "input_reference"]);
    expect(fieldsOf(form)).toEqual({ mood: "calm", model: "camera", prompt, seconds: "12", size: "720x1280" });
  });

  it.each<[ProviderPreset, Partial<VideoCall>, RegExp]>([
    ["openai", { references: [url, url] }, /takes one image/],
    ["openai", { frames: [frame("last_frame")] }, /no last_frame/],
    ["xai", { seconds: 16 }, /at most 15 seconds/],
    ["xai", { resolution: "4K" }, /480p and 720p/],
    ["xai", { frames: [frame("last_frame")] }, /no last_frame/],
    ["gemini", { seconds: 9 }, /at most 8 seconds/],
    ["gemini", { aspectRatio: "1:1" }, /16:9 and 9:16/],
  ])("%s cannot carry %j", (preset, call, reason) => {
    const { dialect, upstream } = videos(preset);
    expect(dialect.unfit(upstream, asked(call))).toMatch(reason);
  });

  it.each<[ProviderPreset, object, string]>([
    ["openai", { id: "video/1" }, "/videos/video%2F1"],
    ["xai", { request_id: "r-1" }, "/videos/r-1"],
    ["openrouter", { id: "gen-vid-9", polling_url: "https://example.com" }, "/videos/gen-vid-9"],
    ["gemini", { name: "models/camera/operations/op_1" }, "/models/camera/operations/op_1"],
  ])("%s names its job in %j", (preset, answer, path) => {
    const { dialect, upstream } = videos(preset);
    expect(pathOf(dialect.toPoll(upstream, dialect.readJob(upstream, JSON.stringify(answer))))).toBe(path);
  });

  const film = "https://films.example/1.mp4";
  const made = (response: object) => ({ done: true, response: { generateVideoResponse: response } });
  const done = { status: "completed", seconds: null, size: null, error: null };
  const failed = (error: string) => ({ status: "failed", urls: [], seconds: null, size: null, error });
  const content = `${base}/videos/v/content`;
  const completed = { status: "completed" };
  const withheld = { status: "done", video: { url: film, respect_moderation: false } };
  it.each<[ProviderPreset, object, object]>([
    ["openai", { status: "queued" }, { status: "pending" }],
    ["openai", { ...completed, seconds: "4", size: "1x1" }, { ...done, urls: [content], seconds: 4, size: "1x1" }],
    ...["400x", -3, "NaN", ""].map((seconds): [ProviderPreset, object, object] => {
      return ["openai", { ...completed, seconds }, { seconds: null }];
    }),
    ["xai", { status: "done", video: { url: film, duration: 9 } }, { ...done, urls: [film], seconds: 9 }],
    ["xai", { status: "pending" }, { status: "in_progress" }],
    ["xai", withheld, failed("the video was withheld by moderation")],
    ["openrouter", { ...completed, unsigned_urls: ["a", "b"] }, { ...done, urls: [content, `${content}?index=1`] }],
    ["openrouter", { status: "dead", error: "no" }, failed("no")],
    ["gemini", { name: "op" }, { status: "in_progress" }],
    ["gemini", made({ generatedSamples: [{ video: { uri: film } }] }), { ...done, urls: [film] }],
    ["gemini", made({ raiMediaFilteredReasons: ["It shows a person"] }), failed("It shows a person")],
    ["gemini", { done: true, error: { code: 3, message: "no" } }, failed("no")],
  ])("%s: %j is read", (preset, answer, state) => {
    const { dialect, upstream } = videos(preset);
    expect(dialect.readState(upstream, "v", JSON.stringify(answer))).toMatchObject(state);
  });
});
