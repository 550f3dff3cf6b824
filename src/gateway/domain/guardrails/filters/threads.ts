import { takeTurns } from "../../../turns.ts";
import { Refusal } from "../../refusal.ts";
import type { PatternProblem } from "./check-patterns.ts";
import type { ContentFilters } from "./compile.ts";
import { type Heavier, Paces, type Weight } from "./pace.ts";
import { Places, type Taken } from "./places.ts";
import type { FilteredForm } from "./request-forms.ts";
import { type Allowance, FilterThread, Outgrown, OutOfMemory, Spent } from "./thread.ts";
import type { FilteredAnswer } from "./worker.ts";

/** A request whose texts are to be filtered. */
export interface RequestToFilter {
  /** the same object for the same filters: they are compiled once for each */
  readonly filters: ContentFilters;
  readonly form: FilteredForm;
  readonly body: Buffer;
  /** whose it is: owners take turns */
  readonly owner: string;
  readonly signal: AbortSignal;
  /** the filters are tried out: calls, whose filters are known, do not wait for it */
  readonly isTrial?: boolean;
}

/** Runs content filters outside the main thread, which no text and no pattern can hold up then. */
export interface FilterThreads {
  /** @throws Refusal payload_too_large when it takes too long, unavailable while too many others wait */
  filter(request: RequestToFilter): Promise<FilteredAnswer>;
  /** @throws Refusal unavailable; null: too long to say */
  check(patterns: readonly string[], owner: string): Promise<PatternProblem | "too_long" | null>;
  close(): Promise<void>;
}

/** For one request. */
const most: Allowance = { cpu: 10_000, wall: 60_000 };
/** For the patterns of a guardrail: those of all that apply to a call have to compile within its time. */
const mostForCheck: Allowance = { cpu: 3_000, wall: 60_000 };
/** Of the patterns of a guardrail, compiling is never more than long: what it may take is bounded above. */
const compiling = 10_000_000;

/** One for each weight. */
const threads = 3;

/** Work on one thread. */
type Job<Result> = (taken: Taken<FilterThread>, weight: Weight) => Promise<Result>;

interface Asked {
  readonly owner: string;
  readonly signal: AbortSignal;
  readonly suits: (thread: FilterThread) => boolean;
  /** absent: wherever it is done */
  weight(at?: FilterThread): Weight;
}

/** @returns threads that start when they are first needed */
export function createFilterThreads(): FilterThreads {
  const all = Array.from({ length: threads }, () => new FilterThread());
  const places = new Places(all);
  const paces = new Paces();
  /** Filters that take longer to compile than quick work. */
  const slowToLearn = new WeakSet<ContentFilters>();

  /** What has outgrown its place begins again at another one, and once what finds no memory. */
  async function run<Result>({ owner, signal, suits, weight }: Asked, job: Job<Result>): Promise<Result> {
    let least: Weight = 0;
    let isSecond = false;
    for (;;) {
      const asked = Math.max(least, weight()) as Weight;
      const taken = await places.take({ owner, weight: asked, signal }, suits);
      // It would take a place of quick work, and outgrow it.
      const there = weight(taken.place);
      if (there > asked) {
        least = there;
        taken.leave();
        continue;
      }
      const grow = (grown: Weight) => {
        least = grown;
        return taken.grow(grown);
      };
      try {
        signal.throwIfAborted();
        return await job({ ...taken, grow }, asked);
      } catch (error) {
        if (!(error instanceof Outgrown || (error instanceof OutOfMemory && !isSecond))) throw error;
        isSecond ||= error instanceof OutOfMemory;
      } finally {
        taken.leave();
      }
    }
  }

  return {
    async filter({ filters, form, body, owner, signal, isTrial = false }) {
      const bytes = body.length;
      const lightest = isTrial ? 1 : 0;
      const asked = {
        owner,
        signal,
        suits: (thread: FilterThread) => thread.idOf(filters) !== undefined,
        weight: (at?: FilterThread) => {
          const learns = at !== undefined && at.idOf(filters) === undefined && slowToLearn.has(filters);
          return Math.max(lightest, learns ? 1 : 0, paces.weightOf(filters, bytes)) as Weight;
        },
      };
      try {
        return await run(asked, async ({ place: thread, grow }, weight) => {
          const grownByLearning = (grown: Heavier) => {
            slowToLearn.add(filters);
            return grow(grown);
          };
          const learning = { allowance: most, bytes: compiling, weight, grow: grownByLearning };
          const { id, ms: learned } = await thread.learn(filters, learning);
          const allowance = { ...most, cpu: most.cpu - learned };
          const work = { kind: "filter", id, form, body: await ownBytes(body, owner) } as const;
          const grownByText = (grown: Heavier) => {
            // Others of the same filters wait, and need not find out for themselves.
            paces.addUnfinished(filters, grown, bytes);
            return grow(grown);
          };
          const { answer, ms } = await thread.run<"filter">(work, { allowance, bytes, weight, grow: grownByText });
          paces.add(filters, { ms, bytes });
          return answer;
        });
      } catch (error) {
        if (!(error instanceof Spent)) throw error;
        paces.add(filters, { ms: most.cpu, bytes });
        throw new Refusal("payload_too_large", tooLong);
      }
    },
    async check(patterns, owner) {
      const { signal } = new AbortController();
      try {
        return await run({ owner, signal, suits: () => false, weight: () => 1 }, async ({ place, grow }, weight) => {
          const bound = { allowance: mostForCheck, bytes: compiling, weight, grow };
          return (await place.run<"check">({ kind: "check", patterns }, bound)).answer;
        });
      } catch (error) {
        if (error instanceof Spent) return "too_long";
        throw error;
      }
    },
    close: async () => {
      await Promise.all(all.map((thread) => thread.close()));
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
