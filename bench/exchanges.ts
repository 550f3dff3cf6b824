// What translation between dialects keeps. Recorded exchanges with vendors go through a gateway whose provider speaks
// another dialect: each value of a request has to arrive at the provider, and each value of an answer at the caller, or
// its member has to be one of which the docs say that it is left out or comes in other words.
// Usage: node bench/exchanges.ts FOLDER, of recordings in the form of VCR (YAML files with `interactions`)
import { readdirSync, readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { parse } from "yaml";
import { createKey } from "#contract/keys.ts";
import { createProvider } from "#contract/providers.ts";
import { apiOf } from "#gateway/testing/api-client.ts";
import { printTable } from "./figures.ts";
import { startGateway } from "./harness.ts";

type Dialect = "chat" | "messages" | "responses";
type Members = Record<string, unknown>;

interface Exchange {
  readonly dialect: Dialect;
  readonly request: Members;
  /** a JSON document, or the text of a stream */
  readonly answer: unknown;
}

const paths: readonly (readonly [RegExp, Dialect])[] = [
  [/\/v1\/messages(\?.*)?$/, "messages"],
  [/\/responses$/, "responses"],
  [/\/chat\/completions$/, "chat"],
];

interface Recording {
  interactions?: {
    request?: { uri: string; parsed_body?: unknown };
    response?: { parsed_body?: unknown; body?: { string?: unknown }; status: { code: number } };
  }[];
}

function* exchangesIn(folder: string): Generator<Exchange> {
  for (const name of readdirSync(folder).filter((each) => each.endsWith(".yaml"))) {
    const text = readFileSync(join(folder, name), "utf8");
    if (!/^ +uri: .*(messages|responses|completions)/m.test(text)) continue;
    const { interactions = [] } = parse(text, { logLevel: "silent" }) as Recording;
    for (const { request, response } of interactions) {
      const dialect = paths.find(([uri]) => uri.test(request?.uri ?? ""))?.[1];
      const body = request?.parsed_body;
      const answer = response?.parsed_body ?? response?.body?.string;
      const isText = typeof answer === "string" || (typeof answer === "object" && !(answer instanceof Uint8Array));
      if (dialect === undefined || response?.status.code !== 200 || !isText) continue;
      if (typeof body === "object" && body !== null) yield { dialect, request: body as Members, answer };
    }
  }
}

type Leaf = readonly [path: string, value: string | number | boolean];

function leavesOf(value: unknown, path = ""): Leaf[] {
  // "{}" are the arguments of a call without any
  if (value === null || value === undefined || value === "" || value === "{}") return [];
  if (Array.isArray(value)) return value.flatMap((each) => leavesOf(each, `${path}[]`));
  if (typeof value === "object") {
    return Object.entries(value).flatMap(([name, each]) => leavesOf(each, path === "" ? name : `${path}.${name}`));
  }
  return [[path, value as string]];
}

const withoutEscapes = (text: string) => text.replaceAll(/\\+|\s+/g, "");

/** The leaves whose values are nowhere in what arrived. Text may be part of a longer one, such as a call's arguments. */
function missing(sent: unknown, arrived: unknown): Leaf[] {
  const values = leavesOf(arrived).map(([, value]) => String(value));
  const text = withoutEscapes(values.join("\n"));
  return leavesOf(sent).filter(([, value]) => {
    if (typeof value === "boolean") return !values.includes(String(value));
    const wanted = withoutEscapes(String(value));
    return !text.includes(wanted) && !text.includes(wanted.replace(/^data:[^,]*,/, ""));
  });
}

/** What the pieces of a stream say together: the texts of each block, choice or item, its names and its ids. */
function joined(stream: string): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const line of stream.split(/\r?\n/)) {
    if (!line.startsWith("data:") || line.includes("[DONE]")) continue;
    const event = JSON.parse(line.slice(5)) as Members;
    const leaves = leavesOf(event);
    // chat numbers choices and their calls, messages blocks, responses items and parts
    const places = leaves.filter(([path]) => /(^|\.)(index|output_index|content_index)$/.test(path));
    const place = places.map(([, value]) => value).join(".");
    for (const [path, value] of leaves) {
      const grows = /delta.*(content|text|thinking|reasoning|arguments|partial_json|signature)$|^delta$/.test(path);
      const names = /(tool_calls\[\]|function|content_block|item)\.(id|call_id|name|signature)$/.test(path);
      if (typeof value !== "string" || !(grows || names)) continue;
      const at = grows ? `${path}#${String(event["type"])} ${place}` : `${path}#${value}`;
      texts[at] = grows ? (texts[at] ?? "") + value : value;
    }
  }
  return texts;
}

/** Members that the docs name: left out, made anew by the gateway, or said in the other dialect's own words. */
const said: Record<string, readonly RegExp[]> = {
  "request: messages → chat": [
    /\btype$/, // the parts' names in their dialect
    /cache_control|context_management|task_budget|metadata|defer_loading|is_error|display|media_type|budget_tokens/,
  ],
  "request: responses → chat": [
    /\btype$|^include|^input\[\]\.(id|status|phase)|^reasoning\.(summary|context)/,
    /^input\[\]\.(content|summary)\[\]\.text$/, // thoughts without a signature
  ],
  "request: chat → messages": [
    /\btype$|\brole$|strict$|^tool_choice$|^response_format\.json_schema\.(name|description)/,
    /^(reasoning_effort|reasoning_format|service_tier|prompt_cache_key|frequency_penalty|presence_penalty)$/,
    /^search_settings|reasoning(_content)?$/,
  ],
  // the rest of each is what tools of the provider's own make: they are not asked for in another dialect
  "messages →": [
    /\btype$|^id$|^model$|^role$|^stop_(reason|sequence)$|^usage|citation|^container|caller|server_name/,
    /^content\[\]\.(content|tool_use_id|id|name|input)|^content_block\.(id|name)$|^delta\.content$/,
  ],
  "chat →": [
    /\btype$|\brole$|^(id|object|created|model|provider|system_fingerprint|service_tier|x_groq|time_info)/,
    /finish_reason$|^usage|executed_tools|\.(seed|closed|stop_reason|channel)$/,
  ],
};

interface Tally {
  sent: number;
  whole: number;
  refused: number;
  readonly named: Map<string, number>;
  readonly unsaid: Map<string, string>;
  readonly refusals: Map<string, number>;
}
const tallies = new Map<string, Tally>();
const more = (counts: Map<string, number>, name: string) => counts.set(name, (counts.get(name) ?? 0) + 1);

function note(way: string, { status, answer }: Answer, lost: () => Leaf[]): void {
  const empty = { sent: 0, whole: 0, refused: 0, named: new Map(), unsaid: new Map(), refusals: new Map() };
  const tally: Tally = tallies.get(way) ?? empty;
  tallies.set(way, tally);
  tally.sent += 1;
  if (status !== 200) {
    const { error } = answer as { error: { message: string } };
    tally.refused += 1;
    more(tally.refusals, `${status} ${error.message.replaceAll(/\d+/g, "n").slice(0, 120)}`);
    return;
  }
  const rules = Object.entries(said).flatMap(([name, each]) => (way.includes(name) ? each : []));
  const leaves = lost().map(([path, value]) => [path.replace(/#.*/, ""), value] as const);
  const unsaid = leaves.filter(([path]) => !rules.some((rule) => rule.test(path)));
  if (unsaid.length === 0) tally.whole += 1;
  for (const [path] of leaves) more(tally.named, path);
  for (const [path, value] of unsaid) tally.unsaid.set(path, String(value).slice(0, 80));
}

interface Answer {
  readonly status: number;
  readonly answer: unknown;
}

const [folder = ""] = process.argv.slice(2);
const vendorSays: { next: unknown; received: unknown } = { next: null, received: null };
const vendor = createServer((request, response) => void answerAsVendor(request, response));

async function answerAsVendor(request: IncomingMessage, response: ServerResponse): Promise<void> {
  vendorSays.received = await json(request);
  const { next } = vendorSays;
  response.writeHead(200, { "content-type": typeof next === "string" ? "text/event-stream" : "application/json" });
  response.end(typeof next === "string" ? next : JSON.stringify(next));
}
await new Promise<void>((resolve) => void vendor.listen(0, "127.0.0.1", resolve));
const base_url = `http://127.0.0.1:${(vendor.address() as AddressInfo).port}/v1`;

await using gateway = await startGateway({ env: { GATEHOUSE_LOG_LEVEL: "silent" } });
const api = apiOf(gateway);
for (const [slug, kind] of [
  ["plain", "openai-compatible"],
  ["claude", "anthropic"],
] as const) {
  const model = {
    id: `${slug}/model`,
    upstream_id: "model",
    type: "chat" as const,
    context_length: 1_000_000,
    max_completion_tokens: 128_000,
    input_modalities: ["text" as const, "image" as const, "file" as const],
    pricing: { prompt: "0.0000001", completion: "0.0000002" },
  };
  await api(createProvider, {
    body: { slug, name: slug, kind, base_url, api_key: "sk-0123456789abcdef", models: [model] },
  });
}
const { key } = await api(createKey, { body: { name: "exchanges" } });

const operations: Record<Dialect, string> = {
  chat: "/chat/completions",
  messages: "/messages",
  responses: "/responses",
};

async function ask(dialect: Dialect, body: Members): Promise<Answer> {
  const answer = await fetch(`${gateway.url}/api/v1${operations[dialect]}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  const isStream = answer.headers.get("content-type")?.startsWith("text/event-stream") === true;
  return { status: answer.status, answer: isStream ? joined(text) : (JSON.parse(text) as unknown) };
}

const plainAnswers = {
  chat: {
    object: "chat.completion",
    choices: [{ index: 0, message: { role: "assistant", content: "Hello" }, finish_reason: "stop" }],
    usage: { prompt_tokens: 1, completion_tokens: 1 },
  },
  messages: {
    type: "message",
    role: "assistant",
    content: [{ type: "text", text: "Hello" }],
    stop_reason: "end_turn",
    usage: { input_tokens: 1, output_tokens: 1 },
  },
};
const modelOf = { chat: "plain/model", messages: "claude/model" };

/** Sends a recorded request to a provider of another dialect. */
async function replayRequest({ dialect, request }: Exchange, to: "chat" | "messages"): Promise<void> {
  vendorSays.next = plainAnswers[to];
  const { model: _, stream: __, stream_options: ___, ...rest } = request;
  const answer = await ask(dialect, { ...rest, model: modelOf[to] });
  note(`request: ${dialect} → ${to}`, answer, () => missing(rest, vendorSays.received));
}

/** Has a provider give a recorded answer to a caller of another dialect. */
async function replayAnswer({ answer: recorded }: Exchange, from: "chat" | "messages", to: Dialect): Promise<void> {
  vendorSays.next = recorded;
  const stream = typeof recorded === "string";
  const question = [{ role: "user", content: "Hello" }];
  const asked = to === "responses" ? { input: question } : { messages: question, max_tokens: 64_000 };
  const answer = await ask(to, { model: modelOf[from], stream, ...asked });
  const sent = stream ? joined(recorded) : recorded;
  note(`${stream ? "stream" : "answer"}: ${from} → ${to}`, answer, () => missing(sent, answer.answer));
}

for (const exchange of exchangesIn(folder)) {
  const { dialect } = exchange;
  await replayRequest(exchange, dialect === "chat" ? "messages" : "chat");
  if (dialect === "responses") continue;
  await replayAnswer(exchange, dialect, dialect === "chat" ? "messages" : "chat");
  await replayAnswer(exchange, dialect, "responses");
}
printTable(
  "Recorded exchanges: kept, but for what the docs name",
  ["way", "sent", "kept", "refused in words"],
  [...tallies].map(([way, { sent, whole, refused }]) => [way, String(sent), String(whole), String(refused)]),
);
for (const [way, { named, unsaid, refusals }] of tallies) {
  console.log(`\n${way}`);
  for (const [words, count] of refusals) console.log(`  refused ${count} ×: ${words}`);
  if (named.size > 0) console.log(`  left out or in other words: ${[...named.keys()].join(", ")}`);
  for (const [path, value] of unsaid) console.log(`  NOT SAID: ${path}: ${value}`);
}
vendor.closeAllConnections();
vendor.close();
