import { Worker } from "node:worker_threads";
import { BadPicture } from "./decode-picture.ts";
import type { Looked } from "./picture-worker.ts";

const longestMs = 10_000;
/** A thread that has decoded keeps the memory that it took for that. */
const idleMs = 5_000;
const mostWaiting = 256;

interface Waiting {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly resolve: (look: Float64Array) => void;
  readonly reject: (error: Error) => void;
}

const waiting: Waiting[] = [];
let worker: Worker | null = null;
let current: Waiting | null = null;
let deadline: NodeJS.Timeout | undefined;
let idle: NodeJS.Timeout | undefined;

/** More pictures are waiting than will be looked at in reasonable time. */
export class TooManyPictures extends Error {
  override readonly name = "TooManyPictures";
}

/**
 * The look of a picture, one at a time in a thread that is there only while it is needed: what somebody sends can
 * neither block other calls nor take longer than ten seconds.
 * @throws BadPicture; TooManyPictures
 */
export function lookAt(bytes: Uint8Array<ArrayBuffer>): Promise<Float64Array> {
  if (waiting.length >= mostWaiting) return Promise.reject(new TooManyPictures());
  return new Promise((resolve, reject) => {
    waiting.push({ bytes, resolve, reject });
    next();
  });
}

function next() {
  if (current !== null) return;
  clearTimeout(idle);
  const picture = waiting.shift();
  if (picture === undefined) {
    idle = setTimeout(end, idleMs).unref();
    return;
  }
  current = picture;
  deadline = setTimeout(() => finish(new BadPicture("took too long to decode")), longestMs);
  (worker ??= begin()).postMessage(picture.bytes);
}

function finish(outcome: Float64Array | Error) {
  clearTimeout(deadline);
  const picture = current;
  current = null;
  // A decoder that gave up is in no state to go on, and one that never ends has to be stopped.
  if (outcome instanceof Error) end();
  if (outcome instanceof Error) picture?.reject(outcome);
  else picture?.resolve(outcome);
  next();
}

function begin(): Worker {
  const thread = new Worker(new URL("./picture-worker.ts", import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 8 },
  });
  const ended = (outcome: Float64Array | Error) => {
    if (thread === worker) finish(outcome);
  };
  thread.on("message", (looked: Looked) => ended("look" in looked ? looked.look : new BadPicture(looked.problem)));
  thread.on("error", () => ended(new BadPicture("could not be decoded: it is damaged")));
  // It must not keep a process alive that has nothing else to do.
  thread.unref();
  return thread;
}

function end() {
  void worker?.terminate();
  worker = null;
}
