import { Link } from "@tanstack/react-router";
import type { UsageFigures } from "#contract/usage-figures.ts";
import type { Overview } from "#contract/overview.ts";
import { formatCompact, formatCount, formatPercent } from "../../format.ts";
import { paths } from "../../paths.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { changeWords } from "../../shell/usage-words.ts";
import { callsOf, usageSearchOf, type OverviewSearch, type Range } from "./ranges.ts";
import { Region } from "../../ui/Region.tsx";
import { sums } from "./usage-reads.ts";
import { SmallFigure } from "./SmallFigure.tsx";

interface RangeFiguresProps {
  range: Range;
  search: OverviewSearch;
  usage: Overview["usage"];
}

/** Calls, errors and tokens, over the range of the page and against the one before it. */
export function RangeFigures({ range, search, usage: { series, starts, refused } }: RangeFiguresProps) {
  const { path } = useWorkspace();
  const { total, previous } = sums(series);
  const tokens = total.prompt_tokens + total.completion_tokens;
  const requests = total.requests + refused.total;
  const rate = errorRate(total, refused.total) ?? 0;
  const calls = callsOf(range, starts[0]);
  const rateBefore = errorRate(previous, refused.previous);
  return (
    <Region label={`the calls of ${range.words}`} className="contents">
      <SmallFigure
        label="Calls"
        note={joined(
          changeWords(requests, previous.requests + refused.previous),
          refused.total > 0 && `${formatCount(refused.total)} of them refused`,
        )}
      >
        <Link
          to={paths.calls(path)}
          search={calls}
          aria-label={`Calls: ${formatCount(requests)}`}
          className="hover:underline"
        >
          {formatCount(requests)}
        </Link>
      </SmallFigure>
      <SmallFigure
        label="Errors"
        note={joined(
          rateBefore !== null && pointsWords(rate - rateBefore),
          included(refused.total > 0 && "refused calls", total.failures > 0 && "callers who left"),
        )}
      >
        <Link
          to={paths.calls(path)}
          search={{ status: "failed", ...calls }}
          aria-label={`Errors: ${formatPercent(rate)}`}
          className={`hover:underline ${rate >= 0.05 ? "text-bad-fg" : ""}`}
        >
          {formatPercent(rate)}
        </Link>
      </SmallFigure>
      <SmallFigure label="Tokens" note={changeWords(tokens, previous.prompt_tokens + previous.completion_tokens)}>
        <Link
          to={paths.usage(path)}
          search={{ ...usageSearchOf(search, "model"), sort: "prompt_tokens" }}
          aria-label={`Tokens: ${formatCompact(tokens)}`}
          className="hover:underline"
        >
          {formatCompact(tokens)}
        </Link>
      </SmallFigure>
    </Region>
  );
}

/** Refused calls are errors to who made them, although no model saw them. Null without any call. */
function errorRate({ requests, failures }: UsageFigures, refused: number): number | null {
  const all = requests + refused;
  return all === 0 ? null : (failures + refused) / all;
}

/** A change of a rate in percentage points; undefined where it rounds to none. */
function pointsWords(change: number): string | undefined {
  const points = Math.abs(change * 100).toFixed(1);
  return points === "0.0" ? undefined : `${change > 0 ? "+" : "−"}${points} points`;
}

/** What this rate counts and others do not: a provider is not blamed for either. */
function included(...parts: readonly (string | false)[]): string | false {
  const said = parts.filter((part) => part !== false);
  return said.length > 0 && `${said.join(" and ")} included`;
}

function joined(...notes: readonly (string | false | undefined)[]): string | undefined {
  const said = notes.filter(Boolean);
  return said.length === 0 ? undefined : said.join(", ");
}
