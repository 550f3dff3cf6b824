import type { DestinationHealth } from "#contract/forwarding.ts";
import type { KeyRecord } from "#contract/keys.ts";
import {
  formatClock,
  formatCount,
  formatDay,
  formatDuration,
  formatPercent,
  formatRelative,
  formatUsd,
  localZone,
} from "../../format.ts";

const dayMs = 86_400_000;
/** From four fifths of a limit on, and within a week of an expiry, somebody should look. */
export const nearFraction = 0.8;
export const soonMs = 7 * dayMs;
export const unusedMs = 30 * dayMs;

export interface Attention {
  id: string;
  kind: "trouble" | "warning" | "off";
  title: string;
  detail: string;
  /** the one thing to do: open the key's form, list the keys that are meant, or open the destination */
  action: { label: string; edit: string } | { label: string; list: "unused" } | { label: string; destination: string };
}

/** What is not delivered, the longest failing first. A destination whose name did not load is told by its id. */
export function failingDestinations(
  health: readonly DestinationHealth[],
  names: ReadonlyMap<string, string>,
  now: Date,
): Attention[] {
  return health
    .filter(({ status }) => status === "failing")
    .toSorted((a, b) => (a.failing_since ?? "").localeCompare(b.failing_since ?? ""))
    .map(({ destination_id: id, failing_since: since, backlog, last_error: error }) => ({
      id: `failing-${id}`,
      kind: "trouble",
      title: `${names.get(id) ?? id} is failing`,
      detail: [
        error?.status != null && `${error.status} is its answer`,
        since !== null && `since ${formatClock(new Date(since), "UTC")} UTC, ${formatRelative(new Date(since), now)}`,
        `${formatCount(backlog)} ${backlog === 1 ? "call waits" : "calls wait"}`,
      ]
        .filter(Boolean)
        .join("; "),
      action: { label: "Look", destination: id },
    }));
}

/** What of these keys needs somebody's attention, the most pressing first. */
export function attention(keys: readonly KeyRecord[], now: Date): Attention[] {
  const live = keys.filter((key) => key.status === "active");
  return [
    ...keys.filter((key) => key.status === "over_limit").map((key) => overLimit(key, now)),
    ...live
      .filter((key) => msLeft(key, now) <= soonMs)
      .toSorted((a, b) => msLeft(a, now) - msLeft(b, now))
      .map((key) => expiring(key, now)),
    ...live
      .filter(isNearLimit)
      .toSorted((a, b) => usedPart(b) - usedPart(a))
      .map((key) => nearLimit(key, now)),
    ...unused(live, now),
  ];
}

export function isNearLimit(key: KeyRecord): boolean {
  return key.status === "active" && usedPart(key) >= nearFraction;
}

function overLimit(key: KeyRecord, now: Date): Attention {
  return {
    id: `over-${key.hash}`,
    kind: "trouble",
    title: `${key.name} is over its limit`,
    detail:
      key.limit === 0
        ? "its limit is $0.00: every paid call is refused"
        : `${formatUsd(key.limit ?? 0)} spent, ${resets(key, now)}`,
    action: { label: "Raise limit", edit: key.hash },
  };
}

function expiring(key: KeyRecord, now: Date): Attention {
  const end = new Date(key.expires_at ?? now);
  const here = localZone();
  const clock =
    here === "UTC"
      ? `${formatClock(end, "UTC")} UTC`
      : `${formatClock(end, "UTC")} UTC, ${formatClock(end, here)} here`;
  return {
    id: `expiring-${key.hash}`,
    kind: "warning",
    title: `${key.name} expires ${msLeft(key, now) < dayMs ? formatRelative(end, now) : `on ${formatDay(end, "UTC", now)}`}`,
    detail: `${clock}; ${lastUse(key, now)}`,
    action: { label: "Extend", edit: key.hash },
  };
}

function nearLimit(key: KeyRecord, now: Date): Attention {
  const period =
    key.limit_reset === null ? "limit" : { daily: "day", weekly: "week", monthly: "month" }[key.limit_reset];
  return {
    id: `near-${key.hash}`,
    kind: "warning",
    title: `${key.name} at ${formatPercent(usedPart(key))} of its ${period}`,
    detail: `${formatUsd(key.limit_remaining ?? 0)} of ${formatUsd(key.limit ?? 0)} left, ${resets(key, now)}`,
    action: { label: "Raise limit", edit: key.hash },
  };
}

/** One line for all keys that never did anything: each alone is not worth a line. */
function unused(live: readonly KeyRecord[], now: Date): Attention[] {
  const old = live
    .filter((key) => key.last_used_at === null && now.getTime() - Date.parse(key.created_at) >= unusedMs)
    .toSorted((a, b) => a.created_at.localeCompare(b.created_at));
  const [oldest] = old;
  if (!oldest) return [];
  const created = formatDay(new Date(oldest.created_at), "UTC", now);
  return [
    {
      id: "unused",
      kind: "off",
      title: old.length === 1 ? `${oldest.name} was never used` : `${old.length} keys were never used`,
      detail: old.length === 1 ? `created ${created}` : `the oldest, ${oldest.name}, was created ${created}`,
      action: { label: "Show", list: "unused" },
    },
  ];
}

function usedPart(key: KeyRecord): number {
  return key.limit === null || key.limit === 0 ? 0 : 1 - (key.limit_remaining ?? 0) / key.limit;
}

function msLeft(key: KeyRecord, now: Date): number {
  return key.expires_at === null ? Number.POSITIVE_INFINITY : Date.parse(key.expires_at) - now.getTime();
}

function resets(key: KeyRecord, now: Date): string {
  if (key.limit_resets_at === null) return "does not reset";
  const at = new Date(key.limit_resets_at);
  return `resets in ${formatDuration(at.getTime() - now.getTime())} (${formatDay(at, "UTC", now)} 00:00 UTC)`;
}

function lastUse(key: KeyRecord, now: Date): string {
  return key.last_used_at === null ? "never used" : `last used ${formatRelative(new Date(key.last_used_at), now)}`;
}
