import { Link } from "@tanstack/react-router";
import type { KeyRecord } from "#contract/keys.ts";
import { formatClock, formatRelative, localZone } from "../../format.ts";
import { paths } from "../../paths.ts";
import type { Column } from "../../table/column.ts";
import { cx } from "../../ui/cx.ts";
import { Meter } from "../../ui/Meter.tsx";
import { Money } from "../../ui/Money.tsx";
import { Status } from "../../ui/Status.tsx";
import { Time } from "../../ui/Time.tsx";
import { tip } from "../../ui/Tooltip.tsx";
import { Portcullis } from "../../ui/Portcullis.tsx";
import { LastsUntil } from "./LastsUntil.tsx";
import { LimitCell } from "./LimitCell.tsx";
import { byokSort, usageSort, type UsagePeriod } from "./search.ts";
import { expiresToday, statusView } from "./status.ts";

/** What the cells need in addition to the row. */
export interface KeyContext {
  now: Date;
  usage: UsagePeriod;
  zone: "utc" | "local";
  /** as written in the address */
  workspace: string;
  workspaceNames: ReadonlyMap<string, string>;
  /** the key that is watched for its first call */
  watched: string | null;
}

const usageHeads: Record<UsagePeriod, string> = {
  day: "Used today",
  week: "Used this week",
  month: "Used this month",
  total: "Used in total",
};
const zoned =
  (head: string) =>
  ({ zone }: KeyContext) =>
    `${head}, ${zone === "utc" ? "UTC" : "here"}`;
const second = "text-11 text-fg-3 group-data-[density=compact]/table:hidden";

/** The key's masked label, as the server made it: prefix, first three, last four. */
export function shortLabel(label: string): string {
  return label.replace("...", "…");
}

export const keyColumns: readonly Column<KeyRecord, KeyContext>[] = [
  {
    id: "name",
    head: "Name",
    width: 150,
    sort: "name",
    fixed: true,
    skeleton: { width: 128, two: true },
    cell: (key, { workspace }) => (
      <div className="grid grid-cols-1 justify-items-start leading-4">
        <Link
          to={paths.key(workspace, key.hash)}
          data-key={key.hash}
          dir="auto"
          className={cx(
            "max-w-full truncate rounded-1 -outline-offset-1 tracking-[-0.004em] hover:underline",
            key.status === "active" || key.status === "over_limit"
              ? "font-semibold text-fg-1"
              : "font-normal text-fg-2",
          )}
        >
          {key.name}
        </Link>
        <span translate="no" className={cx(second, "font-mono text-[10.5px]/3.5 tracking-[-0.01em]")}>
          {shortLabel(key.label)}
        </span>
      </div>
    ),
  },
  {
    id: "status",
    head: "Status",
    width: 98,
    sort: "status",
    skeleton: { width: 64 },
    cell: (key, { now }) => {
      const { kind, word, note, why } = statusView(key, now);
      if (why === null) return <Status kind={kind} word={word} />;
      return (
        // the reason must be in reach without a pointer
        <span tabIndex={0} className="inline-grid rounded-1 leading-4" {...tip(why)}>
          <Status kind={kind} word={word} />
          {note && <span className={cx(second, "pl-[17px]")}>{note}</span>}
        </span>
      );
    },
  },
  {
    id: "limit",
    head: "Left of limit",
    width: 240,
    picture: true,
    sort: "limit_remaining",
    skeleton: { cell: <Meter fraction={0} bars={20} className="anim-breathe" /> },
    cell: (key, { now }) => <LimitCell limited={key} now={now} />,
  },
  {
    id: "lasts",
    head: "Lasts until",
    width: 112,
    sort: "lasts_until",
    skeleton: { width: 72, two: true },
    cell: (key, { now }) => <LastsUntil of={key} now={now} />,
  },
  {
    id: "usage",
    head: "Used",
    width: 116,
    headFor: ({ usage }) => usageHeads[usage],
    sort: ({ usage }) => usageSort(usage),
    figures: true,
    skeleton: { width: 56 },
    cell: (key, { usage }) => <Money usd={usageOf(key, usage)} dash focusable />,
  },
  {
    id: "byok",
    head: "BYOK",
    width: 88,
    sort: ({ usage }) => byokSort(usage),
    figures: true,
    skeleton: { width: 40 },
    cell: (key, { usage }) => <Money usd={byokOf(key, usage)} dash focusable />,
  },
  {
    id: "workspace",
    head: "Workspace",
    width: 100,
    sort: "workspace",
    cell: (key, { workspaceNames }) => (
      <span dir="auto" className="block truncate text-fg-2">
        {workspaceNames.get(key.workspace_id) ?? "–"}
      </span>
    ),
  },
  {
    id: "expires",
    head: "Expires",
    width: 96,
    headFor: zoned("Expires"),
    sort: "expires_at",
    skeleton: { width: 72, two: true },
    cell: (key, { now, zone }) => <Expiry limited={key} now={now} zone={zone === "utc" ? "UTC" : localZone()} />,
  },
  {
    id: "last_used",
    head: "Last used",
    width: 88,
    sort: "last_used_at",
    skeleton: { width: 56 },
    cell: (key, { now, zone, watched }) => {
      if (key.last_used_at !== null) {
        return (
          <span className={cx("inline-flex items-center gap-1.5", watched === key.hash ? "text-ok-fg" : "text-fg-2")}>
            {watched === key.hash && <Portcullis open size={16} />}
            <Time iso={key.last_used_at} now={now} zone={zone} focusable />
          </span>
        );
      }
      if (watched !== key.hash) return <span className="text-fg-2">Not yet</span>;
      return (
        <span className="inline-flex items-center gap-1.5 text-fg-2">
          <Portcullis open={false} size={16} />
          Waiting
        </span>
      );
    },
  },
  {
    id: "created",
    head: "Created",
    width: 108,
    headFor: zoned("Created"),
    sort: "created_at",
    skeleton: { width: 48 },
    cell: (key, { now, zone }) => (
      <div className="grid grid-cols-1 leading-4 text-fg-2">
        <Time iso={key.created_at} show="day" now={now} zone={zone} focusable />
        {key.creator_user_id !== null && <span className={cx(second, "truncate")}>{key.creator_user_id}</span>}
      </div>
    ),
  },
];

function Expiry({ limited, now, zone }: { limited: KeyRecord; now: Date; zone: string }) {
  if (limited.expires_at === null) return <span className="text-fg-2">Never</span>;
  const at = new Date(limited.expires_at);
  const today = limited.status === "active" && expiresToday(limited, now);
  return (
    <div className={cx("grid leading-4", today ? "text-warn-fg" : "text-fg-2")}>
      {today ? (
        <span>Today {formatClock(at, zone)}</span>
      ) : (
        <Time iso={limited.expires_at} show="day" now={now} zone={zone === "UTC" ? "utc" : "local"} focusable />
      )}
      <span className={cx(second, today && "text-warn-fg")}>{formatRelative(at, now)}</span>
    </div>
  );
}

export function usageOf(key: KeyRecord, period: UsagePeriod): number {
  return { day: key.usage_daily, week: key.usage_weekly, month: key.usage_monthly, total: key.usage }[period];
}

export function byokOf(key: KeyRecord, period: UsagePeriod): number {
  const { byok_usage_daily: day, byok_usage_weekly: week, byok_usage_monthly: month, byok_usage: total } = key;
  return { day, week, month, total }[period];
}
