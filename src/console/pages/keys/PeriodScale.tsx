import { useCallback, useState } from "react";
import { type LimitReset, nextReset } from "#contract/time.ts";
import { formatDuration, localZone } from "../../format.ts";
import { inZone } from "../../form/zone.ts";
import { periodScale } from "./period-scale.ts";

const left = 6;
const line = 22.5;

const runs: Record<LimitReset, string> = {
  daily: "Days begin at 00:00 UTC.",
  weekly: "Weeks run Monday to Sunday, UTC.",
  monthly: "Months begin on the 1st, 00:00 UTC.",
};

/** The current limit period on a double scale: UTC above the line, the local midnights below, now and the reset. */
export function PeriodScale({ reset, now }: { reset: LimitReset; now: Date }) {
  const zone = localZone();
  // in pixels, so that the type on it keeps its size on a narrow screen
  const [width, setWidth] = useState(510);
  const measure = useCallback((figure: HTMLElement) => {
    const sizes = new ResizeObserver(([entry]) => {
      if (entry) setWidth(Math.round(entry.contentRect.width));
    });
    sizes.observe(figure);
    return () => sizes.disconnect();
  }, []);
  const right = width - 6;
  const x = (fraction: number) => left + fraction * (right - left);
  const scale = periodScale(reset, now, zone);
  const end = nextReset(reset, now);
  const at = x(scale.now);
  return (
    <figure ref={measure}>
      <svg
        width={width}
        height="46"
        aria-hidden="true"
        fill="none"
        className="block max-w-full text-[11px] tabular-nums forced-colors:[&_path]:stroke-[CanvasText]"
      >
        {scale.major.map((mark) => (
          <g key={mark.at}>
            <path d={`M${x(mark.at)} 14v8`} className="stroke-line-field" />
            {/* no room for a name next to the reset's own */}
            {mark.label !== null && x(mark.at) < right - (width < 400 ? 130 : 100) && (
              <text x={x(mark.at) + 5} y="11" className="fill-fg-3">
                {mark.label}
              </text>
            )}
          </g>
        ))}
        <path d={scale.minor.map((mark) => `M${x(mark)} 19v3`).join("")} className="stroke-tick" />
        <path d={scale.local.map((mark) => `M${x(mark)} 23v6`).join("")} className="stroke-line-field" />
        <path d={`M${left} ${line}H${right}`} className="stroke-line-field" />
        <path d={`M${at} ${line}H${right}`} strokeWidth="2" className="stroke-accent" />
        <path d={`M${right} 12v19`} strokeWidth="2" className="stroke-accent" />
        <path d={`M${at} 13v18`} strokeWidth="1.5" className="stroke-fg-1" />
        <text x={right - 6} y="11" textAnchor="end" className="fill-accent">
          {scale.endUtc}
        </text>
        <text x={right} y="42" textAnchor="end" className="fill-accent">
          {scale.endHere}
        </text>
        {at > 150 && at < right - 110 && (
          <text x={at} y="42" textAnchor="middle" className="fill-fg-1">
            now
          </text>
        )}
        <text x={left} y="42" className="fill-fg-3">
          {scale.zone}
        </text>
      </svg>
      <figcaption className="pt-1 text-12 text-fg-3">
        {runs[reset]} Next reset in {formatDuration(end.getTime() - now.getTime())}
        <span className="sr-only">
          : {inZone(end, "UTC")} UTC, which is {inZone(end, zone)} in {zone}
        </span>
        .
      </figcaption>
    </figure>
  );
}
