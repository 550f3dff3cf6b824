import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { CallCounts } from "#contract/call-counts.ts";
import { formatCompact, formatCount, formatDayTime } from "../../format.ts";
import { Money } from "../../ui/Money.tsx";
import { tip } from "../../ui/Tooltip.tsx";

/** What all calls came to that the filters find, and not only those in sight; as the gateway counted them. */
export function SumLine({ counts }: { counts: UseQueryResult<CallCounts> }) {
  const { data } = counts;
  // the histogram above says where it did not load
  if (data === undefined) return <div className="h-11" aria-hidden="true" />;
  const { total, sums } = data;
  const made = total.answered + (total.cached ?? 0) + total.failed;
  const figures: (readonly [term: string, value: ReactNode])[] = [
    ["Calls made", <Count key="" of={made} />],
    ...(total.failed > 0 ? [["of which failed", <Count key="" of={total.failed} />] as const] : []),
    ...(total.refused !== null && total.refused > 0 ? [["Refused", <Count key="" of={total.refused} />] as const] : []),
    ...(sums === null ? [] : sumFigures(sums)),
  ];
  const note = noteOf(data);
  return (
    <section aria-label="Sum of all calls found" className="px-8 pb-3 max-md:px-4">
      <dl className="flex flex-wrap gap-x-6 gap-y-1 border-y border-line py-1.5 text-13">
        {figures.map(([term, value]) => (
          <div key={term} className="flex items-baseline gap-1.5">
            <dt className="text-12 text-fg-3">{term}</dt>
            <dd className="tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
      {note !== null && <p className="pt-1 text-12 text-fg-3">{note}</p>}
    </section>
  );
}

function sumFigures(sums: NonNullable<CallCounts["sums"]>): (readonly [string, ReactNode])[] {
  const optional = (term: string, of: number) => (of === 0 ? [] : [[term, <Count key="" of={of} />] as const]);
  return [
    ["Cost", <Money key="" usd={sums.cost} focusable />],
    ...(sums.byok_cost > 0 ? [["On own keys", <Money key="" usd={sums.byok_cost} focusable />] as const] : []),
    ["Input tokens", <Count key="" of={sums.prompt_tokens} />],
    ...optional("of which cached", sums.cached_tokens),
    ...optional("Output tokens", sums.completion_tokens),
    ...optional("of which reasoning", sums.reasoning_tokens),
  ];
}

const shortFrom = 100_000;

/** A large count is short, and exact on hover and focus. */
function Count({ of: count }: { of: number }) {
  if (count < shortFrom) return formatCount(count);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the exact figure must be had without a pointer
    <span tabIndex={0} className="rounded-1" {...tip(formatCount(count))}>
      {formatCompact(count)}
    </span>
  );
}

/** What the figures leave out. */
export function noteOf({ sums, source, counted_since: since }: CallCounts): string | null {
  if (since !== null) {
    const at = `${formatDayTime(new Date(since), "UTC", { seconds: true })} UTC`;
    return `There are more calls than are summed one by one: these figures begin at ${at}. Choose a shorter time for all of it.`;
  }
  if (sums === null) return "There are too many calls to sum answered or failed ones alone. Choose a shorter time.";
  return source === "hourly_sums" ? "Summed by the hour in which a call ended: whole hours are included." : null;
}
