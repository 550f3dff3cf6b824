import type { Candidate } from "../domain/routing.ts";
import { call, type CallAnswer, CallFailed, readBody, readBreak } from "../providers/call.ts";
import { failure } from "../providers/failure.ts";
import type { ChatAnswer, ChatDialect, ChatEvent, HttpAdapter, Upstream } from "../providers/provider.ts";
import { adapters, toUpstream } from "../providers/registry.ts";
import { EventSplitter } from "../providers/sse.ts";
import type { ChatRequest } from "./chat-request.ts";
import type { RelayParts } from "./parts.ts";

const mostAnswerBytes = 64 * 1_048_576;
const mostErrorBytes = 65_536;

/** A vendor's stream whose first event is there. */
export interface ChatStream {
  readonly events: AsyncGenerator<ChatEvent, void, void>;
  /** to the first event, milliseconds */
  readonly latencyMs: number;
}

/** Asks one candidate for a whole answer. @throws CallFailed, BadAnswer */
export async function askWhole(
  parts: RelayParts,
  candidate: Candidate,
  request: ChatRequest,
  signal: AbortSignal,
): Promise<ChatAnswer & { readonly latencyMs: number }> {
  const { answer, dialect, latencyMs } = await ask(parts, candidate, request, signal);
  const body = await readBody(answer, mostAnswerBytes, signal);
  return { ...dialect.readAnswer(body.toString("utf8")), latencyMs };
}

/** Asks one candidate for a stream; returns when its first event is there, so that a failure before it can fall back. */
export async function askStream(
  parts: RelayParts,
  candidate: Candidate,
  request: ChatRequest,
  signal: AbortSignal,
): Promise<ChatStream> {
  const started = performance.now();
  const { answer, dialect } = await ask(parts, candidate, request, signal);
  const events = readEvents(answer, dialect, candidate, signal);
  const first = await events.next();
  if (first.done === true) {
    throw new CallFailed(failure("bad_answer", { status: 200, message: "the stream ended before it began" }));
  }
  if (first.value.type === "error") {
    await events.return();
    throw new CallFailed(first.value.failure);
  }
  return { events: from(first.value, events), latencyMs: performance.now() - started };
}

async function* from(first: ChatEvent, rest: AsyncGenerator<ChatEvent, void, void>) {
  yield first;
  yield* rest;
}

async function ask(parts: RelayParts, candidate: Candidate, request: ChatRequest, signal: AbortSignal) {
  const { adapter, dialect, upstream } = dialectOf(candidate);
  const { model } = candidate;
  const started = performance.now();
  const toVendor = dialect.toRequest(upstream, {
    model: model.upstreamId,
    body: request.body,
    stream: request.stream,
    maxOutputTokens: request.maxTokens ?? model.maxCompletionTokens,
  });
  const timeoutMs = parts.settings.upstreamTimeoutMs;
  const answer = await call(parts.dispatcher, toVendor, {
    signal,
    headersTimeoutMs: timeoutMs,
    bodyTimeoutMs: timeoutMs,
  });
  if (answer.status !== 200) {
    const body = await readBody(answer, mostErrorBytes, signal);
    const failed = { status: answer.status, headers: answer.headers, body: body.toString("utf8") };
    throw new CallFailed(adapter.readFailure(upstream, failed));
  }
  return { answer, dialect, latencyMs: performance.now() - started };
}

function dialectOf({ provider }: Candidate): { adapter: HttpAdapter; dialect: ChatDialect; upstream: Upstream } {
  const adapter = adapters[provider.kind];
  if (!adapter?.chat) {
    throw new CallFailed(failure("not_found", { message: `${provider.kind} providers have no chat models` }));
  }
  return { adapter, dialect: adapter.chat, upstream: toUpstream(provider) };
}

/** The vendor's events in the public form. Leaving it early ends the connection. */
async function* readEvents(
  answer: CallAnswer,
  dialect: ChatDialect,
  candidate: Candidate,
  signal: AbortSignal,
): AsyncGenerator<ChatEvent, void, void> {
  const reader = dialect.reader();
  const splitter = new EventSplitter();
  const decoder = new TextDecoder();
  try {
    for await (const piece of answer.body as AsyncIterable<Buffer>) {
      for (const event of splitter.push(decoder.decode(piece, { stream: true }))) yield* reader.read(event);
    }
    // A last event without an empty line after it.
    for (const event of splitter.push("\n\n")) yield* reader.read(event);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof RangeError)
      throw new CallFailed(failure("bad_answer", { status: 200, message: error.message }));
    if (error instanceof Error && error.name === "BadAnswer") throw error;
    throw new CallFailed(readBreak(error, candidate.provider.name));
  } finally {
    answer.body.destroy();
  }
}
