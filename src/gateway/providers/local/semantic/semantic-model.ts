import { type EncoderProcess, startEncoderProcess } from "./encoder-process.ts";
import type { EncodedText, TextAnswer } from "./messages.ts";
import { type EmbedOptions, refuse, SemanticUnavailable, settle, TextQueue, type WaitingText } from "./text-queue.ts";

/** The built-in semantic model, in a process that exists only while it is used. */
export interface SemanticModel {
  /**
   * What the model says of each text, in their order.
   * @throws TooLong; SemanticUnavailable; the signal's reason once the caller has left
   */
  embed(texts: readonly string[], options: EmbedOptions): Promise<readonly EncodedText[]>;
  /** the process that runs now; null while there is none */
  processId(): number | null;
  close(): void;
}

export interface SemanticModelOptions {
  /** where the model's package is installed */
  readonly folder: string;
  /** for an operator */
  readonly warn: (message: string, details: object) => void;
  /** the process ends after so long without a call; its next start takes a third of a second */
  readonly idleMs?: number;
  /** the longest that a start, or one batch, may take, on a machine however busy */
  readonly longestMs?: number;
  /** how a process is started, if not as a real one */
  readonly start?: typeof startEncoderProcess;
}

const firstRetryMs = 1_000;
const longestRetryMs = 60_000;
const stopping = new SemanticUnavailable("the gateway stops", 2_000);

export function createSemanticModel({
  folder,
  warn,
  idleMs = 60_000,
  longestMs = 60_000,
  start = startEncoderProcess,
}: SemanticModelOptions): SemanticModel {
  const queue = new TextQueue();
  let running: EncoderProcess | null = null;
  let ready = false;
  let batch: readonly WaitingText[] = [];
  let idle: NodeJS.Timeout | undefined;
  let watchdog: NodeJS.Timeout | undefined;
  /** in a row, without an answer in between */
  let failures = 0;
  let retryAtMs = 0;
  let closed = false;

  /** Does what is due: a start, the next batch, or nothing until the process has been idle for too long. */
  function proceed() {
    clearTimeout(idle);
    if (running === null && !queue.isEmpty) begin();
    if (running === null || !ready || batch.length > 0) return;
    batch = queue.nextBatch();
    if (batch.length === 0) {
      idle = setTimeout(end, idleMs).unref();
      return;
    }
    watch("it took too long");
    running.encode(batch.map(({ text, call }) => ({ text, truncate: call.truncate })));
  }

  function begin() {
    const waitMs = retryAtMs - performance.now();
    if (waitMs > 0) return queue.refuseAll(new SemanticUnavailable("its process is started again soon", waitMs));
    watch("it took too long to start");
    try {
      running = start(folder, { ready: begun, encoded, ended: fail });
    } catch (error) {
      fail(error instanceof Error ? error.message : String(error));
    }
  }

  function begun() {
    clearTimeout(watchdog);
    ready = true;
    proceed();
  }

  function encoded(answers: readonly TextAnswer[]) {
    clearTimeout(watchdog);
    failures = 0;
    const answered = batch;
    batch = [];
    for (const [index, text] of answered.entries()) settle(text, answers[index]);
    proceed();
  }

  /** A process that does not answer is ended, so that no caller waits for it for ever. */
  function watch(why: string) {
    watchdog = setTimeout(fail, longestMs, why).unref();
  }

  function end() {
    clearTimeout(idle);
    clearTimeout(watchdog);
    running?.end();
    running = null;
    ready = false;
  }

  /** Its batch is lost. What waits goes to the next process, unless that one ends too, without an answer. */
  function fail(why: string) {
    const hadStarted = ready;
    const lost = batch;
    end();
    batch = [];
    failures += 1;
    warn("the process of gatehouse/semantic-en ended", { why, failures });
    const retryMs = Math.min(firstRetryMs * 2 ** (failures - 1), longestRetryMs);
    const refused = new SemanticUnavailable(`its process ended (${why})`, retryMs);
    for (const { call } of lost) refuse(call, refused);
    if (hadStarted && failures === 1) return proceed();
    retryAtMs = performance.now() + retryMs;
    queue.refuseAll(refused);
  }

  return {
    processId: () => running?.id ?? null,
    async embed(texts, options) {
      options.signal.throwIfAborted();
      if (closed) throw stopping;
      if (texts.length === 0) return [];
      const all = queue.add(texts, options);
      proceed();
      return await all;
    },
    close() {
      closed = true;
      end();
      for (const { call } of batch) refuse(call, stopping);
      queue.refuseAll(stopping);
    },
  };
}
