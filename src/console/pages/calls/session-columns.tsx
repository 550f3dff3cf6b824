import { Link } from "@tanstack/react-router";
import type { CallSession } from "#contract/call-sessions.ts";
import { formatCount, formatDuration } from "../../format.ts";
import { paths } from "../../paths.ts";
import type { Column } from "../../table/column.ts";
import { TimeCell } from "../../table/TimeCell.tsx";
import { linkTextClass } from "../../ui/LinkText.tsx";
import { Money } from "../../ui/Money.tsx";
import { Status } from "../../ui/Status.tsx";
import { tip } from "../../ui/Tooltip.tsx";
import type { CallsSearch } from "./search.ts";

export interface SessionContext {
  /** as written in the address */
  workspace: string;
  /** the filters under which the sessions were found */
  search: CallsSearch;
}

export const sessionsWidth = "min-w-170";

export const sessionColumns: readonly Column<CallSession, SessionContext>[] = [
  {
    id: "session",
    head: "Session",
    fixed: true,
    skeleton: { width: 148 },
    cell: ({ session_id: session }, { workspace, search }) => (
      <Link
        to={paths.calls(workspace)}
        search={{ ...search, group: undefined, session }}
        className={`mono block truncate ${linkTextClass}`}
        {...tip(session)}
      >
        {session}
      </Link>
    ),
  },
  {
    id: "last_at",
    head: "Last call",
    zoned: true,
    width: 180,
    skeleton: { width: 120 },
    cell: ({ last_at: at }) => <TimeCell iso={at} show="exact" />,
  },
  {
    id: "length",
    head: "Lasted",
    width: 96,
    figures: true,
    cell: ({ first_at: first, last_at: last }) => formatDuration(Date.parse(last) - Date.parse(first)),
  },
  {
    id: "calls",
    head: "Calls",
    width: 88,
    figures: true,
    cell: ({ calls }) => formatCount(calls),
  },
  {
    id: "failed",
    head: "Failed",
    width: 112,
    cell: ({ failed }) =>
      failed === 0 ? <Status kind="running" word="None" /> : <Status kind="trouble" word={formatCount(failed)} />,
  },
  {
    id: "model",
    head: "Model",
    className: "w-[24%] @max-[1000px]:hidden",
    skeleton: { width: 120 },
    cell: ({ model, models }) => (
      <span className="block truncate" {...tip(model)}>
        {models === 1 ? model : `${formatCount(models)} models`}
      </span>
    ),
  },
  {
    id: "tokens",
    head: "Tokens",
    width: 104,
    figures: true,
    className: "@max-[1000px]:hidden",
    cell: ({ tokens }) => formatCount(tokens),
  },
  {
    id: "cost",
    head: "Cost",
    width: 112,
    figures: true,
    cell: ({ cost, byok_cost: byok }) => <Money usd={cost + byok} dash focusable />,
  },
];
