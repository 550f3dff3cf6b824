import { Refusal } from "./domain/refusal.ts";

/** Bytes that requests, or the answers to them, may hold at once, in the whole process. */
export interface MemoryBudget {
  /** false when there is no room for this many more */
  take(owner: string, bytes: number): boolean;
  give(owner: string, bytes: number): void;
}

/**
 * An owner may hold at most as much as it leaves free: alone half, beside one who holds half a quarter, and so on. However
 * many hold on to what they have, the next one finds room for something small.
 */
export function createMemoryBudget(mostBytes: number): MemoryBudget {
  const held = new Map<string, number>();
  let all = 0;
  return {
    take(owner, bytes) {
      const own = held.get(owner) ?? 0;
      if (own + bytes > mostBytes - all - bytes) return false;
      held.set(owner, own + bytes);
      all += bytes;
      return true;
    },
    give(owner, bytes) {
      const own = (held.get(owner) ?? 0) - bytes;
      if (own > 0) held.set(owner, own);
      else held.delete(owner);
      all -= bytes;
    },
  };
}

/** What one call holds of a budget. */
export interface Room {
  /** @throws NoRoom when there is no room for this many more bytes */
  take(bytes: number): void;
  /** gives back some of the bytes that were taken */
  give(bytes: number): void;
  /** gives back all of them */
  giveBack(): void;
}

/** Too many answers are held at once: nothing is wrong with the answer that finds no room. */
export class NoRoom extends Refusal {
  constructor() {
    const message = "The gateway holds as many answers of providers as it has room for: try again";
    super("unavailable", message, { retryAfterSeconds: 2 });
  }
}

/** The error for what finds no room before a provider was asked: NoRoom says that there is an answer to pay for. */
export function beforeAnswer(error: unknown): unknown {
  return error instanceof NoRoom ? new Refusal(error.type, error.message, error.details) : error;
}

export function roomIn(budget: MemoryBudget, owner: string): Room {
  let taken = 0;
  return {
    take(bytes) {
      if (!budget.take(owner, bytes)) throw new NoRoom();
      taken += bytes;
    },
    give(bytes) {
      const given = Math.min(bytes, taken);
      if (given > 0) budget.give(owner, given);
      taken -= given;
    },
    giveBack() {
      if (taken > 0) budget.give(owner, taken);
      taken = 0;
    },
  };
}
