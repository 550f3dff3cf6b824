import { saidBy } from "../../domain/bodies/body.ts";
import { readText } from "../../providers/answer.ts";
import { CallFailed } from "../../providers/call.ts";
import { failure } from "../../providers/failure.ts";
import type { ChatEvent, ChatObject, Usage } from "../../providers/provider.ts";
import { AssembledAnswer } from "./assembled-answer.ts";
import type { ChatRun } from "./run.ts";
import { Silence } from "./silence.ts";
import type { HeardEvent } from "./hearing.ts";

/** The longest text of a stream that is kept for its count, and how much of it needs no room of its own. */
const mostKept = 64 * 1_048_576;
const roomStep = 65_536;

/** A stream's state so far. */
export interface Progress {
  usage: Usage | null;
  readonly produced: string[];
  /** for the call's record */
  readonly answer: AssembledAnswer;
  /** characters in `produced`, and bytes of them as UTF-8 */
  kept: number;
  bytes: number;
  /** characters sent to the caller that are not text: images, audio, unknown members and events */
  other: number;
  silence: Silence;
  finishReason: string | null;
  upstreamId: string | null;
  /** the provider's own name of the model */
  responseModel: string | null;
  /** indexes of the choices that have begun, and of those that have ended */
  readonly started: Set<unknown>;
  readonly finished: Set<unknown>;
  /** the provider reported the end of the stream */
  done: boolean;
  /** the connection ended cleanly */
  closed: boolean;
  /** usage was reported after the last choice ended */
  countedAtEnd: boolean;
}

/** @param startedMs when waiting for the provider began, by `performance.now()` */
export function noProgress(startedMs: number): Progress {
  return {
    usage: null,
    produced: [],
    answer: new AssembledAnswer(),
    kept: 0,
    bytes: 0,
    other: 0,
    silence: new Silence(startedMs),
    finishReason: null,
    upstreamId: null,
    responseModel: null,
    started: new Set(),
    finished: new Set(),
    done: false,
    closed: false,
    countedAtEnd: false,
  };
}

/**
 * Records an event, and returns what it says in the public form.
 * @throws CallFailed for a vendor's error or a stream without end, NoRoom
 */
export function recordEvent(event: HeardEvent, progress: Progress, run: ChatRun): ChatObject[] {
  const { other } = progress;
  const words = progress.produced.length;
  const held = heldBy(progress);
  progress.other += event.unread;
  const chunks = event.events.flatMap((each) => read(each, progress, run.request.returned) ?? []);
  const isHeard = progress.produced.length > words;
  progress.silence.hear(isHeard || progress.other > other);
  for (const text of progress.produced.slice(words)) {
    progress.kept += text.length;
    progress.bytes += Buffer.byteLength(text);
  }
  hold(progress, held, run);
  return chunks;
}

const heldBy = ({ kept, answer }: Progress) => kept + answer.besides;

/** Takes room for what is held, step by step. @param before what was held before the event */
function hold(progress: Progress, before: number, run: ChatRun) {
  if (progress.kept > mostKept)
    throw new CallFailed(
      failure("bad_answer", { status: 200, message: `the stream is longer than ${mostKept} characters` }),
    );
  const steps = Math.floor(heldBy(progress) / roomStep) - Math.floor(before / roomStep);
  if (steps > 0) run.context.call.room.take(steps * roomStep);
}

/**
 * Whether all choices have ended. A requested choice that never began counts as missing only if the connection broke:
 * some providers return fewer.
 */
export function hasEnded({ done, closed, started, finished }: Progress, returned: number): boolean {
  if (done) return true;
  return finished.size > 0 && finished.size >= Math.max(started.size, closed ? 1 : returned);
}

/** A count of nothing takes nothing back: some servers send zeros with events before or after that which counts. */
function withoutZeros(known: Usage | null, said: Usage): Usage {
  if (known === null) return said;
  const promptTokens = said.promptTokens === 0 ? known.promptTokens : said.promptTokens;
  const completionTokens = said.completionTokens === 0 ? known.completionTokens : said.completionTokens;
  return { ...known, ...said, promptTokens, completionTokens };
}

function read(event: ChatEvent, progress: Progress, returned: number): ChatObject | null {
  switch (event.type) {
    case "usage":
      progress.usage = withoutZeros(progress.usage, event.usage);
      progress.countedAtEnd = hasEnded(progress, returned);
      return null;
    case "done":
      progress.done = true;
      return null;
    case "error":
      throw new CallFailed(event.failure);
    case "chunk": {
      progress.answer.add(event.chunk);
      for (const choice of event.chunk.choices) {
        const said = saidBy(choice["delta"]);
        progress.produced.push(...said.texts);
        progress.other += said.other;
        const index = choice["index"] ?? 0;
        progress.started.add(index);
        if (typeof choice["finish_reason"] !== "string") continue;
        // As of a whole answer, whose first choice tells it.
        if (index === 0 || progress.finishReason === null) progress.finishReason = choice["finish_reason"];
        progress.finished.add(index);
      }
      progress.upstreamId ??= readText(event.chunk["id"]);
      progress.responseModel ??= readText(event.chunk["model"]);
      return event.chunk;
    }
  }
}
