import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { ReportFigures, ReportGroup } from "#contract/usage-report.ts";
import { counted, formatCompact, formatCount, formatPercent } from "../../format.ts";
import { GroupName } from "../../shell/GroupName.tsx";
import { changeWords } from "../../shell/usage-words.ts";
import type { Column } from "../../table/column.ts";
import { Money } from "../../ui/Money.tsx";
import { tip } from "../../ui/Tooltip.tsx";
import { groupLabels, groupText } from "./labels.ts";
import { callsOf, type Line, shareOf } from "./lines.ts";
import type { UsagePeriod } from "./periods.ts";
import type { UsageSearch } from "./search.ts";

export interface UsageContext {
  search: UsageSearch;
  by: ReportGroup;
  and: ReportGroup | undefined;
  period: UsagePeriod;
  total: ReportFigures;
  /** names that several keys have */
  repeated: ReadonlySet<string>;
  /** in words: what the rows leave out */
  uncounted: string;
  /** where the calls of a line are listed */
  callsPath: (line: Line) => string;
}

const none = { id: null, name: null };

type UsageColumn = Column<Line, UsageContext>;

function groupCell(line: Line, nth: 0 | 1, { by, and, repeated, uncounted }: UsageContext): ReactNode {
  if (line.kind !== "row") {
    if (nth === 1) return null;
    return line.kind === "total" ? (
      <b className="font-semibold">Total</b>
    ) : (
      <span className="text-fg-2">{uncounted}</span>
    );
  }
  const group = line.groups[nth];
  const of = nth === 0 ? by : and;
  if (group === undefined || of === undefined) return null;
  return (
    <>
      <span className="block truncate">
        {group.id === null ? (
          <span className="text-fg-2">{groupText(of, group)}</span>
        ) : (
          <GroupName by={of} id={group.id} name={group.name} />
        )}
      </span>
      {nth === 0 && and !== undefined && (
        <span className="block truncate text-fg-2 md:hidden">{groupText(and, line.groups[1] ?? none)}</span>
      )}
      {group.label !== undefined && group.name !== null && repeated.has(group.name) && (
        <span className="block truncate font-mono text-[10.5px]/[14px] text-fg-3">{group.label}</span>
      )}
    </>
  );
}

const figure = (id: keyof ReportFigures, head: string, width: number): UsageColumn => ({
  id,
  head,
  width,
  figures: true,
  sort: id,
  cell: ({ total }) => {
    const short = formatCompact(total[id]);
    return (
      <span
        className={total[id] === 0 ? "text-fg-3" : undefined}
        {...tip(short !== formatCount(total[id]) && formatCount(total[id]))}
      >
        {total[id] === 0 ? "–" : short}
      </span>
    );
  },
});

const first: UsageColumn = {
  id: "group",
  head: "Name",
  headFor: ({ by }) => groupLabels[by].head,
  fixed: true,
  sort: "name",
  skeleton: { width: 148 },
  cell: (line, context) => groupCell(line, 0, context),
};

const second: UsageColumn = {
  id: "second",
  head: "Name",
  headFor: ({ and = "key" }) => groupLabels[and].head,
  width: 168,
  // on a phone it is the second line of the first one
  className: "max-md:hidden",
  skeleton: { width: 120 },
  cell: (line, context) => groupCell(line, 1, context),
};

const cost: UsageColumn = {
  id: "usage",
  head: "Cost",
  width: 106,
  figures: true,
  sort: "usage",
  cell: ({ total }) => <Money usd={total.usage} dash focusable />,
};

/** Shown where any call was made with an own provider key. */
const ownKeys: UsageColumn = {
  id: "byok_usage",
  head: "Own provider keys",
  width: 138,
  figures: true,
  sort: "byok_usage",
  cell: ({ total }) => <Money usd={total.byok_usage} dash focusable />,
};

const rest: readonly UsageColumn[] = [
  {
    id: "share",
    head: "Share",
    width: 74,
    figures: true,
    cell: (line, { total }) => {
      const share = shareOf(line, total);
      return <span className="text-fg-3">{share === null ? "–" : formatPercent(share)}</span>;
    },
  },
  {
    id: "change",
    head: "Change",
    width: 80,
    figures: true,
    sort: ({ by, and }) =>
      by === "session" || by === "app" || and === "session" || and === "app" ? undefined : "change",
    cell: ({ total, previous }) => {
      const words = previous === null ? undefined : changeWords(total.usage, previous.usage);
      const isNew = previous !== null && previous.requests === 0 && total.requests > 0;
      return <span className={words === undefined ? "text-fg-3" : "text-fg-2"}>{words ?? (isNew ? "new" : "–")}</span>;
    },
  },
  {
    id: "requests",
    head: "Calls",
    width: 80,
    figures: true,
    sort: "requests",
    cell: (line, { search, period, callsPath }) => {
      const filters = callsOf(line, search, period);
      const text = formatCount(line.total.requests);
      if (filters === null) return text;
      return (
        <Link
          to={callsPath(line)}
          search={filters}
          aria-label={`${counted(line.total.requests, "call")}, show them`}
          className="hover:underline"
        >
          {text}
        </Link>
      );
    },
  },
  {
    id: "failures",
    head: "Errors",
    width: 72,
    figures: true,
    sort: "failures",
    cell: (line, { search, period, callsPath }) => {
      const { failures, requests } = line.total;
      if (failures === 0) return <span className="text-fg-3">–</span>;
      const filters = callsOf(line, search, period);
      const share = `${formatPercent(failures / requests)} of the calls`;
      if (filters === null) return <span {...tip(share)}>{formatCount(failures)}</span>;
      return (
        <Link
          to={callsPath(line)}
          search={{ ...filters, status: "failed" }}
          aria-label={`${counted(failures, "error")}, ${share}, show them`}
          className="hover:underline"
          {...tip(share)}
        >
          {formatCount(failures)}
        </Link>
      );
    },
  },
  figure("prompt_tokens", "Input tokens", 104),
  figure("cached_tokens", "Cached", 80),
  figure("completion_tokens", "Output tokens", 112),
  figure("reasoning_tokens", "Reasoning", 94),
];

const one = [first, cost, ...rest];
const two = [first, second, cost, ...rest];
const oneWithOwnKeys = [first, cost, ownKeys, ...rest];
const twoWithOwnKeys = [first, second, cost, ownKeys, ...rest];

export function usageColumns(grouped: { and: boolean; ownKeys: boolean }): readonly UsageColumn[] {
  if (grouped.and) return grouped.ownKeys ? twoWithOwnKeys : two;
  return grouped.ownKeys ? oneWithOwnKeys : one;
}
