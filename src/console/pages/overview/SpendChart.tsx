import { useQueries, useQuery } from "@tanstack/react-query";
import { getKeyUsage } from "#contract/keys.ts";
import type { KeyRecord } from "#contract/keys.ts";
import { query } from "../../api/query.ts";
import { formatUsd } from "../../format.ts";
import { Reading } from "../../shell/Reading.tsx";
import { useWorkspace } from "../../shell/workspace.ts";
import { Bars } from "../../ui/Bars.tsx";
import { PartialNotice } from "../../ui/Region.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { biggestSpenders } from "./key-reads.ts";
import type { HourRange } from "./ranges.ts";
import { spendBars, spendSentence } from "./spend.ts";

/** How many keys are drawn: usage over time is known key by key. */
const keysDrawn = 6;

/** Spend over time of the keys that spent most. */
export function SpendChart({ range, every }: { range: HourRange; every: number | false }) {
  const { id } = useWorkspace();
  const keys = useQuery(biggestSpenders(id, every));
  return (
    <Reading query={keys} what="the spend over time" skeleton={<Skeleton height={310} />}>
      {({ data }) => (
        <Chart keys={data.filter((key) => key.usage > 0).slice(0, keysDrawn)} range={range} every={every} />
      )}
    </Reading>
  );
}

function Chart({ keys, range, every }: { keys: readonly KeyRecord[]; range: HourRange; every: number | false }) {
  const usages = useQueries({
    queries: keys.map((key) => ({
      ...query(getKeyUsage, { params: { hash: key.hash }, query: { by: range.by, last: String(range.last) } }),
      refetchInterval: every,
    })),
  });
  const series = keys.flatMap((key, index) => {
    const points = usages[index]?.data?.data;
    return points === undefined ? [] : [{ name: key.name, points }];
  });
  const failed = usages.filter((usage) => usage.isError && usage.data === undefined);
  if (keys.length === 0) {
    return (
      <p className="py-4 text-13 text-fg-2">
        No key has spent anything yet. Calls of free models cost nothing and are not drawn.
      </p>
    );
  }
  if (series.length === 0 && failed.length === 0) return <Skeleton height={310} />;
  const [most] = series;
  return (
    <>
      {failed.length > 0 && (
        <PartialNotice onRetry={() => failed.forEach((usage) => void usage.refetch())}>
          The spend of {failed.length === 1 ? "one key" : `${failed.length} keys`} did not load and is not in the chart.
        </PartialNotice>
      )}
      {most && (
        <Bars
          title={`Spend per ${range.by}`}
          sentence={spendSentence(series, range.words)}
          bars={spendBars(series, range.by)}
          format={(usd) => formatUsd(usd)}
          unit="Hour"
          {...(series.length > 1 && { parts: [most.name, `the next ${series.length - 1}`] as const })}
        />
      )}
    </>
  );
}
