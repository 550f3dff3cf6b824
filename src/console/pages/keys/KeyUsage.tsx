import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type KeyRecord, getKeyUsage } from "#contract/keys.ts";
import { query } from "../../api/query.ts";
import { formatCount, formatUsd } from "../../format.ts";
import { QueryBoundary } from "../../shell/QueryBoundary.tsx";
import { Bars } from "../../ui/Bars.tsx";
import { Segmented } from "../../ui/Segmented.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { costsAnything, ranges, usageBars, usageSentence, type Range } from "./usage-bars.ts";

const choices = (Object.keys(ranges) as Range[]).map((value) => ({ value, label: ranges[value].label }));
const parts = ["Credits", "BYOK"] as const;

const firstRange: Range = "7d";

function usageRead(hash: string, range: Range) {
  const { by, last } = ranges[range];
  return query(getKeyUsage, { params: { hash }, query: { by, last } });
}

/** Whether the chart's height is known: that of the range that it is shown with first. */
export function useUsageKnown(hash: string): boolean {
  return !useQuery(usageRead(hash, firstRange)).isPending;
}

/** What the key spent over time, with the resets of its limit. Fails alone. */
export function KeyUsage({ of: key }: { of: KeyRecord }) {
  const [range, setRange] = useState<Range>(firstRange);
  const { unit } = ranges[range];
  const read = useQuery({
    ...usageRead(key.hash, range),
    placeholderData: (before) => before,
  });
  return (
    <section aria-labelledby="usage-title" className="border-t border-line px-8 py-6 max-md:px-4">
      <div className="flex items-center gap-3 pb-3">
        <h2 id="usage-title" className="text-15">
          Usage
        </h2>
        <Segmented
          label="Time range"
          size="sm"
          choices={choices}
          value={range}
          onChange={setRange}
          className="ml-auto"
        />
      </div>
      <QueryBoundary
        query={read}
        what="the usage"
        skeleton={<Skeleton height={280} />}
        className="-mx-8 px-8 max-md:-mx-4 max-md:px-4"
      >
        {({ data }) => (
          <Bars
            title={`${costsAnything(data) ? "Spend" : "Calls"} per ${unit.toLowerCase()}`}
            sentence={usageSentence(data, range)}
            bars={usageBars(data, range, key.limit === null ? null : key.limit_reset)}
            format={(value) => (costsAnything(data) ? formatUsd(value) : formatCount(value))}
            parts={data.some((point) => point.byok_usage > 0) ? parts : undefined}
            counts={!costsAnything(data)}
            unit={unit}
            height={160}
          />
        )}
      </QueryBoundary>
    </section>
  );
}
