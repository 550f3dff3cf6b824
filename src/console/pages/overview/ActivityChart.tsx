import { useQuery } from "@tanstack/react-query";
import { getActivity } from "#contract/activity.ts";
import type { ActivityRow } from "#contract/activity.ts";
import { useNow } from "../../api/clock.ts";
import { query } from "../../api/query.ts";
import { formatCompact, formatCount, formatUsd } from "../../format.ts";
import { allWorkspaces } from "../../paths.ts";
import { Reading } from "../../shell/Reading.tsx";
import { useWorkspace } from "../../shell/workspace.ts";
import { Bars } from "../../ui/Bars.tsx";
import { Facts } from "../../ui/Facts.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { activitySentence, spendByModel, totals } from "./activity.ts";
import { spendBars } from "./spend.ts";

/** What the account or a workspace spent in the last thirty completed days, by model. */
export function ActivityChart({ every }: { every: number | false }) {
  const { id } = useWorkspace();
  const activity = useQuery({
    ...query(getActivity, { query: id === undefined || id === allWorkspaces ? {} : { workspace_id: id } }),
    enabled: id !== undefined,
    refetchInterval: every,
  });
  return (
    <Reading query={activity} what="the spend of the last 30 days" skeleton={<Skeleton height={350} />}>
      {({ data }) => <Chart rows={data} />}
    </Reading>
  );
}

function Chart({ rows }: { rows: readonly ActivityRow[] }) {
  const { id, name } = useWorkspace();
  const now = useNow(60_000);
  const series = spendByModel(rows, now);
  const sentence = activitySentence(series, id === allWorkspaces ? "The account" : name);
  const [most] = series;
  if (!most)
    return <p className="py-4 text-13 text-fg-2">{sentence} Today is counted once it is over, at 00:00 UTC.</p>;
  const all = totals(rows);
  return (
    <>
      <Bars
        title="Spend per day"
        sentence={sentence}
        bars={spendBars(series, "day")}
        format={(usd) => formatUsd(usd)}
        unit="Day"
        {...(series.length > 1 && {
          parts: [most.name, series.length === 2 ? "one other model" : `${series.length - 1} other models`] as const,
        })}
      />
      <Facts
        className="pt-3"
        columns={2}
        facts={[
          { term: "Requests", value: formatCount(all.requests) },
          { term: "Input tokens", value: formatCompact(all.promptTokens) },
          { term: "Spent", value: formatUsd(all.usd) },
          { term: "Output tokens", value: formatCompact(all.completionTokens) },
        ]}
      />
    </>
  );
}
