import type { DestinationHealth, DestinationStatus } from "#contract/forwarding.ts";
import type { StatusKind } from "../../ui/Status.tsx";

type ForwardingHour = DestinationHealth["hours"][number];

/** Shape and word of each state, and the rule behind it, as the gateway decides it. */
const words: Readonly<Record<DestinationStatus, { kind: StatusKind; word: string; rule: string }>> = {
  delivering: { kind: "running", word: "Delivering", rule: "Nothing failed in the last 15 minutes." },
  degraded: {
    kind: "warning",
    word: "Degraded",
    rule: "Something failed in the last 15 minutes and is being tried again, or was delivered since.",
  },
  failing: {
    kind: "trouble",
    word: "Failing",
    rule: "Every try of the last 5 minutes failed, or a call has waited for 15 minutes.",
  },
  paused: { kind: "off", word: "Paused", rule: "It is switched off, or broadcasting is off in the workspace." },
  never_sent: { kind: "never", word: "Never sent", rule: "Nothing was delivered so far, and nothing failed." },
};

const unknown = { kind: "unknown", word: "Unknown", rule: "The gateway did not say how delivery goes." } as const;

export function healthWords(health: DestinationHealth | undefined): { kind: StatusKind; word: string; rule: string } {
  return health ? words[health.status] : unknown;
}

export interface DayOfHours {
  delivered: number[];
  failed: number[];
}

const hourMs = 3_600_000;

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

/** What was not sent in the last day and why, the largest first: at most two lines fit a row. */
export function notSent(all: Totals): string[] {
  const reasons: [number, string][] = [
    [all.filtered, "filtered"],
    [all.sampled_out, "sampled out"],
    [all.not_allowed, "from other keys"],
    [all.dead, "given up"],
  ];
  return reasons
    .filter(([count]) => count > 0)
    .toSorted(([a], [b]) => b - a)
    .map(([count, why]) => `${count.toLocaleString("en-US")} ${why}`);
}
