import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { pixelsOf, type ImageResolution, resolutionOf, sideOf } from "#contract/images.ts";

/** A vendor that bills what it was really sent, by prices of its own where the request asks for more than tokens. */

// oxlint-disable-next-line typescript/no-explicit-any -- whatever was sent
type Body = any;

interface Bill {
  readonly prompt: number;
  readonly written: number;
  readonly completion: number;
  readonly images: number;
  /** nano-dollars */
  readonly cost: number;
  /** of it, what the answer costs */
  readonly output: number;
}

const context = 200_000;
const tokensPerImage = 49_152;
const longestAnswer = 64;
/** Words of the dialects themselves. */
const structure = new Set(["type", "role", "mode", "responseMimeType", "mimeType", "media_type", "model", "format"]);
const maxima = [
  "max_tokens",
  "max_completion_tokens",
  "max_output_tokens",
  "max_new_tokens",
  "n_predict",
  "num_predict",
  "maxOutputTokens",
];
const ignored = new Set([...maxima, "stream", "stream_options", "n", "best_of", "candidateCount"]);

interface Seen {
  bytes: number;
  images: number;
  surcharge: number;
  media: boolean;
  sound: boolean;
}

/** One token per byte of all text, wherever it is. */
function read(value: unknown, seen: Seen): void {
  if (typeof value === "string") seen.bytes += Buffer.byteLength(value);
  else if (typeof value === "number") seen.bytes += String(value).length;
  else if (Array.isArray(value)) for (const each of value) read(each, seen);
  else if (typeof value === "object" && value !== null) readObject(value as Body, seen);
}

function readObject(object: Body, seen: Seen): void {
  for (const [name, each] of Object.entries<Body>(object)) {
    if (structure.has(name) || ignored.has(name)) continue;
    if (name === "cache_control" && each !== null) {
      seen.surcharge = Math.max(seen.surcharge, each.ttl === "1h" ? 1 : 0.25);
    } else if (name === "prompt_cache_options") seen.surcharge = 1;
    else if (
      name === "image_url" ||
      name === "source" ||
      name === "inlineData" ||
      name === "file" ||
      name === "fileData"
    )
      look(each, seen);
    else if (name === "input_audio") seen.sound = true;
    else if (name === "video_url" || name === "chat_template") seen.media = true;
    else {
      // A name that no dialect has is the caller's text.
      if (name.length > 24) seen.bytes += Buffer.byteLength(name);
      read(each, seen);
    }
  }
}

function look(medium: Body, seen: Seen): void {
  const words = JSON.stringify(medium);
  if (/audio\//.test(words)) seen.sound = true;
  else if (/application\/pdf|file_data/.test(words)) seen.media = true;
  else seen.images += 1;
}

const feeMembers = ["plugins", "web_search_options", "search_parameters", "image_config"];

/** The query with whatever else is said is read with each document; a document counts for each 500 tokens of both. */
function rerankBill({ model: _, query, documents, texts, top_n: __, top_k: ___, ...rest }: Body): Bill {
  const asked: Seen = { bytes: 0, images: 0, surcharge: 0, media: false, sound: false };
  for (const [name, each] of Object.entries(rest)) if (name === "instruction") read(each, asked);
  read(query, asked);
  let prompt = 0;
  let counted = 0;
  let images = 0;
  for (const document of documents ?? texts) {
    const seen: Seen = { ...asked, images: 0 };
    if (typeof document === "object") seen.images = document.image === undefined ? 0 : 1;
    read(typeof document === "object" ? (document.text ?? "") : document, seen);
    const tokens = Math.min(seen.bytes + seen.images * 100, 8_192 * 2);
    prompt += tokens;
    images += seen.images;
    counted += Math.ceil(tokens / 500);
  }
  const units = Math.ceil(counted / 100);
  // Text Embeddings Inference reports no usage, and bills nobody.
  const cost = texts === undefined ? prompt * 1_000 + units * 3_000 : 0;
  return { prompt, written: units, completion: 0, images, cost, output: 0 };
}

/** A request's members; of a form its fields, and its files under `files`. */
async function bodyOf(type: string, bytes: Buffer): Promise<Body> {
  if (!type.startsWith("multipart/")) return JSON.parse(bytes.toString("utf8"));
  const form = await new Response(new Uint8Array(bytes), { headers: { "content-type": type } }).formData();
  const parts = [...form.entries()];
  const fields = parts.filter(([, value]) => typeof value === "string");
  return { ...Object.fromEntries(fields), files: parts.flatMap(([, value]) => (value instanceof File ? value : [])) };
}

const isImages = (path: string, body: Body) =>
  /\/images\b|:predict$/.test(path) || body.generationConfig?.responseModalities?.[0] === "IMAGE";

/** What it bills of images: their tokens, each by its quality and size, and each that it works from. */
function imagesBill(body: Body): Bill {
  const prompt: string = body.prompt ?? body.instances?.[0].prompt ?? body.contents[0].parts.at(-1).text;
  const references: number =
    body.files?.length ??
    (body.contents?.[0].parts.length ?? 1) -
      1 +
      (body.input_references ?? body.images ?? body.reference_images ?? [body.image ?? body.image_url ?? []].flat())
        .length;
  const made = Number(body.n ?? body.parameters?.sampleCount ?? 1);
  const { size, quality } = kindOf(body);
  const { width, height } = pixelsOf(size) ?? { width: 0, height: 0 };
  const tokens = Buffer.byteLength(prompt) + references * 6_000;
  const completion = made * Math.ceil(6_240 * Math.max(1, (width * height) / 1_572_864));
  const each = quality === "high" ? 100_000 : resolutionOf({ width, height }) === "2K" ? 200_000 : 40_000;
  const cost = tokens * 1_000 + completion * 2_000 + references * 10_000 + made * each + 3_000;
  return { prompt: tokens, written: made, completion, images: references, cost, output: completion * 2_000 };
}

/** What was asked for; what was not said is the dearest of a usual size. */
function kindOf(body: Body): { quality: string; size: string } {
  const resolution = String(
    body.resolution ?? body.parameters?.imageSize ?? body.generationConfig?.imageConfig?.imageSize,
  );
  const side = sideOf[resolution.toUpperCase() as ImageResolution] ?? 1_024;
  const size = body.width === undefined ? (body.size ?? `${side}x${side}`) : `${body.width}x${body.height}`;
  return { quality: body.quality ?? "high", size };
}

const isSpeech = (path: string) => /\/audio\/speech$|\/text-to-speech\//.test(path);
const isTranscription = (path: string) => /\/audio\/transcriptions$|\/speech-to-text$/.test(path);

/** Of a WAV file as `wave` makes it. */
const secondsOf = (body: Body) => (body.files[0].size - 44) / 32_000;

const flat = (cost: number): Bill => ({ prompt: 0, written: 0, completion: 0, images: 0, cost, output: 0 });

/** A model with prices of their own for what it writes to its cache, which it does unasked, and for images in its answers. */
export const writer = {
  upstream_id: "writer",
  pricing: { input_cache_write: "0.0000015", input_cache_write_1h: "0.0000025", image_output: "0.000008" },
};
const isWriter = (path: string, body: Body) => body.model === writer.upstream_id || path.includes("/writer:");

function billOf(path: string, body: Body): Bill {
  if (path.includes("rerank")) return rerankBill(body);
  if (isImages(path, body)) return imagesBill(body);
  if (isSpeech(path.split("?")[0] ?? "")) return flat((body.input ?? body.text).length * 1_000 + 3_000);
  if (isTranscription(path)) return flat(Math.ceil(secondsOf(body) * 100_000) + 3_000);
  const seen: Seen = { bytes: 0, images: 0, surcharge: 0, media: false, sound: false };
  const isResponses = path.endsWith("/responses");
  const embeddings = !isResponses && !/chat|messages|enerateContent/.test(path);
  const { model: _, input, inputs, texts, requests, ...rest } = body;
  if (embeddings) {
    const items: unknown[] = input ?? inputs ?? texts ?? requests;
    const extra: Seen = { ...seen };
    for (const [name, each] of Object.entries(rest)) if (name === "instruction") read(each, extra);
    for (const item of items) {
      // Token ids are a token each.
      if (Array.isArray(item) && typeof item[0] === "number") seen.bytes += item.length;
      else read(item, seen);
      seen.bytes += extra.bytes;
    }
    const prompt = seen.bytes + seen.images * 100;
    const cost = prompt * 1_000 + seen.images * 10_000;
    return { prompt, written: 0, completion: 0, images: seen.images, cost, output: 0 };
  }
  read(isResponses ? { ...rest, input } : rest, seen);
  if (isResponses && (body.previous_response_id ?? null) !== null) seen.media = true;
  const prompt = Math.min(context, seen.media ? context : seen.bytes + seen.images * tokensPerImage);
  const config = { ...body, ...body.generationConfig };
  const asked = maxima.map((name) => config[name]).filter((most) => typeof most === "number");
  const each = asked.length > 0 ? Math.max(...asked) : longestAnswer;
  const completion = each * Math.max(config.n ?? 1, config.best_of ?? 1, config.candidateCount ?? 1);
  const ofWriter = isWriter(path, body);
  // Google and Cohere have no such cache.
  const hasCache = !/enerateContent|\/cohere\//.test(path);
  const written = hasCache && (ofWriter || seen.surcharge > 0) ? prompt : 0;
  const writes = ofWriter
    ? written * (seen.surcharge === 1 ? 1_500 : 500)
    : Math.ceil(written * seen.surcharge) * 1_000;
  const output = completion * (ofWriter && drawsIn(path) ? 8_000 : 2_000);
  const tokens = prompt * 1_000 + writes + output;
  const unpriced = ofWriter ? feeMembers.filter((name) => name !== "image_config") : feeMembers;
  const fees = unpriced.filter((name) => config[name] !== undefined).length * 100_000_000;
  const tools = (body.tools ?? []).some((tool: Body) => /search/.test(String(tool.type))) ? 100_000_000 : 0;
  const isDear =
    ["priority", "fast", "scale"].includes(body.service_tier) ||
    body.speed === "fast" ||
    body.reasoning?.mode === "pro" ||
    body.background === true;
  const dear = isDear ? 2 : 1;
  const priced = ofWriter ? ["text", "image"] : ["text"];
  const loud = seen.sound || (body.modalities ?? []).some((modality: string) => !priced.includes(modality)) ? 10 : 1;
  return {
    prompt,
    written,
    completion,
    images: seen.images,
    cost: tokens * dear * loud + fees + tools + seen.images * 10_000 + 3_000,
    output,
  };
}

/** Whether an answer says which of its tokens are images: then all of a writer's are. */
const drawsIn = (path: string) => /enerateContent|\/chat\/completions$/.test(path);

const json = (value: unknown) => ({ type: "application/json", text: JSON.stringify(value) });
const events = (...values: unknown[]) => ({
  type: "text/event-stream",
  text: values.map((value) => `data: ${typeof value === "string" ? value : JSON.stringify(value)}\n\n`).join(""),
});

function answerTo(path: string, body: Body, bill: Bill): { type: string; text: string } {
  const { prompt, written, completion } = bill;
  if (path.includes("rerank")) return json(rerankAnswer(path, body, bill));
  if (isImages(path, body)) return json(imagesAnswer(path, body, bill));
  if (isSpeech(path.split("?")[0] ?? ""))
    return path.includes("/mistral/") ? json({ audio_data: "AAAA" }) : { type: "audio/mpeg", text: "x" };
  if (isTranscription(path)) return json({ text: "x", usage: { type: "duration", seconds: secondsOf(body) } });
  if (path.endsWith("/messages")) {
    const usage = { input_tokens: prompt - written, cache_creation_input_tokens: written, output_tokens: completion };
    if (body.stream !== true) return json({ content: [{ type: "text", text: "x" }], stop_reason: "end_turn", usage });
    return events(
      { type: "message_start", message: { usage: { ...usage, output_tokens: 1 } } },
      { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: completion } },
      { type: "message_stop" },
    );
  }
  if (path.endsWith("/responses")) {
    const usage = {
      input_tokens: prompt,
      input_tokens_details: { cached_tokens: 0, cache_write_tokens: written },
      output_tokens: completion,
      total_tokens: prompt + completion,
    };
    const said = { type: "message", id: "msg_1", role: "assistant", content: [{ type: "output_text", text: "x" }] };
    const response = { id: "resp_1", object: "response", status: "completed", model: "talk", output: [said], usage };
    if (body.stream !== true) return json(response);
    return events(
      { type: "response.created", response: { ...response, output: [], usage: null } },
      { type: "response.output_text.delta", output_index: 0, content_index: 0, delta: "x" },
      { type: "response.completed", response },
    );
  }
  if (path.includes("enerateContent")) {
    const candidatesTokensDetails = isWriter(path, body) ? [{ modality: "IMAGE", tokenCount: completion }] : [];
    const usageMetadata = { promptTokenCount: prompt, candidatesTokenCount: completion, candidatesTokensDetails };
    const answer = { candidates: [{ content: { parts: [{ text: "x" }] }, finishReason: "STOP" }], usageMetadata };
    return path.includes(":stream") ? events(answer) : json(answer);
  }
  if (path.includes(":batchEmbed")) {
    const embeddings = body.requests.map(() => ({ values: [1, 0, 0, 0] }));
    return json({ embeddings, usageMetadata: { promptTokenCount: prompt } });
  }
  if (path.includes("/cohere/embed")) {
    const kind: "float" | "base64" = body.embedding_types[0];
    const vectors = (body.texts ?? body.inputs).map(() => vector(kind));
    return json({ embeddings: { [kind]: vectors }, meta: { billed_units: { input_tokens: prompt } } });
  }
  if (path.includes("/cohere/")) {
    const usage = { billed_units: { input_tokens: prompt, output_tokens: completion } };
    const delta = { finish_reason: "COMPLETE", usage };
    if (body.stream === true) return events({ type: "message-end", delta });
    return json({ message: { role: "assistant", content: [{ type: "text", text: "x" }] }, ...delta });
  }
  const usage = {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: { cache_write_tokens: written },
    ...(isWriter(path, body) && { completion_tokens_details: { image_tokens: completion } }),
  };
  if (path.includes("mbeddings")) {
    const format = body.encoding_format ?? body.embedding_type ?? body.output_encoding ?? "float";
    const data = (body.input ?? body.inputs).map((_: unknown, index: number) => ({ index, embedding: vector(format) }));
    return json({ data, usage });
  }
  if (body.deferred === true) return json({ request_id: "later" });
  const finish = { index: 0, finish_reason: "stop" };
  if (body.stream !== true) {
    return json({ choices: [{ ...finish, message: { role: "assistant", content: "x" } }], usage });
  }
  return events({ choices: [{ ...finish, delta: { content: "x" } }] }, { choices: [], usage }, "[DONE]");
}

function imagesAnswer(path: string, body: Body, { prompt, written: made, completion }: Bill): unknown {
  const images = Array.from({ length: made }, () => "iVBORw0KGgo=");
  if (path.endsWith(":predict")) return { predictions: images.map((bytesBase64Encoded) => ({ bytesBase64Encoded })) };
  if (path.includes(":generate")) {
    const usageMetadata = { promptTokenCount: prompt, candidatesTokenCount: completion };
    return { candidates: [{ content: { parts: images.map((data) => ({ inlineData: { data } })) } }], usageMetadata };
  }
  const usage = { input_tokens: prompt, output_tokens: completion, total_tokens: prompt + completion };
  return { created: 1, data: images.map((b64_json) => ({ b64_json })), usage, ...kindOf(body) };
}

function rerankAnswer(path: string, body: Body, { prompt, written: units }: Bill): unknown {
  const documents: unknown[] = body.documents ?? body.texts;
  if (body.texts !== undefined) return documents.map((_, index) => ({ index, score: 0.5 }));
  const results = documents.map((_, index) => ({ index, relevance_score: 0.5 }));
  if (path.includes("/cohere/"))
    return { results, meta: { billed_units: { search_units: units, input_tokens: prompt } } };
  return { [body.top_k === undefined ? "results" : "data"]: results, usage: { total_tokens: prompt } };
}

function vector(format: "float" | "base64") {
  const numbers = [1, 0, 0, 0];
  return format === "float" ? numbers : Buffer.from(new Float32Array(numbers).buffer).toString("base64");
}

/** What becomes of every so many-th call; a vendor that is late works on it for as long as anybody waits. */
const failures: Readonly<Record<number, "late" | "broken" | "garbage" | "cut" | "refused">> = {
  3: "late",
  5: "refused",
  7: "broken",
  9: "cut",
  11: "garbage",
};

/** What becomes of a video, in turn; a vendor that is cut off or says nonsense makes it all the same. */
const fates = [
  "completed",
  "shorter",
  "longer",
  "failed",
  "cancelled",
  "expired",
  "silent",
  "forgotten",
  "killed",
  "broken",
  "garbage",
  "refused",
] as const;
const free: ReadonlySet<string> = new Set(["failed", "cancelled", "expired", "refused"]);

/** nano-dollars: 100,000 a second, 300,000 at 1080p, 10,000 an image, 3,000 a video */
export const videoPricing = {
  prompt: "0",
  second: "0.0001",
  seconds: [{ size: "1080p", price: "0.0003" }],
  image: "0.00001",
  request: "0.000003",
};

interface FilmJob {
  readonly fate: (typeof fates)[number];
  readonly seconds: number;
  readonly large: boolean;
}

/** A vendor of every dialect, whose address ends in the name of one, that bills what it really does. */
export async function startBillingVendor() {
  const jobs: FilmJob[] = [];
  /** by dialect: not all have words for every end, and requests arrive in any order */
  const films = new Map<string, number>();
  let bill = 0;
  let served = 0;

  const send = (response: ServerResponse, body: unknown, status = 200) =>
    void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  const fail = (response: ServerResponse, how: string) => {
    if (how === "broken") response.socket?.destroy();
    else if (how === "garbage") response.writeHead(200, { "content-type": "text/html" }).end("<html>");
    else if (how === "refused") send(response, { error: { message: "no", code: 400 } }, 400);
  };

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = request.url ?? "";
    if (request.method === "GET") return filmState(url, response);
    const body = await bodyOf(request.headers["content-type"] ?? "", await buffer(request));
    if (/\/videos\b|:predictLongRunning$/.test(url)) return beginFilm(url, body, response);
    const billed = billOf(url, body);
    const failure = failures[served % 12];
    served += 1;
    // A stream says each word as it is written: one that says nothing has written nothing. Nor was there time to write
    // what breaks at once.
    const streamed = body.stream === true || /:stream/.test(url);
    const isWritten = failure === undefined || (failure === "late" && !streamed);
    if (failure !== "refused") bill += isWritten ? billed.cost : billed.cost - billed.output;
    if (failure === "late") return;
    if (failure !== undefined && failure !== "cut") return fail(response, failure);
    const { type, text } = answerTo(url, body, billed);
    response.writeHead(200, { "content-type": type });
    if (failure === undefined) return void response.end(text);
    response.write(text.slice(0, text.length / 2), () => response.destroy());
  }

  function beginFilm(url: string, body: Body, response: ServerResponse): void {
    const number = jobs.length;
    const dialect = url.split("/")[1] ?? "";
    const begun = films.get(dialect) ?? 0;
    films.set(dialect, begun + 1);
    const fate = fates[begun % fates.length] ?? "completed";
    const asked = Number(body.seconds ?? body.duration ?? body.parameters?.durationSeconds);
    const size = String(body.size ?? body.resolution ?? body.parameters?.resolution ?? (number % 2 ? "1080p" : "720p"));
    const images =
      (body.files?.length ?? 0) +
      (body.frame_images?.length ?? 0) +
      [body.image, body.instances?.[0].image].flat().filter(Boolean).length;
    const job = { fate, seconds: fate === "shorter" ? asked / 2 : asked, large: size.includes("1080") };
    jobs.push(job);
    if (!free.has(fate)) bill += job.seconds * (job.large ? 300_000 : 100_000) + images * 10_000 + 3_000;
    if (["broken", "garbage", "refused"].includes(fate)) return fail(response, fate);
    const name = `${fate}-${number}`;
    send(response, { id: name, request_id: name, name: `operations/${name}` });
  }

  function filmState(url: string, response: ServerResponse): void {
    const job = jobs[Number(/-(\d+)$/.exec(url)?.[1])];
    if (job === undefined || job.fate === "forgotten") return send(response, { error: { message: "none" } }, 404);
    const { fate, large } = job;
    const seconds = fate === "longer" ? job.seconds * 10 : job.seconds;
    const isDone = ["completed", "shorter", "longer"].includes(fate);
    const state = free.has(fate) ? fate : "in_progress";
    const film = "https://93.184.216.34/film.mp4";
    if (!isDone && state === "in_progress") return send(response, { status: state, done: false });
    if (url.includes("/xai/")) {
      const failed = { status: state === "cancelled" ? "failed" : state };
      return send(response, isDone ? { status: "done", video: { url: film, duration: seconds } } : failed);
    }
    if (url.includes("/gemini/")) {
      const made = { response: { generateVideoResponse: { generatedSamples: [{ video: { uri: film } }] } } };
      return send(response, { done: true, ...(isDone ? made : { error: { message: state } }) });
    }
    const size = large ? "1920x1080" : "1280x720";
    send(response, { status: isDone ? "completed" : state, seconds: String(seconds), size });
  }

  const server = createServer((request, response) => void serve(request, response).catch(() => response.destroy()));
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** nano-dollars since the last reset, by its own account */
    bill: () => bill,
    reset: () => void (bill = 0),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => void server.close(resolve));
    },
  };
}
