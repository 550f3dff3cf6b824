import { Readable } from "node:stream";
import type { ErrorType } from "#contract/errors.ts";
import { errorStatus } from "#contract/errors.ts";
import { Refusal } from "../domain/refusal.ts";
import type { Candidate } from "../domain/routing.ts";
import { CallFailed } from "../providers/call.ts";
import { failure } from "../providers/failure.ts";
import { BadAnswer, type ChatEvent, type Usage } from "../providers/provider.ts";
import { firstThatAnswers } from "./attempts.ts";
import { type ChatEnd, type ChatRun, noteServed, settleChat } from "./chat-settle.ts";
import { askStream, type ChatStream } from "./chat-upstream.ts";
import type { ModelAnswer } from "./model-call.ts";
import type { RelayParts } from "./parts.ts";
import { routingReport } from "./routing-report.ts";
import { withId } from "./record.ts";
import { upstreamRefusal } from "./upstream-refusal.ts";

/** Between two comments while nothing comes: proxies close what is silent for a minute, often for half of one. */
const keepAliveMs = 10_000;
const comment = ": GATEHOUSE PROCESSING\n\n";

type Served = { candidate: Candidate; answer: ChatStream };

/**
 * Answers a chat call as a stream. A vendor that fails before its first event gives way to the next one, and where none
 * is left the answer is an ordinary error, unless the wait has already been filled with comments.
 */
export async function streamChat(parts: RelayParts, run: ChatRun): Promise<ModelAnswer> {
  const { route, begun } = run;
  const { signal } = begun.call;
  const served = firstThatAnswers(parts, route, run.tried, signal, (candidate) =>
    askStream(parts, candidate, run.request, signal),
  ).catch(async (error: unknown) => {
    const candidate = signal.aborted ? (route.candidates[run.tried.failed.length] ?? null) : null;
    const end = { ...untouched, candidate, error, cancelled: signal.aborted };
    await settleChat(parts, run, end).settlement.committed.catch(() => {});
    throw withId(error, run.begun);
  });
  await orAfter(served, keepAliveMs);
  const body = Readable.from(frames(parts, run, served), { objectMode: false, highWaterMark: 65_536 });
  const headers = {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-store",
    "x-accel-buffering": "no",
    "x-generation-id": run.begun.id,
  };
  return { status: 200, headers, body };
}

const untouched = { usage: null, produced: "", finishReason: null, upstreamId: null, latencyMs: null };

/** What a stream has come to so far. */
interface Progress {
  usage: Usage | null;
  readonly produced: string[];
  finishReason: string | null;
  upstreamId: string | null;
  done: boolean;
}

async function* frames(parts: RelayParts, run: ChatRun, served: Promise<Served>): AsyncGenerator<string, void, void> {
  let found: Served;
  try {
    found = yield* whileWaiting(served);
  } catch (error) {
    yield errorFrame(run, run.request.models[0] ?? "", error);
    return;
  }
  const { candidate, answer } = found;
  const progress: Progress = { usage: null, produced: [], finishReason: null, upstreamId: null, done: false };
  let error: unknown = null;
  let settled = false;
  const end = (cancelled: boolean) => {
    settled = true;
    const { usage, produced, finishReason, upstreamId } = progress;
    const ended: ChatEnd = {
      candidate,
      usage,
      produced: produced.join(""),
      finishReason: error === null ? finishReason : "error",
      upstreamId,
      latencyMs: answer.latencyMs,
      error,
      cancelled,
    };
    noteServed(parts, candidate, run, ended, error === null ? null : failureOf(error));
    return settleChat(parts, run, ended);
  };
  try {
    try {
      for (let next = answer.events.next(); ; next = answer.events.next()) {
        const event = yield* whileWaiting(next);
        if (event.done === true) break;
        const chunk = take(event.value, progress, run, candidate);
        if (chunk !== null) yield chunk;
        if (progress.done) break;
      }
      if (!progress.done && progress.finishReason === null) {
        throw new CallFailed(failure("connection", { message: "the stream broke off", status: 200 }));
      }
    } catch (thrown) {
      if (run.begun.call.signal.aborted) throw thrown;
      error = refusalOf(thrown, candidate);
    }
    const { settlement, usage } = end(false);
    // The last bytes wait for the commit; what came before them is on its way.
    yield* whileWaiting(settlement.committed);
    if (error === null) yield frame(run, candidate.model.id, { choices: [], usage, ...routingReport(run, candidate) });
    else yield errorFrame(run, candidate.model.id, error);
    if (error === null) yield "data: [DONE]\n\n";
  } finally {
    // The caller left: the vendor is cut off, and what was produced until now is charged.
    try {
      if (!settled) end(true).settlement.committed.catch(() => {});
    } finally {
      parts.ledger.release(run.reservation);
      await answer.events.return().catch(() => {});
    }
  }
}

/** Takes note of an event, and says what goes to the caller. @throws CallFailed for a vendor's error */
function take(event: ChatEvent, progress: Progress, run: ChatRun, candidate: Candidate): string | null {
  switch (event.type) {
    case "usage":
      progress.usage = event.usage;
      return null;
    case "done":
      progress.done = true;
      return null;
    case "error":
      throw new CallFailed(event.failure);
    case "chunk": {
      for (const choice of event.chunk.choices) {
        note(choice["delta"], progress.produced);
        if (typeof choice["finish_reason"] === "string") progress.finishReason = choice["finish_reason"];
      }
      if (typeof event.chunk["id"] === "string") progress.upstreamId ??= event.chunk["id"];
      return frame(run, candidate.model.id, event.chunk);
    }
  }
}

/** Collects all text of a delta: what is said, thought, and passed to tools. */
function note(delta: unknown, produced: string[]) {
  if (typeof delta !== "object" || delta === null) return;
  const { content, reasoning, reasoning_content, tool_calls } = delta as Record<string, unknown>;
  for (const text of [content, reasoning, reasoning_content]) if (typeof text === "string") produced.push(text);
  if (tool_calls !== undefined) produced.push(JSON.stringify(tool_calls));
}

function frame({ begun }: ChatRun, model: string, chunk: Record<string, unknown>): string {
  const created = Math.floor(begun.createdAt.getTime() / 1_000);
  const whole = { created, ...chunk, id: begun.id, object: "chat.completion.chunk", model };
  return `data: ${JSON.stringify(whole)}\n\n`;
}

function errorFrame(run: ChatRun, model: string, error: unknown): string {
  const refusal = error instanceof Refusal ? error : new Refusal("server", "Internal error");
  const type: ErrorType = refusal.type;
  const { provider_name, provider_code } = refusal.details;
  return frame(run, model, {
    error: {
      code: errorStatus[type],
      message: refusal.message,
      metadata: {
        error_type: type,
        request_id: run.begun.call.requestId,
        ...(typeof provider_name === "string" ? { provider_name } : {}),
        ...(typeof provider_code === "string" ? { provider_code } : {}),
      },
    },
    choices: [{ index: 0, delta: { content: "" }, finish_reason: "error" }],
  });
}

function refusalOf(error: unknown, candidate: Candidate): unknown {
  const failed = failureOf(error);
  return failed === null ? error : upstreamRefusal([{ provider: candidate.provider.name, failure: failed }], [], []);
}

function failureOf(error: unknown) {
  if (error instanceof CallFailed) return error.failure;
  if (error instanceof BadAnswer) return failure("bad_answer", { status: 200, message: error.message });
  return error instanceof Refusal ? failure("server", { message: error.message, status: error.status }) : null;
}

/** The promise's value; while it is not there, a comment now and then. */
async function* whileWaiting<T>(promise: Promise<T>): AsyncGenerator<string, T, void> {
  while (!(await orAfter(promise, keepAliveMs))) yield comment;
  return await promise;
}

/** True when the promise is fulfilled within `ms`; its failure is thrown. */
async function orAfter(promise: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  try {
    return await Promise.race([promise.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}
