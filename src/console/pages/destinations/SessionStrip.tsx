import type { SampledSession } from "#contract/forwarding.ts";
import { keepsPosition } from "#contract/sampling.ts";
import { cx } from "../../ui/cx.ts";
import { percentText } from "./sampling.ts";
import { barsOf, heightOf } from "./session-strip.ts";

interface SessionStripProps {
  newestFirst: readonly Pick<SampledSession, "calls" | "position">[];
  rate: number;
  /** the position of a session to point at; one that is not among them is older */
  marked?: number | undefined;
  className?: string | undefined;
}

/**
 * A bar for each session, the higher the fewer sessions are kept with it, and the line of a rate: the bars that reach it
 * are lit. For the eyes only: a sentence next to it says the same.
 */
export function SessionStrip({ newestFirst, rate, marked, className = "h-16" }: SessionStripProps) {
  const isOlder = marked !== undefined && newestFirst.every(({ position }) => position !== marked);
  const sessions = [...newestFirst, ...(isOlder ? [{ calls: 0, position: marked }] : [])].toReversed();
  const line = heightOf(rate);
  const at = sessions.findIndex(({ position }) => position === marked);
  return (
    <div
      aria-hidden="true"
      data-strip=""
      className={cx("@container relative mt-2 mr-14 border-b border-line-2", className)}
    >
      <svg
        viewBox={`0 0 ${Math.max(1, sessions.length)} 1`}
        preserveAspectRatio="none"
        fill="none"
        // uprights of 2 px, thinner where they would touch
        style={{ strokeWidth: `min(2px, calc(62cqw / ${Math.max(1, sessions.length)}))` }}
        className="absolute inset-0 size-full"
      >
        <path
          data-bars="lit"
          d={barsOf(sessions, ({ position }) => keepsPosition(position, rate))}
          vectorEffect="non-scaling-stroke"
          className="stroke-accent forced-colors:stroke-[CanvasText]"
        />
        <path
          data-bars="unlit"
          d={barsOf(sessions, ({ position }) => !keepsPosition(position, rate))}
          vectorEffect="non-scaling-stroke"
          className="stroke-tick forced-colors:stroke-[GrayText]"
        />
      </svg>
      <div className="absolute inset-x-0 border-t border-dashed border-fg-3" style={{ bottom: `${line * 100}%` }}>
        <span className="absolute left-full -translate-y-1/2 pl-1.5 text-11 whitespace-nowrap text-fg-2 tabular-nums">
          {percentText(rate)}%
        </span>
      </div>
      {at >= 0 && (
        <div
          data-marker={keepsPosition(marked ?? 1, rate) ? "kept" : "held"}
          // it runs along the strip to its bar once, unless motion is reduced
          className="anim-run pointer-events-none absolute inset-0"
          style={{ transform: `translateX(${((at + 0.5) / sessions.length - 1) * 100}%)` }}
        >
          <span
            style={{ bottom: `${heightOf(marked ?? 1) * 100}%` }}
            className={cx(
              "absolute -right-1.25 -mb-1.25 size-2.5 rounded-full border-2 border-fg-1 forced-colors:border-[CanvasText]",
              keepsPosition(marked ?? 1, rate) ? "bg-fg-1 forced-colors:bg-[CanvasText]" : "bg-bg-0",
            )}
          />
        </div>
      )}
    </div>
  );
}
