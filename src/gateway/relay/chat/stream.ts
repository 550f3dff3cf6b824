import { Readable } from "node:stream";
import { Refusal } from "../../domain/refusal.ts";
import type { Candidate } from "../../domain/routing/routing.ts";
import { NoRoom } from "../../memory-budget.ts";
import { CallFailed } from "../../providers/call.ts";
import { failure } from "../../providers/failure.ts";
import type { Usage } from "../../providers/provider.ts";
import { type Answered, failureOf, firstThatAnswers } from "../attempts.ts";
import type { RelayDeps } from "../deps.ts";
import type { StreamWriter } from "../caller-form.ts";
import type { Headers, Piece } from "../sent.ts";
import type { ModelAnswer } from "../model-call.ts";
import { missed } from "../response-cache/caching.ts";
import { recorded } from "../response-cache/recording.ts";
import type { AnswerFacts } from "../response-cache/response-cache.ts";
import { upstreamRefusal } from "../upstream-refusal.ts";
import { watched } from "../watched.ts";
import { afterLeaving } from "./after-leaving.ts";
import { trying } from "./costs.ts";
import { outputInPieces } from "./output.ts";
import type { ChatRun } from "./run.ts";
import { answerFacts, countAtLeast, noteServed, type ServedChat, settleChat, settleUnanswered } from "./settle.ts";
import type { SettledChat } from "./settled.ts";
import { Silence } from "./silence.ts";
import { hasEnded, noProgress, type Progress, recordEvent } from "./stream-progress.ts";
import { askStream, type ChatStream } from "./upstream.ts";

/**
 * Between two signs of life while nothing arrives: proxies close a connection that is silent for a minute, or for half of
 * one.
 */
const keepAliveMs = 10_000;

/** How long, and for how much, a vendor's stream is read after its caller has left, for the usage at its end. */
const drainMs = 10_000;
const mostDrained = 1_048_576;

export const streamHeaders: Headers = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-store",
  "x-accel-buffering": "no",
};

type Served = Answered<ChatStream>;

/**
 * Answers a chat call with a stream. If a vendor fails before its first event, the next one is tried; when none is left
 * the answer is an ordinary error, unless signs of life have already been sent to bridge the wait.
 */
export async function streamChat(deps: RelayDeps, run: ChatRun): Promise<ModelAnswer> {
  const { signal: caller } = run.context.call;
  const { upstreamTimeoutMs } = deps.settings;
  const vendor = afterLeaving(caller, Math.min(drainMs, upstreamTimeoutMs));
  const served = firstThatAnswers(deps, {
    ...trying(run, vendor),
    ask: (candidate) => askStream(deps, candidate, run, vendor),
  }).catch((error: unknown) => settleUnanswered(deps, run, vendor, error));
  const late = !(await orAfter(served, keepAliveMs));
  const stream = new StreamedChat(deps, run, served, vendor);
  const body: Readable = Readable.from(
    watched(
      recorded(deps, run, stream.frames(late), () => stream.ending()),
      upstreamTimeoutMs,
      () => body.destroy(),
    ),
    {
      objectMode: false,
      highWaterMark: 65_536,
    },
  );
  const { promise: over, resolve } = Promise.withResolvers<unknown>();
  body.once("close", () => {
    const leaving = stream.leave();
    deps.untilSettled(leaving);
    resolve(leaving);
  });
  run.context.call.until(over);
  const headers = {
    ...streamHeaders,
    ...missed(run.caching),
    ...run.form.headers(run, late ? {} : (await served).answer.headers),
    "x-generation-id": run.context.id,
  };
  return { status: 200, headers, body };
}

/** One chat call's stream, from its first event to its settlement. */
class StreamedChat {
  private readonly progress: Progress;
  private settled: SettledChat | null = null;
  private end: ServedChat | null = null;
  private left = false;
  private isWritten = false;

  private readonly deps: RelayDeps;
  private readonly run: ChatRun;
  private readonly served: Promise<Served>;
  private readonly vendor: AbortSignal;
  private readonly writer: StreamWriter;

  constructor(deps: RelayDeps, run: ChatRun, served: Promise<Served>, vendor: AbortSignal) {
    this.deps = deps;
    this.run = run;
    this.served = served;
    this.vendor = vendor;
    this.writer = run.form.stream(run);
    this.progress = noProgress(run.context.startedMs);
    const hear = ({ answer }: Served) => void (this.progress.silence = new Silence(answer.startedMs));
    served.then(hear, () => {});
  }

  /** @param late a sign of life is due at once: the caller has already waited for its interval */
  async *frames(late: boolean): AsyncGenerator<Piece, void, void> {
    const { deps, run, writer } = this;
    let found: Served;
    try {
      if (late) yield writer.silence();
      found = yield* whileWaiting(this.served, writer);
    } catch (error) {
      yield* writer.error(run.request.models[0] ?? "", error);
      return;
    }
    const { candidate, answer } = found;
    let error: unknown = null;
    try {
      for (;;) {
        this.progress.silence.wait();
        const event = yield* whileWaiting(answer.events.next(), writer);
        if (event.done === true) {
          this.progress.closed = true;
          break;
        }
        const chunks = recordEvent(event.value, this.progress, run);
        yield* writer.event(candidate, event.value, chunks);
        if (this.progress.done) break;
      }
      if (!this.ended) throw new CallFailed(failure("connection", { message: "the stream broke off", status: 200 }));
    } catch (thrown) {
      if (this.vendor.aborted) throw thrown;
      error = deps.interrupted() ?? refusalOf(thrown, candidate);
    }
    const settled = this.settle(found, error);
    // The last bytes wait for the commit; everything before them is already on its way.
    try {
      yield* whileWaiting(settled.settlement.committed, writer);
    } catch (unrecorded) {
      error ??= unrecorded;
    }
    if (error === null) {
      yield* writer.end(candidate, settled);
      this.isWritten = true;
    } else yield* writer.error(candidate.model.id, error);
  }

  /** Call it when the caller stops reading. If the vendor has not finished, its usage is waited for, within bounds. */
  async leave(): Promise<void> {
    if (this.left) return;
    this.left = true;
    const found = await this.served.catch(() => null);
    try {
      if (found === null || this.settled !== null) return;
      let error: unknown = null;
      try {
        await this.drain(found);
      } catch (thrown) {
        if (!this.vendor.aborted) error = this.deps.interrupted() ?? refusalOf(thrown, found.candidate);
      }
      await this.settle(found, error).settlement.committed.catch(() => {});
    } finally {
      found?.slot();
      this.deps.ledger.release(this.run.reservation);
      await found?.answer.events.return().catch(() => {});
    }
  }

  /** What the response cache keeps with it, once it has ended well. */
  ending(): Omit<AnswerFacts, "id"> | null {
    const { end, settled, isWritten } = this;
    const facts = isWritten && end !== null && settled !== null ? answerFacts(end, settled) : null;
    return facts && { ...facts, headers: {} };
  }

  private get ended(): boolean {
    return hasEnded(this.progress, this.run.request.returned);
  }

  private async drain({ answer }: Served): Promise<void> {
    const given = AbortSignal.any([this.vendor, AbortSignal.timeout(drainMs)]);
    const stopped = new Promise<null>((resolve) => {
      if (given.aborted) resolve(null);
      given.addEventListener("abort", () => resolve(null), { once: true });
    });
    let drained = 0;
    while (!this.progress.done && drained < mostDrained) {
      this.progress.silence.wait();
      const event = await Promise.race([answer.events.next(), stopped]);
      if (event === null) return;
      if (event.done === true) {
        this.progress.closed = true;
        return;
      }
      recordEvent(event.value, this.progress, this.run);
      drained += event.value.size;
    }
  }

  /** The usage that a vendor has reported in an unfinished stream is not all of it. */
  private settle({ candidate, answer }: Served, error: unknown): SettledChat {
    if (this.settled !== null) return this.settled;
    const { deps, run, progress } = this;
    const { usage, finishReason, upstreamId, responseModel, silence } = progress;
    const produced = outputInPieces(progress.produced, progress.kept, progress.bytes);
    const { ended } = this;
    const missing = usage === null || !ended || !(progress.done || progress.closed || progress.countedAtEnd);
    const cancelled = this.left || run.context.call.signal.aborted;
    const isCounted = run.attempts.unanswered.counts(candidate);
    // The gateway counts text; a stream's other content is bounded like that of a broken stream.
    const uncountable = isCounted && progress.other > 0 && usage === null;
    const brokenOff = cancelled || error instanceof NoRoom || (error !== null && isCounted) || uncountable;
    const written = produced.bytes + progress.other + run.received.bytes;
    let counted: Usage | null = null;
    if (brokenOff && missing) counted = run.bounds.leftBehind(candidate.model, written, usage, silence.ms);
    else if (!ended && usage !== null) counted = countAtLeast(usage, produced);
    const end: ServedChat = {
      candidate,
      usage: ended && !(missing && brokenOff) ? usage : null,
      counted,
      produced,
      choices: progress.answer.choices(error === null ? null : "error"),
      ...(progress.answer.isTooLong ? { answerBytes: Number.POSITIVE_INFINITY } : {}),
      finishReason: error === null ? finishReason : "error",
      upstreamId,
      responseModel,
      latencyMs: answer.latencyMs,
      error,
      cancelled,
    };
    const failed = error === null || deps.interrupted() !== null ? null : failureOfStream(error);
    noteServed(deps, run, end, failed);
    this.end = end;
    this.settled = settleChat(deps, run, end);
    return this.settled;
  }
}

function refusalOf(error: unknown, { provider }: Candidate): unknown {
  const failed = failureOfStream(error);
  return failed === null ? error : upstreamRefusal([{ provider: provider.name, failure: failed }], [], []);
}

/** The provider's fault; null: none, for example where the gateway had no room for its answer. */
function failureOfStream(error: unknown) {
  const isRefused = error instanceof Refusal && !(error instanceof NoRoom);
  return failureOf(error) ?? (isRefused ? failure("server", { message: error.message, status: error.status }) : null);
}

/** Yields the promise's value, with a sign of life now and then until it settles. */
async function* whileWaiting<T>(promise: Promise<T>, writer: StreamWriter): AsyncGenerator<Piece, T, void> {
  while (!(await orAfter(promise, keepAliveMs))) yield writer.silence();
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
