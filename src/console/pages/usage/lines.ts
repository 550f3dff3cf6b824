import type { ReportedGroup, ReportFigures, UsageReport } from "#contract/usage-report.ts";
import type { UsagePeriod } from "./periods.ts";
import type { UsageSearch } from "./search.ts";

/** A line of the table: one row of the report, all calls of the period, or those that no row counts. */
export interface Line {
  readonly id: string;
  readonly kind: "row" | "total" | "uncounted";
  readonly groups: readonly ReportedGroup[];
  readonly total: ReportFigures;
  readonly previous: ReportFigures | null;
}

const none = { id: "uncounted", kind: "uncounted", groups: [], previous: null } as const;

/** The total first, so that it is in sight however long the list is. */
export function linesOf({ total, previous, rows, uncounted }: UsageReport): Line[] {
  return [
    { id: "total", kind: "total", groups: [], total, previous },
    ...rows.map((row): Line => ({ ...row, kind: "row", id: JSON.stringify(row.groups.map(({ id }) => id)) })),
    ...(uncounted === null ? [] : [{ ...none, total: uncounted.total }]),
  ];
}

/** What part of the cost a line is, or where nothing costs, of the calls; null: there are none. */
export function shareOf(line: { total: ReportFigures }, all: ReportFigures): number | null {
  if (all.usage > 0) return line.total.usage / all.usage;
  if (all.byok_usage > 0) return line.total.byok_usage / all.byok_usage;
  return all.requests === 0 ? null : line.total.requests / all.requests;
}

/** The filters of the list of calls that a line counts; null: calls cannot be found by what it is of. */
export function callsOf(line: Line, search: UsageSearch, period: UsagePeriod): Record<string, string> | null {
  const filters: Record<string, string> = { since: period.since.toISOString() };
  if (!period.live) filters["until"] = period.until.toISOString();
  if (line.kind === "uncounted") return null;
  const by = [search.by ?? "key", search.and];
  for (const [nth, { id }] of line.groups.entries()) {
    const name = by[nth];
    if (id === null || name === undefined || name === "creator") return null;
    // the page of calls is of the workspace in its address
    if (name !== "workspace") filters[name] = id;
  }
  return filters;
}

/** The order that a press on a column's head gives. */
export function sortedBy(search: UsageSearch, column: string): Pick<UsageSearch, "sort" | "order"> {
  const sort = column as NonNullable<UsageSearch["sort"]>;
  const first = sort === "name" ? "asc" : "desc";
  const other = first === "asc" ? "desc" : "asc";
  const isShown = (search.sort ?? "usage") === sort && (search.order ?? first) === first;
  return { sort: sort === "usage" ? undefined : sort, order: isShown ? other : undefined };
}
