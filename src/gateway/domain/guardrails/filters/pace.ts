import type { ContentFilters } from "./compile.ts";

/** How long work is expected to take: at once; as long as its length explains; or longer than that, for its patterns. */
export type Weight = 0 | 1 | 2;
export type Heavier = Exclude<Weight, 0>;

/** Processor time of work that is done at once, milliseconds. */
const quickMs = 25;
/** Processor milliseconds that a byte of an ordinary request takes at most, with dozens of patterns. */
const ordinaryPerByte = 0.0005;
/** Of an unknown set of filters, requests up to this length are expected to be quick. */
const quickBytes = 16_384;
/** Shorter requests say nothing of how much longer ones take: most of their time does not depend on the length. */
const tellingBytes = 65_536;
const leastBytes = 256;
/** A request that took long counts for less with each one after it. */
const fading = 0.8;

interface Taken {
  readonly ms: number;
  readonly bytes: number;
}

/** At how much processor time work of this length turns out to be of a weight, milliseconds. */
export function turnsAt(weight: Heavier, bytes: number): number {
  return weight === 1 ? quickMs : quickMs + bytes * ordinaryPerByte;
}

/** Remembers how long each set of filters took for requests. */
export class Paces {
  private readonly known = new WeakMap<ContentFilters, Taken>();

  add(filters: ContentFilters, taken: Taken): void {
    const before = this.known.get(filters);
    const faded = before && { ...before, ms: before.ms * fading };
    this.known.set(filters, faded !== undefined && perByte(faded) > perByte(taken) ? faded : taken);
  }

  /** It has taken so long that it is of this weight, and is not done. */
  addUnfinished(filters: ContentFilters, weight: Heavier, bytes: number): void {
    this.add(filters, { ms: turnsAt(weight, Math.max(bytes, tellingBytes)) + 1, bytes });
  }

  weightOf(filters: ContentFilters, bytes: number): Weight {
    const taken = this.known.get(filters);
    if (taken === undefined) return bytes <= quickBytes ? 0 : 1;
    if (expectedMs(taken, bytes) <= quickMs) return 0;
    return perByte(taken) <= ordinaryPerByte ? 1 : 2;
  }
}

function expectedMs(taken: Taken, bytes: number): number {
  if (bytes > taken.bytes) return Math.max(taken.ms, bytes * perByte(taken));
  return (taken.ms * Math.max(bytes, leastBytes)) / Math.max(taken.bytes, leastBytes);
}

const perByte = ({ ms, bytes }: Taken) => ms / Math.max(bytes, tellingBytes);
