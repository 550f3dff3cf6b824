import type { ReportGroup, UsageReport } from "#contract/usage-report.ts";
import { toCsv, type CsvValue } from "../../csv.ts";
import { groupText } from "./labels.ts";
import { type Line, linesOf, shareOf } from "./lines.ts";
import type { UsageSearch } from "./search.ts";

/** The heads of a grouping's columns: what is named has its id as well. */
const heads: Readonly<Record<ReportGroup, readonly string[]>> = {
  key: ["key_hash", "key_name", "key_label"],
  model: ["model"],
  provider: ["provider", "provider_name"],
  workspace: ["workspace_id", "workspace_name"],
  creator: ["creator_user_id", "creator_name"],
  session: ["session_id"],
  app: ["app"],
};

function cellsOf(line: Line, nth: number, by: ReportGroup): CsvValue[] {
  if (line.kind === "uncounted") return heads[by].map((_, index) => (index === 0 ? "(not counted by row)" : null));
  const { id = null, name = null, label = null } = line.groups[nth] ?? {};
  return [id, name, label].slice(0, heads[by].length);
}

const figures = [
  "requests",
  "failures",
  "prompt_tokens",
  "cached_tokens",
  "completion_tokens",
  "reasoning_tokens",
] as const;

/** The rows of a report as a file: those of the table, in its order, without its total, which is their sum. */
export function reportCsv(report: UsageReport, search: UsageSearch): string {
  const by = [search.by ?? "key", ...(search.and === undefined || search.and === search.by ? [] : [search.and])];
  const header = [
    "since",
    "until",
    ...by.flatMap((group) => heads[group]),
    "usage_usd",
    "byok_usage_usd",
    "share",
    "usage_before_usd",
    ...figures,
  ];
  const lines = linesOf(report).filter(({ kind }) => kind !== "total");
  const rows = lines.map((line): CsvValue[] => [
    new Date(report.since),
    new Date(report.until),
    ...by.flatMap((group, nth) => cellsOf(line, nth, group)),
    line.total.usage,
    line.total.byok_usage,
    shareOf(line, report.total),
    line.previous?.usage ?? null,
    ...figures.map((member) => line.total[member]),
  ]);
  return toCsv(header, rows);
}

/** The rows in the order of the table: they are read by their ids, so that none is read twice while calls are made. */
export function inOrder(
  rows: UsageReport["rows"],
  { by = "key", and, sort = "usage", order }: UsageSearch,
): UsageReport["rows"] {
  const sign = (order ?? (sort === "name" ? "asc" : "desc")) === "asc" ? 1 : -1;
  type Row = UsageReport["rows"][number];
  const nameOf = ({ groups }: Row) =>
    groups.map((group, nth) => groupText(nth === 0 ? by : (and ?? by), group).toLowerCase()).join("\n");
  const valueOf = ({ total, previous }: Row) =>
    sort === "name" ? 0 : sort === "change" ? total.usage - (previous?.usage ?? 0) : total[sort];
  const compared = (a: Row, b: Row) =>
    sort === "name" ? (nameOf(a) < nameOf(b) ? -1 : 1) : valueOf(a) - valueOf(b) || a.total.requests - b.total.requests;
  return rows.toSorted((a, b) => sign * compared(a, b));
}
