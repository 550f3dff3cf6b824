import { useCallback, useState } from "react";
import { formatBytes, formatCount, formatPercent } from "../../format.ts";
import { Button } from "../../ui/Button.tsx";
import { GroupShape } from "./GroupShape.tsx";
import { sampleMessage } from "./sample-messages.ts";
import type { TradeoffPoint } from "../../vectors/protocol.ts";
import { watchSize } from "./watch-size.ts";

interface TradeoffProps {
  points: readonly TradeoffPoint[];
  /** numbers in a whole vector */
  all: number;
  used: number;
  onUse: (size: number) => void;
}

const widest = 640;
const height = 150;
const pad = 14;

/** How much fewer dimensions keep, as marks over the number of dimensions (each step doubles) and bars for memory. */
export function Tradeoff({ points, all, used, onUse }: TradeoffProps) {
  const [width, setWidth] = useState(widest);
  // drawn at its size: scaled down, its text would be too small to read
  const measured = useCallback(
    (figure: HTMLElement | null) =>
      figure === null ? undefined : watchSize(figure, () => setWidth(Math.min(figure.clientWidth, widest))),
    [],
  );
  const [low, high] = [Math.log2(points[0]?.used ?? 1), Math.log2(all)];
  const x = (size: number) => 44 + ((Math.log2(size) - low) / (high - low || 1)) * (width - 88);
  const y = (share: number) => pad + (1 - Math.max(0, share)) * (height - 2 * pad);
  return (
    <figure ref={measured} className="pt-1">
      <figcaption className="sr-only">
        Neighbors, ranks and memory by the number of dimensions, as in the table below
      </figcaption>
      <svg width={width} height={height + 18} className="max-w-full overflow-visible" aria-hidden="true">
        {[0, 0.5, 1].map((share) => (
          <g key={share}>
            <path d={`M40 ${y(share)}H${width - 30}`} className="stroke-line" />
            <text x="34" y={y(share) + 4} textAnchor="end" className="fill-fg-3 text-11">
              {formatPercent(share)}
            </text>
          </g>
        ))}
        {points.map(({ used: size }) => (
          <path
            key={size}
            d={`M${x(size)} ${y(0)}V${y(size / all)}`}
            strokeWidth="2"
            className={size === used ? "stroke-accent" : "stroke-tick"}
          />
        ))}
        {points.map((point) => (
          <g key={point.used} onClick={() => onUse(point.used)}>
            <rect x={x(point.used) - 14} y="0" width="28" height={height} fill="transparent" />
            <circle cx={x(point.used)} cy={y(point.overlap)} r="4" className="fill-data-1" />
            <rect
              x={x(point.used) - 3.5}
              y={y(point.correlation) - 3.5}
              width="7"
              height="7"
              className="fill-data-2"
              transform={point.overlap === point.correlation ? "translate(9)" : undefined}
            />
            <text
              x={x(point.used)}
              y={height + 12}
              textAnchor="middle"
              className={point.used === used ? "fill-fg-1 text-11 font-semibold" : "fill-fg-3 text-11"}
            >
              {formatCount(point.used)}
            </text>
          </g>
        ))}
      </svg>
      <p className="flex flex-wrap gap-x-4 pt-1 text-12 text-fg-2">
        <span className="inline-flex items-center gap-1.5">
          <GroupShape place={0} /> same neighbors
        </span>
        <span className="inline-flex items-center gap-1.5">
          <GroupShape place={1} /> rank correlation
        </span>
        <span className="inline-flex items-center gap-1.5">
          <span className="inline-block h-2.5 w-0.5 bg-fg-3" /> memory, of {formatBytes(all * 4e6)} for a million
          vectors
        </span>
      </p>
    </figure>
  );
}

/** The same in figures, with a button for each cut. */
export function TradeoffTable({ points, onUse }: Pick<TradeoffProps, "points" | "onUse">) {
  return (
    <table className="mt-3 w-full text-right text-12 tabular-nums">
      <thead className="border-b border-line-2 text-fg-3">
        <tr>
          <th scope="col" className="py-1 text-left font-normal">
            Dimensions
          </th>
          <th scope="col" className="font-normal">
            Same neighbors
          </th>
          <th scope="col" className="font-normal">
            Rank correlation
          </th>
          <th scope="col" className="font-normal">
            A million vectors
          </th>
          <td />
        </tr>
      </thead>
      <tbody>
        {points.map((point) => (
          <tr key={point.used} className="border-b border-line">
            <th scope="row" className="py-1 text-left font-normal">
              {formatCount(point.used)}
            </th>
            <td>
              {formatPercent(point.overlap)} {sampleMessage(point)}
            </td>
            <td>
              {point.correlation.toFixed(3)} {sampleMessage(point)}
            </td>
            <td>{formatBytes(point.used * 4e6)}</td>
            <td>
              <Button size="sm" variant="quiet" onClick={() => onUse(point.used)}>
                Use {formatCount(point.used)}
              </Button>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
