import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createChatCompletion, ChatBody } from "#contract/chat.ts";
import { CompletionBody, createCompletion } from "#contract/completions.ts";
import { createEmbeddings, EmbeddingsBody, mostInputs } from "#contract/embeddings.ts";
import { mostArguments, mostMessages, mostParts } from "#contract/conversation-bounds.ts";
import { CountBody, countMessageTokens, createMessage, MessagesBody } from "#contract/messages.ts";
import { createImage, ImageBody } from "#contract/images.ts";
import { createRerank, RerankBody } from "#contract/rerank.ts";
import { createResponse, ResponsesBody } from "#contract/responses.ts";
import { createSpeech, SpeechBody } from "#contract/speech.ts";
import { createTranscription, TranscriptionBody } from "#contract/transcriptions.ts";
import { openApiDocument } from "../http/openapi.ts";
import { makeKey } from "../testing/factories.ts";
import { startGateway, type TestGateway } from "../testing/gateway.ts";
import { withMediaVendor } from "../testing/scripted-setup.ts";
import { withVendor } from "../testing/vendor-setup.ts";
import { wave } from "../testing/wave.ts";

let gateway: TestGateway;
let key: string;
beforeAll(async () => {
  gateway = await startGateway();
  ({ key } = await makeKey(gateway));
});
afterAll(() => gateway.close());

const vendor = withVendor(() => gateway, {
  embed: { input_modalities: ["text", "image"] },
  talk: { input_modalities: ["text", "image"] },
});

const media = withMediaVendor(() => gateway, {
  slug: "studio",
  models: [
    {
      id: "studio/voice",
      upstream_id: "tts-1",
      type: "speech",
      name: "Voice",
      pricing: { prompt: "0", character: "0.000001" },
    },
    {
      id: "studio/ear",
      upstream_id: "whisper-1",
      type: "transcription",
      name: "Ear",
      pricing: { prompt: "0", second: "0.0001" },
    },
    {
      id: "studio/painter",
      upstream_id: "gpt-image-1",
      type: "image",
      name: "Painter",
      pricing: { prompt: "0", output_image: "0.04" },
    },
  ],
});

/** What a body is called, the body, and the member that is wrong with it; none: it is accepted. */
type Case = readonly [name: string, body: unknown, wrong?: string];

const image = { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgo=" } };

const embed = { model: "acme/embed", input: "text" };
const embeddings: readonly Case[] = [
  ["one text", embed],
  ["several texts", { ...embed, input: ["a", "b"] }],
  ["token ids", { ...embed, input: [1, 0, 15_000] }],
  ["several lists of token ids", { ...embed, input: [[1, 2], [3]] }],
  ["a block", { ...embed, input: [{ content: [{ type: "text", text: "a" }, image] }] }],
  [
    "a block with an empty text and a member of its own",
    { ...embed, input: [{ content: [{ type: "text", text: "" }], own: 1 }] },
  ],
  [
    "every member null",
    {
      ...embed,
      encoding_format: null,
      dimensions: null,
      input_type: null,
      user: null,
      provider: null,
      session_id: null,
      trace: null,
      truncate: null,
      truncation: null,
      stream: null,
    },
  ],
  ["members that nobody knows", { ...embed, acme_own: { deep: [1] }, other: null }],
  ["base64", { ...embed, encoding_format: "base64" }],
  ["dimensions", { ...embed, dimensions: 4 }],
  ["stream: false", { ...embed, stream: false }],
  ["truncate: true", { ...embed, truncate: true }],
  ["truncate: END", { ...embed, truncate: "END" }],
  ["truncate: NONE", { ...embed, truncate: "NONE" }],
  ["truncation", { ...embed, truncation: true }],
  ["preferences", { ...embed, provider: { order: ["acme"], allow_fallbacks: true, data_collection: "deny" } }],
  ["a price as a number or a decimal", { ...embed, provider: { max_price: { prompt: 1, request: "0.5" } } }],
  ["a trace", { ...embed, trace: { trace_id: "a", own: [1] } }],
  ["a session of 256 characters", { ...embed, session_id: "s".repeat(256) }],
  ["an input type of 100 characters", { ...embed, input_type: "t".repeat(100) }],
  ["as many inputs as may be", { ...embed, input: Array.from({ length: 2_048 }, (_, index) => `${index}`) }],
  ["a list", [embed], ""],
  ["null", null, ""],
  ["a text", "text", ""],
  ["no model", { input: "a" }, "model"],
  ["an empty model", { ...embed, model: "" }, "model"],
  ["model: null", { ...embed, model: null }, "model"],
  ["a model that is a number", { ...embed, model: 4 }, "model"],
  ["no input", { model: "acme/embed" }, "input"],
  ["input: null", { ...embed, input: null }, "input"],
  ["an empty text", { ...embed, input: "" }, "input"],
  ["an empty list", { ...embed, input: [] }, "input"],
  ["an object", { ...embed, input: { text: "a" } }, "input"],
  ["an empty text among others", { ...embed, input: ["a", ""] }, "input.1"],
  ["texts and token ids", { ...embed, input: ["a", [1]] }, "input.1"],
  ["a token id below 0", { ...embed, input: [1, -1] }, "input.1"],
  ["half a token id", { ...embed, input: [[1, 0.5]] }, "input.0.1"],
  ["an empty list of token ids", { ...embed, input: [[1], []] }, "input.1"],
  ["a block without parts", { ...embed, input: [{ content: [] }] }, "input.0"],
  ["a part that is a sound", { ...embed, input: [{ content: [{ type: "input_audio" }] }] }, "input.0.content.0.type"],
  ["a part without its text", { ...embed, input: [{ content: [{ type: "text" }] }] }, "input.0.content.0.text"],
  [
    "an image without an address",
    { ...embed, input: [{ content: [{ type: "image_url", image_url: {} }] }] },
    "input.0.content.0.image_url.url",
  ],
  ["too many inputs", { ...embed, input: Array.from({ length: mostInputs + 1 }, () => "a") }, "input"],
  ["another format", { ...embed, encoding_format: "int8" }, "encoding_format"],
  ["dimensions: 0", { ...embed, dimensions: 0 }, "dimensions"],
  ["half dimensions", { ...embed, dimensions: 1.5 }, "dimensions"],
  ["dimensions in a text", { ...embed, dimensions: "4" }, "dimensions"],
  ["an input type that is too long", { ...embed, input_type: "t".repeat(101) }, "input_type"],
  ["an input type that is a number", { ...embed, input_type: 1 }, "input_type"],
  ["a user that is a number", { ...embed, user: 1 }, "user"],
  ["a session that is too long", { ...embed, session_id: "s".repeat(257) }, "session_id"],
  ["a trace that is a text", { ...embed, trace: "a" }, "trace"],
  ["a trace that is a list", { ...embed, trace: [] }, "trace"],
  ["stream: true", { ...embed, stream: true }, "stream"],
  ["truncate: START", { ...embed, truncate: "START" }, "truncate"],
  ["truncation: auto", { ...embed, truncation: "auto" }, "truncation"],
  ["an unknown preference", { ...embed, provider: { fastest: true } }, "provider.fastest"],
  ["a preference of another type", { ...embed, provider: { allow_fallbacks: "yes" } }, "provider.allow_fallbacks"],
];

const asked = { role: "user", content: "Hello" };
const talk = { model: "acme/talk", messages: [asked] };
const called = (length: number) => ({
  type: "function",
  id: "a",
  function: { name: "f", arguments: "x".repeat(length) },
});
const chats: readonly Case[] = [
  ["one message", talk],
  [
    "every role",
    {
      ...talk,
      messages: ["system", "developer", "user", "assistant", "tool", "function"].map((role) => ({
        role,
        content: "a",
      })),
    },
  ],
  ["parts", { ...talk, messages: [{ role: "user", content: [{ type: "text", text: "a" }, image] }] }],
  ["a part that nobody knows", { ...talk, messages: [{ role: "user", content: [{ type: "acme_own", deep: {} }] }] }],
  ["a message without content", { ...talk, messages: [{ role: "assistant", tool_calls: [called(2)] }, asked] }],
  [
    "a message whose members are null",
    { ...talk, messages: [{ role: "user", content: null, name: null, tool_call_id: null }] },
  ],
  [
    "every member null",
    {
      ...talk,
      models: null,
      stream: null,
      max_tokens: null,
      max_completion_tokens: null,
      functions: null,
      function_call: null,
      n: null,
      best_of: null,
      user: null,
      provider: null,
      session_id: null,
      trace: null,
    },
  ],
  ["members that nobody knows", { ...talk, acme_own: { deep: [1] }, temperature: 0.5, stop: ["a"], other: null }],
  ["models", { messages: [asked], models: ["acme/talk"] }],
  ["models after a model", { ...talk, models: ["acme/talk", "acme/none"] }],
  ["stream: false", { ...talk, stream: false }],
  ["stream: true", { ...talk, stream: true }],
  ["a maximum", { ...talk, max_tokens: 100 }],
  ["a maximum of 0, which is none", { ...talk, max_tokens: 0 }],
  ["the newer maximum", { ...talk, max_completion_tokens: 10_000_000 }],
  ["several answers", { ...talk, n: 2 }],
  ["answers to choose from", { ...talk, best_of: 128 }],
  ["functions", { ...talk, functions: [{ name: "f", parameters: {} }], function_call: "auto" }],
  ["a function that is chosen", { ...talk, functions: [{ name: "f" }], function_call: { name: "f" } }],
  ["preferences", { ...talk, provider: { sort: { by: "price", partition: "model" }, data_collection: "deny" } }],
  ["a trace", { ...talk, trace: { own: 1 } }],
  ["a session of 256 characters", { ...talk, session_id: "s".repeat(256) }],
  ["a list", [talk], ""],
  ["null", null, ""],
  ["a number", 4, ""],
  ["no messages", { model: "acme/talk" }, "messages"],
  ["messages: null", { ...talk, messages: null }, "messages"],
  ["an empty list of messages", { ...talk, messages: [] }, "messages"],
  ["a message that is a text", { ...talk, messages: ["Hello"] }, "messages.0"],
  ["a message without a role", { ...talk, messages: [{ content: "a" }] }, "messages.0.role"],
  ["a role that nobody has", { ...talk, messages: [{ role: "robot", content: "a" }] }, "messages.0.role"],
  ["content that is a number", { ...talk, messages: [{ role: "user", content: 4 }] }, "messages.0.content"],
  [
    "a part without a type",
    { ...talk, messages: [{ role: "user", content: [{ text: "a" }] }] },
    "messages.0.content.0.type",
  ],
  ["a name that is a number", { ...talk, messages: [{ ...asked, name: 1 }] }, "messages.0.name"],
  ["too many messages", { ...talk, messages: Array.from({ length: mostMessages + 1 }, () => asked) }, "messages"],
  [
    "too many parts in all",
    {
      ...talk,
      messages: Array.from({ length: 2 }, () => ({
        role: "user",
        content: Array.from({ length: mostParts / 2 + 1 }, () => ({ type: "text", text: "a" })),
      })),
    },
    "messages.1.content",
  ],
  [
    "too many arguments in all",
    { ...talk, messages: [{ role: "assistant", tool_calls: [called(mostArguments), called(1)] }] },
    "messages.0.tool_calls",
  ],
  ["an empty model", { ...talk, model: "" }, "model"],
  ["a model that is a number", { ...talk, model: 1 }, "model"],
  ["models that are a text", { ...talk, models: "acme/talk" }, "models"],
  ["too many models", { ...talk, models: Array.from({ length: 21 }, () => "acme/talk") }, "models"],
  ["stream: yes", { ...talk, stream: "yes" }, "stream"],
  ["a maximum below 0", { ...talk, max_tokens: -1 }, "max_tokens"],
  ["half a maximum", { ...talk, max_tokens: 1.5 }, "max_tokens"],
  ["a maximum beyond all models", { ...talk, max_completion_tokens: 10_000_001 }, "max_completion_tokens"],
  ["n: 0", { ...talk, n: 0 }, "n"],
  ["n: 129", { ...talk, n: 129 }, "n"],
  ["best_of: 129", { ...talk, best_of: 129 }, "best_of"],
  ["best_of in a text", { ...talk, best_of: "many" }, "best_of"],
  ["no functions in their list", { ...talk, functions: [] }, "functions"],
  ["a function without a name", { ...talk, functions: [{}] }, "functions.0.name"],
  ["a call of functions that is none", { ...talk, function_call: "always" }, "function_call"],
  ["a user that is a list", { ...talk, user: [] }, "user"],
  ["a session that is too long", { ...talk, session_id: "s".repeat(257) }, "session_id"],
  ["a trace that is a number", { ...talk, trace: 1 }, "trace"],
  ["an unknown preference", { ...talk, provider: { fastest: true } }, "provider.fastest"],
  ["a preference out of range", { ...talk, provider: { max_price: { prompt: -1 } } }, "provider.max_price.prompt"],
];

const rank = { model: "gatehouse/lexical", query: "a gate", documents: ["a door", { text: "a gate" }] };
const reranks: readonly Case[] = [
  ["texts and objects", rank],
  ["members that are null", { ...rank, top_n: null, provider: null, session_id: null, trace: null, user: null }],
  ["a top_n beyond the documents", { ...rank, top_n: 10 }],
  ["a member of the vendor's", { ...rank, max_tokens_per_doc: 100 }],
  ["no model", { ...rank, model: undefined }, "model"],
  ["an empty query", { ...rank, query: "" }, "query"],
  ["a query that is a list", { ...rank, query: ["a"] }, "query"],
  ["no documents", { ...rank, documents: [] }, "documents"],
  ["documents that are a text", { ...rank, documents: "a" }, "documents"],
  ["too many documents", { ...rank, documents: Array.from({ length: 2_049 }, () => "a") }, "documents"],
  ["an empty document", { ...rank, documents: ["a", ""] }, "documents.1"],
  ["a document without a text", { ...rank, documents: [{}] }, "documents.0"],
  ["a document with an unknown member", { ...rank, documents: [{ text: "a", title: "b" }] }, "documents.0.title"],
  ["top_n: 0", { ...rank, top_n: 0 }, "top_n"],
  ["half a top_n", { ...rank, top_n: 1.5 }, "top_n"],
  ["an unknown preference", { ...rank, provider: { fastest: true } }, "provider.fastest"],
];

const enter = { model: "acme/talk", input: "Say hello" };
const responses: readonly Case[] = [
  ["a text", enter],
  ["messages, with and without a type", { ...enter, input: [asked, { type: "message", ...asked }] }],
  [
    "calls and their outputs",
    { ...enter, input: [asked, { type: "function_call_output", call_id: "c", output: "1" }] },
  ],
  [
    "members that are null",
    {
      ...enter,
      instructions: null,
      stream: null,
      max_output_tokens: null,
      tools: null,
      reasoning: null,
      text: null,
      metadata: null,
      store: null,
      previous_response_id: null,
      background: null,
      user: null,
      provider: null,
      session_id: null,
      trace: null,
    },
  ],
  ["a member of the vendor's", { ...enter, surprise: 1 }],
  ["no input", { model: "acme/talk" }, "input"],
  ["an empty list", { ...enter, input: [] }, "input"],
  ["a number", { ...enter, input: 1 }, "input"],
  ["an item that is none", { ...enter, input: [asked, { a: 1 }] }, "input.1"],
  ["a message whose content is a number", { ...enter, input: [{ role: "user", content: 1 }] }, "input.0"],
  ["max_output_tokens: 0", { ...enter, max_output_tokens: 0 }, "max_output_tokens"],
  ["half a token", { ...enter, max_output_tokens: 1.5 }, "max_output_tokens"],
  ["a tool without a type", { ...enter, tools: [{}] }, "tools.0.type"],
  ["a stream that is a word", { ...enter, stream: "yes" }, "stream"],
  ["an unknown preference", { ...enter, provider: { fastest: true } }, "provider.fastest"],
];

const tell = { model: "acme/talk", max_tokens: 100, messages: [asked] };
const nulls = { model: "acme/talk", messages: [asked], system: null, tools: null, thinking: null };
const messages: readonly Case[] = [
  ["one message", tell],
  ["no maximum", { ...tell, max_tokens: null }],
  ["a maximum of 0, which is none", { ...tell, max_tokens: 0 }],
  ["blocks", { ...tell, messages: [{ role: "user", content: [{ type: "text", text: "a" }] }] }],
  [
    "members that are null",
    {
      ...nulls,
      fallbacks: null,
      models: null,
      max_tokens: null,
      stream: null,
      metadata: null,
      user: null,
      provider: null,
      session_id: null,
      trace: null,
    },
  ],
  ["a member of the vendor's", { ...tell, surprise: 1 }],
  ["fallbacks", { ...tell, fallbacks: [{ model: "acme/none" }] }],
  ["no messages", { ...tell, messages: undefined }, "messages"],
  ["an empty list", { ...tell, messages: [] }, "messages"],
  ["a role that nobody has", { ...tell, messages: [{ role: "robot", content: "a" }] }, "messages.0.role"],
  ["content that is a number", { ...tell, messages: [{ role: "user", content: 1 }] }, "messages.0.content"],
  ["too many messages", { ...tell, messages: Array.from({ length: mostMessages + 1 }, () => asked) }, "messages"],
  ["a maximum below 0", { ...tell, max_tokens: -1 }, "max_tokens"],
  ["a stream that is a word", { ...tell, stream: "yes" }, "stream"],
  ["thinking without a type", { ...tell, thinking: {} }, "thinking.type"],
  ["fallbacks and models", { ...tell, fallbacks: [{ model: "a" }], models: ["b"] }, "fallbacks"],
  ["an unknown preference", { ...tell, provider: { fastest: true } }, "provider.fastest"],
];
const counts: readonly Case[] = [
  ["one message", tell],
  ["members that are null", nulls],
  ["members of the whole request", { ...tell, stream: "yes", provider: { fastest: true } }],
  ["no messages", { model: "acme/talk" }, "messages"],
  ["a role that nobody has", { ...tell, messages: [{ role: "robot", content: "a" }] }, "messages.0.role"],
  ["a system prompt that is a number", { ...tell, system: 1 }, "system"],
  ["tools that are a word", { ...tell, tools: "all" }, "tools"],
];

const say = { model: "studio/voice", input: "The gate is red." };
const reference = { type: "input_audio", input_audio: { data: "AAAA" } };
const speeches: readonly Case[] = [
  ["a text", say],
  ["a voice, a format and a speed", { ...say, voice: "alloy", response_format: "mp3", speed: 1.5 }],
  [
    "members that are null",
    {
      ...say,
      voice: null,
      response_format: null,
      speed: null,
      stream_format: null,
      input_references: null,
      user: null,
      provider: null,
      session_id: null,
      trace: null,
    },
  ],
  ["a member of the vendor's", { ...say, instructions: "slowly" }],
  ["options for a provider", { ...say, provider: { options: { studio: { tone: "warm" } } } }],
  ["no model", { input: "a" }, "model"],
  ["no input", { model: "studio/voice" }, "input"],
  ["an empty input", { ...say, input: "" }, "input"],
  ["a list of inputs", { ...say, input: ["a"] }, "input"],
  ["a voice that is a number", { ...say, voice: 1 }, "voice"],
  ["a format that nobody has", { ...say, response_format: "ogg" }, "response_format"],
  ["a speed that nobody follows", { ...say, speed: 11 }, "speed"],
  ["events", { ...say, stream_format: "sse" }, "stream_format"],
  ["a reference without a type", { ...say, input_references: [{ text: "a" }] }, "input_references.0.type"],
  ["two recordings", { ...say, input_references: [reference, reference] }, "input_references"],
  ["an unknown preference", { ...say, provider: { fastest: true } }, "provider.fastest"],
];

const spoken = { headers: { "content-type": "audio/pcm" }, pieces: [Buffer.from([0, 1])] };
const heard = {
  headers: { "content-type": "application/json" },
  pieces: [JSON.stringify({ text: "The gate is red.", usage: { type: "duration", seconds: 1 } })],
};

const audio = { data: wave(1).toString("base64"), format: "wav" };
const hear = { model: "studio/ear", input_audio: audio };
const transcriptions: readonly Case[] = [
  ["a recording", hear],
  ["a recording in a data URL", { ...hear, input_audio: { ...audio, data: `data:audio/wav;base64,${audio.data}` } }],
  ["a language, a format and a temperature", { ...hear, language: "en", response_format: "json", temperature: 0 }],
  [
    "members that are null",
    {
      ...hear,
      language: null,
      response_format: null,
      temperature: null,
      timestamp_granularities: null,
      prompt: null,
      stream: null,
      user: null,
      provider: null,
      session_id: null,
      trace: null,
    },
  ],
  ["a member of the vendor's", { ...hear, surprise: 1 }],
  ["no recording", { model: "studio/ear" }, "input_audio"],
  ["a recording that is a text", { ...hear, input_audio: audio.data }, "input_audio"],
  ["a recording without its format", { ...hear, input_audio: { data: audio.data } }, "input_audio.format"],
  ["a recording without its bytes", { ...hear, input_audio: { ...audio, data: "" } }, "input_audio.data"],
  ["subtitles", { ...hear, response_format: "srt" }, "response_format"],
  ["a stream", { ...hear, stream: true }, "stream"],
  ["a temperature beyond 2", { ...hear, temperature: 3 }, "temperature"],
  ["an unknown preference", { ...hear, provider: { fastest: true } }, "provider.fastest"],
];

const complete = { model: "acme/talk", prompt: "Once" };
const completions: readonly Case[] = [
  ["a prompt", complete],
  ["a prompt in a list", { ...complete, prompt: ["Once"] }],
  ["members that are null", { ...complete, echo: null, suffix: null, logprobs: null, messages: null, tools: null }],
  ["a member of the vendor's", { ...complete, surprise: 1 }],
  ["no prompt", { model: "acme/talk" }, "prompt"],
  ["two prompts", { ...complete, prompt: ["Once", "Twice"] }, "prompt"],
  ["token ids", { ...complete, prompt: [1, 2, 3] }, "prompt"],
  ["an echo", { ...complete, echo: true }, "echo"],
  ["an end to write toward", { ...complete, suffix: "the end" }, "suffix"],
  ["probabilities", { ...complete, logprobs: 2 }, "logprobs"],
  ["messages", { ...complete, messages: [] }, "messages"],
  ["too many tokens", { ...complete, max_tokens: 10_000_001 }, "max_tokens"],
];

const painted = {
  headers: { "content-type": "application/json" },
  pieces: [JSON.stringify({ created: 1, data: [{ b64_json: "iVBORw0KGgo=" }] })],
};

const paint = { model: "studio/painter", prompt: "A red gate" };
const images: readonly Case[] = [
  ["a prompt", paint],
  ["pixels that suit the proportions", { ...paint, size: "1536x1024", aspect_ratio: "3:2", resolution: "1K" }],
  ["a resolution as its size", { ...paint, size: "2K", quality: "high", n: 2 }],
  ["an image to work from", { ...paint, input_references: [image] }],
  [
    "members that are null",
    {
      ...paint,
      n: null,
      size: null,
      resolution: null,
      aspect_ratio: null,
      quality: null,
      background: null,
      output_format: null,
      output_compression: null,
      seed: null,
      input_references: null,
      stream: null,
      response_format: null,
      user: null,
      provider: null,
      session_id: null,
      trace: null,
    },
  ],
  ["a member of the vendor's", { ...paint, surprise: 1 }],
  ["no prompt", { model: "studio/painter" }, "prompt"],
  ["an empty prompt", { ...paint, prompt: "" }, "prompt"],
  ["no image", { ...paint, n: 0 }, "n"],
  ["half an image", { ...paint, n: 0.5 }, "n"],
  ["a size in words", { ...paint, size: "large" }, "size"],
  ["pixels of other proportions", { ...paint, size: "1024x1024", aspect_ratio: "16:9" }, "size"],
  ["pixels of another resolution", { ...paint, size: "1024x1024", resolution: "4K" }, "size"],
  ["transparency where there is none", { ...paint, background: "transparent", output_format: "jpeg" }, "output_format"],
  ["a compression beyond 100", { ...paint, output_compression: 101 }, "output_compression"],
  ["an image that is a text", { ...paint, input_references: ["a"] }, "input_references.0"],
  ["an address as the answer", { ...paint, response_format: "url" }, "response_format"],
  ["an unknown preference", { ...paint, provider: { fastest: true } }, "provider.fastest"],
];

/** The member that an answer calls wrong; Anthropic's form has it in its message alone. */
function memberIn({ error }: { error: { message: string; metadata?: { issues: { path: string }[] } } }): string {
  return error.metadata?.issues[0]?.path ?? error.message.split(" ")[0] ?? "";
}

describe.each([
  ["createEmbeddings", createEmbeddings, EmbeddingsBody, embeddings],
  ["createChatCompletion", createChatCompletion, ChatBody, chats],
  ["createCompletion", createCompletion, CompletionBody, completions],
  ["createRerank", createRerank, RerankBody, reranks],
  ["createResponse", createResponse, ResponsesBody, responses],
  ["createMessage", createMessage, MessagesBody, messages],
  ["countMessageTokens", countMessageTokens, CountBody, counts],
  ["createSpeech", createSpeech, SpeechBody, speeches],
  ["createTranscription", createTranscription, TranscriptionBody, transcriptions],
  ["createImage", createImage, ImageBody, images],
] as const)("%s takes what its schema takes", (_, endpoint, schema, cases) => {
  it.each(cases)("%s", async (_name, body, wrong) => {
    vendor().reset();
    vendor().settings.dimensions = 4;
    media().answer(endpoint === createSpeech ? spoken : endpoint === createImage ? painted : heard);
    const answer = await gateway.call("POST", endpoint.path, { key, body });
    const verdicts = { schema: schema.safeParse(body).success, endpoint: answer.status === 200 };
    expect(verdicts, answer.text.slice(0, 500)).toEqual({ schema: wrong === undefined, endpoint: wrong === undefined });
    if (wrong !== undefined) expect([answer.status, memberIn(answer.json)]).toEqual([400, wrong]);
  });
});

it("is published with its maximums", () => {
  const document = openApiDocument("https://gatehouse.example.com") as unknown as {
    components: { schemas: Record<string, Record<string, any>> }; // oxlint-disable-line typescript/no-explicit-any -- a document to look into
  };
  const { EmbeddingInput, EmbeddingsBody: body, ChatBody: chat } = document.components.schemas;
  expect(EmbeddingInput?.["anyOf"].map((form: { maxItems?: number }) => form.maxItems ?? null)).toEqual([
    null,
    mostInputs,
    null,
    mostInputs,
    mostInputs,
  ]);
  expect(Object.keys(body?.["properties"])).toEqual(expect.arrayContaining(["truncate", "truncation", "stream"]));
  expect(chat?.["properties"].messages).toMatchObject({ minItems: 1, maxItems: mostMessages });
});
