import { describe, expect, it } from "vitest";
import { ChatBody } from "#contract/chat.ts";
import { CompletionBody } from "#contract/completions.ts";
import { EmbeddingsBody, mostInputs } from "#contract/embeddings.ts";
import { mostArguments, mostMessages, mostParts } from "#contract/conversation-bounds.ts";
import { CountBody, MessagesBody } from "#contract/messages.ts";
import { ImageBody } from "#contract/images.ts";
import { RerankBody } from "#contract/rerank.ts";
import { ResponsesBody } from "#contract/responses.ts";
import { SpeechBody } from "#contract/speech.ts";
import { TranscriptionBody } from "#contract/transcriptions.ts";
import { wordIssues } from "#contract/validation-messages.ts";
import { Refusal } from "../domain/refusal.ts";
import { openApiDocument } from "../http/openapi.ts";
import { wave } from "../testing/wave.ts";
import { takeTurns } from "../turns.ts";
import { chatForm } from "./chat/chat-form.ts";
import { completionsForm } from "./chat/completions-form.ts";
import type { RelayDeps } from "./deps.ts";
import { readEmbeddingsRequest } from "./embeddings/request.ts";
import { readImageRequest } from "./images/request.ts";
import { countMessageTokens } from "./messages/count-tokens.ts";
import { messagesForm } from "./messages/messages-form.ts";
import type { ModelCall } from "./model-call.ts";
import { readRerankRequest } from "./rerank/request.ts";
import { responsesForm } from "./responses/responses-form.ts";
import { readSpeechRequest } from "./speech/request.ts";
import { readTranscriptionRequest } from "./transcriptions/request.ts";

wordIssues();
const turn = takeTurns("key");
const deps = { domain: { accounts: { of: async () => ({}) } } } as unknown as RelayDeps;
const callOf = (body: Buffer) =>
  ({ body, headers: {}, credential: { hash: "key" }, room: { take: () => {} } }) as unknown as ModelCall;

/** What an operation takes and refuses: its plain request with these changes. A refusal names the member that is wrong. */
interface Operation {
  readonly schema: { safeParse(body: unknown): { success: boolean } };
  readonly read: (body: Buffer) => Promise<unknown>;
  readonly plain: object;
  readonly takes: readonly object[];
  readonly refuses: readonly (readonly [wrong: string, change: object])[];
}

const words = (list: string) => list.split(" ");
const nulls = (list: string) => Object.fromEntries(words(list).map((name) => [name, null]));
const common = "user provider session_id trace";
const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);
/** A member with each of these values, which are right or wrong. */
const right = (member: string, ...values: unknown[]) => values.map((value) => ({ [member]: value }));
const wrong = (member: string, ...values: unknown[]): Operation["refuses"] =>
  right(member, ...values).map((change) => [member, change]);
/** Members that are the same wherever they are taken. */
const refusedEverywhere: Operation["refuses"] = [
  ["provider.fastest", { provider: { fastest: true } }],
  ["provider.allow_fallbacks", { provider: { allow_fallbacks: "yes" } }],
  ["provider.max_price.prompt", { provider: { max_price: { prompt: -1 } } }],
  ["user", { user: 1 }],
  ["session_id", { session_id: "s".repeat(257) }],
  ["trace", { trace: "a" }],
  ["trace", { trace: [] }],
];
const takenEverywhere = [
  { provider: { order: ["acme"], allow_fallbacks: true, data_collection: "deny" } },
  { provider: { max_price: { prompt: 1, request: "0.5", completion: null }, sort: null } },
  { provider: { max_price: null } },
  { trace: { trace_id: "a", own: [1] } },
  { session_id: "s".repeat(256) },
  { acme_own: { deep: [1] }, other: null },
];
const unnamed = [{ model: undefined }, { model: null }];
/** In conversations the workspace's default model stands in for none. */
const wrongModelRefused = wrong("model", "", 4);
const modelRefused = [...wrong("model", undefined, null), ...wrongModelRefused];

const image = { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgo=" } };
const block = (...content: object[]) => ({ input: [{ content }] });
const embeddings: Operation = {
  schema: EmbeddingsBody,
  read: (body) => readEmbeddingsRequest(body, turn),
  plain: { model: "acme/embed", input: "text" },
  takes: [
    ...takenEverywhere,
    ...right("input", ["a", "b"], [1, 0, 15_000], [[1, 2], [3]]),
    block({ type: "text", text: "a" }, image),
    { input: [{ content: [{ type: "text", text: "" }], own: 1 }] },
    nulls(`encoding_format dimensions input_type truncate truncation stream ${common}`),
    { encoding_format: "base64", dimensions: 4, input_type: "t".repeat(100), stream: false, truncation: true },
    ...right("truncate", true, "END", "NONE"),
    { input: times(mostInputs, "a") },
  ],
  refuses: [
    ...refusedEverywhere,
    ...modelRefused,
    ...wrong("input", undefined, null, "", [], { text: "a" }, times(mostInputs + 1, "a")),
    ["input.1", { input: ["a", ""] }],
    ["input.1", { input: ["a", [1]] }],
    ["input.1", { input: [1, -1] }],
    ["input.0.1", { input: [[1, 0.5]] }],
    ["input.1", { input: [[1], []] }],
    ["input.0", block()],
    ["input.0.content.0.type", block({ type: "input_audio" })],
    ["input.0.content.0.text", block({ type: "text" })],
    ["input.0.content.0.image_url.url", block({ type: "image_url", image_url: {} })],
    ["encoding_format", { encoding_format: "int8" }],
    ...wrong("dimensions", 0, 1.5, "4"),
    ...wrong("input_type", "t".repeat(101), 1),
    ["stream", { stream: true }],
    ["truncate", { truncate: "START" }],
    ["truncation", { truncation: "auto" }],
  ],
};

const asked = { role: "user", content: "Hello" };
const said = (...content: object[]) => ({ messages: [{ role: "user", content }] });
const called = (length: number) => ({
  type: "function",
  id: "a",
  function: { name: "f", arguments: "x".repeat(length) },
});
const roles = words("system developer user assistant tool function");
const half = { role: "user", content: times(mostParts / 2 + 1, { type: "text", text: "a" }) };
const chat: Operation = {
  schema: ChatBody,
  read: (body) => chatForm.read(callOf(body), "acme/default", turn),
  plain: { model: "acme/talk", messages: [asked] },
  takes: [
    ...takenEverywhere,
    ...unnamed,
    { messages: roles.map((role) => ({ role, content: "a" })) },
    said({ type: "text", text: "a" }, image),
    said({ type: "acme_own", deep: {} }),
    { messages: [{ role: "assistant", tool_calls: [called(2)] }, asked] },
    { messages: [{ role: "user", content: null, name: null, tool_call_id: null }] },
    nulls(`models stream max_tokens max_completion_tokens functions function_call n best_of ${common}`),
    { temperature: 0.5, stop: ["a"] },
    { model: undefined, models: ["acme/talk"] },
    { models: ["acme/talk", "acme/none"], n: 2, best_of: 128, max_completion_tokens: 10_000_000 },
    ...right("stream", false, true),
    ...right("max_tokens", 100, 0),
    { functions: [{ name: "f", parameters: {} }], function_call: "auto" },
    { functions: [{ name: "f" }], function_call: { name: "f" } },
    { provider: { sort: { by: "price", partition: "model" }, data_collection: "deny" } },
  ],
  refuses: [
    ...refusedEverywhere,
    ...wrongModelRefused,
    ...wrong("messages", undefined, null, [], times(mostMessages + 1, asked)),
    ["messages.0", { messages: ["Hello"] }],
    ["messages.0.role", { messages: [{ content: "a" }] }],
    ["messages.0.role", { messages: [{ role: "robot", content: "a" }] }],
    ["messages.0.content", { messages: [{ role: "user", content: 4 }] }],
    ["messages.0.content.0.type", said({ text: "a" })],
    ["messages.0.name", { messages: [{ ...asked, name: 1 }] }],
    ["messages.1.content", { messages: [half, half] }],
    ["messages.0.tool_calls", { messages: [{ role: "assistant", tool_calls: [called(mostArguments), called(1)] }] }],
    [
      "messages.0.function_call",
      { messages: [{ role: "assistant", function_call: called(mostArguments + 1).function }] },
    ],
    ...wrong("models", "acme/talk", times(21, "acme/talk")),
    ["stream", { stream: "yes" }],
    ...wrong("max_tokens", -1, 1.5),
    ["max_completion_tokens", { max_completion_tokens: 10_000_001 }],
    ...wrong("n", 0, 129),
    ...wrong("best_of", 129, "many"),
    ["functions", { functions: [] }],
    ["functions.0.name", { functions: [{}] }],
    ["function_call", { function_call: "always" }],
    ["user", { user: [] }],
    ["trace", { trace: 1 }],
  ],
};

const completions: Operation = {
  schema: CompletionBody,
  read: (body) => completionsForm.read(callOf(body), "acme/default", turn),
  plain: { model: "acme/talk", prompt: "Once" },
  takes: [
    ...takenEverywhere,
    ...unnamed,
    { prompt: ["Once"] },
    { echo: false },
    nulls("echo suffix logprobs messages tools"),
    { surprise: 1 },
  ],
  refuses: [
    ...refusedEverywhere,
    ...wrongModelRefused,
    ...wrong("prompt", undefined, "", ["Once", "Twice"], [1, 2, 3]),
    ["echo", { echo: true }],
    ["suffix", { suffix: "the end" }],
    ["logprobs", { logprobs: 2 }],
    ...wrong("messages", [], [asked]),
    ["tools", { tools: [] }],
    ["n", { n: 0 }],
    ["max_tokens", { max_tokens: 10_000_001 }],
  ],
};

const rerank: Operation = {
  schema: RerankBody,
  read: (body) => readRerankRequest(body, turn),
  plain: { model: "acme/rank", query: "a gate", documents: ["a door", { text: "a gate" }] },
  takes: [...takenEverywhere, nulls(`top_n ${common}`), { top_n: 10 }, { max_tokens_per_doc: 100 }],
  refuses: [
    ...refusedEverywhere,
    ...modelRefused,
    ...wrong("query", "", ["a"]),
    ...wrong("documents", [], "a", times(2_049, "a")),
    ["documents.1", { documents: ["a", ""] }],
    ["documents.0", { documents: [{}] }],
    ["documents.0.title", { documents: [{ text: "a", title: "b" }] }],
    ...wrong("top_n", 0, 1.5),
  ],
};

const tools = [{ type: "function", name: "f" }];
const responses: Operation = {
  schema: ResponsesBody,
  read: (body) => responsesForm.read(callOf(body), "acme/default", turn),
  plain: { model: "acme/talk", input: "Say hello" },
  takes: [
    ...takenEverywhere,
    ...unnamed,
    { input: [asked, { type: "message", ...asked }] },
    { input: [asked, { type: "function_call_output", call_id: "c", output: "1" }] },
    nulls(`instructions stream max_output_tokens tools reasoning text metadata store background ${common}`),
    { previous_response_id: null, tools },
    { surprise: 1 },
  ],
  refuses: [
    ...refusedEverywhere,
    ...wrongModelRefused,
    ...wrong("input", undefined, [], 1, times(9_000, asked)),
    ["input.1", { input: [asked, { a: 1 }] }],
    ["input.0", { input: [{ text: "a" }] }],
    ["input.0", { input: [{ role: "user" }] }],
    ["input.0", { input: [{ role: "user", content: 1 }] }],
    ["input.0", { input: [{ role: "user", content: [{ text: "a" }] }] }],
    ...wrong("max_output_tokens", 0, 1.5, 1e9),
    ["tools.0.type", { tools: [{}] }],
    ["tools.0.type", { tools: [{ name: "f" }] }],
    ["stream", { stream: "yes" }],
  ],
};

const messages: Operation = {
  schema: MessagesBody,
  read: (body) => messagesForm.read(callOf(body), "acme/default", turn),
  plain: { model: "acme/talk", max_tokens: 100, messages: [asked] },
  takes: [
    ...takenEverywhere,
    ...unnamed,
    { max_tokens: null },
    { max_tokens: 0 },
    said({ type: "text", text: "a" }),
    nulls(`system tools thinking fallbacks models max_tokens stream metadata ${common}`),
    { surprise: 1 },
    { fallbacks: [{ model: "acme/none" }] },
  ],
  refuses: [
    ...refusedEverywhere,
    ...wrongModelRefused,
    ...wrong("messages", undefined, "hello", [], times(mostMessages + 1, asked)),
    ["messages.0.role", { messages: [{ role: "robot", content: "a" }] }],
    ["messages.0.content", { messages: [{ role: "user", content: 1 }] }],
    ["max_tokens", { max_tokens: -1 }],
    ["stream", { stream: "yes" }],
    ["thinking.type", { thinking: {} }],
    ["fallbacks", { fallbacks: [{ model: "a" }], models: ["b"] }],
    ["fallbacks", { fallbacks: words("a b c d").map((model) => ({ model })) }],
    ["fallbacks.0.max_tokens", { fallbacks: [{ model: "a", max_tokens: 1 }] }],
  ],
};

const counts: Operation = {
  schema: CountBody,
  read: (body) => countMessageTokens(deps, callOf(body)),
  plain: messages.plain,
  takes: [nulls("system tools thinking"), { stream: "yes", provider: { fastest: true } }],
  refuses: [
    ["messages", { messages: undefined }],
    ["messages.0.role", { messages: [{ role: "robot", content: "a" }] }],
    ["system", { system: 1 }],
    ["tools", { tools: "all" }],
  ],
};

const reference = { type: "input_audio", input_audio: { data: "AAAA" } };
const speech: Operation = {
  schema: SpeechBody,
  read: (body) => readSpeechRequest(body, turn),
  plain: { model: "studio/voice", input: "The gate is red." },
  takes: [
    ...takenEverywhere,
    { voice: "alloy", response_format: "mp3", speed: 1.5 },
    nulls(`voice response_format speed stream_format input_references ${common}`),
    { instructions: "slowly" },
    { provider: { options: { studio: { tone: "warm" } } } },
  ],
  refuses: [
    ...refusedEverywhere,
    ...modelRefused,
    ...wrong("input", undefined, "", ["a"]),
    ["voice", { voice: 1 }],
    ["response_format", { response_format: "ogg" }],
    ["speed", { speed: 11 }],
    ["stream_format", { stream_format: "sse" }],
    ["input_references.0.type", { input_references: [{ text: "a" }] }],
    ["input_references", { input_references: [reference, reference] }],
  ],
};

const audio = { data: wave(1).toString("base64"), format: "wav" };
const transcriptions: Operation = {
  schema: TranscriptionBody,
  read: (body) => readTranscriptionRequest(callOf(body), turn),
  plain: { model: "studio/ear", input_audio: audio },
  takes: [
    ...takenEverywhere,
    { input_audio: { ...audio, data: `data:audio/wav;base64,${audio.data}` } },
    { language: "en", response_format: "json", temperature: 0 },
    nulls(`language response_format temperature timestamp_granularities prompt stream ${common}`),
    { surprise: 1 },
  ],
  refuses: [
    ...refusedEverywhere,
    ...modelRefused,
    ...wrong("input_audio", undefined, audio.data),
    ["input_audio.format", { input_audio: { data: audio.data } }],
    ["input_audio.data", { input_audio: { ...audio, data: "" } }],
    ["response_format", { response_format: "srt" }],
    ["stream", { stream: true }],
    ["temperature", { temperature: 3 }],
  ],
};

const shape = "n size resolution aspect_ratio quality background output_format output_compression seed";
const images: Operation = {
  schema: ImageBody,
  read: (body) => readImageRequest(body, turn),
  plain: { model: "studio/painter", prompt: "A red gate" },
  takes: [
    ...takenEverywhere,
    { size: "1536x1024", aspect_ratio: "3:2", resolution: "1K" },
    { size: "2K", quality: "high", n: 2 },
    { input_references: [image] },
    nulls(`${shape} input_references stream response_format ${common}`),
    { surprise: 1 },
  ],
  refuses: [
    ...refusedEverywhere,
    ...modelRefused,
    ...wrong("prompt", undefined, ""),
    ...wrong("n", 0, 0.5),
    ["size", { size: "large" }],
    ["size", { size: "1024x1024", aspect_ratio: "16:9" }],
    ["size", { size: "1024x1024", resolution: "4K" }],
    ["output_format", { background: "transparent", output_format: "jpeg" }],
    ["output_compression", { output_compression: 101 }],
    ["input_references.0", { input_references: ["a"] }],
    ["response_format", { response_format: "url" }],
  ],
};

/** The member that a body is refused for; null: it is read. */
async function refusedAt({ read }: Operation, body: unknown): Promise<string | null> {
  try {
    await read(Buffer.from(JSON.stringify(body)));
    return null;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    expect(error.type).toBe("invalid_request");
    return (error.details["issues"] as { path: string }[])[0]?.path ?? "no member";
  }
}

const operations = {
  embeddings,
  chat,
  completions,
  rerank,
  responses,
  messages,
  counts,
  speech,
  transcriptions,
  images,
};

describe.each(Object.entries(operations))("%s", (_, operation) => {
  const { schema, plain, takes, refuses } = operation;
  const inSchema = (body: unknown) => schema.safeParse(JSON.parse(JSON.stringify(body))).success;
  const named = (change: unknown) => JSON.stringify(change, (__, value) => value ?? null).slice(0, 100);

  it.each([{}, ...takes].map((change) => [named(change), change] as const))("takes %s", async (__, change) => {
    const body = { ...plain, ...change };
    expect([inSchema(body), await refusedAt(operation, body)]).toEqual([true, null]);
  });

  it.each(refuses.map(([wrong, change]) => [named(change), wrong, change] as const))(
    "refuses %s at %s",
    async (__, wrong, change) => {
      const body = { ...plain, ...change };
      expect([inSchema(body), await refusedAt(operation, body)]).toEqual([false, wrong]);
    },
  );

  it("refuses what is no object", async () => {
    for (const body of [[plain], null, "text", 4]) {
      expect([inSchema(body), await refusedAt(operation, body)]).toEqual([false, ""]);
    }
  });
});

it("is published with its maximums", () => {
  const document = openApiDocument("https://gatehouse.example.com") as unknown as {
    components: { schemas: Record<string, Record<string, any>> }; // oxlint-disable-line typescript/no-explicit-any -- a document to look into
  };
  const { EmbeddingInput, EmbeddingsBody: body, ChatBody: talk } = document.components.schemas;
  const maximums = EmbeddingInput?.["anyOf"].map((form: { maxItems?: number }) => form.maxItems ?? null);
  expect(maximums).toEqual([null, mostInputs, null, mostInputs, mostInputs]);
  expect(Object.keys(body?.["properties"])).toEqual(expect.arrayContaining(["truncate", "truncation", "stream"]));
  expect(talk?.["properties"].messages).toMatchObject({ minItems: 1, maxItems: mostMessages });
});
