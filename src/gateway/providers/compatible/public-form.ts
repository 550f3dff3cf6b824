import { randomUUID } from "node:crypto";
import { runAtOnce } from "../../turns.ts";
import { isObject, joinTexts, objectsIn, readText, refuseVastArguments, type JsonObject } from "../answer.ts";
import { wholeArguments } from "../chat-object.ts";
import type { ChatObject } from "../provider.ts";
import { otherKind } from "../tools.ts";

/**
 * Servers of the OpenAI dialect leave members out, send null where the public API has none, and put lists where it has
 * text. The official clients validate every answer and drop what does not fit, so what goes out is brought into the
 * public form here. Members that the public form does not name are passed on as they are.
 */
export function* publicResult(result: ChatObject): Generator<void, ChatObject, void> {
  refuseVastArguments(result.choices.flatMap(({ message }) => argumentsIn(message)));
  const choices: JsonObject[] = [];
  for (const [position, choice] of result.choices.entries()) choices.push(yield* wholeChoice(choice, position));
  return { ...envelope(result), choices };
}

function argumentsIn(said: unknown): unknown[] {
  const calls = isObject(said) ? objectsIn(said["tool_calls"]) : [];
  return calls.map(({ function: called }) => (isObject(called) ? called["arguments"] : null));
}

/** Converts the chunks of one stream to the public form; remembers what one chunk says about the next. */
export function chunkNormalizer(): (chunk: ChatObject) => ChatObject {
  const calls = new Map<number, ToolCallCounter>();
  let spoken = false;
  let isThinking = false;

  function streamedChoice(choice: JsonObject, position: number): JsonObject {
    const { delta: given, message, text, ...rest } = choice;
    const index = readIndex(choice["index"], position);
    // Some servers answer a stream with one whole message; others repeat the whole message at the end of their deltas.
    const instead = typeof text === "string" ? { content: text } : isObject(message) && !spoken ? message : {};
    const own = isObject(given) ? given : instead;
    const said = saidBy(own, isThinking);
    isThinking ||= readText(own["reasoning"] ?? own["reasoning_content"]) !== null;
    spoken ||= ["content", "reasoning", "tool_calls"].some(
      (member) => said[member] !== undefined && said[member] !== "",
    );
    const counter = calls.get(index) ?? newCounter();
    calls.set(index, counter);
    const { role, tool_calls: called, ...delta } = said;
    const pieces = objectsIn(called).map((call) => calledDelta(call, counter));
    const ended = finish(rest, counter.last >= 0);
    if (ended["finish_reason"] !== null) pieces.push(...withoutArguments(counter));
    return {
      ...ended,
      ...runAtOnce(logprobsOf(rest)),
      index,
      delta: {
        ...(role === "assistant" ? { role } : {}),
        ...delta,
        ...(Array.isArray(called) || pieces.length > 0 ? { tool_calls: pieces } : {}),
      },
    };
  }

  return (chunk) => {
    const { usage: _, error: __, ...rest } = chunk;
    const { system_fingerprint: fingerprint, ...members } = envelope(rest);
    refuseVastArguments(
      chunk.choices.flatMap(({ delta, message }) => [...argumentsIn(delta), ...argumentsIn(message)]),
    );
    return {
      ...members,
      ...(fingerprint === null ? {} : { system_fingerprint: fingerprint }),
      choices: chunk.choices.map(streamedChoice),
    };
  };
}

/** The members around the choices; id, object and model are the relay's. */
function envelope({ openrouter_metadata: _, ...members }: JsonObject): JsonObject {
  const { created, system_fingerprint: fingerprint, service_tier: tier, ...rest } = members;
  return {
    ...rest,
    ...(typeof created === "number" && created >= 1 ? { created: Math.floor(created) } : {}),
    ...(typeof tier === "string" ? { service_tier: tier } : {}),
    system_fingerprint: readText(fingerprint),
  };
}

function* wholeChoice(choice: JsonObject, position: number): Generator<void, JsonObject, void> {
  const { message, ...rest } = choice;
  const { role: _, tool_calls: called, ...said } = saidBy(isObject(message) ? message : {});
  return {
    ...finish(rest, Array.isArray(called) && called.length > 0),
    ...(yield* logprobsOf(rest)),
    index: readIndex(choice["index"], position),
    message: {
      role: "assistant",
      content: null,
      ...said,
      ...(Array.isArray(called) ? { tool_calls: wholeCalls(called) } : {}),
    },
  };
}

/**
 * Vendors' terms for the public API's reasons, in whatever letters: Together, Mistral, Zhipu, DeepSeek, Cohere, Google,
 * Anthropic, Bedrock, Hugging Face's TGI, vLLM and SGLang.
 */
const finishReasons: Readonly<Record<string, string>> = {
  eos: "stop",
  eos_token: "stop",
  stop_sequence: "stop",
  end_turn: "stop",
  pause_turn: "stop",
  complete: "stop",
  completed: "stop",
  finished: "stop",
  max_tokens: "length",
  max_output_tokens: "length",
  model_length: "length",
  max_length: "length",
  model_context_window_exceeded: "length",
  sensitive: "content_filter",
  safety: "content_filter",
  recitation: "content_filter",
  refusal: "content_filter",
  prohibited_content: "content_filter",
  content_filtered: "content_filter",
  guardrail_intervened: "content_filter",
  function_call: "tool_calls",
  tool_call: "tool_calls",
  tool_use: "tool_calls",
  insufficient_system_resource: "error",
  network_error: "error",
  malformed_function_call: "error",
  abort: "error",
  cancelled: "error",
  timeout: "error",
};
const publicReasons: ReadonlySet<string> = new Set(["stop", "length", "tool_calls", "content_filter", "error"]);

/**
 * A reason that nobody names here is a plain end: clients know five, and a loop of tools ends at any other.
 * @param hasCalls some vendors end an answer with tool calls like one without: OpenAI where a tool is named, Ollama, vLLM
 */
function finish({ finish_reason: given, logprobs: _, ...rest }: JsonObject, hasCalls: boolean): JsonObject {
  const reason = typeof given === "string" && given !== "" ? given : null;
  const known = reason === null ? null : publicReason(reason);
  return {
    ...rest,
    finish_reason: known === "stop" && hasCalls ? "tool_calls" : known,
    ...(reason === null || "native_finish_reason" in rest ? {} : { native_finish_reason: reason }),
  };
}

function publicReason(reason: string): string {
  const name = reason.toLowerCase();
  if (publicReasons.has(name)) return name;
  return Object.hasOwn(finishReasons, name) ? (finishReasons[name] ?? "stop") : "stop";
}

/**
 * A message or delta: content, reasoning, refusal, images and tool calls.
 * @param isThinking thoughts have come in `reasoning` before; else those in the details alone are put there
 */
function saidBy(given: JsonObject, isThinking = false): JsonObject {
  const { content, refusal, reasoning, reasoning_content: other, reasoning_details: details, ...more } = given;
  const { audio, images, name, model, ...rest } = more;
  const read = readContent(content);
  // Vendors have two names for it, and some write both: the public form has one.
  const own = firstText(reasoning, other, read.thought);
  const thought = own ?? (isThinking ? null : thoughtIn(details));
  return {
    ...rest,
    ...(read.said === undefined ? {} : { content: read.said }),
    ...(refusal === undefined ? {} : { refusal: readText(refusal) }),
    ...(thought === null ? {} : { reasoning: thought }),
    ...(Array.isArray(details) ? { reasoning_details: details } : {}),
    ...(isObject(audio) ? { audio: withoutNulls(audio) } : {}),
    ...(Array.isArray(images) ? { images: objectsIn(images).flatMap(publicImage) } : {}),
    ...(typeof name === "string" ? { name } : {}),
    ...(typeof model === "string" ? { model } : {}),
  };
}

/** What details show of thoughts, where a vendor has them nowhere else: Snowflake. */
function thoughtIn(details: unknown): string | null {
  const texts = objectsIn(details).flatMap(({ text, summary }) => readText(text) ?? readText(summary) ?? []);
  return texts.length === 0 ? null : joinTexts(texts);
}

/** The first non-empty text; else the first text. */
function firstText(...values: unknown[]): string | null {
  const texts = values.filter((value) => typeof value === "string");
  return texts.find((text) => text !== "") ?? texts[0] ?? null;
}

/**
 * Mistral's reasoning models answer with lists of parts, thinking and text:
 * https://docs.mistral.ai/capabilities/reasoning
 */
function readContent(content: unknown): { said?: unknown; thought?: string } {
  if (content === undefined) return {};
  if (!Array.isArray(content)) return { said: readText(content) };
  const parts = objectsIn(content);
  if (!parts.every(({ type }) => type === "text" || type === "thinking")) return { said: content };
  const join = (type: string) => joinTexts(parts.flatMap((part) => (part["type"] === type ? partText(part) : [])));
  const thought = join("thinking");
  return { said: join("text"), ...(thought === "" ? {} : { thought }) };
}

function partText({ type, text, thinking }: JsonObject): string[] {
  if (type === "text") return typeof text === "string" ? [text] : [];
  if (typeof thinking === "string") return [thinking];
  return objectsIn(thinking).flatMap(partText);
}

function publicImage(image: JsonObject): JsonObject[] {
  const address = image["image_url"];
  if (typeof address === "string") return [{ ...image, image_url: { url: address } }];
  return isObject(address) && typeof address["url"] === "string" ? [image] : [];
}

interface ToolCallCounter {
  last: number;
  /** the vendor's id → the latest call that it gave it */
  readonly ids: Map<string, number>;
  /** the vendor's index → that of the latest call which it gave it */
  readonly given: Map<number, number>;
  /** the ids of each call, the vendor's and ours, which differ where the vendor gave it to two calls */
  readonly names: Map<number, { theirs: string | null; own: string }>;
  /** calls without arguments so far */
  readonly empty: Set<number>;
}

const newCounter = (): ToolCallCounter => ({
  last: -1,
  ids: new Map(),
  given: new Map(),
  names: new Map(),
  empty: new Set(),
});

/**
 * A piece of a tool call. A new id begins a call, whatever its index: Ollama and Gemini say 0 of all. Without an index,
 * a new id begins the next call and everything else continues the last one. A call of another kind is not a function.
 */
function calledDelta(call: JsonObject, counter: ToolCallCounter): JsonObject {
  const { id, type, function: called, ...rest } = call;
  const kind = otherKind(call);
  const held = kind === null ? called : call[kind];
  const part = isObject(held) ? held : {};
  const begins = typeof part["name"] === "string" && part["name"] !== "";
  const known = typeof id === "string" && id !== "" ? id : null;
  const index = indexAt(call["index"], known, begins, counter);
  const isNew = index > counter.last;
  const ownId = idAt(index, known, begins && isNew, counter);
  counter.last = Math.max(counter.last, index);
  const text = part["arguments"];
  if (text !== undefined && text !== null && text !== "") counter.empty.delete(index);
  else if (isNew && kind === null) counter.empty.add(index);
  return {
    ...rest,
    index,
    ...(ownId === null ? {} : { id: ownId }),
    ...(type === undefined && !begins ? {} : { type: kind ?? "function" }),
    ...(isObject(called) ? { function: functionPart(part) } : {}),
  };
}

function indexAt(given: unknown, id: string | null, begins: boolean, counter: ToolCallCounter): number {
  const said = readIndex(given, -1);
  if (said === -1) return indexOf(id, begins, counter);
  const here = counter.given.get(said);
  const isHere = here !== undefined && (id === null || counter.names.get(here)?.theirs === id);
  const index = isHere ? here : indexElsewhere(id, here, begins, counter);
  counter.given.set(said, index);
  return index;
}

/** @param here the call at the vendor's index so far, which has another id */
function indexElsewhere(
  id: string | null,
  here: number | undefined,
  begins: boolean,
  { last, ids }: ToolCallCounter,
): number {
  const known = id === null ? undefined : ids.get(id);
  // Some begin at 1, where a text came first; clients expect a list without holes.
  if (here === undefined) return begins ? last + 1 : (known ?? last + 1);
  // vLLM before 0.9 makes an id for each piece, but names the function once.
  return known ?? (begins ? last + 1 : here);
}

/** The id that a piece of a call has. A result belongs to one call, so two never have the same. */
function idAt(index: number, theirs: string | null, begins: boolean, { ids, names }: ToolCallCounter): string | null {
  const named = names.get(index);
  if (named !== undefined) return theirs === null ? null : named.own;
  if (theirs === null && !begins) return null;
  const own = theirs === null || ids.has(theirs) ? newCallId() : theirs;
  names.set(index, { theirs, own });
  if (theirs !== null) ids.set(theirs, index);
  return own;
}

/** The arguments of calls that have none. */
function withoutArguments({ empty }: ToolCallCounter): JsonObject[] {
  const pieces = [...empty].map((index) => ({ index, function: { arguments: "{}" } }));
  empty.clear();
  return pieces;
}

function indexOf(id: string | null, begins: boolean, { last, ids }: ToolCallCounter): number {
  if (id !== null) return ids.get(id) ?? last + 1;
  return begins ? last + 1 : Math.max(last, 0);
}

function functionPart({ name, arguments: given, ...rest }: JsonObject): JsonObject {
  return {
    ...rest,
    ...(typeof name === "string" ? { name } : {}),
    ...(given === undefined || given === null ? {} : { arguments: argumentsText(given) }),
  };
}

function wholeCalls(called: unknown[]): JsonObject[] {
  const ids = new Set<unknown>();
  return objectsIn(called).map((call) => {
    const isTaken = ids.has(call["id"]);
    ids.add(call["id"]);
    return calledWhole(isTaken ? { ...call, id: null } : call);
  });
}

function calledWhole(call: JsonObject): JsonObject {
  const { id, function: called, index: _, ...rest } = call;
  const { name, arguments: given, ...more } = isObject(called) ? called : {};
  const kind = otherKind(call);
  const own = { ...rest, id: typeof id === "string" && id !== "" ? id : newCallId() };
  if (kind !== null) return { ...own, type: kind };
  return {
    ...own,
    type: "function",
    function: {
      ...more,
      name: readText(name) ?? "",
      arguments: wholeArguments(given === undefined || given === null ? "" : argumentsText(given)),
    },
  };
}

function argumentsText(given: unknown): string {
  return typeof given === "string" ? given : JSON.stringify(given);
}

function newCallId(): string {
  return `call_${randomUUID().replaceAll("-", "").slice(0, 24)}`;
}

/**
 * In the public form `content` is a list of tokens or null; the older form's `tokens` and `token_logprobs` do not fit
 * in.
 */
function* publicLogprobs(given: unknown): Generator<void, JsonObject | null, void> {
  if (!isObject(given)) return null;
  const { content, refusal, ...rest } = given;
  if (content === undefined && refusal === undefined) return null;
  return {
    ...rest,
    content: yield* publicTokens(content),
    ...(refusal === undefined ? {} : { refusal: yield* publicTokens(refusal) }),
  };
}

function* logprobsOf({ logprobs }: JsonObject): Generator<void, JsonObject, void> {
  return logprobs === undefined ? {} : { logprobs: yield* publicLogprobs(logprobs) };
}

const tokensAtOnce = 64;

/** A long answer has hundreds of thousands of tokens, each with its alternatives. */
function* publicTokens(list: unknown): Generator<void, JsonObject[] | null, void> {
  if (!Array.isArray(list)) return null;
  const tokens: JsonObject[] = [];
  for (const [at, each] of (list as unknown[]).entries()) {
    if (at % tokensAtOnce === 0) yield;
    if (!isObject(each)) continue;
    const top_logprobs = objectsIn(each["top_logprobs"]).flatMap(publicToken);
    for (const token of publicToken(each)) tokens.push({ ...token, top_logprobs });
  }
  return tokens;
}

function publicToken(token: JsonObject): JsonObject[] {
  if (typeof token["token"] !== "string" || typeof token["logprob"] !== "number") return [];
  const { bytes } = token;
  return [{ ...token, bytes: Array.isArray(bytes) && bytes.every(Number.isInteger) ? bytes : null }];
}

function readIndex(value: unknown, otherwise: number): number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 ? value : otherwise;
}

function withoutNulls(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null));
}
