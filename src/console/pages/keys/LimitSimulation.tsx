import { useQuery } from "@tanstack/react-query";
import { getKeyUsage, type KeyRecord } from "#contract/keys.ts";
import { minuteMs } from "#contract/time.ts";
import { query } from "../../api/query.ts";
import { formatLongDay, formatUsd } from "../../format.ts";
import {
  readDays,
  simulateLimit,
  simulationSentence,
  type SimulatedDay,
  type SimulatedLimit,
} from "./limit-simulation.ts";

const pitch = 10;
const height = 56;
const upright = (index: number) =>
  ({ x1: (index + 0.5) * pitch, x2: (index + 0.5) * pitch, vectorEffect: "non-scaling-stroke" }) as const;

/** What a limit would have done to a key that exists: its last 30 days as bars, the limit as a line. */
export function LimitSimulation({ of: key, limit }: { of: KeyRecord; limit: SimulatedLimit }) {
  const { data } = useQuery({
    ...query(getKeyUsage, {
      params: { hash: key.hash },
      query: { by: "day", last: String(readDays), with_replaced: "true" },
    }),
    staleTime: minuteMs,
  });
  if (!data) return null;
  const days = simulateLimit(data.data, limit, key.usage + (limit.countByok ? key.byok_usage : 0));
  return <LimitPicture days={days} limit={limit} sentence={simulationSentence(days, limit)} />;
}

interface LimitPictureProps {
  days: readonly SimulatedDay[];
  limit: SimulatedLimit;
  sentence: string;
}

/** Nothing where nothing was spent. */
export function LimitPicture({ days, limit, sentence }: LimitPictureProps) {
  const most = Math.max(...days.map(({ spent }) => spent));
  if (!(most > 0)) return null;
  // a limit far above all of them would leave nothing to see of the bars, and lies outside the picture
  const top = limit.limit > 2 * most ? most : Math.max(limit.limit, most);
  const tall = (usd: number) => (usd / top) * (height - 2);
  const line = height - tall(limit.limit);
  return (
    <figure className="grid gap-1.5" aria-label="What this limit would have done">
      <div className="relative border-b border-line-2" aria-hidden="true">
        <svg viewBox={`0 0 ${days.length * pitch} ${height}`} preserveAspectRatio="none" className="block h-14 w-full">
          {days.map(({ at, spent, beyond, refused }, index) => (
            <g key={at}>
              <title>{`${formatLongDay(new Date(at), "UTC")}: ${formatUsd(spent)}${refused > 0 ? `, about ${refused} ${limit.watchOnly ? "beyond it" : "refused"}` : ""}`}</title>
              {/* the whole column answers the pointer, the bar in it is thin */}
              <rect x={index * pitch} width={pitch} height={height} fill="transparent" />
              <line
                {...upright(index)}
                y1={height}
                y2={height - tall(spent - beyond)}
                className="stroke-accent stroke-2 forced-colors:stroke-[GrayText]"
              />
              {beyond > 0 && (
                <line
                  {...upright(index)}
                  y1={height - tall(spent - beyond)}
                  y2={height - tall(spent)}
                  className="stroke-bad-fg stroke-2 forced-colors:stroke-[Highlight]"
                />
              )}
            </g>
          ))}
          {limit.limit <= top && (
            <line
              x1={0}
              x2={days.length * pitch}
              y1={line}
              y2={line}
              vectorEffect="non-scaling-stroke"
              strokeDasharray="4 3"
              className="stroke-fg-1 forced-colors:stroke-[CanvasText]"
            />
          )}
        </svg>
      </div>
      <figcaption aria-live="polite" className="text-12 text-fg-2">
        {sentence}
      </figcaption>
    </figure>
  );
}
