import { FairQueue } from "../../fair-queue.ts";
import type { RateLeft, RatesLeft } from "../../providers/rate-headers.ts";

/** One request to a vendor, from when it may be sent until it is answered. */
export interface Ticket {
  /** the answer's headers say what is left of the vendor's rates */
  answered(left: RatesLeft): void;
  /** the vendor refused it, and says when to come back */
  refused(retryAfterSeconds: number): void;
  /** call it exactly once */
  end(): void;
}

export interface PaceRequest {
  /** whose rates count it: a provider, its key and its model */
  readonly account: string;
  /** who asks: owners that wait take turns */
  readonly owner: string;
  /** about how many tokens it has */
  readonly tokens: number;
  /** the longest that it may wait, milliseconds */
  readonly mostWaitMs: number;
  /** aborts when the caller leaves */
  readonly signal: AbortSignal;
}

/**
 * Holds requests back while a vendor's own headers say that it would refuse them. One per process: the headers of each
 * answer show what other processes have used.
 */
export interface Pacer {
  /**
   * Resolves when the request may be sent: once the rates leave room, or at the latest after the time that it may wait.
   * A request that would have to wait longer is not held back, and the vendor decides.
   * @throws the signal's reason when the caller leaves while it waits
   */
  acquire(request: PaceRequest): Promise<Ticket>;
  /** lets everything go that waits, and holds nothing back any more */
  close(): void;
}

/** The time, as `performance.now()` and `setTimeout` have it. */
export interface PacerClock {
  nowMs(): number;
  /** @returns cancels it */
  after(ms: number, run: () => void): () => void;
}

const realClock: PacerClock = {
  nowMs: () => performance.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

/** Accounts whose rates are remembered. */
const mostAccounts = 1_000;
/** Longer pauses are for the circuit breaker. */
const longestPauseMs = 60_000;

interface Waiter {
  readonly request: PaceRequest;
  readonly go: () => void;
  isDone: boolean;
}

export function createPacer(clock: PacerClock = realClock): Pacer {
  const accounts = new Map<string, Account>();
  let isClosed = false;

  function accountOf(name: string): Account {
    const known = accounts.get(name);
    if (known !== undefined) return known;
    if (accounts.size >= mostAccounts) {
      for (const [other, account] of accounts) {
        if (!account.isIdle()) continue;
        accounts.delete(other);
        break;
      }
    }
    const made = new Account(clock);
    accounts.set(name, made);
    return made;
  }

  return {
    async acquire(request) {
      const account = accountOf(request.account);
      const waitMs = isClosed ? 0 : account.waitFor(request.tokens);
      const isHeld = waitMs > 0 && waitMs <= request.mostWaitMs;
      return isHeld ? await account.wait(request) : account.grant(request.tokens);
    },
    close() {
      isClosed = true;
      for (const account of accounts.values()) account.release();
    },
  };
}

/** A rate limit as its last answer showed it, refilled at the pace that its reset implies. */
class Rate {
  private level: number;
  private readonly most: number;
  /** per millisecond */
  private readonly refill: number;
  private atMs: number;
  /** from then on nothing is known */
  private readonly endsMs: number;

  constructor({ remaining, limit, resetMs }: RateLeft, { uncounted, nowMs, before }: Seen) {
    this.level = remaining - uncounted;
    this.most = limit ?? Number.POSITIVE_INFINITY;
    // Without a limit it is not known how fast it refills: all of it is there at the reset.
    this.refill = limit === null ? 0 : refillOf({ remaining, limit, resetMs }, before);
    this.atMs = nowMs;
    this.endsMs = limit === null ? nowMs + resetMs : Number.POSITIVE_INFINITY;
  }

  /** How long until so much is there, when what waits already is served first, milliseconds. */
  waitFor(need: number, ahead: number, nowMs: number): number {
    if (nowMs >= this.endsMs) return 0;
    const missing = Math.min(need, this.most) + ahead - this.levelAt(nowMs);
    if (missing <= 0) return 0;
    return this.refill === 0 ? this.endsMs - nowMs : missing / this.refill;
  }

  take(need: number, nowMs: number): void {
    this.level = this.levelAt(nowMs) - need;
    this.atMs = nowMs;
  }

  /** How fast a limit refills, per millisecond; null: of another limit nothing is known. */
  refillOf(limit: number): number | null {
    return this.most === limit && this.refill > 0 ? this.refill : null;
  }

  private levelAt(nowMs: number): number {
    return Math.min(this.most, this.level + this.refill * (nowMs - this.atMs));
  }
}

interface Seen {
  /** what the vendor has not counted yet of what was sent */
  readonly uncounted: number;
  readonly nowMs: number;
  /** what the last answer showed */
  readonly before: Rate | null;
}

/**
 * Vendors round down what is left, so up to one more has refilled already: near the whole limit, the reset says little
 * about the pace.
 */
function refillOf({ remaining, limit, resetMs }: RateLeft & { limit: number }, before: Rate | null): number {
  const used = limit - remaining;
  const ms = Math.max(1, resetMs);
  return used > 1 ? (used - 1) / ms : (before?.refillOf(limit) ?? Math.max(used, 1) / ms);
}

class Account {
  private requests: Rate | null = null;
  private tokens: Rate | null = null;
  private pausedUntilMs = 0;
  /** the number of the last request that was sent before the pause began */
  private pausedAfter = 0;
  private readonly waiting = new FairQueue<Waiter>();
  /** the first of the waiting, once its turn has come */
  private head: Waiter | null = null;
  private waitingCount = 0;
  private waitingTokens = 0;
  private cancelTimer: (() => void) | null = null;
  /** the tokens of requests under way, by their numbers */
  private readonly underWay = new Map<number, number>();
  private lastNumber = 0;
  /** the number of the request whose answer was read last */
  private readUpTo = 0;
  private readonly clock: PacerClock;

  constructor(clock: PacerClock) {
    this.clock = clock;
  }

  isIdle(): boolean {
    return this.underWay.size === 0 && this.waitingCount === 0;
  }

  /** How long a new request would wait, milliseconds. */
  waitFor(tokens: number): number {
    const { waitingCount, waitingTokens } = this;
    const waitMs = this.waitBehind(tokens, { requests: waitingCount, tokens: waitingTokens });
    return waitingCount > 0 ? Math.max(1, waitMs) : waitMs;
  }

  private waitBehind(tokens: number, ahead: { requests: number; tokens: number }): number {
    const nowMs = this.clock.nowMs();
    return Math.max(
      0,
      this.pausedUntilMs - nowMs,
      this.requests?.waitFor(1, ahead.requests, nowMs) ?? 0,
      this.tokens?.waitFor(tokens, ahead.tokens, nowMs) ?? 0,
    );
  }

  async wait(request: PaceRequest): Promise<Ticket> {
    const { signal, owner, tokens, mostWaitMs } = request;
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiter: Waiter = { request, go: resolve, isDone: false };
    const leave = () => reject(signal.reason as Error);
    signal.addEventListener("abort", leave, { once: true });
    const cancel = this.clock.after(mostWaitMs, resolve);
    this.waiting.push(owner, waiter);
    this.waitingCount += 1;
    this.waitingTokens += tokens;
    this.serve();
    try {
      await promise;
      return this.grant(tokens);
    } finally {
      cancel();
      signal.removeEventListener("abort", leave);
      waiter.isDone = true;
      this.waitingCount -= 1;
      this.waitingTokens -= tokens;
      this.serve();
    }
  }

  /** Lets the first of the waiting go if its time has come, or sets the timer for it. */
  private serve(): void {
    this.cancelTimer?.();
    this.cancelTimer = null;
    while (this.head === null || this.head.isDone) {
      this.head = this.waiting.shift() ?? null;
      if (this.head === null) return;
    }
    const waitMs = this.waitBehind(this.head.request.tokens, { requests: 0, tokens: 0 });
    if (waitMs <= 0) this.head.go();
    else this.cancelTimer = this.clock.after(Math.ceil(waitMs), () => this.serve());
  }

  release(): void {
    for (; this.head !== null; this.head = this.waiting.shift() ?? null) this.head.go();
  }

  grant(tokens: number): Ticket {
    const nowMs = this.clock.nowMs();
    this.requests?.take(1, nowMs);
    this.tokens?.take(tokens, nowMs);
    const number = (this.lastNumber += 1);
    this.underWay.set(number, tokens);
    return {
      answered: (left) => this.read(number, left),
      refused: (seconds) => {
        const pauseMs = Math.min(seconds * 1_000, longestPauseMs);
        this.pausedUntilMs = Math.max(this.pausedUntilMs, this.clock.nowMs() + pauseMs);
        this.pausedAfter = this.lastNumber;
        this.serve();
      },
      end: () => void this.underWay.delete(number),
    };
  }

  /**
   * Takes over what an answer says, unless that of a later request is known. It may not count any of the requests under
   * way: those sent before it may have arrived later.
   */
  private read(number: number, { requests, tokens }: RatesLeft): void {
    if (number < this.readUpTo) return;
    this.readUpTo = number;
    // The vendor takes requests again; if this one was refused as well, a new pause begins.
    if (number > this.pausedAfter) this.pausedUntilMs = 0;
    let uncounted = 0;
    let uncountedTokens = 0;
    for (const [other, own] of this.underWay) {
      if (other === number) continue;
      uncounted += 1;
      uncountedTokens += own;
    }
    const nowMs = this.clock.nowMs();
    this.requests = requests === null ? null : new Rate(requests, { uncounted, nowMs, before: this.requests });
    this.tokens = tokens === null ? null : new Rate(tokens, { uncounted: uncountedTokens, nowMs, before: this.tokens });
    this.serve();
  }
}
