import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CreateProviderBody, ProviderKind } from "#contract/providers.ts";
import { startGateway, type TestGateway } from "../testing/gateway.ts";
import { makeKey, makeProvider } from "../testing/factories.ts";

/** With signs that addresses and JSON escape. */
const secret = "sk-canary/0123+456789-abcdefgh_XYZ=end";
const kinds = ["openai-compatible", "anthropic", "gemini", "cohere"] as const;

const escaped = (text: string) =>
  text.replaceAll(/[A-Za-z0-9/+_-]/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`);
const unescaped = (text: string) =>
  text
    .replaceAll(/\\+u00([0-9a-f]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replaceAll(/&(?:amp;)?#(x?)([0-9a-f]+);/g, (_, x: string, code: string) =>
      String.fromCharCode(Number.parseInt(code, x === "" ? 10 : 16)),
    )
    .replaceAll(/\u200b|\\+u2060/g, "");
/** JSON whose names and texts are written in escapes. */
const inEscapes = (value: object) => JSON.stringify(value).replaceAll(/"[^"\\]*"/g, escaped);

/** How a vendor, or a proxy in front of it, writes the header that it was sent. */
const writings: Readonly<Record<string, (header: string) => string>> = {
  plain: (header) => header,
  "in base64": (header) => Buffer.from(`authorization: ${header}`).toString("base64"),
  "in base64 for addresses": (header) => Buffer.from(`x${header}`).toString("base64url"),
  "for an address": (header) => encodeURIComponent(header),
  "with escaped slashes": (header) => header.replaceAll("/", "\\/"),
  "in HTML's entities": (header) => inEntities(header, (code) => `&#${code};`),
  "in HTML's entities of an entity": (header) => inEntities(header, (code) => `&amp;#x${code.toString(16)};`),
  "with signs without a width": (header) => [...header].join("\u200b"),
  "with signs without a width, in escapes": (header) => [...header].join("\\u2060"),
  "broken off": (header) => header.slice(0, -6),
  "in JSON's escapes": (header) => header,
  "in JSON's escapes, as a text": (header) => header.replace(secret, escaped(secret)),
};

const inEntities = (text: string, write: (code: number) => string) =>
  text.replaceAll(/[A-Za-z0-9/+_-]/g, (sign) => write(sign.charCodeAt(0)));

/** What a vendor's stream says when it goes wrong. */
const streamErrors: Readonly<Record<(typeof kinds)[number], (words: string) => object>> = {
  "openai-compatible": (message) => ({ error: { message, code: message, type: "server_error" } }),
  anthropic: (message) => ({ type: "error", error: { type: message, message } }),
  gemini: (message) => ({ error: { code: 500, message, status: message } }),
  cohere: (message) => ({ type: "message-end", delta: { finish_reason: "ERROR", error: message } }),
};
const firstChunks: Readonly<Record<(typeof kinds)[number], object>> = {
  "openai-compatible": { choices: [{ index: 0, delta: { content: "Hello" } }] },
  anthropic: { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hello" } },
  gemini: { candidates: [{ content: { parts: [{ text: "Hello" }] }, index: 0 }] },
  cohere: { type: "content-delta", index: 0, delta: { message: { content: { text: "Hello" } } } },
};

type Echo = (response: ServerResponse, words: string, kind: (typeof kinds)[number]) => void;
let toJson: (value: object) => string = JSON.stringify;
const frame = (value: object) => `data: ${toJson(value)}\n\n`;

const shapes: Readonly<Record<string, Echo>> = {
  "an error answer": (response, message) => {
    response.writeHead(401, { "content-type": "application/json", "x-echo": message.replaceAll(/[^ -~]/g, "") });
    response.end(toJson({ error: { message, code: message }, message }));
  },
  "an error answer that is no JSON": (response, message) => response.writeHead(400).end(`<html>${message}</html>`),
  "a stream's first event": (response, message, kind) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(frame(streamErrors[kind](message)));
  },
  "the middle of a stream": (response, message, kind) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(frame(firstChunks[kind]) + frame(streamErrors[kind](message)));
  },
  "an error that comes in two pieces": (response, message, kind) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    const whole = frame(firstChunks[kind]) + frame(streamErrors[kind](message));
    const half = whole.indexOf(message) + Math.floor(message.length / 2);
    response.write(whole.slice(0, half), () => setImmediate(() => response.end(whole.slice(half))));
  },
  "two chunks of what is said": (response, message) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const content of [message.slice(0, -18), message.slice(-18)]) {
      response.write(frame({ choices: [{ index: 0, delta: { content }, finish_reason: null }] }));
    }
    response.end(`${frame({ choices: [{ index: 0, delta: {}, finish_reason: message }] })}data: [DONE]\n\n`);
  },
  "a whole answer": (response, content) => {
    response.writeHead(200, { "content-type": "application/json" });
    const choices = [{ index: 0, message: { role: "assistant", content, [content]: content }, finish_reason: "stop" }];
    response.end(toJson({ id: content, choices, surprise: content }));
  },
  "a long whole answer": (response, key) => {
    response.writeHead(200, { "content-type": "application/json" });
    const content = `${"a word ".repeat(40_000)}${key}${" and more".repeat(10_000)}`;
    const choices = [{ index: 0, message: { role: "assistant", content, [key]: key }, finish_reason: "stop" }];
    response.end(toJson({ id: key, choices, surprise: [key] }));
  },
  "vectors whose bytes are passed on": (response, message) => {
    response.writeHead(200, { "content-type": "application/json" });
    const data = [{ object: "embedding", index: 0, embedding: [0.5, -0.25], note: message }];
    response.end(toJson({ object: "list", data, model: "embed", usage: { prompt_tokens: 1, total_tokens: 1 } }));
  },
  "an answer with models": (response, id) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(toJson({ data: [{ id }, { id: "talk", [id]: id }] }));
  },
};

describe("a vendor that repeats the key that it was sent", () => {
  let gateway: TestGateway;
  let server: Server;
  let answer: (request: IncomingMessage, response: ServerResponse) => void = () => {};
  const models = (kind: ProviderKind): CreateProviderBody["models"] => [
    { id: `${kind}/talk`, upstream_id: "talk", type: "chat", pricing: { prompt: "0" } },
    ...(kind === "anthropic"
      ? []
      : [{ id: `${kind}/embed`, upstream_id: "embed", type: "embedding" as const, pricing: { prompt: "0" } }]),
  ];

  beforeAll(async () => {
    server = createServer((request, response) => void request.resume().on("end", () => answer(request, response)));
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
    const base_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    gateway = await startGateway();
    for (const kind of kinds) {
      await makeProvider(gateway, { slug: kind, kind, base_url, api_key: secret, models: models(kind) });
    }
  });
  afterAll(async () => {
    await gateway.close();
    server.closeAllConnections();
    server.close();
  });

  /** Parts of the key, as it is and as it is written. */
  const telltale = (write: (header: string) => string) => [
    secret.slice(0, 16),
    secret.slice(-16),
    write(`Bearer ${secret}`).slice(14, 32),
  ];

  it.each(Object.entries(shapes))("in %s: neither the caller, the log nor the store has it", async (shape, echo) => {
    const { key } = await makeKey(gateway);
    const seen: string[] = [];
    for (const [writing, write] of Object.entries(writings)) {
      toJson = writing === "in JSON's escapes" ? inEscapes : JSON.stringify;
      for (const kind of kinds) {
        if (kind !== "openai-compatible" && shape.includes("answer") && writing !== "plain") continue;
        answer = ({ headers }, response) => {
          const sent = headers["authorization"] ?? headers["x-api-key"] ?? headers["x-goog-api-key"];
          echo(response, write(String(sent)), kind);
        };
        const body = { model: `${kind}/talk`, messages: [{ role: "user", content: "Hi" }] };
        const stream = /stream|pieces|chunks/.test(shape);
        seen.push((await gateway.call("POST", "/chat/completions", { key, body: { ...body, stream } })).text);
        if (kind === "openai-compatible" && !stream) {
          const input = { model: `${kind}/embed`, input: "Hi" };
          seen.push((await gateway.call("POST", "/embeddings", { key, body: input })).text);
          seen.push((await gateway.call("POST", `/providers/${kind}/test`)).text);
        }
        seen.push((await gateway.call("GET", "/provider-settings")).text);
        expect(seen.join("\n"), `${writing} ${kind}`).not.toSatisfy((text: string) =>
          telltale(write).some((part) => text.includes(part) || unescaped(text).includes(part)),
        );
        seen.length = 0;
      }
    }
    const { rows } = await gateway.deps.store.pool.query("select l::text as row from ledger l");
    const kept = rows.map(({ row }) => String(row)).join("\n") + gateway.log();
    expect(rows.length).toBeGreaterThan(0);
    for (const write of Object.values(writings)) for (const part of telltale(write)) expect(kept).not.toContain(part);
  });

  it.each([1, 4, 9])("in chunks of %d characters: what is said all together has it not", async (size) => {
    const { key } = await makeKey(gateway);
    answer = ({ headers }, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      const words = `You sent ${String(headers["authorization"])}!`;
      for (let from = 0; from < words.length; from += size) {
        const delta = { content: words.slice(from, from + size) };
        response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: null }] })}\n\n`);
      }
      response.end("data: [DONE]\n\n");
    };
    const messages = [{ role: "user", content: "Hi" }];
    const body = { model: "openai-compatible/talk", messages, stream: true };
    const { text } = await gateway.call("POST", "/chat/completions", { key, body });
    const said = [...text.matchAll(/"content":"([^"]*)"/g)].map((match) => match[1]).join("");
    expect(said).toMatch(/^You sent Bearer .{0,11}\[key\].{0,5}!$/);
  });
});
