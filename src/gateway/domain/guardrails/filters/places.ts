import { FairQueue } from "../../../fair-queue.ts";
import { Refusal } from "../../refusal.ts";
import type { Weight } from "./pace.ts";

/** What places are shared out for. */
export interface Guest {
  /** owners take turns */
  readonly owner: string;
  readonly weight: Weight;
  readonly signal: AbortSignal;
}

/** What can do one piece of work at a time. */
export interface Place {
  /** it can begin without a start of its own, which takes longer than quick work */
  readonly isStarted: boolean;
  start(): void;
}

/** A place that was given to a piece of work. */
export interface Taken<P> {
  readonly place: P;
  /** The work turns out to be of this weight. @returns false: it has to leave, since lighter work would find no place */
  grow(weight: Weight): boolean;
  leave(): void;
}

interface Waiting<P> {
  readonly guest: Guest;
  begin(taken: Taken<P>): void;
}

const weights = [0, 1, 2] as const;
const mostWaiting = 2_000;
const mostWaitingOfOne = 200;

/**
 * Shares a few places out so that work never waits for heavier work: of three places, work of weight 1 and more has two
 * at the most, and work of weight 2 has one. Each weight waits in a queue of its own.
 */
export class Places<P extends Place> {
  private readonly places: readonly P[];
  private readonly taken = new Map<P, Weight>();
  private readonly waiting = weights.map(() => new FairQueue<Waiting<P>>());

  /** @param places at least one for each weight */
  constructor(places: readonly P[]) {
    this.places = places;
  }

  /**
   * @param suits places that are preferred among those that are free
   * @throws Refusal unavailable while too many others wait
   */
  async take(guest: Guest, suits: (place: P) => boolean): Promise<Taken<P>> {
    const { owner, weight, signal } = guest;
    const queue = this.queue(weight);
    const free = queue.size === 0 ? this.freeFor(weight, suits) : undefined;
    if (free !== undefined) return this.give(free, weight);
    if (queue.size >= mostWaiting || queue.sizeOf(owner) >= mostWaitingOfOne) throw tooMany();
    return await new Promise((resolve, reject) => {
      const leave = () => {
        queue.remove(owner, waiting);
        reject(signal.reason as Error);
      };
      const waiting: Waiting<P> = {
        guest,
        begin(taken) {
          signal.removeEventListener("abort", leave);
          resolve(taken);
        },
      };
      signal.addEventListener("abort", leave, { once: true });
      queue.push(owner, waiting);
    });
  }

  private give(place: P, weight: Weight): Taken<P> {
    this.weigh(place, weight);
    return {
      place,
      grow: (grown) => {
        this.weigh(place, grown);
        if (this.count(grown) > this.most(grown)) return false;
        // Quick work that waited for this place may begin at one that has to start.
        this.next();
        return true;
      },
      leave: () => {
        this.taken.delete(place);
        this.next();
      },
    };
  }

  /** Starts a place for quick work where all others have heavier work. */
  private weigh(place: P, weight: Weight): void {
    this.taken.set(place, weight);
    const isReady = this.places.some((each) => each.isStarted && (this.taken.get(each) ?? 0) === 0);
    if (weight > 0 && !isReady) this.places.find((each) => !this.taken.has(each))?.start();
  }

  /** The heaviest first: it leaves a place for what is lighter. */
  private next(): void {
    for (const weight of weights.toReversed()) {
      const queue = this.queue(weight);
      while (queue.size > 0) {
        const place = this.freeFor(weight);
        if (place === undefined) break;
        queue.shift()?.begin(this.give(place, weight));
      }
    }
  }

  private freeFor(weight: Weight, suits: (place: P) => boolean = () => false): P | undefined {
    if (weights.some((each) => each <= weight && this.count(each) >= this.most(each))) return undefined;
    const free = this.places.filter((place) => !this.taken.has(place));
    const started = free.filter(({ isStarted }) => isStarted);
    // The first places stay with quick work, which they are used to.
    if (weight > 0) return started.findLast(suits) ?? free.at(-1);
    // Quick work is done sooner than another place has started.
    const isSoon = [...this.taken].some(([place, other]) => other === 0 && place.isStarted);
    return started.find(suits) ?? started[0] ?? (isSoon ? undefined : free[0]);
  }

  private count(weight: Weight): number {
    return [...this.taken.values()].filter((each) => each >= weight).length;
  }

  private most(weight: Weight): number {
    return this.places.length - weight;
  }

  private queue(weight: Weight): FairQueue<Waiting<P>> {
    const queue = this.waiting[weight];
    if (queue === undefined) throw new Error(`work has no weight ${weight}`);
    return queue;
  }
}

export function tooMany(): Refusal {
  const message = "The gateway has too many requests to check by content filters: try again";
  return new Refusal("unavailable", message, { retryAfterSeconds: 2 });
}
