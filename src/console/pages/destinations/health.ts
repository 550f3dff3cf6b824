import type { DestinationHealth, DestinationStatus } from "#contract/forwarding.ts";
import type { DestinationRecord } from "#contract/destinations.ts";
import { hourMs } from "#contract/time.ts";
import { formatClock, formatCount, formatRelative } from "../../format.ts";
import type { StatusKind } from "../../ui/Status.tsx";

type ForwardingHour = DestinationHealth["hours"][number];

/** Shape and word of each state, and the rule behind it, as the gateway decides it. */
const words: Readonly<Record<DestinationStatus, { kind: StatusKind; word: string; rule: string }>> = {
  delivering: {
    kind: "running",
    word: "Delivering",
    rule: "The last try succeeded, and nothing that failed in the last 15 minutes is still waiting.",
  },
  degraded: {
    kind: "warning",
    word: "Degraded",
    rule: "The last try failed, or some failed in the last 15 minutes and calls are still waiting.",
  },
  failing: {
    kind: "trouble",
    word: "Failing",
    rule: "Every try in the last 5 minutes failed, a call has waited for 15 minutes, or the stored settings cannot be opened.",
  },
  paused: { kind: "off", word: "Paused", rule: "It is switched off, or broadcasting is off in the workspace." },
  never_sent: { kind: "never", word: "Never sent", rule: "Nothing has been delivered yet, and nothing has failed." },
};

const unknown = { kind: "unknown", word: "Unknown", rule: "The gateway did not report delivery health." } as const;

export function healthWords(health: DestinationHealth | undefined): { kind: StatusKind; word: string; rule: string } {
  return health ? words[health.status] : unknown;
}

/** The state with its time: since when it fails, or when it last took something. */
export function healthSince(health: DestinationHealth | undefined, now: Date): string {
  const { word } = healthWords(health);
  const { status, failing_since: since = null, last_success_at: last = null } = health ?? {};
  if (status === "failing" && since !== null) {
    return `${word} since ${formatClock(new Date(since), "UTC")} UTC, ${formatRelative(new Date(since), now)}`;
  }
  return last === null ? word : `${word}, last sent ${formatRelative(new Date(last), now)}`;
}

type Choosing = Pick<DestinationRecord, "api_key_hashes" | "filter_rules" | "sampling_rate">;

/** No setting holds any call of its workspace back: whatever has not been sent yet will be. */
export function takesAll({ api_key_hashes: hashes, filter_rules: rules, sampling_rate: rate }: Choosing): boolean {
  const hasRules = rules !== null && rules.enabled !== false && rules.groups.some((group) => group.rules.length > 0);
  return hashes === null && !hasRules && rate === 1;
}

/** "15 waiting", or where keys, rules or sampling have yet to choose among them "15 not checked yet". */
export function backlogWords(destination: Choosing, backlog: number): string {
  return `${formatCount(backlog)} ${takesAll(destination) ? "waiting" : "not checked yet"}`;
}

export interface DayOfHours {
  delivered: number[];
  failed: number[];
}

/** The last 24 hours one by one, the current one last; an hour that the gateway leaves out had nothing. */
export function lastDay(hours: readonly ForwardingHour[], now: Date): DayOfHours {
  const byHour = new Map(hours.map((one) => [Math.floor(Date.parse(one.hour) / hourMs), one]));
  const current = Math.floor(now.getTime() / hourMs);
  const places = Array.from({ length: 24 }, (_, index) => byHour.get(current - 23 + index));
  return { delivered: places.map((one) => one?.delivered ?? 0), failed: places.map((one) => one?.failed ?? 0) };
}

export type Totals = Omit<ForwardingHour, "hour">;

export function totals(hours: readonly ForwardingHour[]): Totals {
  const sum = (member: keyof Totals) => hours.reduce((all, hour) => all + hour[member], 0);
  return {
    delivered: sum("delivered"),
    failed: sum("failed"),
    filtered: sum("filtered"),
    sampled_out: sum("sampled_out"),
    not_allowed: sum("not_allowed"),
    dead: sum("dead"),
  };
}

/** How many calls the destination has decided on; those that wait are not among them. */
export function decidedCount({ delivered, filtered, sampled_out, not_allowed, dead }: Totals): number {
  return delivered + filtered + sampled_out + not_allowed + dead;
}

/** The part of them that was delivered; null where there were none. */
export function effectiveRate(all: Totals): number | null {
  const decided = decidedCount(all);
  return decided === 0 ? null : Number((all.delivered / decided).toPrecision(2));
}

/** What was not sent in the last day and why, the largest first: at most two lines fit a row. */
export function notSent(all: Totals): string[] {
  const reasons: [number, string][] = [
    [all.filtered, "filtered"],
    [all.sampled_out, "sampled out"],
    [all.not_allowed, "from other keys"],
    [all.dead, all.dead === 1 ? "dead letter" : "dead letters"],
  ];
  return reasons
    .filter(([count]) => count > 0)
    .toSorted(([a], [b]) => b - a)
    .map(([count, why]) => `${count.toLocaleString("en-US")} ${why}`);
}
