import type { ProviderHealth } from "#contract/providers.ts";
import { hourMs } from "#contract/time.ts";
import { formatClock, formatCount, formatDay, formatRelative } from "../format.ts";
import type { StatusKind } from "../ui/Status.tsx";

/** A status as a shape and a word. Without observations it is unknown, never green. */
export interface ProviderStatus {
  kind: StatusKind;
  word: string;
}

const byHealth: Record<Exclude<ProviderHealth["status"], "idle">, ProviderStatus> = {
  up: { kind: "running", word: "Up" },
  slow: { kind: "warning", word: "Slow" },
  overloaded: { kind: "warning", word: "Overloaded" },
  credentials: { kind: "trouble", word: "Key invalid" },
  down: { kind: "trouble", word: "Down" },
};

/** @param fresh false if the health could not be refetched: an outdated green is not shown as green */
export function providerStatus(
  { enabled, health }: { enabled: boolean; health: ProviderHealth },
  fresh = true,
): ProviderStatus {
  if (!enabled) return { kind: "off", word: "Off" };
  if (!fresh) return { kind: "unknown", word: "Unknown" };
  if (isFailing(health)) return { kind: "warning", word: "Failing" };
  return health.status === "idle" ? byLedger(health) : byHealth[health.status];
}

/**
 * As in what needs attention: a tenth of at least five calls, of the last half hour or the last three UTC hours. Of fewer
 * calls all.
 */
const failingFrom = { rate: 0.1, calls: 5, hours: 3 };

/** Calls reach it and many fail, whatever carries them then; what is held back or refused has a status of its own. */
export function isFailing({
  status,
  calls_last_30m: calls,
  error_rate_last_30m: rate,
  ledger,
}: ProviderHealth): boolean {
  if (status === "up" || status === "slow") return isTooMany(calls, rate ?? 0);
  if (status !== "idle") return false;
  // what the gateway's process has not seen may have been seen by another one, or before a restart
  const made = lately(ledger, failingFrom.hours, "calls");
  return isTooMany(made, lately(ledger, failingFrom.hours, "failures") / made);
}

function isTooMany(calls: number, rate: number): boolean {
  return calls > 0 && rate >= (calls >= failingFrom.calls ? failingFrom.rate : 1);
}

function byLedger({ ledger }: ProviderHealth): ProviderStatus {
  if (ledger.last_call_hour === null) return { kind: "unknown", word: "No calls yet" };
  return { kind: "unknown", word: lately(ledger, 2, "calls") > 0 ? "In use" : "Idle" };
}

function lately({ hours }: ProviderHealth["ledger"], count: number, member: "calls" | "failures"): number {
  return hours.slice(-count).reduce((all, hour) => all + hour[member], 0);
}

export interface CallsSeen {
  calls: number;
  errorRate: number;
  /** short, for a table, and in words */
  window: { short: string; words: string };
}

const measured = { short: "30 min", words: "in the last 30 minutes, by this process" };
export const onLedger = { short: "24 h", words: "in the last 24 hours, from the ledger" };

/** The freshest figures of a provider: this process' own, or else the ledger's; null: no call for 24 hours. */
export function callsSeen({
  calls_last_30m: calls,
  error_rate_last_30m: rate,
  ledger,
}: ProviderHealth): CallsSeen | null {
  if (calls > 0) return { calls, errorRate: rate ?? 0, window: measured };
  if (ledger.calls > 0) {
    return { calls: ledger.calls, errorRate: ledger.failures / ledger.calls, window: onLedger };
  }
  return null;
}

/** "1,204 calls in 24 h, from the ledger", or when the last call was. */
export function callsSeenWords(health: ProviderHealth, now: Date): string {
  const seen = callsSeen(health);
  if (seen !== null) {
    const calls = `${formatCount(seen.calls)} ${seen.calls === 1 ? "call" : "calls"}`;
    return `${calls} in ${seen.window.short}${seen.window === onLedger ? ", from the ledger" : ""}`;
  }
  const { last_call_hour: last } = health.ledger;
  return last === null ? "" : `last call ${formatRelative(new Date(last), now)}`;
}

/** "19 Nov, between 14:00 and 15:00 UTC", or "20 Nov, since 17:00 UTC": the ledger's rollup knows the hour. */
export function lastCallWords({ ledger: { last_call_hour: last } }: ProviderHealth, now: Date): string {
  if (last === null) return "None yet";
  const at = new Date(last);
  const clock = (ms: number) => formatClock(new Date(ms), "UTC");
  if (at.getTime() + hourMs > now.getTime()) return `${formatDay(at, "UTC", now)}, since ${clock(at.getTime())} UTC`;
  return `${formatDay(at, "UTC", now)}, between ${clock(at.getTime())} and ${clock(at.getTime() + hourMs)} UTC`;
}

/** Needs an admin's attention: calls fail or are held back, or the vendor refuses the key. */
export function inTrouble({ enabled, health }: { enabled: boolean; health: ProviderHealth }): boolean {
  return enabled && (troubles.has(health.status) || isFailing(health));
}

const troubles: ReadonlySet<string> = new Set(["down", "credentials", "overloaded"]);
