import type { SampledSession } from "#contract/forwarding.ts";
import { keepsPosition } from "#contract/sampling.ts";
import { cx } from "../../ui/cx.ts";
import { placeOfRate, samplingStops } from "./sampling.ts";
import { barsOf } from "./session-strip.ts";

interface SessionStripProps {
  sessions: readonly Pick<SampledSession, "calls" | "position">[];
  rate: number;
  /** the position of a session to point at; one that is not among them is older */
  marked?: number | undefined;
  className?: string | undefined;
}

const last = samplingStops.length - 1;

/**
 * A bar for each session, on the scale of the slider, which cuts through it: the bars to the left of the rate are kept
 * and lit. For the eyes only: a sentence next to it says the same.
 */
export function SessionStrip({ sessions: sample, rate, marked, className = "h-16" }: SessionStripProps) {
  const isOlder = marked !== undefined && sample.every(({ position }) => position !== marked);
  const sessions = isOlder ? [...sample, { calls: 0, position: marked }] : sample;
  const isKept = ({ position }: { position: number }) => keepsPosition(position, rate);
  return (
    <div
      aria-hidden="true"
      data-strip=""
      // as wide as the bars of the slider
      className={cx("@container relative mx-3 mt-2 border-b border-line-2", className)}
    >
      <svg
        viewBox={`0 0 ${last} 1`}
        preserveAspectRatio="none"
        fill="none"
        // uprights of 2 px, thinner where many would touch
        style={{ strokeWidth: `clamp(1px, calc(8cqw / ${Math.max(1, sessions.length)}), 2px)` }}
        className="absolute inset-0 size-full overflow-visible"
      >
        <path
          data-bars="lit"
          d={barsOf(sessions, isKept)}
          vectorEffect="non-scaling-stroke"
          className="stroke-accent forced-colors:stroke-[CanvasText]"
        />
        <path
          data-bars="unlit"
          d={barsOf(sessions, (session) => !isKept(session))}
          vectorEffect="non-scaling-stroke"
          className="stroke-tick forced-colors:stroke-[GrayText]"
        />
      </svg>
      <div
        className="absolute inset-y-0 border-l border-dashed border-fg-2"
        style={{ left: `${(placeOfRate(rate) / last) * 100}%` }}
      />
      {marked !== undefined && (
        <div
          data-marker={isKept({ position: marked }) ? "kept" : "held"}
          // it runs along the strip to its bar once, unless motion is reduced
          className="anim-run pointer-events-none absolute inset-0"
          style={{ transform: `translateX(${(placeOfRate(marked) / last - 1) * 100}%)` }}
        >
          <span
            className={cx(
              "absolute -right-1.25 bottom-1 size-2.5 rounded-full border-2 border-fg-1 forced-colors:border-[CanvasText]",
              isKept({ position: marked }) ? "bg-fg-1 forced-colors:bg-[CanvasText]" : "bg-bg-0",
            )}
          />
        </div>
      )}
    </div>
  );
}
