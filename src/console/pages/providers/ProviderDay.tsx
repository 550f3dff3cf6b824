import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { countGenerations } from "#contract/call-counts.ts";
import { minuteMs } from "#contract/time.ts";
import { useNow } from "../../api/clock.ts";
import { query } from "../../api/query.ts";
import { formatCount } from "../../format.ts";
import { allWorkspaces } from "../../paths.ts";
import { QueryBoundary } from "../../shell/QueryBoundary.tsx";
import { Bars } from "../../ui/Bars.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { beginningOfDay, dayBars, dayParts, daySentence, dayTones, halfHours } from "./provider-day.ts";

const height = 80;

/** The provider's last day by half hours, from the ledger: all processes, all workspaces. */
export function ProviderDay({ slug }: { slug: string }) {
  const since = beginningOfDay(useNow(minuteMs));
  const counts = useQuery({
    ...query(countGenerations, {
      query: { provider: slug, workspace_id: allWorkspaces, since, buckets: String(halfHours) },
    }),
    refetchInterval: minuteMs,
    placeholderData: keepPreviousData,
  });
  return (
    <QueryBoundary query={counts} what="the last 24 hours" skeleton={<Skeleton height={height + 60} />}>
      {(data) => (
        <Bars
          title="Calls per half hour"
          sentence={daySentence(data)}
          bars={dayBars(data)}
          format={formatCount}
          parts={dayParts}
          tones={dayTones}
          unit={data.bucket_minutes === 30 ? "Half hour" : "Hour"}
          counts
          height={height}
        />
      )}
    </QueryBoundary>
  );
}
