import type { KeyRecord } from "#contract/keys.ts";
import { dayMs, hourMs, type LimitReset, nextReset, startOfPeriod, startOfUtcMonth } from "#contract/time.ts";
import { formatCount, formatUsd } from "../../format.ts";

export interface Pace {
  /** the key that it is read from */
  hash: string;
  name: string;
  usdPerDay: number;
}

/**
 * What the key most like `name` spends, from its usage in this UTC month: of those of the same workspace, the one that
 * shares the most leading words of the name. Null where nothing comparable has run for two days.
 */
export function similarPace(name: string, others: readonly KeyRecord[], now: Date): Pace | null {
  const words = wordsOf(name);
  const monthStart = startOfUtcMonth(now).getTime();
  const [first] = others
    .map((key) => ({
      key,
      alike: sharedStart(words, wordsOf(key.name)),
      usage: key.usage_monthly + key.byok_usage_monthly,
      days: (now.getTime() - Math.max(monthStart, new Date(key.created_at).getTime())) / dayMs,
    }))
    .filter(({ alike, usage, days }) => alike > 0 && usage > 0 && days >= 2)
    .toSorted((a, b) => b.alike - a.alike || b.usage - a.usage);
  return first ? { hash: first.key.hash, name: first.key.name, usdPerDay: first.usage / first.days } : null;
}

/** What that pace means for a limit that begins now: no day is named, as the key has not made a call. */
export function forecastLine(
  { name: key, usdPerDay }: Pace,
  { limit, reset }: { limit: number; reset: LimitReset | null },
  now: Date,
): string {
  const period = reset ?? "monthly";
  const lengthMs = nextReset(period, now).getTime() - startOfPeriod(period, now).getTime();
  const spend = (usdPerDay * lengthMs) / dayMs;
  const unit = { daily: "day", weekly: "week", monthly: "month" }[period];
  const said = `${key}, the most similar key, spends about ${formatUsd(roundTo2Figures(spend))} a ${unit}.`;
  const lastsMs = (limit / usdPerDay) * dayMs;
  if (reset === null) return `${said} At that pace ${formatUsd(limit)} lasts ${about(lastsMs)}.`;
  if (lastsMs >= lengthMs) return `${said} At that pace ${formatUsd(limit)} lasts.`;
  return `${said} At that pace ${formatUsd(limit)} lasts ${about(lastsMs)} of each ${unit}.`;
}

function about(ms: number): string {
  const days = Math.floor(ms / dayMs);
  if (days >= 2) return `about ${formatCount(days)} days`;
  const hours = Math.floor(ms / hourMs);
  if (hours === 0) return "less than an hour";
  return hours === 1 ? "about 1 hour" : `about ${hours} hours`;
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
