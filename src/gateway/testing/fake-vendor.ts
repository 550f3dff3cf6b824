import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { pipeline } from "node:stream/promises";
import { setTimeout as wait } from "node:timers/promises";
import {
  cohereEmbed,
  cohereRerank,
  defaultSettings,
  geminiEmbed,
  jinaRerank,
  openAiChat,
  openAiEmbeddings,
  openAiError,
  teiRerank,
  type VendorAnswer,
  type VendorRequest,
  type VendorSettings,
} from "./vendor-answers.ts";
import { createRateMeter, type RateMeter } from "./vendor-rates.ts";
import { anthropicMessages, cohereChat, geminiChat } from "./vendor-chats.ts";

/** The ways in which an answer can fail. */
export type VendorFault =
  /** an error answer in OpenAI's form */
  | {
      readonly type: "status";
      readonly status: number;
      readonly retryAfter?: string;
      readonly code?: string;
      readonly message?: string;
    }
  /** takes the request and never answers */
  | { readonly type: "hang" }
  /** sends the head, then a byte at a time */
  | { readonly type: "dribble"; readonly everyMs: number }
  /** cuts the connection after this many bytes of the body */
  | { readonly type: "cut"; readonly afterBytes: number }
  /** ends in good order after half of the length it announced */
  | { readonly type: "short" }
  /** sends this much, well-formed but for its size */
  | { readonly type: "huge"; readonly bytes: number }
  | { readonly type: "body"; readonly body: string; readonly contentType?: string }
  /** a stream's error event after this many frames, then the end */
  | { readonly type: "stream-error"; readonly afterFrames: number; readonly code?: string | number }
  /** closes the connection at once */
  | { readonly type: "reset" };

export interface FakeVendor {
  /** the base URL for OpenAI's dialect; the others' are `url` with /cohere/v2, /gemini/v1beta and /anthropic/v1 */
  readonly baseUrl: string;
  readonly url: string;
  /** the latest requests, in order: all of them up to 2,000 */
  readonly requests: VendorRequest[];
  /** model calls (POST) since the start or the last reset */
  calls(): number;
  /** change them at will */
  readonly settings: VendorSettings;
  /** model calls under way right now */
  inFlight(): number;
  /** connections that the other side left before the answer was over */
  abandoned(): number;
  /** requests that it refused for its rates */
  limited(): number;
  /** the next `times` model calls go wrong like this; without `times` all do; null: none */
  fail(fault: VendorFault | null, times?: number): void;
  /** milliseconds before an answer begins, and between two frames of a stream */
  delay(ms: { first?: number; between?: number }): void;
  /** Holds answers and error statuses back until what it returns is called: plain ones wholly, streams after so many frames; default: 2. */
  hold(frames?: number): () => void;
  reset(): void;
  close(): Promise<void>;
}

/** A vendor on this machine that speaks the documented bytes, and goes wrong on demand. */
export async function startFakeVendor({
  port = 0,
  apiKey = null,
}: { port?: number; apiKey?: string | null } = {}): Promise<FakeVendor> {
  const requests: VendorRequest[] = [];
  const settings: VendorSettings = { ...defaultSettings };
  let fault: { readonly fault: VendorFault; left: number } | null = null;
  let delays = { first: 0, between: 0 };
  let held: Promise<void> | null = null;
  let heldAfter = 2;
  let inFlight = 0;
  let calls = 0;
  let abandoned = 0;
  let meter: RateMeter = createRateMeter();
  let limited = 0;

  function takeFault(): VendorFault | null {
    if (fault === null) return null;
    const current = fault.fault;
    fault.left -= 1;
    if (fault.left <= 0) fault = null;
    return current;
  }

  const server = createServer((request, response) => {
    inFlight += 1;
    response.once("close", () => {
      inFlight -= 1;
      if (!response.writableFinished) abandoned += 1;
    });
    void respond(request, response).catch(() => response.destroy());
  });

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const received: VendorRequest = {
      method: request.method ?? "",
      path: request.url ?? "",
      headers: request.headers,
      body: await readJson(request),
    };
    if (received.method === "POST") calls += 1;
    requests.push(received);
    if (requests.length > 2_000) requests.splice(0, 1_000);
    if (apiKey !== null && !authorized(received, apiKey))
      return await send(response, openAiError(401, "Incorrect API key provided.", "invalid_api_key"), delays);
    if (settings.rates !== null && received.path.endsWith("/embeddings")) {
      if (!meter.admit(received, response, settings.rates)) {
        limited += 1;
        return await send(response, openAiError(429, "Rate limit reached", "rate_limit_exceeded"), delays);
      }
    }
    const wrong = request.method === "POST" ? takeFault() : null;
    if (delays.first > 0) await wait(delays.first);
    if (wrong?.type === "status") await held;
    if (wrong) await misbehave(response, wrong, () => answerTo(received, settings));
    else
      await send(response, answerTo(received, settings), delays, received.method === "POST" ? held : null, heldAfter);
  }

  // Only the other side ends an idle connection: ended here, it could take a request with it.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => void server.listen(port, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    baseUrl: `${url}/v1`,
    requests,
    settings,
    calls: () => calls,
    inFlight: () => inFlight,
    abandoned: () => abandoned,
    limited: () => limited,
    fail: (next, times = Number.POSITIVE_INFINITY) =>
      void (fault = next === null ? null : { fault: next, left: times }),
    delay: ({ first = 0, between = 0 }) => void (delays = { first, between }),
    hold(frames = 2) {
      heldAfter = frames;
      const { promise, resolve } = Promise.withResolvers<void>();
      held = promise;
      return () => {
        held = null;
        resolve();
      };
    },
    reset() {
      requests.length = 0;
      calls = 0;
      fault = null;
      delays = { first: 0, between: 0 };
      abandoned = 0;
      meter = createRateMeter();
      limited = 0;
      held = null;
      Object.assign(settings, defaultSettings);
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => void server.close(resolve));
    },
  };
}

function authorized({ headers }: VendorRequest, apiKey: string): boolean {
  return [headers["authorization"], headers["x-api-key"], headers["x-goog-api-key"], headers["api-key"]].some(
    (value) => value === apiKey || value === `Bearer ${apiKey}`,
  );
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return pieces.length === 0 ? null : JSON.parse(Buffer.concat(pieces).toString("utf8"));
}

function answerTo(request: VendorRequest, settings: VendorSettings): VendorAnswer {
  const path = request.path.split("?")[0] ?? "";
  if (request.method === "GET" && path.endsWith("/models")) {
    const list = [
      { id: "embed-small", object: "model" },
      { id: "talk", object: "model" },
    ];
    return { type: "json", status: 200, json: JSON.stringify({ object: "list", data: list }) };
  }
  if (path.endsWith("/embeddings")) return openAiEmbeddings(request, settings);
  if (path.endsWith("/chat/completions")) return openAiChat(request, settings);
  if (path.endsWith("/v2/chat")) return cohereChat(request, settings);
  if (path.endsWith("/v1/messages")) return anthropicMessages(request, settings);
  if (path.endsWith(":generateContent") || path.endsWith(":streamGenerateContent"))
    return geminiChat(request, settings);
  if (path.endsWith("/v2/rerank")) return cohereRerank(request);
  if (path.endsWith("/v1/rerank")) return jinaRerank(request, settings);
  if (path.endsWith("/rerank")) return teiRerank(request);
  if (path.endsWith("/embed")) return cohereEmbed(request, settings);
  if (path.endsWith(":batchEmbedContents")) return geminiEmbed(request, settings);
  return openAiError(404, `Unknown request URL: ${request.method} ${path}`, "unknown_url");
}

async function send(
  response: ServerResponse,
  answer: VendorAnswer,
  delays: { between: number },
  held: Promise<void> | null = null,
  heldAfter = 0,
): Promise<void> {
  if (answer.type === "json") {
    await held;
    const body = Buffer.from(answer.json);
    response.writeHead(answer.status, { "content-type": "application/json", "content-length": body.length });
    response.end(body);
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const [index, frame] of answer.frames.entries()) {
    if (index === heldAfter) await held;
    if (response.destroyed) return;
    response.write(frame);
    if (delays.between > 0) await wait(delays.between);
  }
  response.end();
}

async function misbehave(response: ServerResponse, fault: VendorFault, answer: () => VendorAnswer): Promise<void> {
  const right = (): Buffer => {
    const made = answer();
    return Buffer.from(made.type === "json" ? made.json : made.frames.join(""));
  };
  switch (fault.type) {
    case "status": {
      if (fault.retryAfter !== undefined) response.setHeader("retry-after", fault.retryAfter);
      return await send(
        response,
        openAiError(fault.status, fault.message ?? "The fake vendor was told to fail", fault.code ?? null),
        { between: 0 },
      );
    }
    case "hang":
      return;
    case "reset":
      response.destroy();
      return;
    case "dribble": {
      response.writeHead(200, { "content-type": "application/json" });
      for (const byte of right()) {
        if (response.destroyed) return;
        response.write(Buffer.of(byte));
        await wait(fault.everyMs);
      }
      response.end();
      return;
    }
    case "cut": {
      const body = right();
      response.writeHead(200, {
        "content-type": answer().type === "json" ? "application/json" : "text/event-stream",
        "content-length": body.length,
      });
      response.write(body.subarray(0, fault.afterBytes), () => response.destroy());
      return;
    }
    case "short": {
      const body = right();
      response.strictContentLength = false;
      response.writeHead(200, { "content-type": "application/json", "content-length": body.length });
      response.write(body.subarray(0, Math.floor(body.length / 2)), () => response.socket?.end());
      return;
    }
    case "huge": {
      response.writeHead(200, { "content-type": "application/json" });
      await pipeline(padding(fault.bytes), response).catch(() => {});
      return;
    }
    case "body":
      response.writeHead(200, { "content-type": fault.contentType ?? "application/json" });
      response.end(fault.body);
      return;
    case "stream-error": {
      const made = answer();
      const frames = made.type === "stream" ? made.frames.slice(0, fault.afterFrames) : [];
      const error = `data: {"error":{"message":"The server had an error while processing your request","type":"server_error","code":${JSON.stringify(fault.code ?? null)}}}\n\n`;
      return await send(response, { type: "stream", frames: [...frames, error] }, { between: 0 });
    }
  }
}

function* padding(bytes: number): Generator<string | Buffer> {
  yield '{"object":"list","data":[],"padding":"';
  const piece = Buffer.alloc(65_536, "x");
  for (let sent = 0; sent < bytes; sent += piece.length) yield piece;
  yield '"}';
}

/** As a process of its own, for benches: `node src/gateway/testing/fake-vendor.ts [port]` prints its base URL. */
if (import.meta.main) {
  const vendor = await startFakeVendor({ port: Number(process.argv[2] ?? 0) });
  process.stdout.write(`${vendor.baseUrl}\n`);
}
