import { planChunks, type Chunk, type Item } from "./plan.ts";

export interface Answer {
  /** base64 of float32, in the order of the chunk */
  vectors: string[];
  tokens: number;
  /** USD; null where the answer names no cost */
  cost: number | null;
  ms: number;
  generation: string | null;
  /** the ids of the vectors' spaces */
  spaces: readonly string[];
  /** the places within the chunk whose texts look like a language that the model does not know */
  unfamiliar: readonly number[];
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
  /** USD that it came to all the same: a provider was sent the call, did not answer and may bill it */
  cost: number | null;
}

export type Send = (chunk: Chunk, signal: AbortSignal) => Promise<Answer | { refused: Refused }>;

export type RunState = "running" | "paused" | "cancelled" | "stopped" | "done";

export interface Wait {
  refused: Refused;
  until: number;
}

/** A run's progress; the page receives it a few times a second. */
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
  /** the ids of the spaces of all vectors, each once */
  spaces: string[];
  /** the places of the items whose vectors say little, because the model does not know their language */
  unfamiliar: number[];
  /** by the item's place, and in the order of places: why it has no vector */
  failures: [place: number, refused: Refused][];
  /** what a call is waiting for, and when (epoch milliseconds) it is tried again; of several, the one that is next */
  waiting: Wait | null;
}

export interface BatchDeps {
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
  /** tries again what failed and may not fail again, and what a cancelled run left out */
  retry(): void;
  progress(): Progress;
}

const inFlight = 3;
const mostTries = 4;
/** For these every other call would fail as well. */
const fatalStatuses = new Set([401, 402, 403, 404]);
/** … and so for these, whatever status the gateway gives them: only a person at the provider ends them. */
const fatalReasons = new Set<string | null>(["credentials", "payment"]);
const isFatal = ({ status, reason }: Refused) => fatalStatuses.has(status) || fatalReasons.has(reason);

/** The same texts are refused again for these: a person has to change them, or the request, first. */
const lastingStatuses = new Set([400, 413, 422]);
export const isLasting = ({ status, reason }: Pick<Refused, "status" | "reason">): boolean =>
  lastingStatuses.has(status) && !fatalReasons.has(reason);

/** Each repeat of one of these may be billed once more, so a person decides on it. */
const mayBeBilled = ({ status, cost }: Refused) => cost !== null || status === 524;
const isPassing = (refused: Refused) =>
  (refused.status === 0 || refused.status === 429 || refused.status >= 500) &&
  !isFatal(refused) &&
  !mayBeBilled(refused);

/** For a call without an answer. */
export const unheard = {
  status: 0,
  requestId: null,
  retryAfterMs: null,
  reason: null,
  provider: null,
  at: null,
  cost: null,
};
/** The vectors came, and there is no place for them. */
const noRoom = { ...unheard, reason: "memory" };

/** The progress of a run of which nothing is known yet. */
export const notBegun = (total: number): Progress => ({
  state: "running",
  total,
  done: 0,
  tokens: 0,
  cost: null,
  latencies: [],
  generations: [],
  spaces: [],
  unfamiliar: [],
  failures: [],
  waiting: null,
});

/**
 * A refused call in smaller ones: one text that is at fault must not take the others of its call with it. Null where
 * the refusal is not about one of several texts.
 */
function split(
  { items, inputType }: Chunk,
  { status, cost, at }: Refused,
): { fault: Chunk | null; again: Chunk[] } | null {
  if (status < 400 || status >= 500 || cost !== null || items.length === 1) return null;
  const half = Math.ceil(items.length / 2);
  const place = at === null ? undefined : items[at];
  const parts =
    place === undefined ? [items.slice(0, half), items.slice(half)] : [items.filter((other) => other !== place)];
  const fault = place === undefined ? null : { items: [place], inputType };
  return { fault, again: parts.map((part) => ({ items: part, inputType })) };
}

/** What a run has come to so far. */
function makeTally(total: number) {
  const now = notBegun(total);
  const failures = new Map<number, Refused>();
  const waits = new Set<Wait>();
  const charge = (cost: number | null) => {
    if (cost !== null) now.cost = (now.cost ?? 0) + cost;
  };
  return {
    now,
    failures,
    waits,
    charge,
    note({ tokens, cost, ms, generation, spaces }: Answer) {
      now.tokens += tokens;
      charge(cost);
      now.latencies.push(ms);
      if (generation !== null) now.generations.push(generation);
      now.spaces = [...new Set([...now.spaces, ...spaces])];
    },
    progress(): Progress {
      const [waiting = null] = [...waits].toSorted((a, b) => a.until - b.until);
      const unfamiliar = now.unfamiliar.toSorted((a, b) => a - b);
      return {
        ...now,
        waiting,
        unfamiliar,
        failures: [...failures].toSorted(([one], [other]) => one - other),
        latencies: [...now.latencies],
      };
    },
  };
}

/** Runs a batch, a few calls at a time. Order does not matter: every vector knows its places. */
export function startBatch(items: readonly Item[], { send, keep, wait, now: clock, tell }: BatchDeps): Batch {
  const { now, failures, waits, charge, note, progress } = makeTally(items.length);
  const finished = new Set<number>();
  let queue: Chunk[] = [];
  let copies: ReadonlyMap<number, readonly number[]> = new Map();
  let flying = 0;
  let leaving = new AbortController();

  const places = (place: number) => [place, ...(copies.get(place) ?? [])];
  const report = () => tell(progress());
  const fail = (chunk: Chunk, refused: Refused) => {
    for (const place of chunk.items.flatMap(places)) failures.set(place, refused);
  };

  function begin() {
    const wanted = [...items.keys()].filter((place) => !finished.has(place) && !failures.has(place));
    const plan = planChunks(items, wanted);
    queue = plan.chunks;
    copies = plan.copies;
    leaving = new AbortController();
    now.state = "running";
    go();
  }

  function go() {
    while (now.state === "running" && flying < inFlight) {
      const chunk = queue.shift();
      if (!chunk) break;
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
      charge(refused.cost);
      if (!isPassing(refused) || tries === mostTries) return refuse(chunk, refused);
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
    note(answer);
    chunk.items.forEach((place, index) => {
      const all = places(place);
      const vector = answer.vectors[index];
      if (vector === undefined) throw new Error("The answer has no vector of one of the rows.");
      keep(all, vector);
      if (answer.unfamiliar.includes(index)) now.unfamiliar.push(...all);
      for (const each of all) finished.add(each);
    });
    now.done = finished.size;
  }

  function stop(chunk: Chunk, refused: Refused) {
    for (const left of [chunk, ...queue]) fail(left, refused);
    queue = [];
    now.state = "stopped";
  }

  function refuse(chunk: Chunk, refused: Refused) {
    if (isFatal(refused)) return stop(chunk, refused);
    const parts = split(chunk, refused);
    if (!parts) return fail(chunk, refused);
    if (parts.fault) fail(parts.fault, refused);
    queue.unshift(...parts.again);
  }

  begin();
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
      for (const [place, refused] of failures) if (!isLasting(refused)) failures.delete(place);
      begin();
    },
    progress,
  };
}
