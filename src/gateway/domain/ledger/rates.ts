import { add, emptyWindow, type RateWindow, used, wait } from "./rate-window.ts";
import { rateWords } from "#contract/limit-messages.ts";
import { minuteMs } from "#contract/time.ts";
import { largestNotice, type Notices } from "../../storage/notify.ts";
import { Refusal } from "../refusal.ts";

/** Whose rate limit it is, and of what. */
export interface RateLimit {
  /** unique among all limits: `key:<hash>`, `workspace:<id>` */
  readonly scope: string;
  readonly kind: "key" | "workspace" | "default";
  readonly of: "requests" | "tokens";
  /** a minute */
  readonly limit: number;
}

/** Calls and tokens per minute. One per process; processes tell each other what they let through. */
export interface Rates {
  /**
   * Counts one call with an estimated number of tokens, or refuses it and counts nothing.
   * @returns a function that corrects the tokens once they are known
   * @throws Refusal rate_limit_exceeded
   */
  admit(limits: readonly RateLimit[], tokens: number, now: Date): (actual: number) => void;
  close(): void;
}

/** How many calls or tokens were let through, by limit. */
export type RateCounts = Readonly<Record<string, number>>;

/** The other workers of the same start: they hear of each call at once, and not through the store. */
export interface FellowRates {
  tell(processId: string, counts: RateCounts): void;
  listen(receive: (processId: string, counts: RateCounts) => void): void;
}

interface RatesOptions {
  /** called once when other processes cannot be reached, until they can again */
  readonly warn?: (message: string, details: object) => void;
  readonly fellows?: FellowRates;
}

const channel = "gatehouse_rates";
const tellMs = 250;
/** Retry delay after the store did not accept a message. */
const tellAgainMs = 1_000;
/** Anything older than a minute no longer counts. */
const longestUntoldMs = 60_000;
const mostWindows = 100_000;

export function createRates(
  notices: Notices,
  clock: () => Date,
  processId: string,
  { warn = () => {}, fellows }: RatesOptions = {},
): Rates {
  const windows = new Map<string, RateWindow>();
  let untold = new Map<string, number>();
  /** when the oldest of it was counted, by `performance.now()` */
  let untoldSince: number | null = null;
  let failing = false;
  /** when all windows were last checked, to forget unused ones */
  let lookedThrough = Number.NEGATIVE_INFINITY;
  let teller: NodeJS.Timeout | null = null;
  /** what fellows have not been told, and who has told this process as a fellow */
  let untoldToFellows: Record<string, number> | null = null;
  const fellowIds = new Set<string>();

  const windowOf = (limit: RateLimit) => windows.get(`${limit.of} ${limit.scope}`) ?? emptyWindow;

  function count(name: string, amount: number, now: number) {
    if (windows.size >= mostWindows && !windows.has(name) && Math.abs(now - lookedThrough) >= 1_000) {
      lookedThrough = now;
      forgetOld(now);
    }
    windows.set(name, add(windows.get(name) ?? emptyWindow, amount, now));
  }

  function forgetOld(now: number) {
    for (const [name, window] of windows) if (used(window, now) === 0) windows.delete(name);
  }

  function take(limit: RateLimit, amount: number, now: number) {
    const name = `${limit.of} ${limit.scope}`;
    count(name, amount, now);
    untold.set(name, (untold.get(name) ?? 0) + amount);
    untoldSince ??= performance.now();
    tellLater(tellMs);
    if (fellows !== undefined) tellFellows(fellows, name, amount);
  }

  function tellFellows({ tell: tellAll }: FellowRates, name: string, amount: number) {
    if (untoldToFellows === null) {
      const counts: Record<string, number> = (untoldToFellows = {});
      setImmediate(() => {
        untoldToFellows = null;
        tellAll(processId, counts);
      });
    }
    untoldToFellows[name] = (untoldToFellows[name] ?? 0) + amount;
  }

  function countAll(counts: RateCounts) {
    for (const [name, amount] of Object.entries(counts)) count(name, amount, clock().getTime());
  }

  function tellLater(ms: number) {
    teller ??= setTimeout(() => void tell(), ms).unref();
  }

  async function tell(): Promise<void> {
    teller = null;
    const telling = untold;
    const since = untoldSince;
    untold = new Map();
    untoldSince = null;
    try {
      await notices.send(channel, ...payloadsOf(processId, telling));
      failing = false;
    } catch (error) {
      if (!failing)
        warn("other processes cannot be notified of calls, so rate limits count by process", { err: error });
      failing = true;
      if (since === null || performance.now() - since > longestUntoldMs) return;
      for (const [name, amount] of telling) untold.set(name, (untold.get(name) ?? 0) + amount);
      untoldSince = since;
      tellLater(tellAgainMs);
    }
  }

  notices.listen(channel, (payload) => {
    if (payload === null) return;
    const told = JSON.parse(payload) as { processId: string; amounts: RateCounts };
    if (told.processId !== processId && !fellowIds.has(told.processId)) countAll(told.amounts);
  });
  fellows?.listen((fellow, counts) => {
    fellowIds.add(fellow);
    countAll(counts);
  });

  return {
    admit(limits, tokens, now) {
      const at = now.getTime();
      for (const limit of limits) {
        const amount = limit.of === "requests" ? 1 : Math.min(tokens, limit.limit);
        const ms = wait(windowOf(limit), amount, limit.limit, at);
        if (ms !== 0) throw refusal(limit, { amount, used: used(windowOf(limit), at), waitMs: ms ?? minuteMs }, at);
      }
      for (const limit of limits) take(limit, limit.of === "requests" ? 1 : tokens, at);
      return (actual) => {
        for (const limit of limits) if (limit.of === "tokens") take(limit, actual - tokens, at);
      };
    },
    close() {
      if (teller !== null) clearTimeout(teller);
    },
  };
}

/** The amounts, in as many messages as their size requires. Names are ASCII. */
function payloadsOf(processId: string, amounts: ReadonlyMap<string, number>): string[] {
  const payloads: string[] = [];
  let part: Record<string, number> = {};
  let size = 0;
  const end = () => {
    if (size > 0) payloads.push(JSON.stringify({ processId, amounts: part }));
    part = {};
    size = 0;
  };
  for (const [name, amount] of amounts) {
    const more = name.length + 32;
    if (size + more > largestNotice - 100) end();
    part[name] = amount;
    size += more;
  }
  end();
  return payloads;
}

/** What a rate limit was asked for, how much of it is used, and when the request would fit. */
interface Excess {
  readonly amount: number;
  readonly used: number;
  readonly waitMs: number;
}

function refusal(limit: RateLimit, { amount, used, waitMs }: Excess, now: number): Refusal {
  const seconds = Math.max(1, Math.ceil(waitMs / 1_000));
  const spent = Math.round(used);
  const remaining = Math.max(0, Math.floor(limit.limit - used));
  const resetsAt = new Date(now + waitMs);
  const message = `${rateWords(limit.kind, limit.limit, limit.of)}, and ${spent} were used in the last one: try again in ${seconds} s`;
  return new Refusal("rate_limit_exceeded", message, {
    retryAfterSeconds: seconds,
    headers: {
      "x-ratelimit-limit": String(limit.limit),
      "x-ratelimit-remaining": String(remaining),
      "x-ratelimit-reset": String(resetsAt.getTime()),
    },
    limit_kind: `${limit.kind}_${limit.of}_per_minute`,
    limit: limit.limit,
    spent,
    reserved: 0,
    estimate: amount,
    remaining,
    resets_at: resetsAt.toISOString(),
    // A smaller call would be let through now; of calls, none would.
    fits: limit.of === "tokens" && remaining > 0 ? { tokens: remaining } : null,
  });
}
