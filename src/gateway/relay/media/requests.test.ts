import { describe, expect, it } from "vitest";
import { wave } from "../../testing/wave.ts";
import { createMemoryBudget, roomIn } from "../../memory-budget.ts";
import { Refusal } from "../../domain/refusal.ts";
import { takeTurns } from "../../turns.ts";
import { readEmbeddingsRequest } from "../embeddings/request.ts";
import { readImageRequest } from "../images/request.ts";
import { readRerankRequest } from "../rerank/request.ts";
import { readSpeechRequest } from "../speech/request.ts";
import { readTranscriptionRequest } from "../transcriptions/request.ts";
import { readVideoRequest } from "../videos/request.ts";

/** What every test of the contract sends is in ../contract.test.ts; here is what needs more than one member, or a form. */
const turn = takeTurns("somebody");
const bytesOf = (body: object) => Buffer.from(JSON.stringify(body));
const room = roomIn(createMemoryBudget(1e9), "somebody");

/** The member that a refusal names, or the refusal's type where it names none. */
async function refused(reading: Promise<unknown>): Promise<string> {
  const error = await reading.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof Refusal)) return expect.fail(`no refusal, but ${String(error)}`);
  return error.details.issues?.[0]?.path ?? error.type;
}

const url = (address: string) => ({ type: "image_url", image_url: { url: address } });
const frame = (frame_type: string) => ({ ...url("https://example.com/a.png"), frame_type });
const forAcme = (members: object) => ({ provider: { options: { acme: members } } });
const text = { type: "text", text: "said" };

const readers = {
  images: (more: object) => readImageRequest(bytesOf({ model: "m", prompt: "a", ...more }), turn),
  speech: (more: object) => readSpeechRequest(bytesOf({ model: "m", input: "a", ...more }), turn),
  rerank: (more: object) => readRerankRequest(bytesOf({ model: "m", query: "a", documents: ["b"], ...more }), turn),
  embeddings: (more: object) => readEmbeddingsRequest(bytesOf({ model: "m", input: "a", ...more }), turn),
  videos: (more: object) => readVideoRequest(bytesOf({ model: "m", prompt: "a", ...more }), turn),
  transcriptions: (more: object) =>
    readTranscriptionRequest({ headers: {}, body: bytesOf({ model: "m", ...more }), room }, turn),
};
type Operation = keyof typeof readers;

describe("a request is refused", () => {
  it.each<[Operation, string, object]>([
    // other inputs than those that a call is priced by
    ["embeddings", "messages", { messages: [{ role: "user", content: "a" }] }],
    ["embeddings", "inputs", { inputs: ["a"] }],
    ["embeddings", "instances", { instances: [{ content: "a" }] }],
    // more for the vendor than can be looked through at once
    ["embeddings", "invalid_request", { more: Array(20_001).fill(0) }],
    ["rerank", "texts", { texts: ["a"] }],
    ["rerank", "queries", { queries: ["a"] }],
    ["images", "prompt", { prompt: "a".repeat(100_001) }],
    ["images", "n", { n: 11 }],
    ["images", "size", { size: "2K", resolution: "4K" }],
    ["images", "quality", { quality: "best" }],
    ["images", "input_references", { input_references: Array(17).fill(url("https://example.com")) }],
    // what it is reserved by, in the options of a provider or by a vendor's name for it
    ...Object.entries({ n: 10, size: "4096x4096", resolution: "4K", aspect_ratio: "8:1", input_references: [] }).map(
      ([name, value]): [Operation, string, object] => [
        "images",
        `provider.options.acme.${name}`,
        forAcme({ [name]: value }),
      ],
    ),
    ...(
      [
        ["num_images", { num_images: 10 }],
        ["width", { width: 4_096 }],
        ["image_size", { image_size: "4K" }],
        ["sampleImageSize", { sampleImageSize: "2K" }],
        ["images", { images: ["https://example.com/a.png"] }],
        ["generationConfig.imageConfig.imageSize", { generationConfig: { imageConfig: { imageSize: "4K" } } }],
        ["generationConfig.candidateCount", { generationConfig: { candidateCount: 4 } }],
        ["list.0.upscaleFactor", { list: [{ upscaleFactor: "x4" }] }],
      ] as const
    ).flatMap(([path, members]): [Operation, string, object][] => [
      ["images", path, members],
      ["images", `provider.options.acme.${path}`, forAcme(members)],
    ]),
    ["speech", "input", { input: "a".repeat(100_001) }],
    ["speech", "voice", { voice: "" }],
    ["speech", "speed", { speed: 0 }],
    ["speech", "input_references", { input_references: [text, text] }],
    ["speech", "input_references", { input_references: [text, text, text] }],
    ["speech", "provider.options.acme", { provider: { options: { acme: 3 } } }],
    ["rerank", "documents.1", { documents: ["a", 3] }],
    ["transcriptions", "input_audio.data", { input_audio: { data: "%%%", format: "wav" } }],
    ["transcriptions", "input_audio.format", { input_audio: { data: "AAAA", format: "midi" } }],
    ["videos", "", { prompt: "" }],
    ["videos", "duration", { duration: 0.5 }],
    ["videos", "duration", { duration: 3_600 }],
    ["videos", "size", { size: "1280x720", resolution: "4K" }],
    ["videos", "frame_images", { frame_images: [frame("first_frame"), frame("first_frame")] }],
    ["videos", "seconds", { seconds: 60 }],
    ["videos", "n", { n: 4 }],
    ["videos", "previous_job_id", { previous_job_id: "gen-vid-1" }],
    ["videos", "provider.options.acme.duration", forAcme({ duration: 60 })],
    ["videos", "provider.options.acme.n_seconds", forAcme({ n_seconds: 60 })],
    ["videos", "callback_url", { callback_url: "http://example.com" }],
    ["videos", "callback_url", { callback_url: "https://a:b@example.com" }],
  ])("of %s for what it says as '%s'", async (operation, path, body) => {
    expect(await refused(readers[operation](body))).toBe(path);
  });

  it("that is no JSON", async () => {
    await expect(readImageRequest(Buffer.from("{"), turn)).rejects.toThrow(/not valid JSON/);
  });
});

it("a request's `auto` is nothing that is said, and a resolution as a size is one", async () => {
  const auto = { size: "auto", aspect_ratio: "auto", quality: "auto", background: "auto" };
  expect(await readers.images(auto)).toMatchObject({ size: null, aspectRatio: null, quality: null, background: null });
  expect(await readers.images({ size: "2K" })).toMatchObject({ size: null, resolution: "2K" });
  expect(await readers.speech({})).toMatchObject({ format: "pcm", voice: null, reference: null });
});

describe("a form with a recording", () => {
  const sound = wave(1);
  /** As browsers write it; a file's name with its bytes, and its type, is a list. */
  async function read(fields: Readonly<Record<string, string | readonly [string, Buffer, string?] | null>>) {
    const form = new FormData();
    for (const [name, value] of Object.entries({ model: "m", file: ["a.wav", sound] as const, ...fields })) {
      if (typeof value === "string") form.append(name, value);
      else if (value !== null) {
        const [filename, bytes, type = "application/octet-stream"] = value;
        form.append(name, new File([new Uint8Array(bytes)], filename, { type }));
      }
    }
    const request = new Request("http://gw.example", { method: "POST", body: form });
    const headers = { "content-type": request.headers.get("content-type") ?? "" };
    return await readTranscriptionRequest({ headers, body: Buffer.from(await request.arrayBuffer()), room }, turn);
  }

  it("is read like JSON", async () => {
    const fields = { language: "en", prompt: "names", temperature: "0.2", "include[]": "logprobs", stream: "false" };
    const more = {
      response_format: "verbose_json",
      "timestamp_granularities[]": "word",
      provider: '{"only":["acme"]}',
    };
    expect(await read({ ...fields, ...more })).toMatchObject({
      model: "m",
      audio: sound,
      format: "wav",
      language: "en",
      prompt: "names",
      temperature: 0.2,
      verbose: true,
      granularities: ["word"],
      preferences: { only: ["acme"] },
      extra: { "include[]": "logprobs" },
    });
  });

  it("has its format from the file's name, else from its media type", async () => {
    expect(await read({ file: ["A.MP3", sound, "audio/wav"] })).toMatchObject({ format: "mp3" });
    expect(await read({ file: ["blob", sound, "audio/webm;codecs=opus"] })).toMatchObject({ format: "webm" });
  });

  it.each<[string, Parameters<typeof read>[0]]>([
    ["file", { file: null }],
    ["file", { file: ["a.wav", Buffer.alloc(0)] }],
    ["file", { file: ["a.txt", sound, "text/plain"] }],
    ["file", { file: ["", sound, "video/quicktime"] }],
    ["mask", { mask: ["b.wav", sound] }],
    ["model", { model: "" }],
    ["model", { model: null }],
    ["response_format", { response_format: "text" }],
    ["response_format", { response_format: "vtt" }],
    ["temperature", { temperature: "warm" }],
    ["stream", { stream: "true" }],
    ["provider", { provider: "{" }],
    ["prompt", { prompt: "a".repeat(70_000) }],
    ["timestamp_granularities.0", { "timestamp_granularities[]": "year" }],
    ["payload_too_large", { file: ["a.mp3", Buffer.alloc(25 * 1_048_576 + 1)] }],
  ])("is refused for its %s", async (path, fields) => {
    expect(await refused(read(fields))).toBe(path);
  });
});
