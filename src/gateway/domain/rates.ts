import { add, emptyWindow, type RateWindow, used, wait } from "./rate-window.ts";
import { rateWords } from "#contract/receipt.ts";
import type { Notices } from "../storage/notices.ts";
import { Refusal } from "./refusal.ts";

/** Whose rate it is, and what it is a rate of. */
export interface RateLimit {
  /** unique among all limits: `key:<hash>`, `workspace:<id>` */
  readonly scope: string;
  readonly kind: "key" | "workspace" | "default";
  readonly of: "requests" | "tokens";
  /** a minute */
  readonly limit: number;
}

/** Calls and tokens a minute. One in each process; processes tell each other what they let through. */
export interface Rates {
  /**
   * Counts one call with about so many tokens, or refuses it and counts nothing.
   * @returns corrects the tokens once they are known
   * @throws Refusal rate_limit_exceeded
   */
  admit(limits: readonly RateLimit[], tokens: number, now: Date): (actual: number) => void;
  close(): void;
}

const channel = "gatehouse_rates";
const tellMs = 250;
const mostWindows = 100_000;

export function createRates(notices: Notices, clock: () => Date, processId: string): Rates {
  const windows = new Map<string, RateWindow>();
  const untold = new Map<string, number>();
  let teller: NodeJS.Timeout | null = null;

  const windowOf = (limit: RateLimit) => windows.get(`${limit.of} ${limit.scope}`) ?? emptyWindow;

  function count(name: string, amount: number, now: number) {
    if (windows.size >= mostWindows && !windows.has(name)) forgetOld(now);
    windows.set(name, add(windows.get(name) ?? emptyWindow, amount, now));
  }

  function forgetOld(now: number) {
    for (const [name, window] of windows) if (used(window, now) === 0) windows.delete(name);
  }

  function take(limit: RateLimit, amount: number, now: number) {
    const name = `${limit.of} ${limit.scope}`;
    count(name, amount, now);
    untold.set(name, (untold.get(name) ?? 0) + amount);
    teller ??= setTimeout(() => void tell().catch(() => {}), tellMs).unref();
  }

  /** What other processes miss while the store is away they count without: rates are no money. */
  async function tell(): Promise<void> {
    teller = null;
    const amounts = Object.fromEntries(untold);
    untold.clear();
    await notices.send(channel, JSON.stringify({ processId, amounts }));
  }

  notices.listen(channel, (payload) => {
    if (payload === null) return;
    const told = JSON.parse(payload) as { processId: string; amounts: Record<string, number> };
    if (told.processId === processId) return;
    for (const [name, amount] of Object.entries(told.amounts)) count(name, amount, clock().getTime());
  });

  return {
    admit(limits, tokens, now) {
      const at = now.getTime();
      for (const limit of limits) {
        const amount = limit.of === "requests" ? 1 : Math.min(tokens, limit.limit);
        const ms = wait(windowOf(limit), amount, limit.limit, at);
        if (ms !== 0) throw refusal(limit, windowOf(limit), amount, ms ?? 60_000, at);
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

function refusal(limit: RateLimit, window: RateWindow, amount: number, ms: number, now: number): Refusal {
  const seconds = Math.max(1, Math.ceil(ms / 1_000));
  const spent = Math.round(used(window, now));
  const remaining = Math.max(0, Math.floor(limit.limit - used(window, now)));
  const resetsAt = new Date(now + ms);
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
