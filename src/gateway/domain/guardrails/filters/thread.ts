import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { type ThreadStop, watchThread } from "../../../thread-allowance.ts";
import { Refusal } from "../../refusal.ts";
import type { ContentFilters } from "./compile.ts";
import { type Heavier, turnsAt, type Weight } from "./pace.ts";
import { tooMany } from "./places.ts";
import type { Answered, Work } from "./worker.ts";

/** How long work may take: of processor time, and until a busy machine has given it that; milliseconds. */
export interface Allowance {
  readonly cpu: number;
  readonly wall: number;
}

/** A bound on one piece of work. */
export interface Bound {
  readonly allowance: Allowance;
  /** of what it reads */
  readonly bytes: number;
  /** as which it has begun */
  readonly weight: Weight;
  /** it is heavier than that. @returns false: it has to end */
  grow(weight: Heavier): boolean;
}

/** The work took all that it may. */
export class Spent extends Error {
  override readonly name = "Spent";
}

/** It took all memory that a thread has, of which some may have gone to what was done before. */
export class OutOfMemory extends Spent {}

/** The work was ended to begin again later, as what it is. */
export class Outgrown extends Error {
  override readonly name = "Outgrown";
}

/** Sets of filters that a thread knows. */
const mostKnown = 50;
/** Work that is done sooner is not watched. */
const watchedAfterMs = 25;
/** Of what the patterns' states and a request's texts take, megabytes. */
const mostMemory = 384;

/** One thread, which does one thing at a time. */
export class FilterThread {
  private worker: Worker | null = null;
  /** resolves once the worker has loaded its code, which is no work's time */
  private loaded: Promise<unknown> = Promise.resolve();
  /** the latest last */
  private readonly known = new Map<ContentFilters, number>();
  private lastId = 0;
  private isClosed = false;

  get isStarted(): boolean {
    return this.worker !== null;
  }

  start(): void {
    if (!this.isClosed) this.worker ??= this.begin();
  }

  /** The id under which the thread knows the filters. */
  idOf(filters: ContentFilters): number | undefined {
    return this.known.get(filters);
  }

  /**
   * Has the thread learn filters that it does not know.
   * @throws Spent, Outgrown
   */
  async learn(filters: ContentFilters, bound: Bound): Promise<{ readonly id: number; readonly ms: number }> {
    const id = this.known.get(filters);
    if (id !== undefined) {
      this.known.delete(filters);
      this.known.set(filters, id);
      return { id, ms: 0 };
    }
    const [oldest] = this.known.size < mostKnown ? [] : this.known;
    if (oldest !== undefined) this.known.delete(oldest[0]);
    const own = (this.lastId += 1);
    const { ms } = await this.run<"learn">({ kind: "learn", id: own, filters, forget: oldest?.[1] ?? null }, bound);
    this.known.set(filters, own);
    return { id: own, ms };
  }

  /** @throws Spent, Outgrown; Refusal unavailable when the machine is too busy, or the gateway stops */
  async run<Kind extends Work["kind"]>(work: Extract<Work, { kind: Kind }>, bound: Bound): Promise<Answered<Kind>> {
    this.start();
    const { worker } = this;
    if (worker === null) throw stopping();
    const stopped = new AbortController();
    let stopWatching = () => {};
    const ended = () => stopped.abort("ended");
    worker.once("exit", ended);
    try {
      await Promise.race([this.loaded, once(stopped.signal, "abort")]);
      stopWatching = watch(worker, bound, (why) => stopped.abort(why));
      const answered = once(worker, "message", { signal: stopped.signal });
      worker.postMessage(work, "body" in work ? [work.body] : []);
      return (await answered)[0] as Answered<Kind>;
    } catch (error) {
      this.forget();
      await worker.terminate();
      if (this.isClosed) throw stopping();
      const why = stopped.signal.reason as Stop | "ended" | undefined;
      if (why === "outgrown") throw new Outgrown();
      if (why === "spent") throw new Spent();
      if (isTooLarge(error)) throw new OutOfMemory();
      if (why === "starved" || why === "ended") throw tooMany();
      throw error;
    } finally {
      stopWatching();
      worker.off("exit", ended);
    }
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await this.worker?.terminate();
  }

  private begin(): Worker {
    const worker = new Worker(new URL("./worker.ts", import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: mostMemory },
    });
    this.loaded = once(worker, "message");
    // Errors reach the work that is waiting for its answer.
    this.loaded.catch(() => {});
    worker.on("error", () => {});
    worker.once("exit", () => {
      if (this.worker === worker) this.forget();
    });
    worker.unref();
    return worker;
  }

  private forget(): void {
    this.worker = null;
    this.known.clear();
  }
}

type Stop = ThreadStop | "outgrown";

/** Watches work of a thread, which grows heavier with the processor time that it takes. @returns what ends the watch */
function watch(thread: Worker, { allowance, bytes, weight, grow }: Bound, stop: (why: Stop) => void): () => void {
  const heavier = ([1, 2] as const)
    .filter((each) => each > weight)
    .map((each) => ({ weight: each, cpu: turnsAt(each, bytes) }));
  let stopWatching = () => {};

  function next(usedMs: number): void {
    const [step] = heavier.splice(0, 1);
    const cpu = (step?.cpu ?? allowance.cpu) - usedMs;
    stopWatching = watchThread(thread, { cpu, wall: allowance.wall }, (why) => {
      if (why === "starved" || step === undefined) stop(why);
      else if (grow(step.weight)) next(step.cpu);
      else stop("outgrown");
    });
  }

  const watching = setTimeout(next, watchedAfterMs, 0);
  return () => {
    clearTimeout(watching);
    stopWatching();
  };
}

/** Out of the thread's memory, or of a regular expression's stack. */
function isTooLarge(error: unknown): boolean {
  if (error instanceof RangeError) return true;
  return error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";
}

function stopping(): Refusal {
  return new Refusal("unavailable", "The gateway is stopping: try again", { retryAfterSeconds: 2 });
}
