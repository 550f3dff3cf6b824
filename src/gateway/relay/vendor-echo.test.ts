import { describe, expect, it } from "vitest";
import { describeGateway } from "../testing/describe-gateway.ts";
import { exchange } from "../testing/exchange.ts";
import { makeKey } from "../testing/factories.ts";
import { withMediaVendor } from "../testing/scripted-setup.ts";
import type { ScriptedAnswer } from "../testing/scripted-vendor.ts";
import { chatForm } from "./chat/chat-form.ts";

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

/** What a vendor answers with these words in it. */
type Echo = (words: string, kind: (typeof kinds)[number]) => ScriptedAnswer;
let toJson: (value: object) => string = JSON.stringify;
const frame = (value: object) => `data: ${toJson(value)}\n\n`;
const stream = (...pieces: string[]): ScriptedAnswer => ({ headers: { "content-type": "text/event-stream" }, pieces });
const json = (value: object, status = 200, headers: Readonly<Record<string, string>> = {}): ScriptedAnswer => ({
  status,
  headers: { "content-type": "application/json", ...headers },
  pieces: [toJson(value)],
});
const choicesOf = (content: string, name: string) => [
  { index: 0, message: { role: "assistant", content, [name]: name }, finish_reason: "stop" },
];

const shapes: Readonly<Record<string, Echo>> = {
  "an error answer": (message) =>
    json({ error: { message, code: message }, message }, 401, { "x-echo": message.replaceAll(/[^ -~]/g, "") }),
  "an error answer that is no JSON": (message) => ({ status: 400, pieces: [`<html>${message}</html>`] }),
  "a stream's first event": (message, kind) => stream(frame(streamErrors[kind](message))),
  "the middle of a stream": (message, kind) => stream(frame(firstChunks[kind]), frame(streamErrors[kind](message))),
  "an error that comes in two pieces": (message, kind) => {
    const whole = frame(firstChunks[kind]) + frame(streamErrors[kind](message));
    const half = whole.indexOf(message) + Math.floor(message.length / 2);
    return stream(whole.slice(0, half), whole.slice(half));
  },
  "two chunks of what is said": (message) => {
    const chunk = (content: string) => frame({ choices: [{ index: 0, delta: { content }, finish_reason: null }] });
    const end = frame({ choices: [{ index: 0, delta: {}, finish_reason: message }] });
    return stream(chunk(message.slice(0, -18)), chunk(message.slice(-18)), end, "data: [DONE]\n\n");
  },
  "a whole answer": (content) => json({ id: content, choices: choicesOf(content, content), surprise: content }),
  "a long whole answer": (key) => {
    const content = `${"a word ".repeat(40_000)}${key}${" and more".repeat(10_000)}`;
    return json({ id: key, choices: choicesOf(content, key), surprise: [key] });
  },
};

/** Parts of the key, as it is and as it is written. */
const telltale = (write: (header: string) => string) => [
  secret.slice(0, 16),
  secret.slice(-16),
  write(`Bearer ${secret}`).slice(14, 32),
];
/** Expects that a text has no part of the key, whichever way it is read. */
const expectSilent = (text: string, write: (header: string) => string, named: string) =>
  expect(text, named).not.toSatisfy((said: string) =>
    telltale(write).some((part) => said.includes(part) || unescaped(said).includes(part)),
  );

describe("a vendor that repeats the key that it was sent", () => {
  it.each(Object.entries(shapes))("in %s: neither the caller nor the ledger has it", async (shape, echo) => {
    for (const [writing, write] of Object.entries(writings)) {
      toJson = writing === "in JSON's escapes" ? inEscapes : JSON.stringify;
      for (const kind of kinds) {
        if (kind !== "openai-compatible" && shape.includes("answer") && writing !== "plain") continue;
        const body = { model: "acme/talk", messages: [{ role: "user", content: "Hi" }] };
        const isStream = /stream|pieces|chunks/.test(shape);
        const answer = ({ headers }: { headers: Readonly<Record<string, string>> }) => {
          const sent = headers["authorization"] ?? headers["x-api-key"] ?? headers["x-goog-api-key"];
          return echo(write(String(sent)), kind);
        };
        const made = await exchange(chatForm, { ...body, stream: isStream }, answer, { kind, apiKey: secret });
        const { text, headers, refusal, entry } = made;
        const told = JSON.stringify([refusal?.message, refusal?.details]);
        const kept = JSON.stringify(entry, (_, value) => (typeof value === "bigint" ? String(value) : value));
        expect(entry, `${writing} ${kind}`).toBeDefined();
        for (const each of [text, JSON.stringify(headers), told, kept]) expectSilent(each, write, `${writing} ${kind}`);
      }
    }
  });

  it.each([1, 4, 9])("in chunks of %d characters: what is said all together has it not", async (size) => {
    const words = `You sent Bearer ${secret}!`;
    const pieces = words.match(new RegExp(`.{1,${size}}`, "gs")) ?? [];
    const chunks = pieces.map((content) => ({ choices: [{ index: 0, delta: { content }, finish_reason: null }] }));
    const answer = stream(...chunks.map((each) => `data: ${JSON.stringify(each)}\n\n`), "data: [DONE]\n\n");
    const body = { model: "acme/talk", messages: [{ role: "user", content: "Hi" }], stream: true };
    const { text } = await exchange(chatForm, body, answer, { apiKey: secret });
    const said = [...text.matchAll(/"content":"([^"]*)"/g)].map((match) => match[1]).join("");
    expect(said).toMatch(/^You sent Bearer .{0,11}\[key\].{0,5}!$/);
  });
});

describeGateway("a provider that repeats its key", (gateway) => {
  const pricing = { prompt: "0" };
  const vendor = withMediaVendor(gateway, {
    slug: "acme",
    api_key: secret,
    models: [
      { id: "acme/talk", upstream_id: "talk", type: "chat", pricing },
      { id: "acme/embed", upstream_id: "embed", type: "embedding", pricing },
    ],
  });

  it("neither the caller, its settings and their test, the log nor the store has it", async () => {
    const { key } = await makeKey(gateway());
    const data = (note: string) => [{ object: "embedding", index: 0, embedding: [0.5, -0.25], note }];
    const repeats: ((words: string) => object)[] = [
      (message) => ({ error: { message, code: message } }),
      (message) => ({
        object: "list",
        data: data(message),
        model: "embed",
        usage: { prompt_tokens: 1, total_tokens: 1 },
      }),
      (id) => ({ data: [{ id }, { id: "talk", [id]: id }] }),
    ];
    for (const writing of ["plain", "in base64", "in JSON's escapes"]) {
      toJson = writing === "in JSON's escapes" ? inEscapes : JSON.stringify;
      const write = writings[writing] ?? String;
      for (const [at, repeat] of repeats.entries()) {
        vendor().answer(({ headers }) => json(repeat(write(String(headers["authorization"]))), at === 0 ? 401 : 200));
        const body = { model: "acme/talk", messages: [{ role: "user", content: "Hi" }] };
        const seen = [
          await gateway().call("POST", "/chat/completions", { key, body }),
          await gateway().call("POST", "/embeddings", {
            key,
            body: { model: "acme/embed", input: `Hi ${writing} ${at}` },
          }),
          await gateway().call("POST", "/providers/acme/test"),
          await gateway().call("GET", "/provider-settings"),
        ];
        for (const { text } of seen) expectSilent(text, write, `${writing} ${at}`);
      }
    }
    const { rows } = await gateway().deps.store.pool.query("select l::text as row from ledger l");
    expect(rows.length).toBeGreaterThan(0);
    const kept = rows.map(({ row }) => String(row)).join("\n") + gateway().log();
    for (const write of Object.values(writings)) for (const part of telltale(write)) expect(kept).not.toContain(part);
  });
});
