// A vendor that costs as little as it can: fixed answers over plain sockets. A process of its own, for the benches of the relay.
// Usage: node bench/relay-vendor.ts; prints its port.
import { createServer, type Socket, type AddressInfo } from "node:net";
import { requestReader } from "./relay-wire.ts";

const dimensions = 1536;

/** A vector's JSON as OpenAI writes it: about 17 kB for 1,536 numbers. */
function vector(seed: number): string {
  let state = seed;
  const numbers = Array.from({ length: dimensions }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state / 2 ** 33 - 0.25).toFixed(8);
  });
  return `[${numbers.join(",")}]`;
}

function base64(seed: number): string {
  const floats = Float32Array.from(JSON.parse(vector(seed)) as number[]);
  return `"${Buffer.from(floats.buffer).toString("base64")}"`;
}

function embeddings(count: number, written: (seed: number) => string): Buffer {
  const data = Array.from(
    { length: count },
    (_, index) => `{"object":"embedding","index":${index},"embedding":${written(index + 1)}}`,
  );
  const usage = `{"prompt_tokens":${count * 8},"total_tokens":${count * 8}}`;
  return answer(`{"object":"list","data":[${data.join(",")}],"model":"embed-small","usage":${usage}}`);
}

function answer(json: string): Buffer {
  return Buffer.from(
    `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(json)}\r\n\r\n${json}`,
  );
}

const inNumbers = { one: embeddings(1, vector), many: embeddings(256, vector) };
const inBase64 = { one: embeddings(1, base64), many: embeddings(256, base64) };
const chat = answer(
  '{"id":"chatcmpl-1","object":"chat.completion","created":1700000000,"model":"talk","choices":[{"index":0,"message":{"role":"assistant","content":"word word word"},"finish_reason":"stop"}],"usage":{"prompt_tokens":8,"completion_tokens":20,"total_tokens":28}}',
);

const chunk = (delta: object, finish: string | null) =>
  `data: ${JSON.stringify({ id: "chatcmpl-1", object: "chat.completion.chunk", created: 1_700_000_000, model: "talk", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
const usageChunk =
  'data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1700000000,"model":"talk","choices":[],"usage":{"prompt_tokens":8,"completion_tokens":20,"total_tokens":28}}\n\ndata: [DONE]\n\n';
const streamHead = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n";
const framed = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;

/** `"pace":ms` in the request's body spreads the 20 chunks; without it they come at once. */
async function stream(socket: Socket, body: string) {
  const pace = Number(/"pace":(\d+)/.exec(body)?.[1] ?? 0);
  socket.write(streamHead + framed(chunk({ role: "assistant", content: "" }, null)));
  for (let index = 0; index < 20; index += 1) {
    if (pace > 0) await new Promise((resolve) => setTimeout(resolve, pace));
    socket.write(framed(chunk({ content: " word" }, null)));
  }
  socket.write(`${framed(chunk({}, "stop"))}${framed(usageChunk)}0\r\n\r\n`);
}

const server = createServer((socket) => {
  socket.setNoDelay(true);
  socket.on("error", () => {});
  requestReader(socket, (head, body) => {
    const text = body.toString("latin1");
    if (head.includes("/chat/completions")) {
      if (/"stream": *true/.test(text)) void stream(socket, text);
      else socket.write(chat);
      return;
    }
    const vectors = /"encoding_format": *"base64"/.test(text) ? inBase64 : inNumbers;
    socket.write(body.length > 2_000 ? vectors.many : vectors.one);
  });
});
server.listen(0, "127.0.0.1", () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
