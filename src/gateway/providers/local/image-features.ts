import { Worker } from "node:worker_threads";
import { FairQueue } from "../../fair-queue.ts";
import { watchThread } from "../../thread-allowance.ts";
import { BadImage } from "./decode-image.ts";
import type { Extracted } from "./image-worker.ts";

/** Of processor time; on a busy machine an image waits for it for up to a minute. */
const longest = { cpu: 10_000, wall: 60_000 };
/** A thread that has decoded keeps the memory that it took for that. */
const idleMs = 5_000;
const mostWaiting = 256;
const mostWaitingOfOne = 64;

interface Waiting {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly resolve: (features: Float64Array) => void;
  readonly reject: (error: Error) => void;
}

const waiting = new FairQueue<Waiting>();
let worker: Worker | null = null;
let current: Waiting | null = null;
let stopWatching = () => {};
let idle: NodeJS.Timeout | undefined;

/** More images are waiting than can be processed in reasonable time, or the machine is too busy for this one. */
export class TooManyImages extends Error {
  override readonly name = "TooManyImages";
}

/**
 * The features of an image, computed one at a time in a thread that exists only while needed: what a caller sends can
 * neither block other calls nor take more than ten seconds of processor time.
 * @param owner whose image it is: owners who wait take turns
 * @throws BadImage; TooManyImages
 */
export function extractFeatures(bytes: Uint8Array<ArrayBuffer>, owner = ""): Promise<Float64Array> {
  if (waiting.size >= mostWaiting || waiting.sizeOf(owner) >= mostWaitingOfOne)
    return Promise.reject(new TooManyImages());
  return new Promise((resolve, reject) => {
    waiting.push(owner, { bytes, resolve, reject });
    next();
  });
}

function next() {
  if (current !== null) return;
  clearTimeout(idle);
  const image = waiting.shift();
  if (image === undefined) {
    idle = setTimeout(end, idleMs).unref();
    return;
  }
  current = image;
  try {
    worker ??= begin();
  } catch {
    // The system gives no more threads.
    return finish(new TooManyImages());
  }
  stopWatching = watchThread(worker, longest, (why) =>
    finish(why === "spent" ? new BadImage("took too long to decode") : new TooManyImages()),
  );
  worker.postMessage(image.bytes);
}

function finish(outcome: Float64Array | Error) {
  stopWatching();
  const image = current;
  current = null;
  // A decoder that failed is in no state to continue, and one that never ends has to be stopped.
  if (outcome instanceof Error) end();
  if (outcome instanceof Error) image?.reject(outcome);
  else image?.resolve(outcome);
  next();
}

function begin(): Worker {
  const thread = new Worker(new URL("./image-worker.ts", import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 8 },
  });
  const ended = (outcome: Float64Array | Error) => {
    if (thread === worker) finish(outcome);
  };
  thread.on("message", (extracted: Extracted) =>
    ended("features" in extracted ? extracted.features : new BadImage(extracted.problem)),
  );
  thread.on("error", () => ended(new BadImage("could not be decoded: it is damaged")));
  // It must not keep a process alive that has nothing else to do.
  thread.unref();
  return thread;
}

function end() {
  void worker?.terminate();
  worker = null;
}
