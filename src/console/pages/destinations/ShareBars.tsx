import { cx } from "../../ui/cx.ts";
import { litBars } from "../../ui/lit-bars.ts";

const bars = 50;

/** Fifty bars over the whole width, so many of them lit; anything at all lights one. */
export function ShareBars({ fraction, className = "h-5" }: { fraction: number; className?: string }) {
  const lit = litBars(fraction, bars);
  return (
    <svg
      viewBox={`0 0 ${bars} 20`}
      preserveAspectRatio="none"
      fill="none"
      strokeWidth="2"
      aria-hidden="true"
      className={cx("w-full", className)}
    >
      <path
        d={uprights(0, lit)}
        vectorEffect="non-scaling-stroke"
        className="stroke-accent forced-colors:stroke-[CanvasText]"
      />
      <path
        d={uprights(lit, bars)}
        vectorEffect="non-scaling-stroke"
        className="stroke-tick forced-colors:stroke-[GrayText]"
      />
    </svg>
  );
}

function uprights(from: number, to: number): string {
  let path = "";
  for (let bar = from; bar < to; bar += 1) path += `M${bar + 0.5} 0v20`;
  return path;
}
