import { createHash } from "node:crypto";

/** A request as the fake vendor got it. */
export interface VendorRequest {
  readonly method: string;
  /** path with query */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into bodies whose shape is what they test
  readonly body: any;
}

/** What it answers: one JSON text, or the frames of a stream. */
export type VendorAnswer =
  | { readonly type: "json"; readonly status: number; readonly json: string }
  | { readonly type: "stream"; readonly frames: readonly string[] };

export interface VendorSettings {
  /** length of vectors, when the request asks for none */
  dimensions: number;
  /** formats that OpenAI's dialect takes; another one is refused with 400 */
  encodings: readonly string[];
  /** most inputs in one request; more are refused with 400 */
  maxBatch: number;
  /** what a chat model says, one piece a chunk */
  words: readonly string[];
  /** how usage is reported: correctly, not at all, or as nonsense */
  usage: "right" | "absent" | "negative" | "text" | "immense";
  /** how far vectors are turned: as if other weights were behind the same name; 0: not at all */
  drift: number;
  /** how far each answer's vectors are turned by chance, another way each time */
  noise: number;
  /** the model's name in answers to embeddings calls; null: the one that was asked for */
  answeredModel: string | null;
  /** longest text that an embedding model takes, in tokens; a longer one is refused with 400 */
  context: number;
  /** most tokens of all inputs of an embeddings request; more are refused with 400 */
  batchTokens: number;
  /** rates that it enforces for embeddings, and says in headers; null: none */
  rates: VendorRates | null;
}

/** Requests and tokens that refill evenly: all of them in `refillMs`. */
export interface VendorRates {
  readonly requests: number;
  readonly tokens: number;
  readonly refillMs: number;
}

export const defaultSettings: VendorSettings = {
  dimensions: 1536,
  encodings: ["float", "base64"],
  maxBatch: 2048,
  words: ["Hello", " from", " the", " fake", " vendor", "."],
  usage: "right",
  drift: 0,
  noise: 0,
  answeredModel: null,
  context: Number.POSITIVE_INFINITY,
  batchTokens: Number.POSITIVE_INFINITY,
  rates: null,
};

/** The vector of a text: unit length, the same for the same text on every vendor, float32 throughout. */
export function vectorOf(text: string, dimensions: number): Float32Array {
  const vector = new Float32Array(dimensions);
  let state = createHash("sha256").update(text).digest().readUInt32LE(0) || 1;
  let squares = 0;
  for (let index = 0; index < dimensions; index += 1) {
    // Marsaglia's xorshift32.
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    const value = (state | 0) / 2 ** 31;
    vector[index] = value;
    squares += value * value;
  }
  const length = Math.sqrt(squares);
  return vector.map((value) => value / length);
}

let turns = 0;

/** The vector of a text from a vendor that changed its weights, or whose answers differ a little each time. */
function turnedVector(text: string, dimensions: number, { drift, noise }: VendorSettings): Float32Array {
  const vector = vectorOf(text, dimensions);
  if (drift === 0 && noise === 0) return vector;
  turns += 1;
  const other = vectorOf(`other weights: ${text}`, dimensions);
  const chance = vectorOf(`turn ${turns}: ${text}`, dimensions);
  return vector.map((value, index) => value + drift * (other[index] ?? 0) + noise * (chance[index] ?? 0));
}

/** One token a word: what the fake vendor counts. */
export function tokensOf(text: string): number {
  return text.split(/\s+/).filter((word) => word !== "").length;
}

const answer = (json: unknown, status = 200): VendorAnswer => ({ type: "json", status, json: JSON.stringify(json) });

/** OpenAI's error envelope. */
export function openAiError(status: number, message: string, code: string | null = null): VendorAnswer {
  return answer(
    { error: { message, type: status >= 500 ? "server_error" : "invalid_request_error", param: null, code } },
    status,
  );
}

const rendered = new Map<string, string>();

/** Answers are remembered as text: a bench asks for the same vectors over and over, and should not measure this. */
function render(text: string, dimensions: number, format: string, settings: VendorSettings = defaultSettings): string {
  const key = `${format} ${dimensions} ${settings.drift} ${text}`;
  const known = settings.noise === 0 ? rendered.get(key) : undefined;
  if (known !== undefined) return known;
  const vector = turnedVector(text, dimensions, settings);
  const made =
    format === "base64"
      ? JSON.stringify(Buffer.from(vector.buffer).toString("base64"))
      : `[${Array.from(vector, (value) => Number(value.toPrecision(9))).join(",")}]`;
  if (settings.noise === 0 && rendered.size < 1_000) rendered.set(key, made);
  return made;
}

function inputText(input: unknown): string {
  return typeof input === "string" ? input : JSON.stringify(input);
}

export function openAiEmbeddings({ body }: VendorRequest, settings: VendorSettings): VendorAnswer {
  const { input, model } = body;
  const inputs: unknown[] = Array.isArray(input) && typeof input[0] !== "number" ? input : [input];
  const format = body.encoding_format ?? "float";
  if (!settings.encodings.includes(format))
    return openAiError(400, `'encoding_format' must be one of ${settings.encodings.join(", ")}`);
  if (inputs.length > settings.maxBatch)
    return openAiError(400, `Invalid 'input': array too long, at most ${settings.maxBatch}`);
  if (inputs.some((one) => tokensOf(inputText(one)) > settings.context))
    return openAiError(
      400,
      `This model's maximum context length is ${settings.context} tokens, please reduce your prompt.`,
      "context_length_exceeded",
    );
  const inAll = inputs.reduce<number>((sum, one) => sum + tokensOf(inputText(one)), 0);
  if (inAll > settings.batchTokens)
    return openAiError(400, `Too many tokens in batch. Max is ${settings.batchTokens} got ${inAll}`);
  const dimensions = body.dimensions ?? settings.dimensions;
  const data = inputs.map(
    (one, index) =>
      `{"object":"embedding","index":${index},"embedding":${render(inputText(one), dimensions, format, settings)}}`,
  );
  const usage = usageOf(settings, { prompt_tokens: inAll, total_tokens: inAll });
  return {
    type: "json",
    status: 200,
    json: `{"object":"list","data":[${data.join(",")}],"model":${JSON.stringify(settings.answeredModel ?? model)}${usage}}`,
  };
}

function usageOf({ usage }: VendorSettings, right: Record<string, number>): string {
  if (usage === "absent") return "";
  const members = Object.entries(right).map(([name, value]) => [
    name,
    { negative: -value, text: "many", immense: value * 1e9, right: value }[usage],
  ]);
  return `,"usage":${JSON.stringify(Object.fromEntries(members))}`;
}

function promptTokens(messages: readonly { content?: unknown }[]): number {
  return messages.reduce((sum, { content }) => sum + tokensOf(inputText(content ?? "")), 0);
}

export function openAiChat({ body }: VendorRequest, settings: VendorSettings): VendorAnswer {
  const { words } = settings;
  const prompt = promptTokens(body.messages);
  const counts = { prompt_tokens: prompt, completion_tokens: words.length, total_tokens: prompt + words.length };
  const usage = usageOf(settings, counts);
  const head = (object: string) =>
    `"id":"chatcmpl-fake","object":"${object}","created":1700000000,"model":${JSON.stringify(body.model)}`;
  if (body.stream !== true) {
    const message = JSON.stringify({ role: "assistant", content: words.join(""), refusal: null });
    const choices = `[{"index":0,"message":${message},"logprobs":null,"finish_reason":"stop"}]`;
    const json = `{${head("chat.completion")},"choices":${choices}${usage},"system_fingerprint":"fp_fake"}`;
    return { type: "json", status: 200, json };
  }
  const chunk = (delta: object, finish: string | null) =>
    `data: {${head("chat.completion.chunk")},"system_fingerprint":"fp_fake","choices":[${JSON.stringify({ index: 0, delta, logprobs: null, finish_reason: finish })}]}\n\n`;
  const frames = [
    chunk({ role: "assistant", content: "" }, null),
    ...words.map((content) => chunk({ content }, null)),
    chunk({}, "stop"),
    ...(body.stream_options?.include_usage === true && usage !== ""
      ? [`data: {${head("chat.completion.chunk")},"choices":[]${usage}}\n\n`]
      : []),
    "data: [DONE]\n\n",
  ];
  return { type: "stream", frames };
}

/** The score of a document: the share of the query's words that it has. */
export function scoreOf(query: string, document: string): number {
  const words = query.toLowerCase().split(/\s+/);
  const said = new Set(document.toLowerCase().split(/\s+/));
  return words.filter((word) => said.has(word)).length / words.length;
}

function scored(query: string, documents: readonly unknown[], most: number | undefined) {
  return documents
    .map((document, index) => ({ index, relevance_score: scoreOf(query, inputText(document)) }))
    .toSorted((a, b) => b.relevance_score - a.relevance_score)
    .slice(0, most);
}

/** https://docs.voyageai.com/reference/reranker-api where the request has `top_k`, else https://api.jina.ai/redoc */
export function jinaRerank({ body }: VendorRequest, settings: VendorSettings): VendorAnswer {
  const { model, query, documents } = body;
  const tokens = documents.reduce((sum: number, one: unknown) => sum + tokensOf(query) + tokensOf(inputText(one)), 0);
  const usage = usageOf(settings, { total_tokens: tokens });
  const results = JSON.stringify(scored(query, documents, body.top_k ?? body.top_n));
  const list = "top_k" in body ? `"object":"list","data":${results}` : `"results":${results}`;
  return { type: "json", status: 200, json: `{"model":${JSON.stringify(model)},${list}${usage}}` };
}

/** https://docs.cohere.com/reference/rerank */
export function cohereRerank({ body }: VendorRequest): VendorAnswer {
  const units = Math.ceil(body.documents.length / 100);
  const meta = { api_version: { version: "2" }, billed_units: { search_units: units } };
  return answer({ id: "fake", results: scored(body.query, body.documents, body.top_n), meta });
}

/** https://huggingface.github.io/text-embeddings-inference/#/Text%20Embeddings%20Inference/rerank */
export function teiRerank({ body }: VendorRequest): VendorAnswer {
  return answer(
    scored(body.query, body.texts, undefined).map(({ index, relevance_score: score }) => ({ index, score })),
  );
}

/** https://docs.cohere.com/reference/embed */
export function cohereEmbed({ body }: VendorRequest, settings: VendorSettings): VendorAnswer {
  const texts: string[] = body.texts ?? body.inputs.map(inputText);
  if (texts.length > settings.maxBatch)
    return answer({ message: `invalid request: total number of texts must be at most ${settings.maxBatch}` }, 400);
  const dimensions = body.output_dimension ?? settings.dimensions;
  const kind = body.embedding_types[0];
  const vectors = texts.map((text) => render(text, dimensions, kind));
  const tokens = texts.reduce((sum, text) => sum + tokensOf(text), 0);
  const meta = { api_version: { version: "2" }, billed_units: { input_tokens: tokens } };
  const json = `{"id":"fake","embeddings":{"${kind}":[${vectors.join(",")}]},"texts":${JSON.stringify(texts)},"meta":${JSON.stringify(meta)},"response_type":"embeddings_by_type"}`;
  return { type: "json", status: 200, json };
}

/** https://ai.google.dev/api/embeddings#method:-models.batchembedcontents */
export function geminiEmbed({ body }: VendorRequest, settings: VendorSettings): VendorAnswer {
  const vectors = body.requests.map(
    (request: { content: { parts: { text?: string }[] }; outputDimensionality?: number }) =>
      `{"values":${render(request.content.parts.map((part) => part.text ?? JSON.stringify(part)).join("\n"), request.outputDimensionality ?? settings.dimensions, "float")}}`,
  );
  return { type: "json", status: 200, json: `{"embeddings":[${vectors.join(",")}]}` };
}
