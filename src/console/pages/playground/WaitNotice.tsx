import { useSyncExternalStore } from "react";
import { stampMs } from "../../api/clock.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { Notice } from "../../ui/Notice.tsx";
import { NoticeLine } from "./NoticeLine.tsx";
import type { Run } from "./playground.ts";
import { refusalMessage } from "./refusal-messages.ts";
import type { Wait } from "../../vectors/run-batch.ts";

interface WaitProps {
  run: Run;
  wait: Wait;
}

/** Why a run is paused, and the seconds until it resumes by itself. Only the reason is announced, once. */
export const WaitNotice = (props: WaitProps) => (
  <Notice tone="warn" className="shrink-0">
    <WaitWords {...props} />
  </Notice>
);

/** The same where results lie under it, in the line that is kept for notices. */
export const WaitLine = (props: WaitProps) => (
  <NoticeLine tone="warn" details={null}>
    <WaitWords {...props} />
  </NoticeLine>
);

export function WaitWords({ run, wait: { refused, until } }: WaitProps) {
  const { path } = useWorkspace();
  const left = useSecondsUntil(until);
  return (
    <>
      <strong className="font-semibold" role="status">
        {refusalMessage(refused, run, path).title}
      </strong>
      , {left > 0 ? `trying again in ${left} s` : "trying again now"}.{" "}
      <span className="text-fg-2">“{refused.message}”</span>
    </>
  );
}

function useSecondsUntil(until: number): number {
  return useSyncExternalStore(everyQuarterSecond, () => Math.max(0, Math.ceil((until - stampMs()) / 1_000)));
}

function everyQuarterSecond(listener: () => void): () => void {
  const timer = setInterval(listener, 250);
  return () => clearInterval(timer);
}
