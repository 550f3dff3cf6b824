import type { ProviderHealth } from "#contract/providers.ts";
import { hourMs } from "#contract/time.ts";
import { counted, formatClock, formatDay, formatPercent, formatRelative } from "../format.ts";
import type { StatusKind } from "../ui/Status.tsx";

/** A status as a shape and a word. Without observations it is unknown, never green. */
export interface ProviderStatus {
  kind: StatusKind;
  word: string;
}

type State = ProviderHealth["status"];

/** Each state of the gateway's as it is shown, and whether an admin should look: the same on every page. */
const states: Record<State, ProviderStatus & { trouble: boolean }> = {
  idle: { kind: "never", word: "No recent calls", trouble: false },
  up: { kind: "running", word: "Up", trouble: false },
  slow: { kind: "warning", word: "Slow", trouble: false },
  failing: { kind: "trouble", word: "Failing", trouble: true },
  overloaded: { kind: "warning", word: "Overloaded", trouble: true },
  credentials: { kind: "trouble", word: "Key invalid", trouble: true },
  down: { kind: "trouble", word: "Down", trouble: true },
};

type Seen = Pick<ProviderHealth, "status" | "recent" | "ledger">;

/** @param fresh false if the health could not be refetched: an outdated green is not shown as green */
export function providerStatus({ enabled, health }: { enabled: boolean; health: Seen }, fresh = true): ProviderStatus {
  if (!enabled) return { kind: "off", word: "Off" };
  if (!fresh) return { kind: "unknown", word: "Unknown" };
  const { kind, word } = states[health.status];
  const isNew = health.status === "idle" && health.ledger.last_call_hour === null;
  return { kind, word: isNew ? "No calls yet" : word };
}

/** Needs an admin's attention: calls fail or are held back, or the vendor refuses the key. */
export function inTrouble({ enabled, health }: { enabled: boolean; health: Pick<Seen, "status"> }): boolean {
  return enabled && states[health.status].trouble;
}

/** How grave a trouble is; calls still come through one that is overloaded for a moment. */
export function troubleKind(state: State): "trouble" | "warning" {
  return states[state].kind === "warning" ? "warning" : "trouble";
}

/** What is wrong with a provider in trouble, in a sentence without its full stop. */
export function troubleSentence(name: string, state: State | null, part: number | null): string {
  if (state === "credentials") return `${name} refuses the gateway's key`;
  if (state === "overloaded") return `${name} is overloaded`;
  if (state === "down") return `${name} is down`;
  return part === null ? `${name} is failing` : `${name} fails ${formatPercent(part)} of its calls`;
}

export interface CallsSeen {
  calls: number;
  errorRate: number;
  /** short, for a table, and in words */
  window: { short: string; words: string };
}

/** "30 min", "3 h". */
export function windowWords(minutes: number): CallsSeen["window"] {
  const [count, unit, short] = minutes < 60 ? [minutes, "minutes", "min"] : [minutes / 60, "hours", "h"];
  return { short: `${count} ${short}`, words: `in the last ${count} ${unit}` };
}

/** The freshest figures of a provider: those that decide its state, or else the day's; null: no call for 24 hours. */
export function callsSeen({ recent, ledger: { calls, failures } }: Pick<Seen, "recent" | "ledger">): CallsSeen | null {
  if (recent) return { calls: recent.calls, errorRate: recent.error_rate, window: windowWords(recent.minutes) };
  return calls > 0 ? { calls, errorRate: failures / calls, window: windowWords(24 * 60) } : null;
}

/** "1,204 calls in 24 h", or when the last call was. */
export function callsSeenWords(health: Pick<Seen, "recent" | "ledger">, now: Date): string {
  const seen = callsSeen(health);
  if (seen !== null) return `${counted(seen.calls, "call")} in ${seen.window.short}`;
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
