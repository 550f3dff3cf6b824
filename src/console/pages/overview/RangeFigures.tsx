import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { formatCompact, formatCount, formatPercent } from "../../format.ts";
import { paths } from "../../paths.ts";
import { Reading } from "../../shell/Reading.tsx";
import { useWorkspace } from "../../shell/workspace.ts";
import { Skeleton } from "../../ui/Skeleton.tsx";
import type { Range } from "./ranges.ts";
import { changeWords } from "./spend.ts";
import { sums, usageOver } from "./usage-reads.ts";
import { SmallFigure } from "./SmallFigure.tsx";

/** Calls, errors and tokens, over the range of the page and against the one before it. */
export function RangeFigures({ range, every }: { range: Range; every: number | false }) {
  const { id, path } = useWorkspace();
  const usage = useQuery({
    ...usageOver({ workspaceId: id, range, every }),
    placeholderData: (before) => before,
  });
  return (
    <Reading query={usage} what={`the calls of ${range.words}`} skeleton={<Waiting />} cells>
      {({ data }) => {
        const { total, previous } = sums(data);
        const tokens = total.prompt_tokens + total.completion_tokens;
        const rate = total.requests === 0 ? 0 : total.failures / total.requests;
        const rateBefore = previous.requests === 0 ? null : previous.failures / previous.requests;
        return (
          <>
            <SmallFigure label="Requests" note={changeWords(total.requests, previous.requests)}>
              <Link to={paths.calls(path)} className="hover:underline">
                {formatCount(total.requests)}
              </Link>
            </SmallFigure>
            <SmallFigure label="Errors" note={rateBefore === null ? undefined : pointsWords(rate - rateBefore)}>
              <Link
                to={paths.calls(path)}
                search={{ status: "failed" }}
                className={`hover:underline ${rate >= 0.05 ? "text-bad-fg" : ""}`}
              >
                {formatPercent(rate)}
              </Link>
            </SmallFigure>
            <SmallFigure label="Tokens" note={changeWords(tokens, previous.prompt_tokens + previous.completion_tokens)}>
              <Link to={paths.models(path)} className="hover:underline">
                {formatCompact(tokens)}
              </Link>
            </SmallFigure>
          </>
        );
      }}
    </Reading>
  );
}

/** A change of a rate in percentage points; undefined where it rounds to none. */
function pointsWords(change: number): string | undefined {
  const points = Math.abs(change * 100).toFixed(1);
  return points === "0.0" ? undefined : `${change > 0 ? "+" : "−"}${points} points`;
}

function Waiting() {
  return (
    <>
      {[0, 1, 2].map((figure) => (
        <div key={figure} className="grid gap-2">
          <Skeleton width={64} />
          <Skeleton width={84} height={18} />
        </div>
      ))}
    </>
  );
}
