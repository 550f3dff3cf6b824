import type { Candidate } from "../../domain/routing/routing.ts";
import {
  call,
  type CallAnswer,
  CallFailed,
  readBeginning,
  readBody,
  readBreak,
  refuseLate,
} from "../../providers/call.ts";
import { failure } from "../../providers/failure.ts";
import {
  type AnswerReading,
  BadAnswer,
  type ChatAnswer,
  type ChatDialect,
  type HttpAdapter,
  type PassedDialect,
  type SentRequest,
  type Upstream,
} from "../../providers/provider.ts";
import { onlySupported } from "../../providers/parameters.ts";
import { vendorText, withoutKey } from "../../providers/redact.ts";
import { adapters, toUpstream } from "../../providers/registry.ts";
import { readServerSentEvents } from "../../providers/sse.ts";
import { NoRoom } from "../../memory-budget.ts";
import { joinInTurns, runInTurns, takeTurns } from "../../turns.ts";
import { asStream } from "./as-stream.ts";
import { isLongAnswer, passable, readAnswerBody } from "../answer-body.ts";
import type { Headers } from "../sent.ts";
import { fromFirst } from "../from-first.ts";
import { type HeardEvent, passing, translating } from "./hearing.ts";
import { type Passage, passageTo, passedOn, refuseUntranslatable } from "./passed.ts";
import type { ChatRun } from "./run.ts";
import { setAside, withLongStrings } from "../long-strings.ts";
import { type RelayDeps, timeoutOf } from "../deps.ts";
import { countIn, refusalIn } from "../useless-answer.ts";

const mostAnswerBytes = 64 * 1_048_576;
/** Twenty alternatives for each of a hundred thousand tokens, with the data of each. */
const mostAnswerValues = 10_000_000;
const mostErrorBytes = 65_536;

/** A vendor's stream whose first event has arrived. */
export interface ChatStream {
  readonly events: AsyncGenerator<HeardEvent, void, void>;
  /** when it was requested, by `performance.now()` */
  readonly startedMs: number;
  /** to the first event, milliseconds */
  readonly latencyMs: number;
  /** the vendor's headers for the caller */
  readonly headers: Headers;
}

/** Requests a whole answer from one candidate. @throws CallFailed, BadAnswer */
export async function askWhole(
  deps: RelayDeps,
  candidate: Candidate,
  run: ChatRun,
  signal: AbortSignal,
): Promise<HeardAnswer> {
  const asked = await ask(deps, candidate, run, signal);
  const bytes = await readBody(asked.answer, mostAnswerBytes, signal, run.context.call.room);
  const read = await readWhole(asked, bytes, run);
  const { latencyMs, headers } = asked;
  return { ...read, latencyMs, headers, isLong: isLongAnswer(bytes), answerBytes: bytes.length };
}

/** A vendor's whole answer. */
export interface HeardAnswer extends ReadAnswer {
  readonly latencyMs: number;
  /** the vendor's headers for the caller */
  readonly headers: Headers;
  readonly isLong: boolean;
  readonly answerBytes: number;
}

interface ReadAnswer extends ChatAnswer {
  /** the vendor's bytes for the caller; null: the caller speaks another dialect */
  readonly passed: Buffer | null;
}

/** @throws BadAnswer, with the usage that it contains; CallFailed for an error with status 200 */
async function readWhole(asked: Asked, bytes: Buffer, run: ChatRun): Promise<ReadAnswer> {
  const { dialect, upstream, passed } = asked;
  const turn = takeTurns(run.context.call.credential.hash, { patient: true });
  const body = await readAnswerBody(upstream, bytes, turn, mostAnswerValues);
  try {
    const read = await runInTurns(dialect.readAnswer(body), turn);
    return { ...read, passed: passed === null ? null : await passable(bytes, body, turn) };
  } catch (error) {
    if (!(error instanceof BadAnswer)) throw error;
    const useless = { ...asked, headers: asked.answer.headers, body };
    run.received.usage = countIn(useless);
    const refusal = refusalIn(useless);
    if (refusal === null) throw error;
    throw new CallFailed({ ...refusal, mayBill: refusal.mayBill || run.received.usage !== null });
  }
}

/**
 * Requests a stream from one candidate; returns when its first event arrives, so that an earlier failure can fall back.
 */
export async function askStream(
  deps: RelayDeps,
  candidate: Candidate,
  run: ChatRun,
  signal: AbortSignal,
): Promise<ChatStream> {
  const started = performance.now();
  const asked = await ask(deps, candidate, run, signal);
  run.received.streamed = /event-stream/i.test(String(asked.answer.headers["content-type"]));
  const silentMs = wholeTimeoutOf(deps, candidate);
  const events = readEvents(asked, { candidate, signal, silentMs }, run);
  const first = await events.next();
  if (first.done === true) {
    throw new CallFailed(failure("bad_answer", { status: 200, message: "the stream ended before it began" }));
  }
  const failed = first.value.events.find(({ type }) => type === "error");
  if (failed?.type === "error") {
    await events.return();
    throw new CallFailed(failed.failure);
  }
  const { headers } = asked;
  return {
    events: fromFirst(first.value, events),
    startedMs: started,
    latencyMs: performance.now() - started,
    headers,
  };
}

/** Bodies up to this size are written in one go. */
const shortBody = 262_144;

/** A provider's answer, and how to read it. */
interface Asked {
  readonly answer: CallAnswer;
  readonly adapter: HttpAdapter;
  readonly dialect: AnswerReading;
  readonly upstream: Upstream;
  /** the caller's own dialect, if the answer is in it; else null */
  readonly passed: PassedDialect | null;
  /** those of the answer that go to the caller */
  readonly headers: Headers;
  /** to the answer's headers, milliseconds */
  readonly latencyMs: number;
}

async function ask(deps: RelayDeps, candidate: Candidate, run: ChatRun, signal: AbortSignal): Promise<Asked> {
  const passage = passageTo(candidate, run.request);
  if (passage !== null) {
    const asked = await askPassing(deps, candidate, run, { passage, signal });
    if (asked !== null) return asked;
  }
  Object.assign(run.received, { bytes: 0, streamed: run.request.stream, usage: null });
  const { adapter, dialect, upstream } = dialectOf(candidate);
  const started = performance.now();
  const toVendor = await translated(candidate, dialect, run);
  const answer = await send(deps, candidate, toVendor, signal);
  const asked = { answer, adapter, dialect, upstream, passed: null, headers: {} };
  await refuseFailed(asked, run, signal);
  return { ...asked, latencyMs: performance.now() - started };
}

/** Statuses of servers that lack an operation. */
const lacking: ReadonlySet<number> = new Set([404, 405, 501]);

/** Asks in the caller's own dialect; null: the vendor turns out not to have it, and knows another. */
async function askPassing(
  deps: RelayDeps,
  candidate: Candidate,
  run: ChatRun,
  { passage, signal }: { readonly passage: Passage; readonly signal: AbortSignal },
): Promise<Asked | null> {
  Object.assign(run.received, { bytes: 0, streamed: run.request.stream, usage: null });
  const { adapter, upstream } = dialectOf(candidate);
  const { dialect } = passage;
  const started = performance.now();
  const turn = takeTurns(run.context.call.credential.hash);
  const toVendor = await passedOn(passage, candidate, run.bounds.told(candidate.model), turn);
  const answer = await send(deps, candidate, toVendor, signal);
  if (lacking.has(answer.status) && !dialect.isOnly && passage.request.keeping === null) {
    answer.body.on("error", () => {}).destroy();
    return null;
  }
  const headers = passedHeaders(answer, dialect, upstream);
  const asked = { answer, adapter, dialect, upstream, passed: dialect, headers };
  await refuseFailed(asked, run, signal);
  return { ...asked, latencyMs: performance.now() - started };
}

function passedHeaders({ headers }: CallAnswer, { answerHeaders }: PassedDialect, upstream: Upstream): Headers {
  const passed = Object.entries(headers).filter(([name]) => answerHeaders.test(name));
  return Object.fromEntries(passed.map(([name, value]) => [name, withoutKey(upstream, String(value))]));
}

/** The call as a vendor of another dialect than the caller's is sent it. @throws CallFailed for what its dialect cannot express */
async function translated(candidate: Candidate, dialect: ChatDialect, run: ChatRun): Promise<SentRequest> {
  const { request, bounds, context } = run;
  const { model, provider } = candidate;
  refuseUntranslatable(request);
  const aside = context.call.body.length > shortBody ? setAside(request.body) : null;
  const written = dialect.toRequest(toUpstream(provider), {
    model: model.upstreamId,
    body: onlySupported(aside?.value ?? request.body, model.supportedParameters),
    stream: request.stream,
    maxTokens: bounds.told(model),
    maxOutputTokens: model.maxCompletionTokens,
    supported: model.supportedParameters,
  });
  return await withLongStrings(written, aside, context.call.credential.hash);
}

async function send(deps: RelayDeps, candidate: Candidate, toVendor: SentRequest, signal: AbortSignal) {
  const timeoutMs = timeoutOf(deps, candidate.provider);
  return await call(deps.dispatcher, toVendor, {
    signal,
    headersTimeoutMs: timeoutMs,
    bodyTimeoutMs: timeoutMs,
    wholeTimeoutMs: wholeTimeoutOf(deps, candidate),
  });
}

/** For an answer, or between two events of a stream: however often a sign of life comes. */
const wholeTimeoutOf = (deps: RelayDeps, { provider }: Candidate) => timeoutOf(deps, provider) * 5;

/** @throws CallFailed for an answer without status 200 */
async function refuseFailed(asked: Omit<Asked, "latencyMs">, run: ChatRun, signal: AbortSignal): Promise<void> {
  const { answer, adapter, dialect, upstream } = asked;
  if (answer.status === 200) return;
  const body = await readRefused(answer, run, signal);
  if (isDone(answer)) {
    const turn = takeTurns(run.context.call.credential.hash, { patient: true });
    run.received.usage = countIn({ dialect, body: await readAnswerBody(upstream, body, turn, mostAnswerValues) });
  }
  const text = vendorText(upstream, body.subarray(0, mostErrorBytes));
  const failed = adapter.readFailure(upstream, { status: answer.status, headers: answer.headers, body: text });
  throw new CallFailed({ ...failed, mayBill: failed.mayBill || run.received.usage !== null });
}

/** Whether it may be a whole answer despite an unusual status such as 201. */
const isDone = ({ status, headers }: CallAnswer) =>
  status > 200 && status < 300 && /json/i.test(String(headers["content-type"]));

/** The body of an answer without status 200: the beginning of an error, or all of billed work, for its usage. */
async function readRefused(answer: CallAnswer, run: ChatRun, signal: AbortSignal): Promise<Buffer> {
  if (!isDone(answer)) return await readBeginning(answer, mostErrorBytes, signal);
  return await readBody(answer, mostAnswerBytes, signal, run.context.call.room);
}

function dialectOf({ provider }: Candidate): { adapter: HttpAdapter; dialect: ChatDialect; upstream: Upstream } {
  const adapter = adapters[provider.kind];
  if (!adapter?.chat) {
    throw new CallFailed(
      failure("not_found", { message: `${provider.kind} providers have no chat models`, sent: false }),
    );
  }
  return { adapter, dialect: adapter.chat, upstream: toUpstream(provider) };
}

interface Listening {
  readonly candidate: Candidate;
  readonly signal: AbortSignal;
  /** the longest time between two events */
  readonly silentMs: number;
}

/** The vendor's events, read and for the caller. Leaving the loop early closes the connection. */
async function* readEvents(
  asked: Asked,
  { candidate, signal, silentMs }: Listening,
  run: ChatRun,
): AsyncGenerator<HeardEvent, void, void> {
  const { answer, dialect, upstream } = asked;
  const { credential, room } = run.context.call;
  const reader = dialect.reader(run.request.returned);
  const { passed } = asked;
  const hear = passed === null ? translating(upstream, reader) : passing(upstream, reader, passed, candidate.model.id);
  const turn = takeTurns(credential.hash, { patient: true });
  let { endsMs = Number.POSITIVE_INFINITY } = asked.answer;
  // Comments alone restart the time limit for the next bytes again and again.
  const whole: Buffer[] = [];
  const bytes = eventBytes(asked, run, { whole, check: () => refuseLate({ ...asked.answer, endsMs }) });
  try {
    for await (const { event, data } of readServerSentEvents(bytes, turn, room, run.received)) {
      const size = data.length;
      const heard = await hear.read({ event, data }, turn);
      run.received.bytes = Math.max(0, run.received.bytes - size);
      for (const each of heard) {
        yield each;
        // The time that the caller takes is not the vendor's.
        endsMs = performance.now() + silentMs;
      }
    }
    yield* hear.end();
    if (whole.length > 0) yield await inOnePiece(asked, whole, run);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof NoRoom || error instanceof BadAnswer) throw error;
    if (error instanceof RangeError)
      throw new CallFailed(failure("bad_answer", { status: 200, message: error.message }));
    throw new CallFailed(readBreak(error, candidate.provider.name, true));
  } finally {
    answer.body.destroy();
  }
}

interface Watching {
  /** gets a whole answer's pieces, which are no event's */
  readonly whole: Buffer[];
  /** before each piece. @throws CallFailed */
  readonly check: () => void;
}

/** A stream's bytes. A provider that ignores `stream` sends a whole answer instead. */
async function* eventBytes(asked: Asked, run: ChatRun, { whole, check }: Watching): AsyncGenerator<Buffer, void, void> {
  let begins = true;
  let size = 0;
  for await (const piece of asked.answer.body as AsyncIterable<Buffer>) {
    check();
    if (size === 0 && !(begins && startsJson(piece))) {
      begins = false;
      yield piece;
      continue;
    }
    run.received.streamed = false;
    size += piece.length;
    const message = `the answer is longer than ${mostAnswerBytes} bytes`;
    if (size > mostAnswerBytes) throw new CallFailed(failure("bad_answer", { status: 200, message }));
    run.context.call.room.take(piece.length);
    whole.push(piece);
  }
}

/** A whole answer as a stream of one event, in the public form. @throws BadAnswer, CallFailed */
async function inOnePiece(asked: Asked, pieces: readonly Buffer[], run: ChatRun): Promise<HeardEvent> {
  const turn = takeTurns(run.context.call.credential.hash, { patient: true });
  const bytes = await joinInTurns([...pieces], turn);
  const { result, usage } = await readWhole(asked, bytes, run);
  run.received.usage = usage;
  return { events: asStream({ result, usage }), size: bytes.length, unread: 0, passed: null };
}

/** No line of an event stream starts like this. */
const startsJson = (piece: Buffer) => /^\s*[[{]/.test(piece.toString("latin1", 0, 64));
