import type { KeyRecord } from "#contract/keys.ts";
import { dayMs, type LimitReset, nextReset, startOfPeriod, startOfUtcMonth } from "#contract/time.ts";
import { formatUsd } from "../../format.ts";
import { inZone } from "../../form/zone.ts";

const counts = ["", "one", "two", "three"] as const;

export interface Pace {
  /** how many keys it is the mean of, 1 to 3 */
  keys: number;
  usdPerDay: number;
}

/**
 * What the keys most like `name` spend, from their usage in this UTC month: those of the same workspace that share the
 * most leading words of the name. Null where nothing comparable has run for two days.
 */
export function similarPace(name: string, others: readonly KeyRecord[], now: Date): Pace | null {
  const words = wordsOf(name);
  const monthStart = startOfUtcMonth(now).getTime();
  const candidates = others
    .map((key) => ({
      alike: sharedStart(words, wordsOf(key.name)),
      usage: key.usage_monthly + key.byok_usage_monthly,
      days: (now.getTime() - Math.max(monthStart, new Date(key.created_at).getTime())) / dayMs,
    }))
    .filter(({ alike, usage, days }) => alike > 0 && usage > 0 && days >= 2)
    .toSorted((a, b) => b.alike - a.alike || b.usage - a.usage)
    .slice(0, 3);
  if (candidates.length === 0) return null;
  const total = candidates.reduce((sum, { usage, days }) => sum + usage / days, 0);
  return { keys: candidates.length, usdPerDay: total / candidates.length };
}

/** What that pace means for a limit, in one or two sentences. `zone` is where the person is. */
export function forecastLine(
  pace: Pace,
  { limit, reset }: { limit: number; reset: LimitReset | null },
  now: Date,
  zone: string,
): string {
  const period = reset ?? "monthly";
  const start = startOfPeriod(period, now).getTime();
  const length = nextReset(period, now).getTime() - start;
  const spend = (pace.usdPerDay * length) / dayMs;
  const name = { daily: "a day", weekly: "a week", monthly: "a month" }[period];
  const who = pace.keys === 1 ? "The most similar key spends" : `The ${counts[pace.keys]} most similar keys spend`;
  const said = `${who} about ${formatUsd(roundTo2Figures(spend))} ${name}.`;
  if (reset === null) {
    const days = Math.floor(limit / pace.usdPerDay);
    return `${said} At that pace ${formatUsd(limit)} lasts about ${days === 1 ? "1 day" : `${days} days`}.`;
  }
  if (spend <= limit) return `${said} At that pace ${formatUsd(limit)} lasts.`;
  const out = new Date(start + (limit / spend) * length);
  return `${said} At that pace ${formatUsd(limit)} runs out ${when(out, period, zone)}.`;
}

function when(at: Date, period: LimitReset, zone: string): string {
  const utc = inZone(at, "UTC");
  const clock = `around ${utc.slice(-5, -2)}00 UTC (${inZone(at, zone).slice(-5, -2)}00 here)`;
  if (period === "daily") return clock;
  return `on ${period === "weekly" ? utc.slice(0, 3) : utc.split(" ").slice(1, 3).join(" ")} ${clock}`;
}

function roundTo2Figures(value: number): number {
  return Number(value.toPrecision(2));
}

function wordsOf(name: string): string[] {
  return name
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
}

function sharedStart(a: readonly string[], b: readonly string[]): number {
  let shared = 0;
  while (shared < a.length && a[shared] === b[shared]) shared++;
  return shared;
}
