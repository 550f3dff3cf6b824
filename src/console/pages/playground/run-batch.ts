import { planChunks } from "./plan.ts";
import type { Chunk, Item } from "./plan.ts";

export interface Answer {
  /** base64 of float32, in the order of the chunk */
  vectors: string[];
  tokens: number;
  /** USD; null where the answer names no cost */
  cost: number | null;
  ms: number;
  generation: string | null;
}

/** Why a call gave nothing. `status` is 0 where no answer came. */
export interface Refused {
  status: number;
  message: string;
  requestId: string | null;
  retryAfterMs: number | null;
  /** more closely than the status: whose money ran out (`limit_kind`), or what failed at the provider */
  reason: string | null;
  /** the provider that refused, where one was asked */
  provider: string | null;
  /** the place within the chunk that is at fault, where the answer says so */
  at: number | null;
}

export type Send = (chunk: Chunk, signal: AbortSignal) => Promise<Answer | { refused: Refused }>;

export type RunState = "running" | "paused" | "cancelled" | "stopped" | "done";

export interface Wait {
  refused: Refused;
  until: number;
}

/** What a run is at; the page is told a few times a second. */
export interface Progress {
  state: RunState;
  total: number;
  done: number;
  tokens: number;
  /** USD; null as long as no answer named one */
  cost: number | null;
  /** milliseconds of each answered call */
  latencies: number[];
  generations: string[];
  /** by the item's place: why it has no vector */
  failures: [place: number, refused: Refused][];
  /** what a call is waiting for, and when (epoch milliseconds) it is tried again; of several, the one that is next */
  waiting: Wait | null;
}

export interface Parts {
  send: Send;
  /** puts one vector at its places; throws where there is no room for it */
  keep: (places: readonly number[], vector: string) => void;
  /** resolves after that time, at once when aborted */
  wait: (ms: number, signal: AbortSignal) => Promise<void>;
  /** epoch milliseconds */
  now: () => number;
  tell: (progress: Progress) => void;
}

export interface Batch {
  pause(): void;
  resume(): void;
  cancel(): void;
  /** tries again what failed, and what a cancelled run left out */
  retry(): void;
  progress(): Progress;
}

const inFlight = 3;
const mostTries = 4;
/** For these every other call would fail as well. */
const fatal = new Set([401, 402, 403, 404]);

/** The vectors came, and there is no place for them. */
const noRoom = { status: 0, requestId: null, retryAfterMs: null, reason: "memory", provider: null, at: null };

/** Runs a batch, a few calls at a time. Order does not matter: every vector knows its places. */
export function startBatch(items: readonly Item[], { send, keep, wait, now: clock, tell }: Parts): Batch {
  const now: Progress = {
    state: "running",
    total: items.length,
    done: 0,
    tokens: 0,
    cost: null,
    latencies: [],
    generations: [],
    failures: [],
    waiting: null,
  };
  const failures = new Map<number, Refused>();
  const finished = new Set<number>();
  const waits = new Set<Wait>();
  let queue: Chunk[] = [];
  let copies: ReadonlyMap<number, readonly number[]> = new Map();
  let flying = 0;
  let leaving = new AbortController();

  const places = (place: number) => [place, ...(copies.get(place) ?? [])];
  const progress = (): Progress => {
    const [waiting = null] = [...waits].toSorted((a, b) => a.until - b.until);
    return { ...now, waiting, failures: [...failures], latencies: [...now.latencies] };
  };
  const report = () => tell(progress());
  const fail = (chunk: Chunk, refused: Refused) => {
    for (const place of chunk.items.flatMap(places)) failures.set(place, refused);
  };

  function begin(wanted: readonly number[]) {
    const plan = planChunks(items, wanted);
    queue = plan.chunks;
    copies = plan.copies;
    leaving = new AbortController();
    now.state = "running";
    go();
  }

  function go() {
    while (now.state === "running" && flying < inFlight && queue.length > 0) {
      const chunk = queue.shift()!;
      flying += 1;
      void make(chunk, leaving.signal).finally(() => {
        flying -= 1;
        go();
      });
    }
    if (now.state === "running" && flying === 0 && queue.length === 0) now.state = "done";
    report();
  }

  async function make(chunk: Chunk, signal: AbortSignal): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      const answer = await send(chunk, signal);
      if (signal.aborted) return;
      if (!("refused" in answer)) {
        try {
          return take(chunk, answer);
        } catch (error) {
          return stop(chunk, { ...noRoom, message: error instanceof Error ? error.message : String(error) });
        }
      }
      const { refused } = answer;
      const passing = refused.status === 0 || refused.status === 429 || refused.status >= 500;
      if (!passing || tries === mostTries) return refuse(chunk, refused);
      const ms = refused.retryAfterMs ?? 1_000 * 2 ** (tries - 1);
      const own = { refused, until: clock() + ms };
      waits.add(own);
      report();
      await wait(ms, signal);
      waits.delete(own);
      if (signal.aborted) return;
      report();
    }
  }

  function take(chunk: Chunk, answer: Answer) {
    // first what it cost: that is so whether or not the vectors find room
    now.tokens += answer.tokens;
    if (answer.cost !== null) now.cost = (now.cost ?? 0) + answer.cost;
    now.latencies.push(answer.ms);
    if (answer.generation !== null) now.generations.push(answer.generation);
    chunk.items.forEach((place, index) => {
      const all = places(place);
      keep(all, answer.vectors[index]!);
      for (const each of all) finished.add(each);
    });
    now.done = finished.size;
  }

  function stop(chunk: Chunk, refused: Refused) {
    for (const left of [chunk, ...queue]) fail(left, refused);
    queue = [];
    now.state = "stopped";
  }

  /** One text that is at fault must not take the others of its call with it. */
  function refuse(chunk: Chunk, refused: Refused) {
    if (fatal.has(refused.status)) return stop(chunk, refused);
    const { items: inside, inputType } = chunk;
    if (refused.status < 400 || refused.status >= 500 || inside.length === 1) return fail(chunk, refused);
    const half = Math.ceil(inside.length / 2);
    const parts =
      refused.at === null || refused.at >= inside.length
        ? [inside.slice(0, half), inside.slice(half)]
        : [inside.filter((_, index) => index !== refused.at)];
    if (parts.length === 1) fail({ items: [inside[refused.at ?? 0]!], inputType }, refused);
    queue.unshift(...parts.map((part) => ({ items: part, inputType })));
  }

  begin(items.map((_, place) => place));
  return {
    pause() {
      if (now.state === "running") now.state = "paused";
      report();
    },
    resume() {
      if (now.state !== "paused") return;
      now.state = "running";
      go();
    },
    cancel() {
      if (now.state !== "running" && now.state !== "paused") return;
      now.state = "cancelled";
      waits.clear();
      queue = [];
      leaving.abort();
      report();
    },
    retry() {
      if (now.state === "running" || now.state === "paused") return;
      failures.clear();
      begin(items.map((_, place) => place).filter((place) => !finished.has(place)));
    },
    progress,
  };
}
