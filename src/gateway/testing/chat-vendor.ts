import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

type Json = Readonly<Record<string, unknown>>;

const chatAnswer = (content: string, logprobs: unknown = null) => ({
  id: "chat-1",
  object: "chat.completion",
  created: 1,
  model: "talk",
  choices: [{ index: 0, message: { role: "assistant", content }, logprobs, finish_reason: "stop" }],
  usage: { prompt_tokens: 3, completion_tokens: 1, total_tokens: 4 },
});
const messageAnswer = (text: string, thinking = "") => ({
  model: "claude",
  id: "msg_1",
  type: "message",
  role: "assistant",
  content: [
    { type: "thinking", thinking, signature: "c2lnbmVk" },
    { type: "text", text },
  ],
  stop_reason: "end_turn",
  stop_sequence: null,
  usage: { input_tokens: 3, output_tokens: 1 },
});
const responseOf = (text: string, thought = "") => ({
  id: "resp_1",
  object: "response",
  created_at: 1,
  status: "completed",
  model: "thinker",
  output: [
    { type: "reasoning", id: "rs_1", summary: [], encrypted_content: thought },
    { type: "message", id: "msg_1", role: "assistant", content: [{ type: "output_text", text, annotations: [] }] },
  ],
  usage: { input_tokens: 3, output_tokens: 1, total_tokens: 4 },
});
const painted = { created: 1, data: [{ b64_json: "iVBORw0KGgo=" }] };

/** What it answers otherwise, by the last word of the path. */
const plainAnswers: Readonly<Record<string, Json>> = {
  messages: messageAnswer("Hello"),
  responses: responseOf("Hello"),
  transcriptions: { text: "Hello" },
  images: painted,
  videos: { id: "v" },
  generations: painted,
  edits: painted,
};

/** What is asked for under `/KIND` of the address. */
export const vastKinds = [
  "text",
  "values",
  "strings",
  "stream-text",
  "stream-wide",
  "stream-values",
  "stream-arguments",
  "stream-lines",
  "stream-calls",
  "stream-choices",
];

/** How many inputs the vast answer to embeddings is for. */
export const vastInputs = 800;

/** One event of about 15 MB, and the end of its stream. */
const vastStream = (delta: object) => streamOf([{ index: 0, delta, finish_reason: "stop" }]);
const streamOf = (...events: readonly object[]) =>
  `${events.map((choices) => `data: ${JSON.stringify({ id: "chat-1", choices })}\n\n`).join("")}data: [DONE]\n\n`;

const namedStream = (...events: readonly Json[]) =>
  events.map((event) => `event: ${String(event["type"])}\ndata: ${JSON.stringify(event)}\n\n`).join("");
const toolCalls = (count: number, called: number) =>
  Array.from({ length: count }, (_, at) => ({ index: at % called, function: { arguments: `{"at":${at}}` } }));

/** Answers of about 32 MB, and streams, by the path that they are asked for under. */
const vastAnswers: Readonly<Record<string, () => string | Json>> = {
  // Each has an escape that could hide a part of a key.
  "/v1/strings/chat/completions": () =>
    JSON.stringify(chatAnswer("Hello")).replace("null", `[${`[${'"\\u0061",'.repeat(1_600_000)}""],`.repeat(3)}[]]`),
  "/v1/stream-text/chat/completions": () => vastStream({ content: "word \n".repeat(2_000_000) }),
  "/v1/stream-wide/chat/completions": () => vastStream({ content: "\u6f22".repeat(15_000_000) }),
  "/v1/stream-values/chat/completions": () =>
    vastStream({ content: "", surprise: Array.from({ length: 45_000 }, () => ["x".repeat(300)]) }),
  "/v1/stream-arguments/chat/completions": () =>
    vastStream({ tool_calls: [{ index: 0, function: { name: "f", arguments: "x\n".repeat(5_000_000) } }] }),
  "/v1/stream-lines/chat/completions": () => `${"data:\n".repeat(60_000)}data: {}\n\n${vastStream({ content: "a" })}`,
  "/v1/stream-calls/chat/completions": () => vastStream({ tool_calls: toolCalls(4_000, 1_000) }),
  "/v1/stream-choices/chat/completions": () =>
    streamOf(
      [{ index: 0, delta: { tool_calls: toolCalls(1_000, 1_000) } }],
      Array.from({ length: 4_000 }, () => ({ index: 0, delta: { content: "a" }, finish_reason: "stop" })),
    ),
  "/v1/vast/messages": () => messageAnswer("word … \n".repeat(2_000_000), "x".repeat(10_000_000)),
  "/v1/stream-vast/messages": () =>
    namedStream(
      { type: "message_start", message: { model: "claude", usage: { input_tokens: 3, output_tokens: 1 } } },
      { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "word … \n".repeat(1_500_000) } },
      { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 1 } },
      { type: "message_stop" },
    ),
  "/v1/vast/responses": () => responseOf("word … \n".repeat(2_000_000), "x".repeat(10_000_000)),
  // The text comes three times: in its piece, at its end, and in the whole answer.
  "/v1/stream-vast/responses": () => {
    const text = "word … \n".repeat(1_000_000);
    return namedStream(
      { type: "response.created", response: { ...responseOf(""), output: [] } },
      { type: "response.output_text.delta", output_index: 1, content_index: 0, delta: text },
      { type: "response.output_text.done", output_index: 1, content_index: 0, text },
      { type: "response.completed", response: responseOf(text) },
    );
  },
  "/v1/vast/images/generations": () => ({
    created: 1,
    data: Array.from({ length: 4 }, () => ({ b64_json: "A".repeat(10_000_000) })),
  }),
  "/v1/stream-vast/images/generations": () =>
    `data: ${JSON.stringify({ type: "image_generation.completed", created_at: 1, b64_json: "A".repeat(15_000_000) })}\n\n`,
  "/v1/text/chat/completions": () => chatAnswer("word 👩 \n".repeat(1_800_000), ["x".repeat(12_000_000)]),
  "/v1/values/chat/completions": () =>
    chatAnswer("Hello", {
      content: Array.from({ length: 400_000 }, (_, at) => ({
        token: `t${at}`,
        logprob: -0.0123456789,
        bytes: [116, 48],
      })),
    }),
  "/v1/text/embeddings": () => ({
    object: "list",
    data: Array.from({ length: vastInputs }, (_, index) => ({
      object: "embedding",
      index,
      embedding: Array.from({ length: 3_072 }, (__, at) => (at - 1_536) / 123_456.789),
    })),
    model: "embed",
    usage: { prompt_tokens: vastInputs, total_tokens: vastInputs },
  }),
};

/** A vendor that takes a request of any size and says hello; under /text and /values it says much. */
export async function startChatVendor(): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    request.resume();
    request.on("end", () => {
      const { url = "" } = request;
      const [operation = ""] = /[a-z]+$/.exec(url) ?? [];
      const answer = vastAnswers[url]?.() ?? plainAnswers[operation] ?? chatAnswer("Hello");
      const type = url.includes("/stream-") ? "text/event-stream" : "application/json";
      response
        .writeHead(200, { "content-type": type })
        .end(typeof answer === "string" ? answer : JSON.stringify(answer));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
