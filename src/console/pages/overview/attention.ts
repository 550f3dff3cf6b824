import type { Attention as Needs, AttentionKind, AttentionRow } from "#contract/attention.ts";
import { deliveryFailure } from "#contract/delivery-failure.ts";
import { dayMs } from "#contract/time.ts";
import {
  capital,
  counted,
  formatClock,
  formatCount,
  formatDay,
  formatDuration,
  formatPercent,
  formatRelative,
  formatUsd,
  localZone,
} from "../../format.ts";
import { paths } from "../../paths.ts";
import { troubleKind, troubleSentence, windowWords } from "../../shell/provider-status.ts";
import { refusedReason, toldWords } from "../../shell/refused-messages.ts";

export interface Attention {
  id: string;
  kind: "trouble" | "warning" | "off";
  title: string;
  detail: string;
  /** the one thing to do, in the workspace of the address */
  action: Action;
}

interface Action {
  label: string;
  to: (workspace: string) => string;
  search?: Readonly<Record<string, string>>;
}

interface Said extends Pick<Attention, "kind" | "title" | "detail"> {
  action: Action;
  /** in a line of the same key that says something more urgent; else the title without the name */
  brief?: string;
}

const edit = (label: string, hash: string): Action => ({ label, to: (path) => paths.editKey(path, hash) });
const listed = (search: Readonly<Record<string, string>>): Action => ({ label: "Show", to: paths.keys, search });

const neverUsed = { status: "active", sort: "last_used_at", order: "asc" };

/** How each kind of row is described, and where all of its kind are listed. */
const kinds: Record<AttentionKind, { say: (row: AttentionRow, now: Date) => Said; all: Action; many: string }> = {
  provider: {
    say: (row, now) => {
      const { id, name } = row.object;
      return {
        kind: row.state === null ? "trouble" : troubleKind(row.state),
        title: troubleSentence(name, row.state, row.figure),
        detail: sentences(
          row.minutes !== null && capital(windowWords(row.minutes).words),
          (row.state === "down" || row.state === "overloaded") && "Calls to it are held back for now",
          lastFailure(row, now),
          providerRemedy(row),
        ),
        action: credentials.has(row.status ?? 0)
          ? { label: "Replace key", to: (path) => paths.editProvider(path, id) }
          : { label: "Test", to: (path) => paths.provider(path, id) },
      };
    },
    all: { label: "Show", to: paths.providers },
    many: "providers fail",
  },
  destination: {
    say: (row, now) => ({
      kind: "trouble",
      title: `${row.object.name} is failing`,
      detail: sentences(
        row.since !== null &&
          `Since ${formatClock(new Date(row.since), "UTC")} UTC, ${formatRelative(new Date(row.since), now)}`,
        row.message !== null && deliveryFailure({ status: row.status, message: row.message }),
        `${counted(row.figure ?? 0, "call is", "calls are")} yet to be checked and sent`,
      ),
      action: { label: "Open", to: (path) => paths.destination(path, row.object.id) },
    }),
    all: { label: "Show", to: paths.destinations },
    many: "destinations fail",
  },
  drift: {
    say: ({ object: { id, name }, message, since }, now) => ({
      kind: "trouble",
      title: `The vectors of ${name} changed`,
      detail: sentences(
        since !== null && `Found ${formatRelative(new Date(since), now)}, and confirmed by a second run`,
        message,
        "An index with both old and new vectors answers searches with nonsense",
      ),
      action: { label: "Show", to: (path) => paths.model(path, id) },
    }),
    all: { label: "Show", to: paths.models },
    many: "models drifted",
  },
  over_limit: {
    say: (row, now) => ({
      kind: "trouble",
      title: `${row.object.name} is over its limit`,
      detail:
        row.limit === 0
          ? "its limit is $0.00: every paid call that counts toward it is refused"
          : `${formatUsd(row.spent ?? 0)} spent, ${resets(row, now)}`,
      action: edit("Raise limit", row.object.id),
    }),
    all: listed({ status: "over_limit" }),
    many: "keys are over their limits",
  },
  refused: {
    say: (row, now) => {
      const { object, figure, message } = row;
      const reason = mostOften(row);
      const what = `${counted(figure ?? 0, "call")} refused in the last hour`;
      return {
        kind: "trouble",
        title: `${object.name}: ${what}`,
        detail: [reason, message !== null && `“${toldWords(message, now)}”`].filter(Boolean).join(": "),
        brief: reason === null ? what : `${what}, ${reason.slice(0, 1).toLowerCase()}${reason.slice(1)}`,
        action: { label: "View", to: (path) => paths.key(path, object.id) },
      };
    },
    all: { label: "Show", to: paths.calls },
    many: "keys have calls refused",
  },
  errors: {
    say: ({ object: { name }, figure, since }) => ({
      kind: "trouble",
      title: `${formatPercent(figure ?? 0)} of the calls in ${name} fail at their providers`,
      detail: since === null ? "in the last 3 hours" : `since ${formatClock(new Date(since), "UTC")} UTC`,
      action: { label: "Show", to: paths.calls, search: { status: "failed" } },
    }),
    all: { label: "Show", to: paths.calls, search: { status: "failed" } },
    many: "workspaces have failing calls",
  },
  expiring: {
    say: (row, now) => ({ kind: "warning", ...expiry(row, now), action: edit("Extend", row.object.id) }),
    all: listed({ status: "active", expires: "7d" }),
    many: "keys expire within 7 days",
  },
  over_watched_limit: {
    say: (row, now) => ({
      kind: "warning",
      title: `${row.object.name} is over its limit, not refused`,
      detail: `${formatUsd(row.spent ?? 0)} of ${formatUsd(row.limit ?? 0)} spent, ${resets(row, now)}; the limit is only watched`,
      action: edit("Raise limit", row.object.id),
    }),
    all: listed({ status: "active", limit: "over" }),
    many: "keys are over limits that are only watched",
  },
  near_limit: {
    say: (row, now) => ({
      kind: "warning",
      title: `${row.object.name} at ${formatPercent(row.figure ?? 0)} of its limit`,
      detail: `${formatUsd((row.limit ?? 0) - (row.spent ?? 0))} of ${formatUsd(row.limit ?? 0)} left, ${resets(row, now)}`,
      action: edit("Raise limit", row.object.id),
    }),
    all: listed({ status: "active", limit: "near" }),
    many: "keys are near their limits",
  },
  running_out: {
    say: (row, now) => ({
      kind: "warning",
      title: `${row.object.name} runs out ${lastsWords(row, now)} at its pace`,
      detail: `${formatUsd((row.limit ?? 0) - (row.spent ?? 0))} of ${formatUsd(row.limit ?? 0)} left, ${resets(row, now)}`,
      action: edit("Raise limit", row.object.id),
    }),
    all: listed({ status: "active", sort: "lasts_until" }),
    many: "keys run out within 7 days",
  },
  budget: {
    say: (row, now) => ({
      kind: (row.figure ?? 0) >= 1 ? "trouble" : "warning",
      title: `${row.object.name} at ${formatPercent(row.figure ?? 0)} of a budget`,
      detail: `${formatUsd(row.spent ?? 0)} of ${formatUsd(row.limit ?? 0)} spent, ${row.lasts_until === null ? "" : `at its pace used up ${lastsWords(row, now)}, `}${resets(row, now)}`,
      action: { label: "View", to: (path) => paths.workspaceBudgets(path, row.object.id) },
    }),
    all: { label: "Show", to: paths.workspaces },
    many: "budgets are nearly spent or soon used up",
  },
  unused: {
    say: ({ object: { name }, since }, now) => ({
      kind: "off",
      title: `${name} was never used`,
      detail: since === null ? "" : `created ${formatDay(new Date(since), "UTC", now)}`,
      action: listed(neverUsed),
    }),
    all: listed(neverUsed),
    many: "keys were never used",
  },
};

/** What needs attention in words: a line each, and a line for how many more of a kind there are. */
export function attention({ data, totals }: Needs, now: Date): Attention[] {
  const found = (Object.keys(kinds) as AttentionKind[]).flatMap((kind): Listed[] => {
    const rows = data.filter((row) => row.kind === kind);
    const { say, all, many } = kinds[kind];
    const { count, more } = totals[kind];
    // keys that were never used are not worth a line each
    if (kind === "unused" && count > 1) {
      const [oldest] = rows;
      const detail = oldest?.since
        ? `the oldest, ${oldest.object.name}, was created ${formatDay(new Date(oldest.since), "UTC", now)}`
        : "";
      return [{ id: kind, kind: "off", title: `${formatCount(count)}${more ? "+" : ""} ${many}`, detail, action: all }];
    }
    const said = rows.map((row): Listed => ({
      id: `${kind}-${row.object.id}-${row.limit ?? ""}`,
      ...(row.object.type === "key" && { key: row.object }),
      ...say(row, now),
    }));
    const first = said[0];
    if (first === undefined || count <= rows.length) return said;
    const title = `${formatCount(count)}${more ? "+" : ""} ${many}`;
    return [...said, { id: `${kind}-more`, kind: first.kind, title, detail: "including these", action: all }];
  });
  return eachKeyOnce(found);
}

interface Listed extends Attention, Pick<Said, "brief"> {
  key?: { id: string; name: string };
}

/** What else is said of a key joins its first, most urgent line. */
function eachKeyOnce(found: readonly Listed[]): Attention[] {
  const lines = new Map<string, Attention>();
  for (const { key, brief, ...one } of found) {
    const id = key ? `key ${key.id}` : one.id;
    const first = lines.get(id);
    const more = brief ?? one.title.slice(key?.name.length).trimStart();
    if (first === undefined) lines.set(id, one);
    else first.detail = `${first.detail.replace(/\.$/, "")}. Also: ${more}`;
  }
  return [...lines.values()];
}

/** "Mostly 402 key limit (8 of 10)". */
function mostOften({ figure, reason, reason_count: count, status }: AttentionRow): string | null {
  if (figure === null || reason === null || count === null || status === null) return null;
  const words = refusedReason({ reason, status });
  return count >= figure ? `All ${words}` : `Mostly ${words} (${formatCount(count)} of ${formatCount(figure)})`;
}

function expiry(row: AttentionRow, now: Date): Pick<Attention, "title" | "detail"> {
  const end = new Date(row.until ?? now);
  const here = localZone();
  const utc = `${formatClock(end, "UTC")} UTC`;
  const soon = end.getTime() - now.getTime() < dayMs;
  const used =
    row.last_used_at === null ? "never used" : `last used ${formatRelative(new Date(row.last_used_at), now)}`;
  return {
    title: `${row.object.name} expires ${soon ? formatRelative(end, now) : `on ${formatDay(end, "UTC", now)}`}`,
    detail: `${here === "UTC" ? utc : `${utc}, ${formatClock(end, here)} here`}; ${used}`,
  };
}

function resets({ until }: AttentionRow, now: Date): string {
  if (until === null) return "does not reset";
  const at = new Date(until);
  return `resets in ${formatDuration(at.getTime() - now.getTime())} (${formatDay(at, "UTC", now)} 00:00 UTC)`;
}

/** "today", or the day. */
function lastsWords({ lasts_until: until }: AttentionRow, now: Date): string {
  const at = new Date(until ?? now);
  const day = formatDay(at, "UTC", now);
  return at.getTime() - now.getTime() < dayMs ? `at about ${formatClock(at, "UTC")} UTC` : `on about ${day}`;
}

const credentials: ReadonlySet<number> = new Set([401, 403]);

/** Whose words they are: an answer's, or the gateway's own about a connection. */
function lastFailure({ message, status, since }: AttentionRow, now: Date): string | null {
  if (message === null) return null;
  const when = since === null ? "" : `, ${formatRelative(new Date(since), now)}`;
  if (status === null) return `Its last call failed${when}: ${message.replace(/\.$/, "")}`;
  return `Its last error${when && `${when},`} was HTTP ${status}: “${message.replace(/\.$/, "")}”`;
}

function providerRemedy({ status, message, state }: AttentionRow): string | null {
  if (message === null) return null;
  if (status === null) return "Test it to see how far a call gets";
  if (credentials.has(status)) return state === "credentials" ? null : "It refuses the gateway's key";
  if (status === 402) return "Check the account there";
  if (status === 429 || status === 529) return "Give its models another provider, or wait";
  return "Test it, or turn it off so that calls go to other providers";
}

function sentences(...parts: readonly (string | false | null)[]): string {
  const said = parts.filter((part) => part !== false && part !== null);
  return said.map((part) => `${part.replace(/[.]$/, "")}.`).join(" ");
}
