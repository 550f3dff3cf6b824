import { cx } from "./cx.ts";
import { litBars } from "./lit-bars.ts";

export type MeterTone = "auto" | "accent" | "off";

export interface MeterProps {
  /** Used part of the whole, 0 to 1 and beyond. */
  fraction: number;
  /** `auto` is accent, orange from 80 %, red at the limit; `off` is gray, for what is disabled or over. */
  tone?: MeterTone | undefined;
  bars?: number | undefined;
  height?: number | undefined;
  /** A task that comes to an end is a `progressbar`. */
  role?: "meter" | "progressbar" | undefined;
  /** What is measured; without it the meter is decoration next to figures that say the same. */
  label?: string | undefined;
  /** The figure in words, such as "$46.12 of $400 left". */
  valueText?: string | undefined;
  className?: string | undefined;
}

function strokes(from: number, to: number, height: number): string {
  let path = "";
  for (let bar = from; bar < to; bar += 1) path += `M${bar * 4 + 1} 0v${height}`;
  return path;
}

function toneOf(fraction: number, tone: MeterTone): string {
  if (tone === "off") return "stroke-fg-3";
  if (tone === "accent" || fraction < 0.8) return "stroke-accent";
  return fraction >= 1 ? "stroke-bad-fg" : "stroke-warn-fg";
}

/** Bars of 2 px on a 4 px pitch. Any use lights one; the last lights only at the limit. */
export function Meter(props: MeterProps) {
  const { fraction, tone = "auto", bars = 30, height = 8, role = "meter", label, valueText, className } = props;
  const lit = litBars(fraction, bars);
  const width = bars * 4 - 2;
  const meaning = label
    ? {
        role,
        "aria-label": label,
        "aria-valuemin": 0,
        "aria-valuemax": 100,
        "aria-valuenow": Math.round(Math.min(Math.max(fraction, 0), 1) * 100),
        "aria-valuetext": valueText,
      }
    : { "aria-hidden": true };
  return (
    <svg
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      fill="none"
      strokeWidth="2"
      className={cx("block", className)}
      {...meaning}
    >
      <path className={cx(toneOf(fraction, tone), "forced-colors:stroke-[CanvasText]")} d={strokes(0, lit, height)} />
      <path
        className="stroke-tick forced-colors:stroke-[GrayText] forced-colors:opacity-50"
        d={strokes(lit, bars, height)}
      />
    </svg>
  );
}
