import type { SampledSession } from "#contract/forwarding.ts";
import { keepsPosition, percentOf } from "#contract/sampling.ts";
import { RateDecades } from "./RateDecades.tsx";
import { SessionStrip } from "./SessionStrip.tsx";

interface TracedSessionProps {
  /** of the call's workspace; undefined while they are read, or where they could not be */
  sessions: readonly SampledSession[] | undefined;
  position: number;
  rate: number;
}

/** Where a call's session lies among those of the last day, and whether a destination's rate keeps it. */
export function TracedSession({ sessions, position, rate }: TracedSessionProps) {
  return (
    <div className="pb-1">
      {sessions ? (
        <SessionStrip sessions={sessions} rate={rate} marked={position} className="h-8" />
      ) : (
        <div className="h-10.25" />
      )}
      <RateDecades />
      <p className="pt-1 text-12 text-fg-3">
        {`The dot is this call among the sessions of the last 24 h: ${keepsPosition(position, rate) ? "kept" : "not kept"} at ${percentOf(rate)}.`}
      </p>
    </div>
  );
}
