import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { FairQueue } from "../../../fair-queue.ts";
import { type ThreadStop, watchThread } from "../../../thread-allowance.ts";
import { takeTurns } from "../../../turns.ts";
import { Refusal } from "../../refusal.ts";
import type { ContentFilters } from "./compile.ts";
import type { FilteredForm } from "./request-forms.ts";
import type { Answers, FilteredAnswer, Work } from "./worker.ts";
import type { PatternProblem } from "./check-patterns.ts";

/** A request whose texts are to be filtered. */
export interface RequestToFilter {
  /** the same object for the same filters: they are compiled once for each */
  readonly filters: ContentFilters;
  readonly form: FilteredForm;
  readonly body: Buffer;
  /** whose it is: owners take turns */
  readonly owner: string;
  readonly signal: AbortSignal;
}

/** Runs content filters outside the main thread, which no text and no pattern can hold up then. */
export interface FilterThreads {
  /** @throws Refusal payload_too_large when it takes too long, unavailable while too many others wait */
  filter(request: RequestToFilter): Promise<FilteredAnswer>;
  /** @throws Refusal unavailable; null: too long to say */
  check(patterns: readonly string[]): Promise<PatternProblem | "too_long" | null>;
  close(): Promise<void>;
}

/** Bytes of a request that waits for no longer one. */
const shortBody = 262_144;
/** How long one request may take: of processor time, and until a busy machine has given it that; milliseconds. */
const most = { cpu: 10_000, wall: 60_000 };
/** The same for the patterns of a guardrail: those of all that apply to a call have to compile within its time. */
const mostForCheck = { cpu: 3_000, wall: 60_000 };

/** @returns threads that start when they are first needed */
export function createFilterThreads(): FilterThreads {
  const short = new FilterThread();
  const long = new FilterThread();
  const ids = new WeakMap<ContentFilters, number>();
  let lastId = 0;
  const idOf = (filters: ContentFilters): number => {
    const id = ids.get(filters) ?? (lastId += 1);
    ids.set(filters, id);
    return id;
  };
  return {
    async filter({ filters, form, body, owner, signal }) {
      const thread = body.length > shortBody ? long : short;
      const id = idOf(filters);
      return await thread.run<"filter">(
        { owner, signal, most },
        async () => ({ kind: "filter", id, form, body: await ownBytes(body, owner), ...thread.send(id, filters) }),
        () => new Refusal("payload_too_large", tooLong),
      );
    },
    async check(patterns) {
      const spent = Symbol("spent");
      const { signal } = new AbortController();
      try {
        const work: Work = { kind: "check", patterns };
        return await long.run<"check">(
          { owner: "", signal, most: mostForCheck },
          async () => work,
          () => spent,
        );
      } catch (error) {
        if (error === spent) return "too_long";
        throw error;
      }
    },
    close: async () => {
      await Promise.all([short.close(), long.close()]);
    },
  };
}

const tooLong =
  "Checking the request by the key's content filters takes too long: send less text, or have their patterns shortened";

/** A copy that can be handed over to the thread. */
async function ownBytes(bytes: Buffer, owner: string): Promise<ArrayBuffer> {
  const own = new ArrayBuffer(bytes.length);
  const copy = Buffer.from(own);
  const turn = takeTurns(owner);
  for (let at = 0; at < bytes.length; at += copiedAtOnce) {
    bytes.copy(copy, at, at, at + copiedAtOnce);
    if (turn.isOver()) await turn.next();
  }
  return own;
}

const copiedAtOnce = 1_048_576;

interface Running {
  readonly owner: string;
  readonly signal: AbortSignal;
  readonly most: typeof most;
}

const mostWaiting = 2_000;
const mostWaitingOfOne = 200;
/** Sets of filters that a thread knows. */
const mostKnown = 50;
/** Work that is done sooner is not watched. */
const watchedAfterMs = 50;
/** Of what the patterns' states and a request's texts take, megabytes. */
const mostMemory = 512;

/** One thread, which does one thing at a time. */
class FilterThread {
  private worker: Worker | null = null;
  private readonly known = new Set<number>();
  private readonly waiting = new FairQueue<() => void>();
  private isBusy = false;
  private isClosed = false;

  /** Which of the filters have to go along with their id, by what the thread knows. */
  send(id: number, filters: ContentFilters): { filters: ContentFilters | null; forget: boolean } {
    if (this.known.has(id)) return { filters: null, forget: false };
    const forget = this.known.size >= mostKnown;
    if (forget) this.known.clear();
    this.known.add(id);
    return { filters, forget };
  }

  /** @param spent the error for work that takes too long */
  async run<Kind extends Work["kind"]>(
    { owner, signal, most }: Running,
    work: () => Promise<Extract<Work, { kind: Kind }>>,
    spent: () => unknown,
  ): Promise<Answers[Kind]> {
    await this.turn(owner, signal);
    try {
      signal.throwIfAborted();
      const answer = async () => (await this.answer(await work(), most, spent)) as Answers[Kind];
      // Memory may have gone to what was done before.
      return await answer().catch((error: unknown) => (isTooLarge(error) ? answer() : Promise.reject(error)));
    } catch (error) {
      throw isTooLarge(error) ? spent() : error;
    } finally {
      this.isBusy = false;
      this.waiting.shift()?.();
    }
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await this.worker?.terminate();
  }

  private async turn(owner: string, signal: AbortSignal): Promise<void> {
    if (this.isBusy) {
      if (this.waiting.size >= mostWaiting || this.waiting.sizeOf(owner) >= mostWaitingOfOne) throw tooMany();
      await new Promise<void>((resolve, reject) => {
        const begin = () => {
          signal.removeEventListener("abort", leave);
          this.isBusy = true;
          resolve();
        };
        const leave = () => {
          this.waiting.remove(owner, begin);
          reject(signal.reason as Error);
        };
        signal.addEventListener("abort", leave, { once: true });
        this.waiting.push(owner, begin);
      });
    }
    this.isBusy = true;
  }

  private async answer(work: Work, allowance: typeof most, spent: () => unknown): Promise<unknown> {
    if (this.isClosed) throw stopping();
    const worker = (this.worker ??= this.start());
    const stopped = new AbortController();
    let stopWatching = () => {};
    const watching = setTimeout(() => {
      stopWatching = watchThread(worker, allowance, (why) => stopped.abort(why));
    }, watchedAfterMs);
    const ended = () => stopped.abort("ended");
    worker.once("exit", ended);
    try {
      const answered = once(worker, "message", { signal: stopped.signal });
      worker.postMessage(work, work.kind === "filter" ? [work.body] : []);
      return (await answered)[0];
    } catch (error) {
      this.forget();
      await worker.terminate();
      if (this.isClosed) throw stopping();
      const why = stopped.signal.reason as ThreadStop | "ended" | undefined;
      if (why === "spent") throw spent();
      if (why === "starved" || why === "ended") throw tooMany();
      throw error;
    } finally {
      clearTimeout(watching);
      stopWatching();
      worker.off("exit", ended);
    }
  }

  private start(): Worker {
    const worker = new Worker(new URL("./worker.ts", import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: mostMemory },
    });
    // Errors reach the work that is waiting for its answer.
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

/** Out of the thread's memory, or of a regular expression's stack. */
function isTooLarge(error: unknown): boolean {
  if (error instanceof RangeError) return true;
  return error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";
}

function tooMany(): Refusal {
  const message = "The gateway has too many requests to check by content filters: try again";
  return new Refusal("unavailable", message, { retryAfterSeconds: 2 });
}

function stopping(): Refusal {
  return new Refusal("unavailable", "The gateway is stopping: try again", { retryAfterSeconds: 2 });
}
