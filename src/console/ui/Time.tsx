import { formatAgo, formatDay, formatDayTime, formatFull, formatRelative, localZone } from "../format.ts";
import { cx } from "./cx.ts";
import { tip } from "./Tooltip.tsx";

export interface TimeProps {
  /** ISO 8601. */
  iso: string;
  /** `relative` "3 h ago", `ago` the same and a day after a week, `day` "18 Feb 2027", `full` with the minute, `exact` with the second. */
  show?: "relative" | "ago" | "day" | "full" | "exact" | undefined;
  /** The zone to write in; the tooltip has both. */
  zone?: "utc" | "local" | undefined;
  /** The gateway's time; ages are computed from it. */
  now: Date;
  /** Makes it a tab stop, so that the tooltip can be had without a pointer. */
  focusable?: boolean | undefined;
  className?: string | undefined;
}

/** An instant. UTC and local time are both in the tooltip, one under the other. */
export function Time({ iso, show = "ago", zone = "utc", now, focusable, className }: TimeProps) {
  const at = new Date(iso);
  const here = localZone();
  const written = zone === "utc" ? "UTC" : here;
  const text = {
    relative: () => formatRelative(at, now),
    ago: () => formatAgo(at, written, now),
    day: () => formatDay(at, written, now),
    full: () => formatDayTime(at, written),
    exact: () => formatDayTime(at, written, { seconds: true }),
  }[show]();
  const both = here === "UTC" ? formatFull(at, "UTC") : `${formatFull(at, "UTC")}\n${formatFull(at, here)}`;
  return (
    <time
      dateTime={at.toISOString()}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the tooltip must be had without a pointer
      tabIndex={focusable ? 0 : undefined}
      className={cx("tabular-nums whitespace-nowrap rounded-1", className)}
      {...tip(both)}
    >
      {text}
    </time>
  );
}
